"""Draws the importance of pixels as an image, one per model."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper

from explorer.views.plain_figure import dress, equal_units, look_at, plain_figure
from explorer.views.posterior_figure import amount_index, signed_index
from explorer.views.theme import amount_palette, signed_palette


class ImportanceImage:
    """Pixels in their places: strong colour where the forest looks."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.theme, self.signed = theme, False
        self.mapper = LinearColorMapper(low=0, high=255, palette=["#FFFFFF"] * 256)
        self.source = ColumnDataSource({"image": [np.zeros((1, 1), np.uint8)], "w": [1], "h": [1]})
        self.figure: Any = plain_figure()
        self.figure.axis.visible = False
        self.figure.image("image", 0, 0, "w", "h", source=self.source, color_mapper=self.mapper)
        equal_units(self.figure)
        self.restyle(theme, present)

    def update(self, values: Any, shape: tuple[int, int], most: float, signed: bool) -> None:
        """values: float64[P], of which the first are pixels; most: what full strength means."""
        rows, columns = shape
        pixels = np.asarray(values, np.float64)[: rows * columns].reshape(shape) / (most or 1.0)
        image = signed_index(pixels) if signed else amount_index(np.abs(pixels))
        self.source.data = {"image": [image[::-1]], "w": [columns], "h": [rows]}
        look_at(self.figure, columns / 2, rows / 2, columns / 2, rows / 2)
        self.signed = signed
        self._colour()

    def restyle(self, theme: str, present: bool = False) -> None:
        self.theme = theme
        dress(self.figure, theme, present)
        self._colour()

    def _colour(self) -> None:
        theme = self.theme
        palette = list(signed_palette(theme) if self.signed else amount_palette(theme))
        if self.mapper.palette != palette:
            self.mapper.palette = palette
