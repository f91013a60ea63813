"""Draws how much of the distances each principal coordinate explains, model beside model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bokeh.models import ColumnDataSource, FixedTicker, NumeralTickFormatter

from explorer.views.plain_figure import dress, plain_figure
from explorer.views.theme import THEMES

COMPONENTS = 6


class VarianceBars:
    """Groups of bars, one group per component (Menze Fig. 8)."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.theme = theme
        self._drawn: list[Any] = []
        self.bars: Any = ColumnDataSource({"x": [], "top": [], "width": [], "colour": []})
        self.figure: Any = plain_figure()
        plot = self.figure
        plot.vbar(
            x="x",
            top="top",
            width="width",
            source=self.bars,
            fill_color="colour",
            line_color=None,
        )
        plot.xaxis.axis_label = "component"
        plot.xaxis.ticker = FixedTicker(ticks=list(range(1, COMPONENTS + 1)))
        plot.yaxis.formatter = NumeralTickFormatter(format="0 %")
        plot.yaxis.ticker.desired_num_ticks = 4
        plot.x_range.update(start=0.4, end=COMPONENTS + 0.6)
        self.restyle(theme, present)

    def update(self, shares: Sequence[Any]) -> None:
        """shares: per model the share of each component."""
        self._drawn = list(shares)
        look, n = THEMES[self.theme], len(shares)
        width = 0.8 / max(n, 1)
        data: dict[str, list[Any]] = {"x": [], "top": [], "width": [], "colour": []}
        for i, explained in enumerate(shares):
            for c, share in enumerate(list(explained)[:COMPONENTS]):
                data["x"].append(c + 1 - 0.4 + (i + 0.5) * width)
                data["top"].append(float(share))
                data["width"].append(0.9 * width)
                data["colour"].append(look.models[i])
        self.bars.data = data
        self.figure.y_range.update(start=0, end=1.08 * max(data["top"], default=1.0))

    def restyle(self, theme: str, present: bool = False) -> None:
        self.theme = theme
        dress(self.figure, theme, present)
        if self._drawn:
            self.update(self._drawn)
