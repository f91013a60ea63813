"""Draws the map of one model: posterior, boundaries, points, errors. Made once, then updated.

The image is uint8 and its palette does the colouring (theme.py), so a frame under a moving
slider is one small array. Ranges and training points are shared by all maps of a page: pan, zoom
and points are linked in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.core.property.descriptors import UnsetValueError
from bokeh.models import (
    CustomJS,
    Image,
    Line,
    LinearColorMapper,
    Range1d,
    SaveTool,
    Scatter,
)
from bokeh.plotting import figure

from explorer.views.chart import NO_TOOLBAR
from explorer.views.hover import Probe, attach
from explorer.views.lettering import letter
from explorer.views.shared_parts import SharedParts
from explorer.views.theme import THEMES, class_colour, posterior_palette

MOST_POINTS = 2000  # more are thinned, and the card says so
FADED = 0.25  # of what is not selected
NARROWEST = 260  # pixels; a narrower figure has no ticks
LAYERS = ("Boundary", "Bayes", "Points", "Errors", "Test errors", "One tree")

# Ticks would crowd a narrow map; the wheel zooms only after a click, or the page cannot scroll.
_NARROW = """
const w = cb_obj.outer_width
const narrow = (w != null && w < limit) || cb_obj.tags.includes("bare")
for (const axis of [...cb_obj.below, ...cb_obj.left]) axis.visible = !narrow
cb_obj.min_border_left = narrow ? 2 : 38
cb_obj.min_border_bottom = narrow ? 2 : 26
"""


class SharedFrame:
    """What all maps of a page have in common.

    pen: where keys paint; nothing until somebody does. sliced: from the first slice on, points
    have a column of how near they are.
    """

    def __init__(self) -> None:
        self.parts = SharedParts()
        self.x_range: Any = Range1d(start=-10, end=10)
        self.y_range: Any = Range1d(start=-10, end=10)
        self.narrow: Any = CustomJS(args={"limit": NARROWEST}, code=_NARROW)
        self.points: list[Any] = []
        self.bayes = self.parts.source(_no_places())
        self.picked = self.parts.source(_no_marks(), name="picked points")
        self.asked = self.parts.source(_no_places(), name="explained sample")
        self.pen = self.parts.source({"x": [], "y": [], "act": []}, name="pen")
        self.probe = Probe()
        self.sliced = False

    def source_of_class(self, k: int) -> Any:
        while len(self.points) <= k:
            near = {"near": np.empty(0)} if self.sliced else {}
            self.points.append(self.parts.source({**_no_places(), **near}))
        return self.points[k]

    def set_points(self, x: Any, y: Any, codes: Any, n_classes: int, near: Any = None) -> int:
        """Show training points by class; returns how many are drawn.

        near: how strongly each is drawn, 0 to 1; None for all alike.
        """
        keep = thinned(len(x))
        self.sliced = self.sliced or near is not None
        strong = np.ones(len(x)) if near is None else np.asarray(near)
        strong = strong[keep].astype(np.float32)
        x, y, codes = np.asarray(x)[keep], np.asarray(y)[keep], np.asarray(codes)[keep]
        for k in range(max(n_classes, len(self.points))):
            mine = codes == k
            new = {"x": x[mine].astype(np.float32), "y": y[mine].astype(np.float32)}
            if self.sliced:
                new["near"] = strong[mine]
            source = self.source_of_class(k)
            if new.keys() != source.data.keys() or not _same(source.data, new):
                source.data = new
        return int(keep.size)

    def set_bayes(self, lines: tuple[Any, Any] | None) -> None:
        x, y = (np.empty(0), np.empty(0)) if lines is None else lines
        new = {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)}
        if not _same(self.bayes.data, new):
            self.bayes.data = new

    def set_picked(self, x: Any, y: Any, codes: Any) -> None:
        """Samples that are selected: every map shows them in full, over the others."""
        if not len(x) and not len(self.picked.data["x"]):
            return
        keep = thinned(len(x))
        looks = [class_colour(int(k)) for k in np.asarray(codes)[keep]]
        self.picked.data = {
            "x": np.asarray(x, np.float32)[keep],
            "y": np.asarray(y, np.float32)[keep],
            "marker": [look.marker for look in looks],
            "colour": [look.base for look in looks],
        }

    def set_asked(self, place: Any) -> None:
        """The sample that is explained, at a place [2]; None for none."""
        x, y = ([], []) if place is None else ([float(place[0])], [float(place[1])])
        if list(self.asked.data["x"]) != x or list(self.asked.data["y"]) != y:
            self.asked.data = {"x": x, "y": y}

    def set_window(self, window: Any) -> None:
        self.x_range.update(start=window.x0, end=window.x1)
        self.y_range.update(start=window.y0, end=window.y1)


def _no_places() -> dict[str, Any]:
    return {"x": np.empty(0), "y": np.empty(0)}


def _no_marks() -> dict[str, Any]:
    return {"x": [], "y": [], "marker": [], "colour": []}


def _empty_picture() -> dict[str, Any]:
    nothing = np.full((1, 1), 255, np.uint8)
    return {"image": [nothing], "x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0], "trees": [0]}


def thinned(n: int) -> Any:
    """The rows that are drawn: all, or a fixed choice of MOST_POINTS of them."""
    keep = np.arange(n)
    return keep if n <= MOST_POINTS else np.random.default_rng(0).permutation(keep)[:MOST_POINTS]


def _same(old: Any, new: dict[str, Any]) -> bool:
    return all(np.array_equal(old[name], new[name], equal_nan=True) for name in new)


def _replace(source: Any, new: dict[str, Any]) -> None:
    if not _same(source.data, new):
        source.data = new


class MapFigure:
    """A Bokeh figure of one model, updated in place."""

    def __init__(
        self,
        frame: SharedFrame,
        theme: str = "light",
        soft: bool = True,
        layers: Sequence[str] = LAYERS[:3],
        present: bool = False,
        card: int = -1,
    ) -> None:
        self.frame = frame
        self.n_classes = 2
        self._faded = False
        self._theme, self._soft, self._layers, self._present = theme, soft, tuple(layers), present
        self.mapper: Any = LinearColorMapper(low=0, high=255, palette=["#FFFFFF"] * 256)
        self._errors: tuple[Any, Any] = (np.empty(0), np.empty(0))
        self._described: tuple[str, str] | None = None
        self.parts = frame.parts
        self.image = self.parts.source(_empty_picture())
        self.line = self.parts.source(_no_places())
        self.rings = self.parts.source(_no_places())
        self.cells = self.parts.source(_no_places())
        self.tested = self.parts.source(_no_marks())
        self.figure: Any = self._make_figure()
        self._draw_layers()
        if card >= 0:  # a map with a number says what is under the pointer
            attach(self.figure, self.image, frame.probe, card)
        self.restyle(theme, soft, layers, present)

    def _make_figure(self) -> Any:
        plot: Any = figure(
            x_range=self.frame.x_range,
            y_range=self.frame.y_range,
            tools=[*self.parts.tools, SaveTool(filename="forest-explorer")],
            active_drag=None,
            active_scroll=None,
            toolbar_location="right",
            toolbar_inner=True,
            sizing_mode="stretch_both",
            min_height=60,
            min_border_left=38,
            min_border_bottom=26,
            min_border_right=2,
            min_border_top=2,
            match_aspect=False,
        )
        plot.toolbar.logo = None
        plot.toolbar.autohide = True
        plot.toolbar.stylesheets = [NO_TOOLBAR]
        self.parts.simplify(plot)
        plot.axis.minor_tick_line_color = None
        plot.axis.major_tick_in = 0
        plot.axis.major_tick_out = 4
        plot.axis.major_label_standoff = 4
        plot.js_on_change("outer_width", self.frame.narrow)
        plot.js_on_change("tags", self.frame.narrow)
        return plot

    def _draw_layers(self) -> None:
        plot, add = self.figure, self.parts.add_glyph
        picture = Image(image="image", x="x", y="y", dw="dw", dh="dh", color_mapper=self.mapper)
        # levels below marks: whatever is made later, nothing lies over the points or outside
        self._image = add(plot, self.image, picture, level="image")
        self._halo = add(plot, self.line, Line(x="x", y="y"), level="underlay")
        self._boundary = add(plot, self.line, Line(x="x", y="y"), level="underlay")
        bayes = Line(x="x", y="y", line_dash=[8, 5])
        self._bayes = add(plot, self.frame.bayes, bayes, level="underlay")
        self._scatter: list[Any] = []
        self._extra: dict[str, Any] = {}  # layers that somebody has asked for
        self._grow_scatter(2)

    def extra(self, name: str) -> Any:
        """A layer that most visitors never see: made when it is first asked for."""
        if name not in self._extra:
            if name == "cells":
                made = self.parts.add_glyph(
                    self.figure, self.cells, Line(x="x", y="y"), level="underlay"
                )
            elif name == "pen":
                made = self._marks(self.frame.pen, marker="cross", size=20)
            elif name == "picked":
                made = picked_points(self.figure, self.frame)
            elif name == "asked":
                made = self._marks(self.frame.asked, marker="circle", fill_color=None)
            elif name == "rings":
                made = self._marks(self.rings, marker="circle", fill_color=None)
            elif name == "tested":
                made = self._marks(self.tested, marker="marker", fill_color="colour")
            else:
                made = self._marks(self.tested, marker="circle", fill_color=None, line_dash=[3, 2])
            self._extra[name] = made
        return self._extra[name]

    def show_pen(self) -> None:
        """Be ready for a pen that is moved by keys."""
        if "pen" not in self._extra:
            self.extra("pen").glyph.update(line_color=THEMES[self._theme].ink, line_width=2.5)

    def _marks(self, source: Any, **values: Any) -> Any:
        """Marks over the picture; `plot.scatter` would make glyphs for states no map has."""
        return self.parts.add_glyph(self.figure, source, Scatter(x="x", y="y", **values))

    def _grow_scatter(self, n_classes: int) -> None:
        """One renderer per class: each has its own marker."""
        for k in range(len(self._scatter), n_classes):
            look = class_colour(k)
            source = self.frame.source_of_class(k)
            self._scatter.append(self._marks(source, marker=look.marker, fill_color=look.base))
        for name in ("rings", "picked"):  # the last are drawn over the rest
            if name in self._extra:
                self.figure.renderers.remove(self._extra[name])
                self.figure.renderers.append(self._extra[name])

    # ---- one call per frame

    def update(self, record: Any, points: tuple[Any, Any] | None = None) -> None:
        """Show a record: with window, n_classes, index, boundary, cells, wrong and counted.

        points: x and y of all training rows, for the rings around those in record.wrong.
        """
        window = record.window
        K = record.n_classes
        if self.n_classes != K:
            self.n_classes = K
            self._grow_scatter(K)
            self.restyle(self._theme, self._soft, self._layers, self._present)
        self.image.data = {
            "image": [record.index],
            "x": [window.x0],
            "y": [window.y0],
            "dw": [window.width],
            "dh": [window.height],
            "trees": [record.counted],
        }
        x, y = record.boundary
        self.line.data = {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)}
        x, y = record.cells
        _replace(self.cells, {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)})
        if points is not None:
            self.set_rings(points[0][record.wrong], points[1][record.wrong])

    def set_rings(self, x: Any, y: Any) -> None:
        """Places of the errors; they are sent once somebody wants to see them."""
        self._errors = x, y
        if "Errors" in self._layers:
            _replace(self.rings, {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)})

    def set_test_errors(self, x: Any, y: Any, codes: Any) -> None:
        """Fresh samples that the model gets wrong: small marks of their class, rings dashed."""
        looks = [class_colour(int(k)) for k in codes]
        self.tested.data = {
            "x": np.asarray(x, np.float32),
            "y": np.asarray(y, np.float32),
            "marker": [look.marker for look in looks],
            "colour": [look.base for look in looks],
        }

    def clear(self) -> None:
        """An empty map: no posterior, no boundary."""
        self.image.data = _empty_picture()
        for source in (self.line, self.cells):
            source.data = _no_places()
        self.set_rings(np.empty(0), np.empty(0))
        self.set_test_errors((), (), ())

    def bare(self, bare: bool) -> None:
        """Without ticks and names of axes, where maps are many and each is small."""
        tags = ["bare"] if bare else []
        if self.figure.tags != tags:
            self.figure.tags = tags

    def describe(self, across: str, up: str) -> None:
        """Axis labels; Bokeh draws them as text, never as HTML."""
        if self._described == (across, up):
            return
        self._described = (across, up)
        for axis, name in ((self.figure.xaxis, across), (self.figure.yaxis, up)):
            axis[0].axis_label = None if name in ("x1", "x2") else name[:40]

    # ---- what a look changes

    def restyle(self, theme: str, soft: bool, layers: Sequence[str], present: bool) -> None:
        """Other colours, layers or sizes; the image stays."""
        self._theme, self._soft, self._layers, self._present = theme, soft, tuple(layers), present
        look = THEMES[theme]
        plot = self.figure
        palette = list(posterior_palette(self.n_classes, theme, soft))
        if self.mapper.palette != palette:
            self.mapper.palette = palette
        plot.background_fill_color = look.neutral
        plot.border_fill_color = look.card
        plot.outline_line_color = look.hairline
        plot.axis.axis_line_color = look.hairline
        plot.axis.major_tick_line_color = look.muted
        plot.axis.major_label_text_color = look.muted
        plot.axis.axis_label_text_color = look.muted
        letter(plot, present)
        thick = 1.5 if present else 1.0
        self._halo.glyph.update(line_color=look.neutral, line_width=2 * thick + 3, line_alpha=0.75)
        self._boundary.glyph.update(line_color=look.ink, line_width=2 * thick)
        self._bayes.glyph.update(line_color=look.ink, line_width=1.6 * thick, line_alpha=0.9)
        many = sum(len(s.data["x"]) for s in self.frame.points) >= MOST_POINTS
        size = 3 if many else (10 if present else 7)
        for renderer in self._scatter:
            renderer.glyph.update(size=size, line_color=None if many else look.ink, line_width=1)
            renderer.visible = "Points" in layers
        self._set_alpha()
        if "pen" in self._extra:
            self._extra["pen"].glyph.update(line_color=look.ink, line_width=2.5)
        self._halo.visible = self._boundary.visible = "Boundary" in layers
        self._bayes.visible = "Bayes" in layers
        self._restyle_extras(look, layers, size, thick)
        self.set_rings(*self._errors)

    def _restyle_extras(self, look: Any, layers: Sequence[str], size: int, thick: float) -> None:
        looks: dict[str, tuple[str, dict[str, Any]]] = {
            "cells": ("One tree", {"line_color": look.ink, "line_width": thick, "line_alpha": 0.7}),
            "rings": ("Errors", _ring(look, size + 7, 1.8 * thick)),
            "tested": ("Test errors", _dot(look, max(4, size - 2), 0.8 * thick)),
            "test rings": ("Test errors", _ring(look, max(4, size + 4), 1.4 * thick)),
        }
        for name, (layer, values) in looks.items():
            seen = layer in layers
            if seen or name in self._extra:
                self.extra(name).glyph.update(**values)
                self.extra(name).visible = seen
        if "asked" in self._extra:
            self.mark_asked()
        if self._faded or "picked" in self._extra:
            self.extra("picked").glyph.update(**_dot(look, size + 1, 1.2 * thick))

    def mark_asked(self) -> None:
        """A ring around the sample that is explained, from the first one on."""
        if "asked" in self._extra or len(self.frame.asked.data["x"]):
            look = THEMES[self._theme]
            ring = {"size": 20, "line_color": look.ink, "line_width": 3}
            self.extra("asked").glyph.update(**ring)

    def fade(self, faded: bool) -> None:
        """Fade the points because some of them are selected, or bring them back; hues stay."""
        if faded != self._faded:
            self._faded = faded
            self.restyle(self._theme, self._soft, self._layers, self._present)

    def _set_alpha(self) -> None:
        for renderer in self._scatter:
            fill, line = (FADED, FADED) if self._faded else (1.0, 0.85)
            if self.frame.sliced and not self._faded:
                renderer.glyph.update(fill_alpha="near", line_alpha="near")
            else:
                renderer.glyph.update(fill_alpha=fill, line_alpha=line)

    def follow_slice(self) -> None:
        """Once there was a slice, points are as strong as their column says."""
        if self.frame.sliced and self._scatter[0].glyph.fill_alpha != "near":
            self._set_alpha()

    @property
    def pixels(self) -> tuple[int, int] | None:
        """Width and height of the frame on the screen, once the browser has told."""
        return frame_pixels(self.figure)


def _ring(look: Any, size: int, width: float) -> dict[str, Any]:
    return {"size": size, "line_color": look.error, "line_width": width}


def _dot(look: Any, size: int, width: float) -> dict[str, Any]:
    return {"size": size, "line_color": look.ink, "line_width": width}


def picked_points(plot: Any, frame: SharedFrame) -> Any:
    """The selected samples on a map."""
    marks = Scatter(x="x", y="y", marker="marker", fill_color="colour", size=8)
    return frame.parts.add_glyph(plot, frame.picked, marks)


def frame_pixels(plot: Any) -> tuple[int, int] | None:
    """Inner width and height of a figure; None before the browser has told."""
    try:
        w, h = plot.inner_width, plot.inner_height
    except UnsetValueError:
        return None
    return (int(w), int(h)) if w and h else None
