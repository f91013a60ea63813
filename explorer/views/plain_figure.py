"""Draws the empty frame that every picture beside the maps begins with, in one house style."""

from __future__ import annotations

from typing import Any

from bokeh.models import CustomJS, Range1d
from bokeh.plotting import figure

from explorer.views.lettering import letter
from explorer.views.theme import THEMES
from explorer.views.tick_labels import number_ticks

DASHES = ("solid", "dashed", "dotted", "dotdash", "dashdot")
# of models A to F, and at the end of the data's own line; dense lines need long dashes
MODEL_DASHES = ("solid", "10 3", "3 2", "12 3 3 3", "6 4", "2 4", "8 3 2 3")

# Equal units on both axes, whatever the frame's shape: tags hold centre and half sizes.
_SQUARE = """
const [cx, cy, rx, ry] = plot.tags
const w = plot.inner_width, h = plot.inner_height
if (!(w > 0 && h > 0)) return
const unit = Math.max(2 * rx / w, 2 * ry / h)
plot.x_range.setv({start: cx - unit * w / 2, end: cx + unit * w / 2})
plot.y_range.setv({start: cy - unit * h / 2, end: cy + unit * h / 2})
"""

# A finger must be able to scroll the page; fields and buttons do the same as the brush.
_NO_TOUCH = """
if (window.matchMedia("(pointer: coarse)").matches) tool.active = false
"""


def plain_figure(**options: Any) -> Any:
    """A figure without tools, grid and logo, as large as there is room."""
    options = {
        "tools": "",
        "toolbar_location": None,
        "sizing_mode": "stretch_both",
        "min_height": 40,
        "min_width": 40,
        "title": "",
    } | options
    options.setdefault("x_range", Range1d(start=0, end=1))
    options.setdefault("y_range", Range1d(start=0, end=1))
    plot: Any = figure(**options)
    plot.toolbar.logo = None
    plot.grid.visible = False
    plot.title.standoff = 4
    plot.min_border = 4
    for axis in plot.axis:
        axis.minor_tick_line_color = None
        axis.axis_label_standoff = 4
    number_ticks(plot)
    return plot


def dress(plot: Any, theme: str, present: bool = False) -> None:
    """Give a figure the colours of a theme, and larger type for a wall."""
    look = THEMES[theme]
    letter(plot, present)
    plot.background_fill_color = look.card
    plot.border_fill_color = look.card
    plot.outline_line_color = None
    plot.title.text_color = look.ink
    for axis in plot.axis:
        axis.axis_line_color = look.muted
        axis.major_tick_line_color = look.muted
        axis.major_label_text_color = look.muted
        axis.axis_label_text_color = look.muted


def equal_units(plot: Any) -> None:
    """Keep both axes in equal units from now on; `look_at` says where."""
    plot.tags = [0.0, 0.0, 1.0, 1.0]
    callback = CustomJS(args={"plot": plot}, code=_SQUARE)
    for change in ("inner_width", "inner_height", "tags"):
        plot.js_on_change(change, callback)


def look_at(plot: Any, cx: float, cy: float, rx: float, ry: float) -> None:
    """Centre and half sizes of what a figure with equal units must show."""
    tags = [cx, cy, max(rx, 1e-9), max(ry, 1e-9)]
    if plot.tags != tags:
        plot.x_range.update(start=cx - tags[2], end=cx + tags[2])
        plot.y_range.update(start=cy - tags[3], end=cy + tags[3])
        plot.tags = tags


def not_by_touch(plot: Any, tool: Any) -> None:
    """Switch a drag tool off where the pointer is a finger."""
    plot.js_on_change("inner_width", CustomJS(args={"tool": tool}, code=_NO_TOUCH))
