"""Draws importance along a spectral axis, one line per model, and marks what only slants use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource
from bokeh.models.annotations import Span

from explorer.views.lettering import letter_marks
from explorer.views.plain_figure import MODEL_DASHES, dress, plain_figure
from explorer.views.spectra_figure import LEFT, AxisFrame, Brush, left_border, pieces
from explorer.views.theme import THEMES

ONLY_OBLIQUE = {"light": "#2E7D32", "dark": "#66BB6A"}  # the green of Menze Fig. 7
JOIN = 2  # channels between two marked ones that still make one bracket


@dataclass(frozen=True)
class Trace:
    """One line of the lane: whose it is (place of the model, -1 for the data's own), its values."""

    model: int
    values: Any


def runs(mask: Any, breaks: Any = (), join: int = JOIN) -> list[tuple[int, int]]:
    """(first, last) of the marked channels that lie together; a gap of the axis parts them."""
    gaps = {int(b) for b in breaks}
    out: list[tuple[int, int]] = []
    for j in np.flatnonzero(np.asarray(mask, bool)).tolist():
        near = out and j - out[-1][1] <= join + 1
        if near and not any(g in gaps for g in range(out[-1][1], j)):
            out[-1] = (out[-1][0], j)
        else:
            out.append((j, j))
    return out


class ImportanceLane:
    """The lane under the spectra, on the same axis."""

    def __init__(self, frame: AxisFrame, theme: str = "light", present: bool = False) -> None:
        self.frame, self.theme = frame, theme
        self.lines: Any = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": []})
        self.brackets: Any = ColumnDataSource({"xs": [], "ys": []})
        self.labels: Any = ColumnDataSource({"x": [], "y": [], "text": [], "align": []})
        self.known = ColumnDataSource({"left": [], "right": []})
        self.figure: Any = plain_figure(x_range=frame.x_range, min_border_left=LEFT)
        plot = self.figure
        self._known = plot.vstrip(x0="left", x1="right", source=self.known, line_color=None)
        self._known.level = "underlay"
        self._zero = Span(location=0, dimension="width", line_width=1)
        plot.add_layout(self._zero)
        self._lines = plot.multi_line(
            "xs", "ys", source=self.lines, line_color="colour", line_dash="dash", line_width=1.8
        )
        self._brackets = plot.multi_line("xs", "ys", source=self.brackets, line_width=2.5)
        self._labels = plot.text(
            "x", "y", text="text", text_align="align", source=self.labels, text_baseline="bottom"
        )
        self.brush = Brush(plot, frame, "height")
        self._drawn: tuple[Any, ...] | None = None
        self.restyle(theme, present)

    def update(
        self,
        axis: Any,
        breaks: Any,
        traces: Sequence[Trace],
        words: str,
        label: str,
        only: Any = None,
        informative: Any = None,
    ) -> None:
        """words go along the left side, label along the axis; only: bool[P] or None."""
        self._drawn = (axis, breaks, traces, words, label, only, informative)
        look = THEMES[self.theme]
        lines: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": [], "dash": []}
        low, high = 0.0, 1e-12
        for trace in traces:
            values = np.where(np.isfinite(trace.values), trace.values, np.nan)
            low = min(low, float(np.nanmin(values)))
            high = max(high, float(np.nanmax(values)))
            for part in pieces(axis, breaks):
                lines["xs"].append(axis[part])
                lines["ys"].append(values[part])
                lines["colour"].append(look.muted if trace.model < 0 else look.models[trace.model])
                lines["dash"].append(MODEL_DASHES[trace.model])
        self.lines.data = lines
        reach = high - low
        marked = [] if only is None else runs(only, breaks)
        top = high + (0.34 if marked else 0.08) * reach
        self.figure.y_range.update(start=low - 0.06 * reach, end=top)
        self.figure.yaxis.axis_label = words
        self.figure.xaxis.axis_label = label
        self._bracket(axis, marked, high, reach)
        self._mark_known(axis, informative)

    def _bracket(self, axis: Any, marked: list[tuple[int, int]], high: float, reach: float) -> None:
        step = float(np.median(np.abs(np.diff(axis)))) if len(axis) > 1 else 1.0
        xs, ys, ends = [], [], []
        for first, last in marked:
            a, b = sorted((float(axis[first]), float(axis[last])))
            a, b = a - 0.5 * step, b + 0.5 * step
            xs.append([a, a, b, b])
            ys.append([high + d * reach for d in (0.05, 0.12, 0.12, 0.05)])
            ends.append((a, b))
        self.brackets.data = {"xs": xs, "ys": ys}
        texts: dict[str, list[Any]] = {"x": [], "y": [], "text": [], "align": []}
        if ends:  # one label, over the widest bracket; the words beside say the rest
            a, b = max(ends, key=lambda e: e[1] - e[0])
            middle = (a + b) / 2
            left, right = float(np.min(axis)), float(np.max(axis))
            share = (middle - left) / ((right - left) or 1.0)
            if float(self.frame.x_range.start) > float(self.frame.x_range.end):
                share = 1.0 - share
            align = "left" if share < 0.12 else "right" if share > 0.88 else "center"
            texts = {
                "x": [middle],
                "y": [high + 0.14 * reach],
                "text": ["only oblique"],
                "align": [align],
            }
        self.labels.data = texts

    def _mark_known(self, axis: Any, informative: Any) -> None:
        if informative is None or not len(informative):
            self.known.data = {"left": [], "right": []}
            return
        mask = np.zeros(len(axis), bool)
        mask[informative] = True
        step = float(np.median(np.abs(np.diff(axis)))) if len(axis) > 1 else 1.0
        spans = [sorted((float(axis[a]), float(axis[b]))) for a, b in runs(mask, join=0)]
        self.known.data = {
            "left": [a - step / 2 for a, _ in spans],
            "right": [b + step / 2 for _, b in spans],
        }

    def restyle(self, theme: str, present: bool = False) -> None:
        changed, self.theme = theme != self.theme, theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self.figure.min_border_left = left_border(present)
        letter_marks(self._labels, present)
        self.brush.restyle(theme)
        self._zero.line_color = look.hairline
        self._brackets.glyph.line_color = ONLY_OBLIQUE[theme]
        self._labels.glyph.text_color = ONLY_OBLIQUE[theme]
        self._known.glyph.update(fill_color=look.muted, fill_alpha=0.14)
        if changed and self._drawn is not None:
            self.update(*self._drawn)
