"""Draws small maps of one quantity: a posterior, a signed difference, or an amount; and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper, Range1d
from bokeh.plotting import figure

from explorer.analysis.posterior_index import NO_DATA, posterior_index
from explorer.views.lettering import letter, letter_marks
from explorer.views.map_figure import SharedFrame, picked_points
from explorer.views.theme import (
    THEMES,
    amount_palette,
    posterior_palette,
    signed_palette,
)

KINDS = ("posterior", "signed", "amount")


def amount_index(values: Any) -> np.ndarray:
    """Index 0 ... 254, uint8, of values from 0 to 1; NaN gives NO_DATA."""
    scaled = np.rint(np.clip(values, 0.0, 1.0) * 254)
    return np.where(np.isnan(values), NO_DATA, scaled).astype(np.uint8)


def signed_index(values: Any) -> np.ndarray:
    """Index 0 ... 254, uint8, of values from -1 to 1, 127 in the middle."""
    return amount_index((np.asarray(values) + 1.0) / 2.0)


class PosteriorFigure:
    """A map without ticks, linked to the others by its ranges."""

    def __init__(
        self,
        frame: SharedFrame,
        kind: str,
        theme: str,
        soft: bool = True,
        present: bool = False,
    ) -> None:
        self.kind, self.n_classes = kind, 2
        self.mapper: Any = LinearColorMapper(low=0, high=255, palette=["#FFFFFF"] * 256)
        self.source: Any = ColumnDataSource(
            {
                "image": [np.full((1, 1), NO_DATA, np.uint8)],
                "x": [0.0],
                "y": [0.0],
                "dw": [1.0],
                "dh": [1.0],
            }
        )
        self.figure: Any = figure(
            x_range=frame.x_range,
            y_range=frame.y_range,
            tools="",
            toolbar_location=None,
            sizing_mode="stretch_both",
            min_height=40,
            min_border=0,
            title="",
        )
        plot: Any = self.figure
        plot.axis.visible = False
        plot.grid.visible = False
        plot.title.standoff = 4
        plot.image("image", "x", "y", "dw", "dh", source=self.source, color_mapper=self.mapper)
        self._bayes = plot.line("x", "y", source=frame.bayes, line_dash=[8, 5], line_width=1.4)
        self._picked = picked_points(plot, frame)
        self.restyle(theme, soft, present)

    def update(self, values: Any, window: Any, title: str) -> None:
        """values: posterior [h, w, K], or [h, w] for a signed difference or an amount."""
        if self.kind == "posterior":
            self.n_classes = values.shape[-1]
            image = posterior_index(values)
            self._colour()
        else:
            image = signed_index(values) if self.kind == "signed" else amount_index(values)
        self.source.data = {
            "image": [image],
            "x": [window.x0],
            "y": [window.y0],
            "dw": [window.width],
            "dh": [window.height],
        }
        self.title(title)

    def title(self, title: str) -> None:
        if self.figure.title.text != title:
            self.figure.title.text = title

    def _colour(self) -> None:
        palettes = {
            "posterior": posterior_palette(self.n_classes, self._theme, self._soft),
            "signed": signed_palette(self._theme),
            "amount": amount_palette(self._theme),
        }
        palette = list(palettes[self.kind])
        if self.mapper.palette != palette:
            self.mapper.palette = palette

    def restyle(self, theme: str, soft: bool, present: bool = False) -> None:
        self._theme, self._soft = theme, soft
        look = THEMES[theme]
        self._colour()
        letter(self.figure, present)
        self.figure.background_fill_color = look.neutral
        self.figure.border_fill_color = look.page
        self.figure.outline_line_color = look.hairline
        self.figure.title.text_color = look.ink
        self._bayes.glyph.line_color = look.ink
        self._picked.glyph.update(size=6, line_color=look.ink)


class HellingerBars:
    """The mean Hellinger distance of each model as a bar; 0 is perfect."""

    def __init__(self, theme: str, present: bool = False) -> None:
        self.source: Any = ColumnDataSource(
            {"value": [], "place": [], "top": [], "label": [], "colour": []}
        )
        self.figure: Any = figure(
            x_range=Range1d(start=0, end=0.5),
            y_range=Range1d(start=-0.6, end=1.6),
            tools="",
            toolbar_location=None,
            sizing_mode="stretch_both",
            min_height=40,
            title="Mean Hellinger distance",
        )
        plot: Any = self.figure
        plot.grid.visible = False
        plot.yaxis.visible = False
        plot.xaxis.minor_tick_line_color = None
        plot.xaxis.ticker.desired_num_ticks = 4
        plot.hbar(
            y="place",
            right="value",
            height=0.36,
            source=self.source,
            fill_color="colour",
            line_color=None,
        )
        # over its bar: beside it there is no room on a phone
        self._names = plot.text(
            x=0,
            y="top",
            text="label",
            source=self.source,
            y_offset=-2,
            text_baseline="bottom",
        )
        self.restyle(theme, present)

    def update(self, names: Sequence[str], values: Sequence[float], theme: str) -> None:
        n = len(names)
        self.source.data = {
            "value": list(values),
            "place": [n - 1 - i for i in range(n)],
            "top": [n - 1 - i + 0.18 for i in range(n)],
            "label": [f"{name}  {value:.3f}" for name, value in zip(names, values, strict=True)],
            "colour": [THEMES[theme].models[i % 6] for i in range(n)],
        }
        self.figure.y_range.update(start=-max(0.6, 3.6 - n), end=n - 0.2)  # bars stay slim
        self.figure.x_range.end = max(0.1, 1.1 * max(values, default=0.1))

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        letter(self.figure, present)
        letter_marks(self._names, present)
        self.figure.background_fill_color = look.page
        self.figure.border_fill_color = look.page
        self.figure.outline_line_color = None
        self.figure.title.text_color = look.ink
        self.figure.xaxis.axis_line_color = look.hairline
        self.figure.xaxis.major_tick_line_color = look.muted
        self.figure.xaxis.major_label_text_color = look.muted
        self._names.glyph.text_color = look.ink
