"""Draws samples where their proximities put them, and marks those that a forest gets wrong."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, LassoSelectTool, Range1d, TapTool

from explorer.views.plain_figure import dress, equal_units, look_at, not_by_touch, plain_figure
from explorer.views.theme import THEMES, class_colour

MODELS = 6
PAIRED = 3  # components of a pairs plot
FADED = 0.25  # of what is not selected
RUG = ("left", "farther", "under", "below")  # ends of the ticks beside the heat map


@dataclass
class SampleFrame:
    """What the pictures of samples have in common: one row per sample, one selection."""

    x_range: Range1d = field(default_factory=lambda: Range1d(start=-1, end=1))
    y_range: Range1d = field(default_factory=lambda: Range1d(start=-1, end=1))
    samples: ColumnDataSource = field(default_factory=lambda: ColumnDataSource(_columns(0)))

    def set_samples(
        self,
        places: Sequence[Any],
        y: Any,
        position: Any,
        names: Sequence[str],
        kinds: Any,
        cells: Mapping[str, Any],
    ) -> None:
        """places: xy [n, 2] per model; position: along the heat map; kinds: class names.

        cells: columns of the pairs plot.
        """
        data = _columns(len(y)) | dict(cells)
        for i, xy in enumerate(places):
            data[f"x{i}"], data[f"y{i}"] = xy[:, 0], xy[:, 1]
        data["position"] = position
        n = 0.5 + float(np.nanmax(position, initial=0.5))
        for name, at in {"left": -0.02, "farther": -0.07, "under": 1.02, "below": 1.07}.items():
            data[name] = np.full(len(y), at * n)
        data["name"] = list(names)
        data["kind"] = [kinds[k] for k in y]
        data["colour"] = [class_colour(int(k)).base for k in y]
        data["marker"] = [class_colour(int(k)).marker for k in y]
        # a selection of other samples would light up the wrong ones
        if len(self.samples.data["name"]) != len(y):
            self.samples.selected.indices = []
        self.samples.data = data


def cell_names(row: int, column: int) -> tuple[str, str]:
    """Columns of the samples' places in one cell of the pairs plot."""
    return f"x{row}{column}", f"y{row}{column}"


def _columns(n: int) -> dict[str, Any]:
    places = [f"{axis}{i}" for i in range(MODELS) for axis in "xy"]
    for row, column in itertools.permutations(range(PAIRED), 2):
        places += cell_names(row, column)
    nothing = np.full(n, np.nan)
    words = {name: [""] * n for name in ("name", "kind", "colour", "marker")}
    return dict.fromkeys([*places, "position", *RUG], nothing) | words


class MdsFigure:
    """One model's picture; equal units, the same window in all of them."""

    def __init__(
        self, frame: SampleFrame, model: int, theme: str = "light", present: bool = False
    ) -> None:
        self.frame, self.model = frame, model
        self.wrong = ColumnDataSource({"x": [], "y": []})
        self.outlying = ColumnDataSource({"x": [], "y": []})
        self.figure: Any = plain_figure(x_range=frame.x_range, y_range=frame.y_range)
        plot = self.figure
        plot.xaxis.ticker.desired_num_ticks = plot.yaxis.ticker.desired_num_ticks = 4
        self._points = plot.scatter(
            f"x{model}",
            f"y{model}",
            source=frame.samples,
            marker="marker",
            fill_color="colour",
            size=7,
            line_width=0.8,
        )
        self._points.nonselection_glyph = self._points.glyph.clone()
        self._points.nonselection_glyph.update(fill_alpha=FADED, line_alpha=FADED)
        self._points.selection_glyph = self._points.glyph.clone()
        self._rings = plot.scatter(
            "x", "y", source=self.wrong, marker="circle", size=13, fill_color=None, line_width=1.5
        )
        self._crosses = plot.scatter("x", "y", source=self.outlying, marker="x", size=13)
        self._crosses.glyph.line_width = 1.2
        lasso = LassoSelectTool(renderers=[self._points], continuous=False, persistent=False)
        hover = HoverTool(
            renderers=[self._points], tooltips=[("sample", "@name"), ("class", "@kind")]
        )
        plot.add_tools(lasso, TapTool(renderers=[self._points]), hover)
        plot.toolbar.active_drag = lasso
        not_by_touch(plot, lasso)
        self.lasso = lasso
        equal_units(plot)
        self.restyle(theme, present)

    def update(
        self, xy: Any, explained: Any, labels: tuple[str, str], wrong: Any, outlying: Any
    ) -> None:
        """wrong and outlying: bool[n]. The samples are in the frame."""
        self.wrong.data = {"x": xy[wrong, 0], "y": xy[wrong, 1]}
        self.outlying.data = {"x": xy[outlying, 0], "y": xy[outlying, 1]}
        for axis, label, share in zip(
            (self.figure.xaxis, self.figure.yaxis), labels, explained, strict=True
        ):
            axis.axis_label = f"{label}, {100 * share:.0f} %"
        size = 4 if len(xy) > 2000 else 5 if len(xy) > 500 else 7
        for glyph in (
            self._points.glyph,
            self._points.selection_glyph,
            self._points.nonselection_glyph,
        ):
            glyph.size = size

    def look(self, window: tuple[float, float, float, float]) -> None:
        """Centre and half sizes of what is shown, the same for all models."""
        look_at(self.figure, *window)

    def show_marks(self, marks: Sequence[str]) -> None:
        self._rings.visible = "Misclassified" in marks
        self._crosses.visible = "Outlying" in marks

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        for glyph in (
            self._points.glyph,
            self._points.selection_glyph,
            self._points.nonselection_glyph,
            self._rings.glyph,
            self._crosses.glyph,
        ):
            glyph.line_color = look.ink
        self.lasso.overlay.update(
            fill_color=look.accent, fill_alpha=0.12, line_color=look.accent, line_alpha=0.8
        )


def common_window(places: Sequence[Any]) -> tuple[float, float, float, float]:
    """(centre x, centre y, half width, half height) that holds every model's samples."""
    everyone = np.concatenate(list(places))
    low, high = everyone.min(axis=0), everyone.max(axis=0)
    (cx, cy), (rx, ry) = (low + high) / 2, 0.54 * (high - low)
    return float(cx), float(cy), float(max(rx, 1e-6)), float(max(ry, 1e-6))
