"""Draws what one cut is worth: the share of impurity that each model's first cut removes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bokeh.models import ColumnDataSource, FactorRange, NumeralTickFormatter, Range1d

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES


class WorthFigure:
    """Made once, updated as first splits arrive; up to six models."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=0, end=1.16),
            y_range=FactorRange(factors=[""], range_padding_units="absolute"),
            x_axis_label="impurity removed",
        )
        self.figure.xaxis.formatter = NumeralTickFormatter(format="0 %")
        self.figure.xaxis.ticker = [0, 0.5, 1]
        self.bars = ColumnDataSource({"name": [], "share": [], "colour": [], "text": []})
        self.figure.hbar(y="name", right="share", height=0.6, color="colour", source=self.bars)
        self._text = self.figure.text(
            "share",
            "name",
            text="text",
            x_offset=6,
            text_baseline="middle",
            source=self.bars,
        )
        self._drawn: tuple[Any, ...] | None = None
        self.restyle(theme, present)

    def update(self, names: Sequence[str], places: Sequence[int], shares: Sequence[float]) -> None:
        """A bar per model: its name, its place among the models (its colour), its share."""
        self._drawn = (names, places, shares)
        look = THEMES[self._theme]
        short = [name[:18] for name in names]
        self.bars.data = {str(name): [] for name in self.bars.data}
        self.figure.y_range.factors = short[::-1] or [""]
        self.figure.y_range.range_padding = max(0.1, (5 - len(short)) / 2)  # bars stay slim
        self.bars.data = {
            "name": short,
            "share": [float(s) for s in shares],
            "colour": [look.models[p] for p in places],
            "text": [f"{100 * s:.0f} %" for s in shares],
        }

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self._text.glyph.text_color = THEMES[theme].ink
        letter_marks(self._text, present)
        if self._drawn is not None:
            self.update(*self._drawn)
