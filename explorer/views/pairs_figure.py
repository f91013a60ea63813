"""Draws a pairs plot: principal coordinates of one model below the diagonal, another's above.

After Menze Fig. 8. One figure holds all cells, so a lasso in one cell is seen in all of them and
the whole is one picture to save.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, LassoSelectTool, TapTool

from explorer.analysis.proximity_picture import PairedPlaces
from explorer.views.lettering import letter_marks
from explorer.views.mds_figure import FADED, PAIRED, SampleFrame, cell_names
from explorer.views.plain_figure import dress, equal_units, look_at, not_by_touch, plain_figure
from explorer.views.theme import THEMES

CELLS = [(r, c) for r in range(PAIRED) for c in range(PAIRED) if r != c]
REACH = 0.45  # of a cell, from its middle to the farthest sample
_BAR = (0.1, 0.52)  # where bars of the diagonal begin, and how long the longest is


class PairsFigure:
    """Cells of samples, and on the diagonal how much each component explains."""

    def __init__(self, frame: SampleFrame, theme: str = "light", present: bool = False) -> None:
        self.frame, self.theme = frame, theme
        self.figure: Any = plain_figure()
        plot = self.figure
        plot.axis.visible = False
        middles = np.arange(PAIRED) + 0.5
        x, y = (a.ravel() for a in np.meshgrid(middles, middles))
        self._cells = plot.rect(x, y, width=0.98, height=0.98, line_width=1)
        self._points = [self._draw_cell(*cell) for cell in CELLS]
        self.wrong = ColumnDataSource({"x": [], "y": []})
        self.outlying = ColumnDataSource({"x": [], "y": []})
        self._rings = plot.scatter(
            "x", "y", source=self.wrong, marker="circle", size=11, fill_color=None, line_width=1.3
        )
        self._crosses = plot.scatter("x", "y", source=self.outlying, marker="x", size=11)
        self.bars = ColumnDataSource(
            {name: [] for name in ("left", "right", "top", "bottom", "colour")}
        )
        self.labels = ColumnDataSource({"x": [], "y": [], "text": [], "align": []})
        plot.quad(
            left="left",
            right="right",
            top="top",
            bottom="bottom",
            fill_color="colour",
            line_color=None,
            source=self.bars,
        )
        self._labels = plot.text(
            "x",
            "y",
            text="text",
            text_align="align",
            text_baseline="middle",
            source=self.labels,
        )
        self.lasso = LassoSelectTool(renderers=self._points, continuous=False, persistent=False)
        hover = HoverTool(
            renderers=self._points, tooltips=[("sample", "@name"), ("class", "@kind")]
        )
        plot.add_tools(self.lasso, TapTool(renderers=self._points), hover)
        plot.toolbar.active_drag = self.lasso
        not_by_touch(plot, self.lasso)
        equal_units(plot)
        half = PAIRED / 2
        look_at(plot, half, half, half, half)
        self._drawn: tuple[Any, ...] | None = None
        self.restyle(theme, present)

    def _draw_cell(self, row: int, column: int) -> Any:
        x, y = cell_names(row, column)
        points = self.figure.scatter(
            x,
            y,
            source=self.frame.samples,
            marker="marker",
            fill_color="colour",
            size=5,
            line_width=0.6,
        )
        points.nonselection_glyph = points.glyph.clone()
        points.nonselection_glyph.update(fill_alpha=FADED, line_alpha=FADED)
        points.selection_glyph = points.glyph.clone()
        return points

    def update(
        self, record: PairedPlaces, models: Sequence[int], names: Sequence[str], marks: Any
    ) -> None:
        """The samples are in the frame (`cells`); here are the diagonal and the marks.

        models: places of the one or two models; names: theirs; marks: (wrong, outlying) bool[n]
        of each model.
        """
        self._drawn = (record, models, names, marks)
        places = cells(record)
        for at, source in enumerate((self.wrong, self.outlying)):
            found: dict[str, list[Any]] = {"x": [], "y": []}
            for row, column in CELLS:
                which = int(column > row)
                if which < len(marks):
                    mask = marks[which][at]
                    x, y = cell_names(row, column)
                    found["x"].append(places[x][mask])
                    found["y"].append(places[y][mask])
            source.data = {name: np.concatenate(parts) for name, parts in found.items()}
        self._draw_diagonal(record, models)
        self.figure.title.text = "  ".join(
            f"{side} the diagonal: {name}"
            for side, name in zip(("Below", "above"), names, strict=False)
        )

    def _draw_diagonal(self, record: PairedPlaces, models: Sequence[int]) -> None:
        look = THEMES[self.theme]
        most = max(float(record.explained.max()), 1e-9)
        bars: dict[str, Any] = {str(name): [] for name in self.bars.data}
        labels: dict[str, Any] = {str(name): [] for name in self.labels.data}
        for c in range(PAIRED):
            x, y = c, PAIRED - 1 - c
            labels["x"].append(x + 0.5)
            labels["y"].append(y + 0.78)
            labels["text"].append(f"axis {c + 1}")
            labels["align"].append("center")
            for at, (model, shares) in enumerate(zip(models, record.explained, strict=True)):
                middle = y + 0.5 - 0.22 * at
                bars["left"].append(x + _BAR[0])
                bars["right"].append(x + _BAR[0] + _BAR[1] * shares[c] / most)
                bars["bottom"].append(middle - 0.07)
                bars["top"].append(middle + 0.07)
                bars["colour"].append(look.models[model])
                labels["x"].append(x + 0.94)
                labels["y"].append(middle)
                labels["text"].append(f"{100 * shares[c]:.0f} %")
                labels["align"].append("right")
        self.bars.data, self.labels.data = bars, labels

    def show_marks(self, marks: Sequence[str]) -> None:
        self._rings.visible = "Misclassified" in marks
        self._crosses.visible = "Outlying" in marks

    def restyle(self, theme: str, present: bool = False) -> None:
        self.theme = theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._cells.glyph.update(fill_color=look.neutral, line_color=look.hairline)
        for points in self._points:
            for glyph in (points.glyph, points.selection_glyph, points.nonselection_glyph):
                glyph.line_color = look.ink
        for marks in (self._rings, self._crosses):
            marks.glyph.line_color = look.ink
        self._labels.glyph.text_color = look.ink
        letter_marks(self._labels, present)
        self.lasso.overlay.update(
            fill_color=look.accent, fill_alpha=0.12, line_color=look.accent, line_alpha=0.8
        )
        if self._drawn is not None:
            self._draw_diagonal(self._drawn[0], self._drawn[1])


def cells(record: PairedPlaces) -> dict[str, Any]:
    """Columns of the samples: where each stands in every cell; the same units in all of them."""
    sides = [record.below] if record.above is None else [record.below, record.above]
    middles = [(s.min(axis=0) + s.max(axis=0)) / 2 for s in sides]
    widest = max(float(np.ptp(s, axis=0).max()) for s in sides) or 1.0
    out: dict[str, Any] = {}
    for row, column in CELLS:
        x, y = cell_names(row, column)
        which = int(column > row)
        if which >= len(sides):
            out[x] = out[y] = np.full(len(record.below), np.nan)
            continue
        scaled = (sides[which] - middles[which]) * (2 * REACH / widest)
        out[x] = column + 0.5 + scaled[:, column]
        out[y] = PAIRED - 0.5 - row + scaled[:, row]
    return out
