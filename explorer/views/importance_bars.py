"""Draws the importance of features as sorted bars with intervals, and how long a bar gets by
chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import AllLabels, ColumnDataSource, FixedTicker, Range1d
from bokeh.models.annotations import Span

from explorer.analysis.band_importance import BandImportance
from explorer.views.plain_figure import dress, plain_figure
from explorer.views.theme import THEMES

POINTS = 100.0  # a share of votes in percentage points
MOST_BARS = 20
LONGEST_NAME = 26
_THICK = 0.8  # of a row, for the bars of all models


def sorted_parts(records: Sequence[BandImportance]) -> list[int]:
    """Features in descending order of their mean importance over the models."""
    if not records:
        return []
    mean = np.mean([record.drop for record in records], axis=0)
    order: list[int] = np.argsort(-mean, kind="stable").tolist()
    return order


class ImportanceBars:
    """A row per feature, the most important at the top; in it a bar per model."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.theme = theme
        names = ("y", "high", "left", "right", "colour", "low_end", "high_end")
        self.bars: Any = ColumnDataSource({name: [] for name in names})
        self.chance: Any = ColumnDataSource({"y": [], "high": [], "left": [], "right": []})
        self.figure: Any = plain_figure(y_range=Range1d(start=-1, end=1))
        plot = self.figure
        self._chance = plot.hbar(
            y="y", height="high", left="left", right="right", source=self.chance, line_color=None
        )
        plot.hbar(
            y="y", height="high", left="left", right="right", source=self.bars,
            fill_color="colour", fill_alpha=0.55, line_color=None,
        )  # fmt: skip
        self._whiskers = plot.segment(
            "low_end", "y", "high_end", "y", source=self.bars, line_width=1.6
        )
        self._zero = Span(location=0, dimension="height", line_width=1)
        plot.add_layout(self._zero)
        plot.xaxis.axis_label = "votes lost when permuted, points"
        plot.yaxis.major_label_policy = AllLabels()
        self._drawn: Any = None
        self.restyle(theme, present)

    def update(self, records: Sequence[tuple[int, BandImportance]]) -> int:
        """records: place of the model and its record. How many features are drawn."""
        self._drawn = records
        look = THEMES[self.theme]
        order = sorted_parts([record for _, record in records])[:MOST_BARS]
        bars: dict[str, list[Any]] = {name: [] for name in self.bars.data}
        chance: dict[str, list[Any]] = {name: [] for name in self.chance.data}
        thick = _THICK / max(1, len(records))
        ends = [0.0, 1e-9]
        for row, part in enumerate(order):
            for k, (place, record) in enumerate(records):
                drop, low, high = (
                    POINTS * float(v[part]) for v in (record.drop, record.low, record.high)
                )
                y = row - _THICK / 2 + (k + 0.5) * thick
                bars["y"].append(y)
                bars["high"].append(0.86 * thick)
                bars["left"].append(min(0.0, drop))
                bars["right"].append(max(0.0, drop))
                bars["colour"].append(look.models[place])
                bars["low_end"].append(low)
                bars["high_end"].append(high)
                top = POINTS * float(record.null_high[part])
                if np.isfinite(top):
                    chance["y"].append(y)
                    chance["high"].append(thick)
                    chance["left"].append(0.0)
                    chance["right"].append(max(0.0, top))
                    ends.append(top)
                ends += [low, high]
        self.bars.data, self.chance.data = bars, chance
        self.figure.y_range.update(start=max(len(order), 6) - 0.4, end=-0.6)  # the first on top
        reach = max(ends) - min(ends)
        self.figure.x_range.update(start=min(ends) - 0.02 * reach, end=max(ends) + 0.04 * reach)
        names = [records[0][1].names[part] for part in order] if records else []
        self.figure.yaxis.ticker = FixedTicker(ticks=list(range(len(names))))
        self.figure.yaxis.major_label_overrides = {
            row: name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
            for row, name in enumerate(names)
        }
        return len(order)

    def restyle(self, theme: str, present: bool = False) -> None:
        changed, self.theme = theme != self.theme, theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._zero.line_color = look.muted
        self._chance.glyph.update(fill_color=look.muted, fill_alpha=0.28)
        self._whiskers.glyph.line_color = look.ink
        if changed and self._drawn is not None:
            self.update(self._drawn)
