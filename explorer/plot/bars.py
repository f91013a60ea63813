"""Level bars with names at their left, one colour or two by sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import holoviews as hv
import numpy as np

from explorer.plot.style import look_of


def level_bars(
    names: Sequence[str],
    values: Any,
    what: str,
    measure: str,
    theme: str,
    *,
    signed: bool = False,
    colour: str | None = None,
) -> hv.Bars:
    """Bars from bottom to top in the order of the names; signed: green below zero, violet above."""
    look = look_of(theme)
    heights = np.asarray(values, np.float64)
    plain = colour or look.accent
    tones = [(look.high if v > 0 else look.low) if signed else plain for v in heights]
    table = {what: list(names), measure: heights, "colour": tones}
    return hv.Bars(table, kdims=what, vdims=[measure, "colour"]).opts(
        invert_axes=True,
        color="colour",
        line_color=None,
        bar_width=0.7,
        tools=["hover"],
        hover_tooltips=[(what, f"@{what}"), (measure, "@{" + _column(measure) + "}{0.0000}")],
        show_legend=False,
        backend="bokeh",
    )


def whiskers(
    names: Sequence[str], values: Any, low: Any, high: Any, what: str, measure: str, theme: str
) -> hv.ErrorBars:
    """Intervals over level bars."""
    middle = np.asarray(values, np.float64)
    table = {
        what: list(names),
        measure: middle,
        "below": np.nan_to_num(middle - np.asarray(low, np.float64)),
        "above": np.nan_to_num(np.asarray(high, np.float64) - middle),
    }
    return hv.ErrorBars(table, kdims=what, vdims=[measure, "below", "above"]).opts(
        invert_axes=True,
        color=look_of(theme).ink,
        line_width=1.2,
        backend="bokeh",
    )


def _column(name: str) -> str:
    from holoviews.core.util import dimension_sanitizer

    return str(dimension_sanitizer(name))
