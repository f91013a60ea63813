"""Draws one tree on a plane, cut by cut: cells in the colours of their classes, lines, samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from explorer.analysis.posterior_index import levels
from explorer.views.chart import chart, dress
from explorer.views.theme import THEMES, class_colour, posterior_palette


class GrowthMap:
    """The cells of a tree after some of its cuts; the last cut is thick."""

    def __init__(self, theme: str = "light", soft: bool = True, present: bool = False) -> None:
        self.figure: Any = chart(x_range=Range1d(start=0, end=1), y_range=Range1d(start=0, end=1))
        self.cells = ColumnDataSource({"xs": [], "ys": [], "colour": []})
        self.lines = ColumnDataSource({"xs": [], "ys": []})
        self.last = ColumnDataSource({"xs": [], "ys": []})
        self.points = ColumnDataSource({"x": [], "y": [], "marker": [], "colour": []})
        self.figure.patches("xs", "ys", fill_color="colour", line_color=None, source=self.cells)
        self._lines = self.figure.multi_line("xs", "ys", source=self.lines, line_width=1.2)
        self._last = self.figure.multi_line("xs", "ys", source=self.last, line_width=4)
        self._points = self.figure.scatter(
            "x", "y", marker="marker", fill_color="colour", size=6, source=self.points
        )
        self.growth: Any = None
        self.k = 0
        self.restyle(theme, soft, present)

    def update(self, growth: Any, places: Any, codes: Any) -> None:
        """Show a TreeGrowth; places: where the samples lie on its plane, float64[n, 2]."""
        self.growth = growth
        plane = growth.partition.plane
        looks = [class_colour(int(k)) for k in codes]
        self.points.data = {
            "x": np.asarray(places)[:, 0],
            "y": np.asarray(places)[:, 1],
            "marker": [look.marker for look in looks],
            "colour": [look.base for look in looks],
        }
        self.figure.x_range.update(start=plane.x_range[0], end=plane.x_range[1])
        self.figure.y_range.update(start=plane.y_range[0], end=plane.y_range[1])
        self.figure.xaxis[0].axis_label = plane.x_label[:40]
        self.figure.yaxis[0].axis_label = plane.y_label[:40]
        self.cells.data = {
            "xs": [p[:, 0] for p in growth.partition.polygons],
            "ys": [p[:, 1] for p in growth.partition.polygons],
            "colour": self._colours(0),
        }

    def show(self, k: int) -> None:
        """The tree after k cuts."""
        self.k = k
        lines = self.growth.partition.lines
        cut = self.growth.cut_at(k) if k else -1
        here = self.growth.lines_after(k)
        newest = [i for i in here if self.growth.partition.line_node[i] == cut]
        rest = [i for i in here if i not in newest]
        for source, some in ((self.lines, rest), (self.last, newest)):
            source.data = {
                "xs": [lines[i][:, 0] for i in some],
                "ys": [lines[i][:, 1] for i in some],
            }
        self.cells.data = {**dict(self.cells.data), "colour": self._colours(k)}

    def _colours(self, k: int) -> list[str]:
        """One colour per cell: hue of the winner, strength of its lead."""
        shares = self.growth.shares_after(k)
        K = shares.shape[1]
        palette, L = posterior_palette(K, self._theme, self._soft), levels(K)
        ordered = np.sort(shares, axis=1)
        lead = np.rint((L - 1) * (ordered[:, -1] - ordered[:, -2])).astype(int)
        return [palette[w * L + b] for w, b in zip(shares.argmax(axis=1), lead, strict=True)]

    def restyle(self, theme: str, soft: bool, present: bool = False) -> None:
        """Colours of a theme."""
        self._theme, self._soft = theme, soft
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self.figure.background_fill_color = look.neutral
        self._lines.glyph.line_color = look.ink
        self._last.glyph.line_color = look.ink
        self._points.glyph.update(line_color=look.ink, line_alpha=0.8)
        if self.growth is not None:
            self.show(self.k)
