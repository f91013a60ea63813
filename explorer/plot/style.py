"""The look of every picture in a notebook: the app's theme as HoloViews options."""

from __future__ import annotations

from typing import Any

import holoviews as hv
from bokeh.models import NumeralTickFormatter

from explorer.views.chart import dress
from explorer.views.theme import THEMES, Theme, class_colour
from explorer.views.tick_labels import number_ticks

# of the frame that the axes enclose, in pixels, so that pictures beside each other line up
SQUARE: dict[str, Any] = {"frame_width": 340, "frame_height": 340}
WIDE: dict[str, Any] = {"frame_width": 480, "frame_height": 260}
MODEL_DASHES = ("solid", "dashed", "dotted", "dotdash", "dashdot", [2, 4])


def load() -> None:
    """Load HoloViews' Bokeh backend once, as `hv.extension("bokeh")` would."""
    if "bokeh" not in hv.Store.renderers:
        hv.extension("bokeh", logo=False)


def look_of(theme: str) -> Theme:
    """The colours of a theme; an error if there is none of that name."""
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}; choose one of {', '.join(THEMES)}.")
    return THEMES[theme]


def dressed(theme: str, percent: str = "") -> Any:
    """A hook that gives a Bokeh figure the theme; percent: axes ("x", "y", "xy") in per cent."""

    def dress_figure(plot: Any, element: Any) -> None:
        figure = plot.state
        if not hasattr(figure, "axis"):
            return
        number_ticks(figure)
        dress(figure, theme)
        figure.grid.visible = False
        figure.axis.minor_tick_line_color = None
        figure.toolbar.logo = None
        if figure.legend:
            look = THEMES[theme]
            figure.legend.update(
                background_fill_color=look.card,
                background_fill_alpha=0.85,
                label_text_color=look.ink,
                border_line_color=None,
            )
        for name in percent:
            axes = figure.xaxis if name == "x" else figure.yaxis
            axes.formatter = NumeralTickFormatter(format="0 %")

    return dress_figure


def framed(overlay: Any, theme: str, *, percent: str = "", **options: Any) -> Any:
    """An overlay with the size, tools and colours of the house; options of the caller win."""
    if "frame_width" not in options:
        options = WIDE | options
    wanted = {
        "toolbar": "right",
        "legend_position": "bottom",
        "legend_cols": 6,
        "fontsize": {"title": "11pt"},
        "hooks": [dressed(theme, percent)],
        "backend": "bokeh",
    } | options
    return overlay.opts(hv.opts.Overlay(**wanted))


def line_colour(k: int, theme: str) -> str:
    """The colour of class k for thin lines."""
    return class_colour(k).line(THEMES[theme])
