"""Draws an image with spectra: a band or three as colours, labelled pixels, classes and votes.

Line 1 is at the top. Figures of one `ImageFrame` look at the same pixels, so that zooming into one
zooms into all. An image larger than the screen is thinned before it is sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper, PanTool, Range1d, WheelZoomTool
from numpy.typing import NDArray

from explorer.analysis.image_maps import BandPicture, ClassMap, ColourPicture
from explorer.analysis.posterior_index import NO_DATA, posterior_index
from explorer.views.plain_figure import dress, equal_units, look_at, not_by_touch, plain_figure
from explorer.views.posterior_figure import amount_index
from explorer.views.theme import THEMES, amount_palette, class_colour, posterior_palette

MOST_DRAWN = 600  # pixels of the longer side that are sent to the browser
NO_LABEL = 255
_CLEAR = "#00000000"


def _range() -> Any:
    return Range1d(start=0, end=1)


@dataclass
class ImageFrame:
    """What the pictures of one image share: its size and the part that is looked at."""

    x_range: Any = field(default_factory=_range)
    y_range: Any = field(default_factory=_range)
    lines: int = 1
    samples: int = 1

    def pixel(self, x: float, y: float) -> tuple[int, int] | None:
        """(line, sample) counted from 0 at a place of the figure; None outside the image."""
        if not (0 <= x < self.samples and 0 < y <= self.lines):
            return None
        return min(self.lines - 1, int(self.lines - y)), int(x)


def thinned(image: NDArray, most: int = MOST_DRAWN) -> NDArray:
    """Every k-th line and sample of an image, so that neither side is longer than `most`."""
    step = -(-max(image.shape[:2]) // most)
    return image[::step, ::step] if step > 1 else image


def shades(picture: BandPicture | ColourPicture) -> NDArray[np.uint32]:
    """RGBA of a band in grey, or of three bands, as Bokeh wants it: uint32 [lines, samples]."""
    if isinstance(picture, ColourPicture):
        rgb = thinned(picture.rgb)
        known = np.ones(rgb.shape[:2], bool)
    else:
        values = thinned(picture.values)
        known = np.isfinite(values)
        span = (picture.high - picture.low) or 1.0
        grey = np.clip((np.nan_to_num(values) - picture.low) / span, 0.0, 1.0)
        rgb = np.repeat(np.round(255 * grey).astype(np.uint8)[:, :, None], 3, axis=2)
    out = np.empty((*rgb.shape[:2], 4), np.uint8)
    out[:, :, :3] = rgb
    out[:, :, 3] = 255 * known
    return np.ascontiguousarray(out).view(np.uint32)[:, :, 0]


class ImageFigure:
    """One picture of an image; classes and labels by palettes, so that a theme sends no pixels."""

    def __init__(self, frame: ImageFrame, theme: str = "light", present: bool = False) -> None:
        self.frame, self.theme = frame, theme
        self._palette: Any = amount_palette
        self.picture: Any = ColumnDataSource({"image": [np.zeros((1, 1), np.uint32)]})
        self.index: Any = ColumnDataSource({"image": [np.full((1, 1), NO_DATA, np.uint8)]})
        self.labels: Any = ColumnDataSource({"image": [np.full((1, 1), NO_LABEL, np.uint8)]})
        self.mapper = LinearColorMapper(low=0, high=255, palette=["#FFFFFF"] * 256)
        marks = [class_colour(k).base for k in range(10)] + [_CLEAR] * 246
        self.figure: Any = plain_figure(x_range=frame.x_range, y_range=frame.y_range)
        plot = self.figure
        plot.axis.visible = False
        plot.frame_align = False
        for source in (self.picture, self.index, self.labels):
            source.data = {**source.data, "w": [1], "h": [1]}
        whole = {"x": 0, "y": 0, "dw": "w", "dh": "h"}
        self._shown = plot.image_rgba("image", source=self.picture, visible=False, **whole)
        self._classes = plot.image(
            "image", source=self.index, color_mapper=self.mapper, visible=False, **whole
        )
        self._labels = plot.image(
            "image",
            source=self.labels,
            color_mapper=LinearColorMapper(low=0, high=255, palette=marks),
            **whole,
        )
        self.spot: Any = ColumnDataSource({"x": [], "y": []})
        self._spot = plot.scatter(
            "x", "y", source=self.spot, size=13, marker="circle_x", fill_color=None, line_width=2
        )
        self.zoom, self.pan = WheelZoomTool(), PanTool()
        plot.add_tools(self.zoom, self.pan)
        plot.toolbar.active_scroll, plot.toolbar.active_drag = self.zoom, None
        not_by_touch(plot, self.zoom)
        equal_units(plot)
        self.restyle(theme, present)

    # ---- what is shown

    def look_at_all(self) -> None:
        """The whole image."""
        lines, samples = self.frame.lines, self.frame.samples
        self.figure.tags = []
        look_at(self.figure, samples / 2, lines / 2, samples / 2, lines / 2)

    def show(self, picture: BandPicture | ColourPicture) -> None:
        """One band, or three as colours."""
        self._put(self.picture, shades(picture))
        self._shown.visible = True

    def show_classes(self, found: ClassMap, places: list[int], n_classes: int, soft: bool) -> None:
        """The class of every pixel. places: each class's colour; soft: pale where undecided."""
        votes = np.full((*thinned(found.codes).shape, max(2, n_classes)), 0.0, np.float32)
        votes[:, :, places] = thinned(found.votes)
        votes[thinned(found.codes) < 0] = np.nan

        def palette(theme: str) -> tuple[str, ...]:
            return posterior_palette(max(2, n_classes), theme, soft)

        self._palette = palette
        self._index(posterior_index(votes))

    def show_amounts(self, values: NDArray[np.floating]) -> None:
        """Numbers from 0 to 1, NaN where there is none."""
        small = thinned(values)
        index = amount_index(np.nan_to_num(small))
        self._palette = amount_palette
        self._index(np.where(np.isnan(small), 0, index).astype(np.uint8))

    def mark(self, labels: NDArray[np.integer]) -> None:
        """Labelled pixels [lines, samples], below 0 where there is no label."""
        small = thinned(np.asarray(labels))
        self._put(self.labels, np.where(small < 0, NO_LABEL, small).astype(np.uint8))

    def point_at(self, line: int, sample: int) -> None:
        """A mark on one pixel."""
        self.spot.data = {"x": [sample + 0.5], "y": [self.frame.lines - line - 0.5]}

    def clear(self) -> None:
        """No classes and amounts."""
        self._classes.visible = False

    def restyle(self, theme: str, present: bool = False) -> None:
        self.theme = theme
        dress(self.figure, theme, present)
        self._spot.glyph.line_color = THEMES[theme].ink
        self._colour()

    def _index(self, index: NDArray[np.uint8]) -> None:
        self._put(self.index, index)
        self._classes.visible = True
        self._colour()

    def _put(self, source: Any, image: NDArray) -> None:
        w, h = [self.frame.samples], [self.frame.lines]
        source.data = {"image": [np.ascontiguousarray(image[::-1])], "w": w, "h": h}

    def _colour(self) -> None:
        palette = list(self._palette(self.theme))
        if self.mapper.palette != palette:
            self.mapper.palette = palette
