"""Draws one node's split: class histograms above and below an axis of scores, the cut in ink."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, CustomJSTickFormatter, Range1d
from bokeh.models.annotations import Span

from explorer.views.chart import chart, dress
from explorer.views.theme import THEMES, class_colour

MOST_CLASSES = 10  # of the largest at the node, with lines of their own


class ProjectionFigure:
    """Scores of the samples at a node; what is left of the cut goes left."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=-1, end=1),
            y_range=Range1d(start=-1, end=1),
            x_axis_label="score, βᵀx",
            y_axis_label="samples",
        )
        self.figure.yaxis.formatter = CustomJSTickFormatter(code="return `${Math.abs(tick)}`")
        self.bars = ColumnDataSource(
            {"left": [], "right": [], "top": [], "bottom": [], "colour": []}
        )
        self.curves = ColumnDataSource({"xs": [], "ys": [], "colour": []})
        self._bars = self.figure.quad(
            left="left",
            right="right",
            top="top",
            bottom="bottom",
            fill_color="colour",
            fill_alpha=0.55,
            line_width=0.5,
            source=self.bars,
        )
        self.figure.multi_line("xs", "ys", line_color="colour", line_width=2, source=self.curves)
        self.picked = ColumnDataSource({"x": [], "y": []})
        self._picked = self.figure.scatter(
            "x", "y", source=self.picked, marker="dash", angle=np.pi / 2, size=10, line_width=1.2
        )
        self._zero = Span(location=0, dimension="width", line_width=1)
        self.cut = Span(location=0, dimension="height", line_width=2.5)
        self.figure.add_layout(self._zero)
        self.figure.add_layout(self.cut)
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any) -> None:
        """Show a Projection."""
        self.record = record
        look = THEMES[self._theme]
        up = sides(record)
        b = record.edges.size - 1
        inside = record.histogram.sum(axis=1)
        shown = [int(k) for k in np.argsort(-inside, kind="stable")[:MOST_CLASSES] if inside[k] > 0]
        bars: dict[str, Any] = {n: [] for n in ("left", "right", "top", "bottom", "colour")}
        curves: dict[str, Any] = {"xs": [], "ys": [], "colour": []}
        width = record.edges[1] - record.edges[0]
        for k in shown:
            heights = record.histogram[k] * up[k]
            some = np.flatnonzero(heights)
            bars["left"] += record.edges[:b][some].tolist()
            bars["right"] += record.edges[1:][some].tolist()
            bars["top"] += np.maximum(heights[some], 0).tolist()
            bars["bottom"] += np.minimum(heights[some], 0).tolist()
            bars["colour"] += [class_colour(k).base] * some.size
            if np.isfinite(record.density[k]).all():
                curves["xs"].append(record.grid)
                curves["ys"].append(record.density[k] * inside[k] * width * up[k])
                curves["colour"].append(class_colour(k).line(look))
        self.bars.data, self.curves.data = bars, curves
        self.cut.location = float(record.cut)
        reach = 1.12 * max((float(np.abs(h).max()) for h in record.histogram), default=1.0)
        low = -reach if (up[shown] < 0).any() else 0.0
        self.figure.y_range.update(start=low, end=max(reach, 1.0))
        self.figure.x_range.update(start=float(record.grid[0]), end=float(record.grid[-1]))

    def pick(self, rows: Any) -> None:
        """Ticks on the axis for selected samples, unless all at the node are."""
        if self.record is None:
            return
        here = np.isin(self.record.rows, rows)
        x = self.record.scores[here] if 0 < here.sum() < here.size else np.empty(0)
        if not np.array_equal(x, self.picked.data["x"]):
            self.picked.data = {"x": x, "y": np.zeros(x.size)}

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._picked.glyph.line_color = look.ink
        self._bars.glyph.line_color = look.card
        self._zero.line_color = look.muted
        self.cut.line_color = look.ink
        if self.record is not None:
            self.update(self.record)


def sides(record: Any) -> np.ndarray:
    """+1 for classes drawn above the axis, -1 for those below, float64[K].

    Of two classes the first is above; of more, those that mostly go left.
    """
    K = len(record.class_names)
    if K == 2:
        return np.array([1.0, -1.0])
    middle = 0.5 * (record.edges[:-1] + record.edges[1:])
    left = record.histogram[:, middle <= record.cut].sum(axis=1)
    return np.where(2 * left >= record.histogram.sum(axis=1), 1.0, -1.0)
