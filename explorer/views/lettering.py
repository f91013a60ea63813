"""The lettering of pictures: one font, one size, and a larger one for a wall."""

from __future__ import annotations

from typing import Any

from bokeh.core.properties import value

FONT = "system-ui, sans-serif"


def type_size(present: bool) -> str:
    """The size of everything that is written in a picture."""
    return "16px" if present else "13px"


def letter(plot: Any, present: bool) -> None:
    """Title, ticks and labels of a figure's axes."""
    size = type_size(present)
    if plot.title is not None:
        plot.title.update(text_font=FONT, text_font_style="normal", text_font_size=size)
    for axis in plot.axis:
        axis.update(
            axis_label_text_font=FONT,
            axis_label_text_font_style="normal",
            axis_label_text_font_size=size,
            major_label_text_font=FONT,
            major_label_text_font_size=size,
        )


def letter_marks(marks: Any, present: bool) -> None:
    """Words that are drawn among the data."""
    marks.glyph.update(text_font=value(FONT), text_font_size=type_size(present))
