"""Draws the error by the value of a knob, a line per model, as the values arrive (Menze Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, NumeralTickFormatter, Range1d

from explorer.views.chart import chart, dress
from explorer.views.error_figure import APART, DASHES, spread
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES

NARROW = 12  # values up to which an axis is even; beyond, it is logarithmic


class SweepFigure:
    """Made once; up to six models. The knob's value now is a larger dot."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=0, end=1),
            y_range=Range1d(start=0, end=0.5),
            x_axis_label="features per node, m_try",
        )
        self.figure.yaxis.formatter = NumeralTickFormatter(format="0 %")
        self.lines = [ColumnDataSource({"x": [], "y": []}) for _ in DASHES]
        self.bands = [ColumnDataSource({"x": [], "low": [], "high": []}) for _ in DASHES]
        self.dots = ColumnDataSource({"x": [], "y": [], "size": [], "colour": []})
        self.names = ColumnDataSource({"x": [], "y": [], "text": [], "colour": []})
        self._bands = [
            self.figure.segment("x", "low", "x", "high", source=s, line_width=1.4, line_alpha=0.6)
            for s in self.bands
        ]
        self._lines = [
            self.figure.line("x", "y", source=source, line_width=2, line_dash=dash)
            for source, dash in zip(self.lines, DASHES, strict=True)
        ]
        self.figure.scatter(
            "x", "y", size="size", fill_color="colour", line_color=None, source=self.dots
        )
        self._names = self.figure.text(
            "x",
            "y",
            text="text",
            text_color="colour",
            text_baseline="middle",
            x_offset=8,
            source=self.names,
        )
        self._drawn: tuple[Any, ...] | None = None
        self.restyle(theme, present)

    def update(self, sweeps: Sequence[Any], values: Sequence[int], now: Sequence[int]) -> None:
        """Show a Sweep (or None) per model; values: all that will come; now: as models are."""
        self._drawn = (sweeps, values, now)
        look = THEMES[self._theme]
        # places on an even axis: the values themselves, or their logarithms
        place = np.log if len(values) and max(values) > NARROW else np.asarray
        dots: dict[str, Any] = {"x": [], "y": [], "size": [], "colour": []}
        ends: list[tuple[float, float, str, str]] = []
        top = 0.02
        for i, (line, band) in enumerate(zip(self.lines, self.bands, strict=True)):
            record = sweeps[i] if i < len(sweeps) else None
            if record is None:
                line.data, band.data = {"x": [], "y": []}, {"x": [], "low": [], "high": []}
                continue
            x = np.asarray(place(np.array(record.values, np.float64)))
            low = np.where(np.isfinite(record.low), record.low, record.error)
            high = np.where(np.isfinite(record.high), record.high, record.error)
            line.data = {"x": x, "y": record.error}
            band.data = {"x": x, "low": np.maximum(low, 0.0), "high": high}
            dots["x"] += x.tolist()
            dots["y"] += record.error.tolist()
            dots["size"] += [10 if v == now[i] else 5 for v in record.values]
            dots["colour"] += [look.models[i]] * x.size
            top = max(top, float(high.max()))
            ends.append((float(record.error[-1]), float(x[-1]), "ABCDEF"[i], look.models[i]))
        self.dots.data = dots
        places = spread([e[0] for e in ends], APART * 1.08 * top)
        self.names.data = {
            "x": [e[1] for e in ends],
            "y": places,
            "text": [e[2] for e in ends],
            "colour": [e[3] for e in ends],
        }
        self.figure.y_range.update(start=0, end=1.08 * top)
        if len(values):
            ticks = np.asarray(place(np.array(values, np.float64)), np.float64)
            reach = 0.1 * (ticks[-1] - ticks[0]) or 0.5
            self.figure.x_range.update(start=ticks[0] - reach, end=ticks[-1] + reach)
            self.figure.xaxis.ticker = ticks.tolist()
            self.figure.xaxis.major_label_overrides = {
                float(t): str(v) for t, v in zip(ticks, values, strict=True)
            }

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        for line, band, colour in zip(self._lines, self._bands, THEMES[theme].models, strict=True):
            line.glyph.line_color = band.glyph.line_color = colour
        letter_marks(self._names, present)
        if self._drawn is not None:
            self.update(*self._drawn)
