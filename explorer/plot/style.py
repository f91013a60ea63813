"""The look of every picture in a notebook: the app's theme as HoloViews options."""

from __future__ import annotations

from typing import Any

import holoviews as hv
from bokeh.models import AllLabels, CategoricalAxis, NumeralTickFormatter

from explorer.views.chart import dress
from explorer.views.theme import THEMES, Theme, class_colour
from explorer.views.tick_labels import number_ticks

# width and height of whole pictures in pixels, legend included: nothing moves when it is drawn
SQUARE: dict[str, Any] = {"width": 390, "height": 420}
BARRED: dict[str, Any] = {"width": 450, "height": 390}  # with a bar of colours at the right
WIDE: dict[str, Any] = {"width": 560, "height": 330}
ROW = 24  # pixels of a bar and its name
MODEL_DASHES = ("solid", "dashed", "dotted", "dotdash", "dashdot", [2, 4])


def load() -> None:
    """Load HoloViews' Bokeh backend once, as `hv.extension("bokeh")` would.

    Its scripts go into the notebook, so that pictures are seen without the internet, too.
    """
    if "bokeh" not in hv.Store.renderers:
        hv.extension("bokeh", inline=True, logo=False)


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
        for axis in figure.axis:  # every name is shown, not every second one
            if isinstance(axis, CategoricalAxis):
                axis.major_label_policy = AllLabels()
        figure.toolbar.logo = None
        if figure.legend:
            look = THEMES[theme]
            figure.legend.update(
                background_fill_color=look.card,
                background_fill_alpha=0.85,
                label_text_color=look.ink,
                border_line_color=None,
                margin=0,
                padding=2,
                label_text_font_size="12px",
                label_height=14,
                glyph_height=14,
            )
        for name in percent:
            axes = figure.xaxis if name == "x" else figure.yaxis
            axes.formatter = NumeralTickFormatter(format="0 %")

    return dress_figure


# elements whose axes may hold names
_NAMED = ("Bars", "ErrorBars", "HeatMap", "Labels", "Scatter")


def framed(overlay: Any, theme: str, *, percent: str = "", **options: Any) -> Any:
    """An overlay with the size, tools and colours of the house; options of the caller win."""
    if "width" not in options:
        options = WIDE | options
    wanted = {
        "toolbar": "right",
        # only maps of one plane share their axes: names on the axes of others may differ
        "shared_axes": False,
        "legend_position": "bottom",
        "legend_cols": 6,
        "fontsize": {"title": "11pt"},
        "hooks": [dressed(theme, percent)],
        "backend": "bokeh",
    } | options
    if not wanted["shared_axes"]:
        apart = [getattr(hv.opts, name)(axiswise=True, backend="bokeh") for name in _NAMED]
        overlay = overlay.opts(*apart)
    return overlay.opts(hv.opts.Overlay(**wanted))


def rows_size(count: int, extra: int = 70) -> dict[str, Any]:
    """The size of a picture with so many named rows."""
    return {"width": 560, "height": max(150, ROW * count + extra)}


def line_colour(k: int, theme: str) -> str:
    """The colour of class k for thin lines."""
    return class_colour(k).line(THEMES[theme])
