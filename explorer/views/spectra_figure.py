"""Draws spectra: the classes' means with bands, and some single spectra behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bokeh.models import BoxSelectTool, ColumnDataSource, Range1d
from bokeh.models.annotations import BoxAnnotation

from explorer.analysis.class_spectra import MOST_SPECTRA, ClassSpectra, thinned
from explorer.views.plain_figure import DASHES, dress, not_by_touch, plain_figure
from explorer.views.theme import THEMES, class_colour

LAYERS = ("Means", "Spectra")
FEATURE = ("axis", "height", "mean", "across", "up", "name", "colour", "marker")
LEFT = 78  # pixels left of the frame, the same in lane and spectra


def left_border(present: bool) -> int:
    """Pixels left of the frame, for ticks of six digits and a label."""
    return 94 if present else LEFT


def pieces(axis: Any, breaks: Any) -> list[slice]:
    """The stretches of an axis between its gaps."""
    ends = [int(b) + 1 for b in breaks]
    starts = [0, *ends]
    return [slice(a, b) for a, b in zip(starts, [*ends, len(axis)], strict=True)]


@dataclass
class AxisFrame:
    """What the pictures along one spectral axis have in common.

    features: one row per channel; selecting some lights them up in every picture.
    """

    x_range: Any = field(default_factory=lambda: Range1d(start=0, end=1))
    features: Any = field(default_factory=lambda: ColumnDataSource(dict.fromkeys(FEATURE, ())))

    def set_features(self, data: dict[str, Any]) -> None:
        """Other channels, or other values of them; those of another axis are not selected."""
        if not np.array_equal(self.features.data["axis"], data["axis"]):
            self.features.selected.indices = []
        self.features.data = data

    def select(self, band: tuple[float, float] | None) -> None:
        """Select the channels of a band, and no others."""
        axis = np.asarray(self.features.data["axis"], np.float64)
        inside = np.zeros(axis.size, bool)
        if band is not None:
            inside = (axis >= band[0]) & (axis <= band[1])
        chosen = np.flatnonzero(inside).tolist()
        if self.features.selected.indices != chosen:
            self.features.selected.indices = chosen

    def set_axis(self, axis: Any, falling: bool) -> None:
        """falling: from high to low."""
        low, high = float(np.min(axis)), float(np.max(axis))
        reach = 0.01 * (high - low) or 0.5
        ends = (high + reach, low - reach) if falling else (low - reach, high + reach)
        if (self.x_range.start, self.x_range.end) != ends:
            self.x_range.update(start=ends[0], end=ends[1], reset_start=ends[0], reset_end=ends[1])


class Brush:
    """A band that is dragged over a figure, and the box that shows it."""

    def __init__(self, plot: Any, frame: AxisFrame, height: str) -> None:
        # channels are points that cannot be seen until they are selected
        self.points = plot.scatter(
            "axis", height, source=frame.features, size=5, fill_alpha=0.0, line_alpha=0.0
        )
        self.points.nonselection_glyph = None
        self.points.selection_glyph = self.points.glyph.clone()
        self.points.selection_glyph.update(fill_alpha=0.9)
        self.tool = BoxSelectTool(dimensions="width", renderers=[self.points], persistent=False)
        plot.add_tools(self.tool)
        plot.toolbar.active_drag = self.tool
        not_by_touch(plot, self.tool)
        self.box = BoxAnnotation(left=0, right=1, visible=False, level="underlay")
        plot.add_layout(self.box)

    def show(self, band: tuple[float, float] | None) -> None:
        if band is None:
            self.box.visible = False
        else:
            self.box.update(left=band[0], right=band[1], visible=True)

    def restyle(self, theme: str) -> None:
        look = THEMES[theme]
        for box in (self.box, self.tool.overlay):
            box.update(
                fill_color=look.accent, fill_alpha=0.12, line_color=look.accent, line_alpha=0.8
            )
        self.points.selection_glyph.fill_color = look.accent


class SpectraFigure:
    """Means with bands, and at most two hundred single spectra."""

    def __init__(self, frame: AxisFrame, theme: str = "light", present: bool = False) -> None:
        self.record: ClassSpectra | None = None
        self.frame, self.theme = frame, theme
        empty: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": []}
        self.single: Any = ColumnDataSource(dict(empty))
        self.bands: Any = ColumnDataSource(dict(empty))
        self.means: Any = ColumnDataSource({**empty, "dash": []})
        self.picked: Any = ColumnDataSource(dict(empty), name="picked spectra")
        self._chosen: tuple[Any, Any] = (np.empty((0, 0)), ())
        self.flipped = False
        self.figure: Any = plain_figure(x_range=frame.x_range, min_border_left=LEFT)
        plot = self.figure
        plot.xaxis.visible = False
        plot.yaxis.axis_label = "signal"
        self._single = plot.multi_line(
            "xs", "ys", source=self.single, line_color="colour", line_alpha=0.35, line_width=0.8
        )
        self._bands = plot.patches(
            "xs", "ys", source=self.bands, fill_color="colour", fill_alpha=0.2, line_color=None
        )
        self._means = plot.multi_line(
            "xs", "ys", source=self.means, line_color="colour", line_dash="dash", line_width=2
        )
        self._picked = plot.multi_line(
            "xs", "ys", source=self.picked, line_color="colour", line_width=1.4, line_alpha=0.9
        )
        self.brush = Brush(plot, frame, "mean")
        self.show_layers(["Means"])
        self.restyle(theme, present)

    def update(self, record: ClassSpectra) -> None:
        """Another data set."""
        self.record = record
        self._chosen = (np.empty((0, record.axis.size)), ())
        self.flip(self.flipped)
        seen = [record.low, record.high] if record.spectra.size == 0 else [record.spectra]
        low = min(float(np.nanmin(v)) for v in seen)
        high = max(float(np.nanmax(v)) for v in seen)
        reach = 0.04 * (high - low) or 0.5
        self.figure.y_range.update(start=low - reach, end=high + reach)
        self._fill()

    def _fill(self) -> None:
        record = self.record
        if record is None:
            return
        look = THEMES[self.theme]
        parts = pieces(record.axis, record.breaks)
        tones = [class_colour(k).line(look) for k in range(len(record.class_names))]
        bands: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": []}
        means: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": [], "dash": []}
        for k in np.flatnonzero(record.counts):
            for part in parts:
                x = record.axis[part]
                bands["xs"].append(np.concatenate([x, x[::-1]]))
                bands["ys"].append(
                    np.concatenate([record.low[k][part], record.high[k][part][::-1]])
                )
                bands["colour"].append(tones[k])
                means["xs"].append(x)
                means["ys"].append(record.mean[k][part])
                means["colour"].append(tones[k])
                means["dash"].append(DASHES[k % len(DASHES)])
        self.single.data = self._lines(record.spectra, record.y)
        self.bands.data, self.means.data = bands, means
        self.picked.data = self._lines(*self._chosen)

    def _lines(self, spectra: Any, y: Any) -> dict[str, list[Any]]:
        """Single spectra [m, P] of classes y, in pieces where the axis has gaps."""
        record = self.record
        assert record is not None
        out: dict[str, list[Any]] = {"xs": [], "ys": [], "colour": []}
        for spectrum, k in zip(np.asarray(spectra, np.float32), y, strict=True):
            tone = class_colour(int(k)).line(THEMES[self.theme])
            for part in pieces(record.axis, record.breaks):
                out["xs"].append(record.axis[part])
                out["ys"].append(spectrum[part])
                out["colour"].append(tone)
        return out

    def pick(self, spectra: Any, y: Any) -> int:
        """Show selected spectra [m, P] in full and fade the rest; how many are drawn."""
        if self.record is None:
            return 0
        rows = thinned(np.asarray(y), MOST_SPECTRA)
        self._chosen = (spectra[rows], np.asarray(y)[rows])
        self.picked.data = self._lines(*self._chosen)
        faded = len(rows) > 0
        self._single.glyph.line_alpha = 0.12 if faded else 0.35
        self._bands.glyph.fill_alpha = 0.08 if faded else 0.2
        self._means.glyph.line_alpha = 0.35 if faded else 1.0
        return len(rows)

    def reach_over(self, spectra: Any) -> None:
        """Show other spectra [m, P] in full, too, unless they are ten times as large."""
        known = np.asarray(spectra, np.float64)
        known = known[np.isfinite(known)]
        if not known.size:
            return
        low, high = float(self.figure.y_range.start), float(self.figure.y_range.end)
        far = 10.0 * (high - low)
        low = max(low - far, min(low, float(known.min())))
        high = min(high + far, max(high, float(known.max())))
        self.figure.y_range.update(start=low, end=high)

    def flip(self, flipped: bool) -> None:
        """Run the axis the other way than its craft does, or back."""
        self.flipped = flipped
        if self.record is not None:
            self.frame.set_axis(self.record.axis, self.record.falling != flipped)

    def show_layers(self, layers: Any) -> None:
        self._single.visible = "Spectra" in layers
        self._bands.visible = self._means.visible = "Means" in layers

    def restyle(self, theme: str, present: bool = False) -> None:
        changed, self.theme = theme != self.theme, theme
        dress(self.figure, theme, present)
        self.figure.min_border_left = left_border(present)
        self.brush.restyle(theme)
        if changed:
            self._fill()
