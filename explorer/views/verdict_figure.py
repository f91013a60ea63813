"""Draws a verdict: the error of each forest with its interval, best seen side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FactorRange, NumeralTickFormatter, Range1d

from explorer.views.chart import chart, dress
from explorer.views.theme import OTHER, THEMES


class VerdictFigure:
    """A dot and a bar per forest; made once, updated as runs arrive."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=0, end=0.5),
            y_range=FactorRange(factors=[""], range_padding_units="absolute"),
            x_axis_label="test error, 95 % interval",
        )
        self.figure.xaxis.formatter = NumeralTickFormatter(format="0 %")
        self.figure.xaxis.ticker.desired_num_ticks = 3
        names = ("name", "error", "low", "high", "colour")
        self.rows = ColumnDataSource({name: [] for name in names})
        self.runs = ColumnDataSource({"name": [], "error": [], "colour": []})
        self.figure.scatter("error", "name", size=6, color="colour", alpha=0.3, source=self.runs)
        self.figure.segment(
            "low", "name", "high", "name", line_color="colour", line_width=3, source=self.rows
        )
        self._dots = self.figure.scatter(
            "error", "name", size=11, fill_color="colour", line_width=1.5, source=self.rows
        )
        self.shown: tuple[Sequence[Any], Sequence[int]] = ((), ())
        self.restyle(theme, present)

    def update(self, evaluations: Sequence[Any], places: Sequence[int]) -> None:
        """Show Evaluations; places: of each model among the compared (its colour), -1 for none."""
        self.shown = (evaluations, places)
        look = THEMES[self._theme]
        names = [e.model[:22] for e in evaluations]
        colours = [look.models[p] if p >= 0 else OTHER for p in places]
        self.figure.visible = bool(names)
        low = [e.error_low if np.isfinite(e.error_low) else e.error for e in evaluations]
        high = [e.error_high if np.isfinite(e.error_high) else e.error for e in evaluations]
        self.rows.data = {str(name): [] for name in self.rows.data}
        self.runs.data = {"name": [], "error": [], "colour": []}
        self.figure.y_range.factors = names[::-1] or [""]
        self.figure.y_range.range_padding = max(0.1, (4 - len(names)) / 3)
        self.rows.data = {
            "name": names,
            "error": [e.error for e in evaluations],
            "low": [max(0.0, v) for v in low],
            "high": high,
            "colour": colours,
        }
        self.runs.data = {
            "name": [n for n, e in zip(names, evaluations, strict=True) for _ in e.run_error],
            "error": [float(v) for e in evaluations for v in e.run_error],
            "colour": [c for c, e in zip(colours, evaluations, strict=True) for _ in e.run_error],
        }
        most = max((float(e.run_error.max()) for e in evaluations), default=0.1)
        self.figure.x_range.update(start=0, end=1.08 * max(most, 0.02, *high, 0.0))

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self._dots.glyph.line_color = THEMES[theme].card
        if self.shown[0]:
            self.update(*self.shown)
