"""Draws a model's map with one tree's cuts on it, the chosen node's line lit."""

from __future__ import annotations

from typing import Any

from bokeh.models import ColumnDataSource

from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.theme import THEMES

LAYERS = ("Bayes", "Points")


class NodeMap:
    """The map of one model; points that are not selected fade, as on every map."""

    def __init__(
        self, frame: SharedFrame, theme: str = "light", soft: bool = True, present: bool = False
    ) -> None:
        self.map = MapFigure(frame, theme, soft, LAYERS, present)
        self.figure = self.map.figure
        self.lines = ColumnDataSource({"xs": [], "ys": []})
        self.lit = ColumnDataSource({"xs": [], "ys": []})
        self._lines = self.figure.multi_line("xs", "ys", source=self.lines, line_width=1)
        self._halo = self.figure.multi_line("xs", "ys", source=self.lit, line_width=7)
        self._lit = self.figure.multi_line("xs", "ys", source=self.lit, line_width=3.5)
        self.restyle(theme, soft, present)

    def update(self, record: Any, partition: Any, node: int) -> None:
        """Show a map record and the lines of a Partition, those of one node lit.

        partition may be None where splits are no lines on this plane.
        """
        self.map.update(record)
        lines = [] if partition is None else list(partition.lines)
        numbers = [] if partition is None else partition.line_node.tolist()
        other = [line for line, n in zip(lines, numbers, strict=True) if n != node]
        lit = [line for line, n in zip(lines, numbers, strict=True) if n == node]
        for source, some in ((self.lines, other), (self.lit, lit)):
            source.data = {"xs": [p[:, 0] for p in some], "ys": [p[:, 1] for p in some]}

    def restyle(self, theme: str, soft: bool, present: bool = False) -> None:
        look = THEMES[theme]
        self.map.restyle(theme, soft, LAYERS, present)
        self._lines.glyph.update(line_color=look.ink, line_alpha=0.55)
        self._halo.glyph.update(line_color=look.neutral, line_alpha=0.8)
        self._lit.glyph.update(line_color=look.ink)
