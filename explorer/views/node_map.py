"""Draws a model's map with one tree's cuts on it: the chosen node's line lit, its samples full."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource

from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.theme import THEMES, class_colour

FADED = 0.25
MOST_POINTS = 2000


class NodeMap:
    """The map of one model; points outside the chosen node fade, hues stay."""

    def __init__(
        self, frame: SharedFrame, theme: str = "light", soft: bool = True, present: bool = False
    ) -> None:
        self.map = MapFigure(frame, theme, soft, ("Bayes",), present)
        self.figure = self.map.figure
        self.lines = ColumnDataSource({"xs": [], "ys": []})
        self.lit = ColumnDataSource({"xs": [], "ys": []})
        self._lines = self.figure.multi_line("xs", "ys", source=self.lines, line_width=1)
        self._halo = self.figure.multi_line("xs", "ys", source=self.lit, line_width=7)
        self._lit = self.figure.multi_line("xs", "ys", source=self.lit, line_width=3.5)
        self.away: list[ColumnDataSource] = []
        self.here: list[ColumnDataSource] = []
        self._marks: list[tuple[Any, Any]] = []
        self._many = False
        self.restyle(theme, soft, present)

    def _grow(self, n_classes: int) -> None:
        for k in range(len(self._marks), n_classes):
            look = class_colour(k)
            pair = []
            for alpha, sources in ((FADED, self.away), (1.0, self.here)):
                source = ColumnDataSource({"x": [], "y": []})
                sources.append(source)
                pair.append(
                    self.figure.scatter(
                        "x",
                        "y",
                        source=source,
                        marker=look.marker,
                        fill_color=look.base,
                        fill_alpha=alpha,
                        line_alpha=alpha,
                    )
                )
            self._marks.append((pair[0], pair[1]))

    def update(
        self, record: Any, partition: Any, node: int, rows: Any, x: Any, y: Any, codes: Any
    ) -> None:
        """Show a map record, the lines of a Partition, and which rows are at the node.

        partition may be None where splits are no lines on this plane.
        """
        self.map.update(record)
        lines = [] if partition is None else list(partition.lines)
        numbers = [] if partition is None else partition.line_node.tolist()
        other = [line for line, n in zip(lines, numbers, strict=True) if n != node]
        lit = [line for line, n in zip(lines, numbers, strict=True) if n == node]
        for source, some in ((self.lines, other), (self.lit, lit)):
            source.data = {"xs": [p[:, 0] for p in some], "ys": [p[:, 1] for p in some]}
        self._place(np.asarray(rows), np.asarray(x), np.asarray(y), np.asarray(codes))

    def _place(self, rows: Any, x: Any, y: Any, codes: Any) -> None:
        K = int(codes.max()) + 1
        self._grow(K)
        keep = np.ones(codes.size, bool)
        self._many = codes.size > MOST_POINTS
        if self._many:
            keep[:] = False
            keep[np.random.default_rng(0).permutation(codes.size)[:MOST_POINTS]] = True
        at = np.zeros(codes.size, bool)
        at[rows] = True
        for k in range(len(self._marks)):
            mine = keep & (codes == k)
            for sources, chosen in ((self.away, mine & ~at), (self.here, mine & at)):
                sources[k].data = {
                    "x": x[chosen].astype(np.float32),
                    "y": y[chosen].astype(np.float32),
                }
        self._size_marks()

    def _size_marks(self) -> None:
        look = THEMES[self.map._theme]
        size = 3 if self._many else (10 if self.map._present else 7)
        for pair in self._marks:
            for renderer in pair:
                renderer.glyph.update(size=size, line_color=None if self._many else look.ink)

    def restyle(self, theme: str, soft: bool, present: bool = False) -> None:
        look = THEMES[theme]
        self.map.restyle(theme, soft, ("Bayes",), present)
        self._lines.glyph.update(line_color=look.ink, line_alpha=0.55)
        self._halo.glyph.update(line_color=look.neutral, line_alpha=0.8)
        self._lit.glyph.update(line_color=look.ink)
        self._size_marks()
