"""Draws the matrix of proximities, sorted by class; selected samples are ticks beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, LinearColorMapper

from explorer.analysis.proximity_picture import SortedProximity
from explorer.views.mds_figure import SampleFrame
from explorer.views.plain_figure import dress, plain_figure
from explorer.views.posterior_figure import amount_index
from explorer.views.theme import THEMES, amount_palette

LETTERS_ACROSS = 24  # of all names side by side
LONGEST = 9  # letters of a class name along the side


class ProximityHeat:
    """Below the diagonal one model, above it another: dark where two samples share leaves."""

    def __init__(self, frame: SampleFrame, theme: str = "light", present: bool = False) -> None:
        self.mapper = LinearColorMapper(low=0, high=255, palette=["#FFFFFF"] * 256)
        self.image = ColumnDataSource({"image": [np.zeros((1, 1), np.uint8)], "n": [1]})
        self.edges = ColumnDataSource({"at": [], "zero": [], "n": []})
        self.figure: Any = plain_figure()
        plot = self.figure
        plot.image("image", 0, 0, "n", "n", source=self.image, color_mapper=self.mapper)
        lines = {"source": self.edges, "line_width": 1}
        self._across = plot.segment("at", "zero", "at", "n", **lines)
        self._down = plot.segment("zero", "at", "n", "at", **lines)
        self._chosen = [
            plot.segment(*ends, source=frame.samples, line_alpha=0.0)
            for ends in (
                ("position", "under", "position", "below"),
                ("left", "position", "farther", "position"),
            )
        ]
        for ticks in self._chosen:
            ticks.nonselection_glyph = None
            ticks.selection_glyph = ticks.glyph.clone()
            ticks.selection_glyph.update(line_alpha=1.0, line_width=1.5)
        plot.xaxis.ticker, plot.yaxis.ticker = FixedTicker(ticks=[]), FixedTicker(ticks=[])
        self.restyle(theme, present)

    def update(self, record: SortedProximity) -> None:
        """Another matrix."""
        n = record.n
        # proximities are small where trees are deep: full strength at the 98 % quantile
        off = record.cells[~np.eye(len(record.cells), dtype=bool)]
        most = float(np.quantile(off, 0.98)) if off.size else 1.0
        cells = np.clip(record.cells / max(most, 1e-9), 0.0, 1.0)
        self.image.data = {"image": [amount_index(cells)], "n": [n]}
        self.figure.x_range.update(start=-0.08 * n, end=n)
        self.figure.y_range.update(start=1.08 * n, end=0)
        at = record.edges[1:-1]
        self.edges.data = {"at": at, "zero": 0 * at, "n": 0 * at + n}
        middles = (record.edges[:-1] + record.edges[1:]) / 2
        seen = np.flatnonzero(np.diff(record.edges))
        names = {float(middles[k]): _short(record.class_names[k]) for k in seen}
        crowded = len(seen) > 12
        # side by side there is room for fewer names: all or none, both sides have the same order
        wide = len(seen) * max(map(len, names.values()), default=0) > LETTERS_ACROSS
        for axis, none in ((self.figure.xaxis, crowded or wide), (self.figure.yaxis, crowded)):
            axis.ticker.ticks = [] if none else list(names)
            axis.major_label_overrides = dict(names)

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self.figure.axis.major_tick_line_color = None
        self.figure.axis.axis_line_color = None
        palette = list(amount_palette(theme))
        if self.mapper.palette != palette:
            self.mapper.palette = palette
        for span in (self._across, self._down):
            span.glyph.line_color = look.ink
            span.glyph.line_alpha = 0.6
        for ticks in self._chosen:
            ticks.selection_glyph.line_color = look.accent


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
