"""Draws the two directions of a plane: a wheel of axes, and curves along a spectrum.

On the wheel the unit vector of every axis is drawn where it is seen on the plane: a long spoke to
the right adds much to the first direction, one that points up to the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d
from bokeh.models.annotations import Span

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES

WIDE, HIGH = 1.6, 1.28  # of the unit circle: room for names
SHORTEST = 0.28  # a spoke this long has a name
LONGEST_NAME = 11
LINE = 0.2  # names on the same side are at least so far apart
MOST_CHANNELS = 300
GRAB = 0.22  # how near a pointer must be to the tip of a spoke


class WheelFigure:
    """Spokes with names in a unit circle; ``held`` is the axis that is turned by hand."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.figure: Any = chart(
            x_range=Range1d(start=-WIDE, end=WIDE),
            y_range=Range1d(start=-HIGH, end=HIGH),
            x_axis_type=None,
            y_axis_type=None,
        )
        self.figure.min_border = 0
        plot = self.figure
        turn = np.linspace(0, 2 * np.pi, 73)
        self._circle = plot.line(np.cos(turn), np.sin(turn), line_width=1)
        self.spokes = ColumnDataSource({"x": [], "y": [], "zero": [], "name": []})
        self.names = ColumnDataSource({"x": [], "y": [], "name": [], "align": []})
        self._lines = plot.segment("zero", "zero", "x", "y", source=self.spokes, line_width=1.6)
        self._tips = plot.scatter("x", "y", source=self.spokes, size=8)
        self._names = plot.text(
            "x", "y", text="name", text_align="align", text_baseline="middle", source=self.names
        )
        self.held = -1
        self.record: Any = None
        self._theme, self._present = theme, present
        self.restyle(theme, present)

    def update(self, record: Any) -> None:
        """Show a TourAxes record."""
        self.record = record
        x, y = np.asarray(record.frame, float).T
        names = [str(name)[:LONGEST_NAME] for name in record.names]
        self.spokes.data = {
            "x": x.astype(np.float32),
            "y": y.astype(np.float32),
            "zero": np.zeros(len(x), np.float32),
            "name": names,
        }
        length = np.hypot(x, y)
        away = 1 + 0.1 / np.maximum(length, 0.1)
        told: list[Any] = []
        for i in np.argsort(-length, kind="stable"):
            if length[i] < SHORTEST and i != self.held:
                break
            crowded = any(
                abs(y[i] * away[i] - y[j] * away[j]) < LINE and (x[i] >= 0) == (x[j] >= 0)
                for j in told
            )
            if not crowded:
                told.append(i)
        self.names.data = {
            "x": [float(x[i] * away[i]) for i in told],
            "y": [float(y[i] * away[i]) for i in told],
            "name": [names[i] for i in told],
            "align": ["left" if x[i] >= 0 else "right" for i in told],
        }

    def grabbed(self, x: float, y: float) -> int:
        """The axis whose tip is under a pointer; -1 for none."""
        if self.record is None:
            return -1
        away = np.hypot(*(np.asarray(self.record.frame, float) - [x, y]).T)
        nearest = int(away.argmin())
        return nearest if away[nearest] <= GRAB else -1

    def restyle(self, theme: str, present: bool = False) -> None:
        """Colours of a theme."""
        self._theme, self._present = theme, present
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._circle.glyph.line_color = look.hairline
        self._lines.glyph.line_color = look.accent
        self._tips.glyph.update(fill_color=look.accent, line_color=look.card)
        self._names.glyph.text_color = look.ink
        letter_marks(self._names, present)
        self._names.glyph.text_font_size = "14px" if present else "12px"


class DirectionCurves:
    """Both directions of a plane as curves along the axis of a spectrum."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.figure: Any = chart(x_range=Range1d(start=0, end=1), y_range=Range1d(start=-1, end=1))
        self.figure.yaxis.visible = False
        self.curves = ColumnDataSource({"x": [], "first": [], "second": []})
        self._zero = Span(location=0, dimension="width", line_width=1)
        self.figure.add_layout(self._zero)
        self._first = self.figure.line(
            "x", "first", source=self.curves, line_width=2, legend_label="to the right"
        )
        self._second = self.figure.line(
            "x", "second", source=self.curves, line_width=1.6, line_dash=[5, 3], legend_label="up"
        )
        legend = self.figure.legend[0]
        legend.update(orientation="horizontal", location="top_left", padding=2, spacing=8)
        legend.update(label_height=12, glyph_height=12, border_line_color=None, margin=2)
        self._most = 0.0
        self.restyle(theme, present)

    def update(self, record: Any, axis: Any) -> None:
        """Show a TourAxes record of a data set with a spectral axis."""
        weights = np.asarray(record.weights, float)
        keep = np.unique(np.linspace(0, len(weights) - 1, MOST_CHANNELS).astype(int))
        self.curves.data = {
            "x": np.asarray(axis.values, np.float32)[keep],
            "first": weights[keep, 0].astype(np.float32),
            "second": weights[keep, 1].astype(np.float32),
        }
        low, high = float(axis.values.min()), float(axis.values.max())
        if axis.reversed:
            low, high = high, low
        self.figure.x_range.update(start=low, end=high)
        most = 1.15 * float(np.abs(weights).max())
        if not 0.6 * self._most < most <= self._most:  # the curves, not the axis, move
            self._most = 1.4 * most
            self.figure.y_range.update(start=-self._most, end=self._most)
        if self.figure.xaxis[0].axis_label != axis.label:
            self.figure.xaxis[0].axis_label = axis.label

    def restyle(self, theme: str, present: bool = False) -> None:
        """Colours of a theme."""
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._zero.line_color = look.hairline
        self._first.glyph.line_color = look.ink
        self._second.glyph.line_color = look.muted
        legend = self.figure.legend[0]
        legend.update(background_fill_color=look.card, background_fill_alpha=0.7)
        legend.update(label_text_color=look.muted, label_text_font_size="12px")
