"""Draws the weights of one split: the largest as bars, or all of them along a spectral axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FactorRange, Range1d
from bokeh.models.annotations import Span

from explorer.views.chart import chart, dress
from explorer.views.theme import THEMES

MOST_BARS = 20


class WeightsFigure:
    """Signed bars, symmetric about zero: green pulls left, violet pulls right."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=-1, end=1),
            y_range=FactorRange(factors=[""], range_padding_units="absolute"),
            x_axis_label="weight, β",
        )
        self.bars = ColumnDataSource({"name": [], "weight": [], "colour": []})
        self.figure.hbar(y="name", right="weight", height=0.7, color="colour", source=self.bars)
        self._zero = Span(location=0, dimension="height", line_width=1)
        self.figure.add_layout(self._zero)
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any) -> None:
        """Show the weights of a Projection, the largest on top."""
        self.record = record
        look = THEMES[self._theme]
        order = np.argsort(-np.abs(record.weights), kind="stable")[:MOST_BARS]
        names: list[str] = []
        for i in order:  # factors must differ
            name = str(record.feature_names[i])[:18]
            names.append(name if name not in names else f"{name} ({record.features[i] + 1})")
        weights = record.weights[order]
        self.bars.data = {"name": [], "weight": [], "colour": []}
        self.figure.y_range.factors = names[::-1]
        self.figure.y_range.range_padding = max(0.1, (5 - len(names)) / 2)  # bars stay slim
        self.bars.data = {
            "name": names,
            "weight": weights.tolist(),
            "colour": [look.low if w < 0 else look.high for w in weights],
        }
        most = float(np.abs(weights).max()) or 1.0
        self.figure.x_range.update(start=-1.08 * most, end=1.08 * most)
        small = "12px" if len(names) > 10 else "13px"
        self.figure.yaxis.major_label_text_font_size = small

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self._zero.line_color = THEMES[theme].muted
        if self.record is not None:
            self.update(self.record)


class SpectralWeightsFigure:
    """Stems along the axis of a spectrum, in the direction its craft draws it."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=0, end=1),
            y_range=Range1d(start=-1, end=1),
            y_axis_label="weight, β",
        )
        self.stems = ColumnDataSource({"x": [], "weight": [], "zero": [], "colour": []})
        self.figure.segment(
            "x", "zero", "x", "weight", line_color="colour", line_width=2, source=self.stems
        )
        self.figure.scatter("x", "weight", size=5, color="colour", source=self.stems)
        self._zero = Span(location=0, dimension="width", line_width=1)
        self.figure.add_layout(self._zero)
        self.record: Any = None
        self.axis: Any = None
        self.restyle(theme, present)

    def update(self, record: Any, axis: Any) -> None:
        """Show the weights of a Projection on the axis of its data set."""
        self.record, self.axis = record, axis
        look = THEMES[self._theme]
        weights = record.weights
        self.stems.data = {
            "x": axis.values[record.features].tolist(),
            "weight": weights.tolist(),
            "zero": [0.0] * weights.size,
            "colour": [look.low if w < 0 else look.high for w in weights],
        }
        low, high = float(axis.values.min()), float(axis.values.max())
        if axis.reversed:
            low, high = high, low
        self.figure.x_range.update(start=low, end=high)
        most = float(np.abs(weights).max()) or 1.0
        self.figure.y_range.update(start=-1.08 * most, end=1.08 * most)
        self.figure.xaxis.axis_label = axis.label

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self._zero.line_color = THEMES[theme].muted
        if self.record is not None:
            self.update(self.record, self.axis)
