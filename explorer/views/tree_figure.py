"""Draws one tree: nodes as pies of class shares, as large as their samples. Made once, updated."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, Range1d

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES, class_colour

LARGEST, SMALLEST = 15.0, 4.0  # pixels, radius of a node
_WIDTH = 560.0  # pixels a tree is drawn on, roughly


class TreeFigure:
    """A tree, the chosen node ringed and the way to it from the root in ink."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.record: Any = None
        self.figure: Any = chart(
            x_range=Range1d(start=-1, end=1),
            y_range=Range1d(start=-1, end=1),
            x_axis_type=None,
            y_axis_type=None,
        )
        empty: dict[str, Any] = {"x0": [], "y0": [], "x1": [], "y1": []}
        self.branches = ColumnDataSource(dict(empty))
        self.way = ColumnDataSource(dict(empty))
        self.slices = ColumnDataSource(
            {"x": [], "y": [], "radius": [], "start": [], "end": [], "colour": []}
        )
        self.nodes = ColumnDataSource(
            {"x": [], "y": [], "radius": [], "node": [], "samples": [], "text": [], "shares": []}
        )
        self.chosen = ColumnDataSource({"x": [], "y": [], "radius": []})
        self.folds = ColumnDataSource({"x": [], "y": []})
        plot, ends = self.figure, ("x0", "y0", "x1", "y1")
        self._branches = plot.segment(*ends, source=self.branches, line_width=1.2)
        self._way = plot.segment(*ends, source=self.way, line_width=2.5)
        plot.wedge(
            "x",
            "y",
            radius="radius",
            start_angle="start",
            end_angle="end",
            radius_units="screen",
            fill_color="colour",
            line_color=None,
            source=self.slices,
        )
        self._nodes = plot.circle(
            "x", "y", radius="radius", radius_units="screen", fill_alpha=0.0, source=self.nodes
        )
        self._folds = plot.text(
            "x", "y", text={"value": "⋯"}, y_offset=20, text_align="center", source=self.folds
        )
        self._chosen = plot.circle(
            "x",
            "y",
            radius="radius",
            radius_units="screen",
            fill_color=None,
            line_width=3,
            source=self.chosen,
        )
        plot.add_tools(
            HoverTool(
                renderers=[self._nodes],
                tooltips=[
                    ("node", "@node"),
                    ("samples in the bag", "@samples"),
                    ("cut", "@text"),
                    ("shares", "@shares"),
                ],
            )
        )
        self.restyle(theme, present)

    def update(self, record: Any, node: int, whole: Any = None) -> None:
        """Show a TreeDrawing with one node chosen; whole: the tree that it is a part of."""
        self.record = record
        whole = record if whole is None else whole
        leaves = whole.x.max() + 1.0
        depth = max(1.0, -whole.y.min())
        most = float(np.clip(0.42 * _WIDTH / leaves, SMALLEST, LARGEST))
        radius = SMALLEST + (most - SMALLEST) * np.sqrt(record.size / record.size[0])
        radius[0] = max(most, 7.0)
        lines = record.segments
        self.branches.data = _ends(lines)
        self.slices.data = self._pies(radius)
        shares = [
            ", ".join(
                f"{name} {100 * share:.0f} %"
                for name, share in zip(record.class_names, row, strict=True)
                if share > 0
            )
            for row in record.share
        ]
        self.nodes.data = {
            "x": record.x,
            "y": record.y,
            "radius": radius,
            "node": record.number.tolist(),
            "samples": [f"{s:g}" for s in record.size],
            "text": list(record.text),
            "shares": shares,
        }
        self.folds.data = {"x": record.x[record.folded], "y": record.y[record.folded]}
        self.figure.x_range.update(start=-0.6 - 0.02 * leaves, end=leaves - 0.4 + 0.02 * leaves)
        room = 0.2 + 0.13 * depth
        self.figure.y_range.update(start=-depth - room, end=room)
        self.choose(node)

    def choose(self, node: int) -> None:
        """Ring a node and draw the way to it."""
        record = self.record
        at = np.flatnonzero(record.number == node)
        if at.size == 0:
            self.chosen.data = {"x": [], "y": [], "radius": []}
            self.way.data = _ends(np.empty((0, 2, 2)))
            return
        here = int(at[0])
        radius = np.asarray(self.nodes.data["radius"])[here]
        self.chosen.data = {
            "x": [record.x[here]],
            "y": [record.y[here]],
            "radius": [float(radius) + 3.5],
        }
        way = []
        while record.parent[here] >= 0:
            above = int(record.parent[here])
            way.append([[record.x[above], record.y[above]], [record.x[here], record.y[here]]])
            here = above
        self.way.data = _ends(np.array(way).reshape(-1, 2, 2))

    def nearest(self, x: Any, y: Any) -> int | None:
        """The node that is drawn nearest to a clicked place; None for a place that is none."""
        if self.record is None or not all(isinstance(v, (int, float)) for v in (x, y)):
            return None
        if not np.isfinite([x, y]).all():
            return None
        x_range, y_range = self.figure.x_range, self.figure.y_range
        across = (self.record.x - x) / (x_range.end - x_range.start) * 2.0  # wider than high
        up = (self.record.y - y) / (y_range.end - y_range.start)
        return int(self.record.number[(across**2 + up**2).argmin()])

    def _pies(self, radius: Any) -> dict[str, Any]:
        record = self.record
        turn = np.hstack([np.zeros((len(radius), 1)), record.share.cumsum(axis=1)])
        node, k = np.nonzero(record.share > 0)
        top, full = np.pi / 2, 2 * np.pi
        return {
            "x": record.x[node],
            "y": record.y[node],
            "radius": radius[node],
            "start": top - full * turn[node, k + 1],
            "end": top - full * turn[node, k],
            "colour": [class_colour(int(c)).base for c in k],
        }

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._branches.glyph.line_color = look.muted
        self._way.glyph.line_color = look.ink
        self._nodes.glyph.update(line_color=look.ink, line_width=1)
        self._chosen.glyph.line_color = look.accent
        self._folds.glyph.text_color = look.muted
        letter_marks(self._folds, present)


def _ends(lines: Any) -> dict[str, Any]:
    return {
        "x0": lines[:, 0, 0],
        "y0": lines[:, 0, 1],
        "x1": lines[:, 1, 0],
        "y1": lines[:, 1, 1],
    }
