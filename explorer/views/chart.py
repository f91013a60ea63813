"""What all charts that are not maps share: plain axes, a title, no logo, both themes."""

from __future__ import annotations

from typing import Any

from bokeh.models import SaveTool
from bokeh.plotting import figure

from explorer.views.lettering import letter
from explorer.views.theme import THEMES
from explorer.views.tick_labels import number_ticks

# A tap would leave the tools over a third of a small picture; on touch none of them is needed.
NO_TOOLBAR = (
    "@media (pointer: coarse), (hover: none), (max-width: 599px) "
    "{ :host { display: none !important; } }"
)


def chart(**options: Any) -> Any:
    """An empty figure in our style; ranges and axis labels by Bokeh's own options."""
    options.setdefault("sizing_mode", "stretch_both")
    options.setdefault("min_height", 60)
    plot: Any = figure(
        tools=[SaveTool(filename="forest-explorer")],
        toolbar_location="right",
        toolbar_inner=True,
        min_border=4,
        **options,
    )
    plot.toolbar.logo = None
    plot.toolbar.autohide = True
    plot.toolbar.stylesheets = [NO_TOOLBAR]
    plot.grid.visible = False
    for axis in plot.axis:
        axis.update(
            minor_tick_line_color=None,
            major_tick_in=0,
            major_tick_out=4,
            major_label_standoff=4,
            axis_label_standoff=4,
        )
        if hasattr(axis.ticker, "desired_num_ticks"):
            axis.ticker.desired_num_ticks = 5
    number_ticks(plot)
    return plot


def dress(plot: Any, theme: str, present: bool = False) -> None:
    """The neutral colours of a theme, and larger type for a wall."""
    look = THEMES[theme]
    letter(plot, present)
    plot.background_fill_color = look.card
    plot.border_fill_color = look.card
    plot.outline_line_color = None
    for axis in plot.axis:
        axis.update(
            axis_line_color=look.hairline,
            major_tick_line_color=look.muted,
            major_label_text_color=look.muted,
            axis_label_text_color=look.muted,
        )
