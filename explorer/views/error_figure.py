"""Draws the error by number of trees: a line per model, its name at the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, NumeralTickFormatter, Range1d

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES

DASHES: tuple[Any, ...] = ("solid", [8, 4], [3, 3], [12, 4, 3, 4], [6, 2], [2, 2])
APART = 0.15  # of the height, between two names
ROOM, ROOM_OF_WALL = 66, 82  # pixels beside the frame for a name, and for a larger one on a wall


class ErrorFigure:
    """Out-of-bag error after 1, 2, ... trees; up to six models."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=1, end=100),
            y_range=Range1d(start=0, end=0.5),
            x_axis_label="trees, n_tree",
        )
        self.figure.min_border_right = ROOM  # for the names, however small the figure is
        self.figure.yaxis.formatter = NumeralTickFormatter(format="0 %")
        self.lines = [ColumnDataSource({"x": [], "y": []}) for _ in DASHES]
        self._lines = [
            self.figure.line("x", "y", source=source, line_width=2, line_dash=dash)
            for source, dash in zip(self.lines, DASHES, strict=True)
        ]
        self.names = ColumnDataSource({"x": [], "y": [], "text": [], "colour": []})
        self._names = self.figure.text(
            "x",
            "y",
            text="text",
            text_color="colour",
            text_baseline="middle",
            x_offset=6,
            source=self.names,
            level="annotation",  # not cut off at the frame
        )
        self.curves: list[tuple[str, Any]] = []
        self.restyle(theme, present)

    def update(self, curves: Sequence[tuple[str, Any]]) -> None:
        """Show (name, error by trees or None) of each model."""
        self.curves = list(curves)
        look = THEMES[self._theme]
        longest, top = 2, 0.02
        ends: list[tuple[float, float, str, str]] = []
        for i, source in enumerate(self.lines):
            error = curves[i][1] if i < len(curves) else None
            y = np.empty(0) if error is None else np.asarray(error, np.float64)
            known = np.flatnonzero(np.isfinite(y))
            source.data = {"x": known + 1, "y": y[known]}
            if known.size:
                longest = max(longest, y.size)
                top = max(top, float(y[known].max()))
                ends.append(
                    (float(y[known[-1]]), float(known[-1] + 1), curves[i][0], look.models[i])
                )
        self.figure.y_range.update(start=0, end=1.08 * top)
        self.figure.x_range.update(start=1, end=longest)
        places = spread([e[0] for e in ends], APART * 1.08 * top)
        self.names.data = {
            "x": [e[1] for e in ends],
            "y": places,
            "text": [f"{e[2][:1]} {100 * e[0]:.1f} %" for e in ends],
            "colour": [e[3] for e in ends],
        }

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self.figure.min_border_right = ROOM_OF_WALL if present else ROOM
        for line, colour in zip(self._lines, THEMES[theme].models, strict=True):
            line.glyph.line_color = colour
        letter_marks(self._names, present)
        if self.curves:
            self.update(self.curves)


def spread(values: Sequence[float], apart: float) -> list[float]:
    """Places near values, in their order, at least so far apart and not below zero."""
    order = np.argsort(values, kind="stable")
    places = np.array(values, np.float64)
    for before, here in pairwise(order):
        places[here] = max(places[here], places[before] + apart)
    return [float(p) for p in places]
