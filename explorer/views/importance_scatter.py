"""Draws importance of each feature in one model against another; linked to the spectral axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import BoxSelectTool, HoverTool, TapTool

from explorer.views.importance_lane import ONLY_OBLIQUE
from explorer.views.plain_figure import dress, not_by_touch, plain_figure
from explorer.views.spectra_figure import AxisFrame
from explorer.views.theme import THEMES


class ImportanceScatter:
    """A point per feature; squares in green are used by the oblique forest alone."""

    def __init__(self, frame: AxisFrame, theme: str = "light", present: bool = False) -> None:
        self.frame, self.theme = frame, theme
        self.figure: Any = plain_figure()
        plot = self.figure
        self._equal = plot.line([0, 1], [0, 1], line_dash=[4, 4], line_width=1)
        self._points = plot.scatter(
            "across",
            "up",
            source=frame.features,
            marker="marker",
            size=6,
            fill_color="colour",
            fill_alpha=0.55,
            line_color=None,
        )
        self._points.nonselection_glyph = self._points.glyph.clone()
        self._points.nonselection_glyph.fill_alpha = 0.15
        self._points.selection_glyph = self._points.glyph.clone()
        self._points.selection_glyph.update(fill_alpha=1.0)
        select = BoxSelectTool(renderers=[self._points], persistent=False)
        hover = HoverTool(
            renderers=[self._points],
            tooltips=[("feature", "@name"), ("across", "@across"), ("up", "@up")],
        )
        plot.add_tools(select, TapTool(renderers=[self._points]), hover)
        plot.toolbar.active_drag = select
        not_by_touch(plot, select)
        plot.xaxis.ticker.desired_num_ticks = plot.yaxis.ticker.desired_num_ticks = 4
        self.restyle(theme, present)

    def update(self, across: str, up: str, same_units: bool) -> None:
        """Names of the axes; the numbers are in the frame's features."""
        plot, data = self.figure, self.frame.features.data
        plot.xaxis.axis_label, plot.yaxis.axis_label = across, up
        x, y = (_ends(data[name]) for name in ("across", "up"))
        if same_units:
            x = y = (min(x[0], y[0]), max(x[1], y[1]))
        plot.x_range.update(start=x[0], end=x[1])
        plot.y_range.update(start=y[0], end=y[1])
        self._equal.visible = same_units
        self._equal.data_source.data = {"x": list(x), "y": list(x)}

    def restyle(self, theme: str, present: bool = False) -> None:
        self.theme = theme
        dress(self.figure, theme, present)
        self._equal.glyph.line_color = THEMES[theme].muted


def _ends(values: Any) -> tuple[float, float]:
    numbers = np.asarray(values, np.float64)
    numbers = numbers[np.isfinite(numbers)]
    low = min(0.0, float(numbers.min(initial=0.0)))
    high = max(1e-12, float(numbers.max(initial=0.0)))
    reach = 0.06 * (high - low)
    return low - reach, high + reach


def feature_looks(only: Any, n: int, theme: str) -> tuple[list[str], list[str]]:
    """(colours, markers) of n features."""
    look = THEMES[theme]
    mask = np.zeros(n, bool) if only is None else np.asarray(only, bool)
    return (
        [ONLY_OBLIQUE[theme] if m else look.ink for m in mask],
        ["square" if m else "circle" for m in mask],
    )
