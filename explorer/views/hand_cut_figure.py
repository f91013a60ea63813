"""Draws a cut that is made by hand: on the plane, along its direction, and against the angle."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d
from bokeh.models.annotations import Span

from explorer.views.chart import chart, dress
from explorer.views.directions_figure import cut_line
from explorer.views.theme import THEMES, class_colour


class CutPlane:
    """The samples of a node on two standardised features, and the cut as a line."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.figure: Any = chart(x_range=Range1d(start=-3, end=3), y_range=Range1d(start=-3, end=3))
        self.figure.match_aspect = True
        self.points = ColumnDataSource({"x": [], "y": [], "marker": [], "colour": []})
        self.line = ColumnDataSource({"x": [], "y": []})
        self._points = self.figure.scatter(
            "x", "y", marker="marker", fill_color="colour", size=8, source=self.points
        )
        self._halo = self.figure.line("x", "y", source=self.line, line_width=7, line_alpha=0.7)
        self._line = self.figure.line("x", "y", source=self.line, line_width=3)
        self.restyle(theme, present)

    def update(self, search: Any) -> None:
        """Show the samples of a CutSearch."""
        looks = [class_colour(int(k)) for k in search.y]
        self.points.data = {
            "x": search.z[:, 0],
            "y": search.z[:, 1],
            "marker": [look.marker for look in looks],
            "colour": [look.base for look in looks],
        }
        self.reach = 1.15 * float(np.abs(search.z).max()) or 1.0
        self.figure.x_range.update(start=-self.reach, end=self.reach)
        self.figure.y_range.update(start=-self.reach, end=self.reach)
        self.figure.xaxis[0].axis_label = f"{search.names[0][:30]}, sd"
        self.figure.yaxis[0].axis_label = f"{search.names[1][:30]}, sd"

    def turn(self, made: Any) -> None:
        """Show a HandCut: the line where its score equals the cut."""
        turn = np.deg2rad(made.angle)
        unit = np.array([np.cos(turn), np.sin(turn)])
        x, y = cut_line(unit, 3 * self.reach, 3 * self.reach)
        shift = made.cut * unit
        self.line.data = {"x": np.asarray(x) + shift[0], "y": np.asarray(y) + shift[1]}

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._points.glyph.update(line_color=look.ink, line_alpha=0.7)
        self._halo.glyph.line_color = look.card
        self._line.glyph.line_color = look.ink


class GainCurve:
    """What every cut gains, along the score or against the angle; one place is marked."""

    def __init__(self, across: str, theme: str = "light", present: bool = False) -> None:
        self.figure: Any = chart(
            x_range=Range1d(start=-1, end=1),
            y_range=Range1d(start=0, end=1),
            x_axis_label=across,
            y_axis_label="impurity gained",
        )
        self.curve = ColumnDataSource({"x": [], "y": []})
        self.marks = ColumnDataSource({"x": [], "y": [], "marker": []})
        self._curve = self.figure.line("x", "y", source=self.curve, line_width=2)
        self._marks = self.figure.scatter("x", "y", marker="marker", size=11, source=self.marks)
        self.here = Span(location=0, dimension="height", line_width=3)
        self._chosen = Span(location=0, dimension="width", line_width=1.5, line_dash=[6, 4])
        self.figure.add_layout(self.here)
        self.figure.add_layout(self._chosen)
        self.restyle(theme, present)

    def update(self, x: Any, y: Any, here: float, chosen: float, most: float) -> None:
        """A curve; here: the place that is marked; chosen: what the forest's own split gains."""
        self.curve.data = {"x": np.asarray(x, float), "y": np.asarray(y, float)}
        self.here.location = float(here)
        self._chosen.visible = bool(np.isfinite(chosen))
        self._chosen.location = float(chosen) if np.isfinite(chosen) else 0.0
        if len(x):
            room = 0.03 * float(np.ptp(x)) or 1.0
            self.figure.x_range.update(start=float(np.min(x)) - room, end=float(np.max(x)) + room)
        self.figure.y_range.update(start=0.0, end=1.12 * most or 1.0)

    def mark(self, x: Any, y: Any, markers: Any) -> None:
        """Places of note, such as the best straight and the best slanted cut."""
        self.marks.data = {"x": list(x), "y": list(y), "marker": list(markers)}

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._curve.glyph.line_color = look.accent
        self._marks.glyph.update(fill_color=look.card, line_color=look.ink, line_width=2)
        self.here.line_color = look.ink
        self._chosen.line_color = look.muted
