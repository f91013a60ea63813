"""Draws the importance of bands along a spectral axis: a level per band and model, its interval,
and how high a band gets by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource
from bokeh.models.annotations import Span

from explorer.analysis.band_importance import BandImportance
from explorer.views.plain_figure import MODEL_DASHES, dress, plain_figure
from explorer.views.spectra_figure import LEFT, AxisFrame, Brush, left_border
from explorer.views.theme import THEMES

POINTS = 100.0  # a share of votes in percentage points
_SPREAD = 0.5  # of a band's width, over which the intervals of the models are spread


class BandLane:
    """The lane of bands under the spectra, on the same axis."""

    def __init__(self, frame: AxisFrame, theme: str = "light", present: bool = False) -> None:
        self.frame, self.theme = frame, theme
        self.levels: Any = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": []})
        self.whiskers: Any = ColumnDataSource({"x": [], "low": [], "high": [], "colour": []})
        self.chance: Any = ColumnDataSource({"left": [], "right": [], "top": [], "bottom": []})
        self.figure: Any = plain_figure(x_range=frame.x_range, min_border_left=LEFT)
        plot = self.figure
        self._chance = plot.quad(
            left="left", right="right", top="top", bottom="bottom", source=self.chance,
            line_color=None,
        )  # fmt: skip
        self._zero = Span(location=0, dimension="width", line_width=1)
        plot.add_layout(self._zero)
        plot.multi_line(
            "xs", "ys", source=self.levels, line_color="colour", line_dash="dash", line_width=2.5
        )
        plot.segment(
            "x", "low", "x", "high", source=self.whiskers, line_color="colour", line_width=1.4
        )
        self.brush = Brush(plot, frame, "height")
        self._drawn: tuple[Any, ...] | None = None
        self.restyle(theme, present)

    def update(self, axis: Any, records: Sequence[tuple[int, BandImportance]], label: str) -> None:
        """records: place of the model and its record; they have the same bands."""
        self._drawn = (axis, records, label)
        look = THEMES[self.theme]
        step = float(np.median(np.abs(np.diff(axis)))) if len(axis) > 1 else 1.0
        levels: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": [], "dash": []}
        whiskers: dict[str, list[Any]] = {"x": [], "low": [], "high": [], "colour": []}
        chance: dict[str, list[Any]] = {"left": [], "right": [], "top": [], "bottom": []}
        low, high = 0.0, 1e-9
        for k, (place, record) in enumerate(records):
            for b, columns in enumerate(record.features):
                x = np.asarray(axis)[columns]
                a, z = float(x.min()) - step / 2, float(x.max()) + step / 2
                share = (k + 1) / (len(records) + 1) - 0.5
                drop, down, up = (
                    POINTS * float(v[b]) for v in (record.drop, record.low, record.high)
                )
                levels["xs"].append([a, z])
                levels["ys"].append([drop, drop])
                levels["colour"].append(look.models[place])
                levels["dash"].append(MODEL_DASHES[place])
                whiskers["x"].append((a + z) / 2 + _SPREAD * share * (z - a))
                whiskers["low"].append(down)
                whiskers["high"].append(up)
                whiskers["colour"].append(look.models[place])
                low, high = min(low, down), max(high, up)
        for b in range(len(records[0][1].features) if records else 0):
            tops = [POINTS * float(record.null_high[b]) for _, record in records]
            if np.isfinite(tops).any():
                x = np.asarray(axis)[records[0][1].features[b]]
                chance["left"].append(float(x.min()) - step / 2)
                chance["right"].append(float(x.max()) + step / 2)
                chance["top"].append(max(0.0, float(np.nanmax(tops))))
                chance["bottom"].append(0.0)
        self.levels.data, self.whiskers.data, self.chance.data = levels, whiskers, chance
        top = max([high, *chance["top"]])
        reach = top - low
        self.figure.y_range.update(start=low - 0.06 * reach, end=top + 0.08 * reach)
        self.figure.yaxis.axis_label = "votes lost, points"
        self.figure.xaxis.axis_label = label

    def restyle(self, theme: str, present: bool = False) -> None:
        changed, self.theme = theme != self.theme, theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self.figure.min_border_left = left_border(present)
        self.brush.restyle(theme)
        self._zero.line_color = look.hairline
        self._chance.glyph.update(fill_color=look.muted, fill_alpha=0.28)
        if changed and self._drawn is not None:
            self.update(*self._drawn)
