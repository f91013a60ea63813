"""Draws curves of a study: a line per model with its interval, its name at the end, printed values.

A pure function from series to a figure; what a paper printed is drawn as open rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, NumeralTickFormatter, Range1d
from bokeh.models.annotations import Legend, LegendItem, Whisker

from explorer.views.chart import chart, dress
from explorer.views.error_figure import DASHES, spread
from explorer.views.theme import THEMES

MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle", "hex")


@dataclass(frozen=True)
class Curve:
    """One curve: name, x and y [n]; low and high [n] of its interval (None: no band).

    across: (low, high) of a horizontal interval, for ROC curves. printed: whether these are a
    paper's values: rings without a line. place: which of the six model colours it takes.
    """

    name: str
    x: Any
    y: Any
    low: Any = None
    high: Any = None
    across: tuple[Any, Any] | None = None
    printed: bool = False
    place: int | None = None


def study_lines(
    series: Sequence[Curve],
    *,
    theme: str = "light",
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    percent: bool = True,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    dots: bool = True,
    chance: bool = False,
    width: int = 560,
    height: int = 320,
) -> Any:
    """A figure of fixed size (the caller may stretch it). chance: the ROC's dashed diagonal."""
    look = THEMES[theme]
    x_all = np.concatenate([np.asarray(s.x, np.float64) for s in series])
    y_all = np.concatenate([np.asarray(v, np.float64) for s in series for v in _heights(s)])
    y_all = y_all[np.isfinite(y_all)]
    if y_range is None:
        reach = max(float(np.ptp(y_all)), 1e-6) if y_all.size else 1.0
        low, high = (float(y_all.min()), float(y_all.max())) if y_all.size else (0.0, 1.0)
        y_range = (low - 0.06 * reach, high + 0.08 * reach)
    first, last = (float(x_all.min()), float(x_all.max())) if x_range is None else x_range
    ends = [s for s in series if not s.printed]
    if len(ends) == 1:
        ends = []  # one line needs no name: there is nothing to tell it from
    # room at the right for the names at the lines' ends, about 7 px a letter
    room = 7.2 * max((len(s.name) for s in ends), default=0) + 24 if not chance else 12
    reach = max(last - first, 1e-9)
    plot = chart(
        width=width,
        height=height,
        sizing_mode="fixed",
        title=title or None,
        x_range=Range1d(
            start=first - 0.02 * reach, end=last + reach * room / max(width - 70 - room, 60)
        ),
        y_range=Range1d(start=y_range[0], end=y_range[1]),
        x_axis_label=x_label,
        y_axis_label=y_label,
    )
    dress(plot, theme)
    _title(plot, look)
    plot.xaxis.bounds = (first, last)
    if percent:
        digits = "0.0 %" if y_range[1] - y_range[0] < 0.06 else "0 %"
        plot.yaxis.formatter = NumeralTickFormatter(format=digits)
    if chance:
        plot.line([0, 1], [0, 1], line_dash=[6, 4], line_color=look.muted)
    items: list[LegendItem] = []
    for i, one in enumerate(series):
        place = (i if one.place is None else one.place) % len(look.models)
        line = _curve(plot, one, look.models[place], place, dots)
        if chance and line is not None:
            items.append(LegendItem(label=one.name, renderers=[line]))
    if chance:  # all curves end in one corner, so names beside them would not fit
        plot.add_layout(_legend(items, look))
    else:
        _names(plot, ends, series, look, y_range)
    return plot


def _heights(one: Curve) -> list[Any]:
    return [v for v in (one.y, one.low, one.high) if v is not None]


def _title(plot: Any, look: Any) -> None:
    if plot.title is not None:
        plot.title.update(
            text_color=look.ink, text_font_size="13px", text_font_style="normal", standoff=4
        )


def _curve(plot: Any, one: Curve, colour: str, place: int, dots: bool) -> Any:
    x, y = np.asarray(one.x, np.float64), np.asarray(one.y, np.float64)
    marker = MARKERS[place]
    if one.printed:
        plot.scatter(
            x, y, marker=marker, size=11, fill_color=None, line_color=colour, line_width=1.6
        )
        return None
    if one.low is not None and one.high is not None:
        source = ColumnDataSource({"x": x, "low": np.asarray(one.low), "high": one.high})
        if one.across is None:
            plot.varea("x", "low", "high", source=source, fill_color=colour, fill_alpha=0.15)
        else:
            source.data["y"] = y
            source.data["left"], source.data["right"] = one.across
            bars: dict[str, Any] = {"source": source, "line_color": colour, "line_alpha": 0.55}
            for whisker in (
                Whisker(base="x", lower="low", upper="high", **bars),
                Whisker(base="y", lower="left", upper="right", dimension="width", **bars),
            ):
                whisker.upper_head = whisker.lower_head = None
                plot.add_layout(whisker)
    line = plot.line(x, y, line_color=colour, line_width=2, line_dash=DASHES[place])
    if dots:
        plot.scatter(x, y, marker=marker, size=5, fill_color=colour, line_color=colour)
    return line


def _legend(items: list[LegendItem], look: Any) -> Legend:
    return Legend(
        items=items,
        location="bottom_right",
        border_line_color=None,
        background_fill_color=look.card,
        background_fill_alpha=0.85,
        label_text_color=look.ink,
        label_text_font_size="13px",
        padding=4,  # type: ignore[arg-type] # a number is allowed
        spacing=2,
    )


def _names(plot: Any, ends: Any, series: Any, look: Any, y_range: tuple[float, float]) -> None:
    known = []
    for one in ends:
        y = np.asarray(one.y, np.float64)
        there = np.flatnonzero(np.isfinite(y))
        if there.size:
            i = next(k for k, s in enumerate(series) if s is one)
            place = (i if one.place is None else one.place) % len(look.models)
            at = float(np.asarray(one.x, np.float64)[there[-1]])
            known.append((float(y[there[-1]]), at, one.name, look.models[place]))
    if not known:
        return
    apart = 0.075 * (y_range[1] - y_range[0])
    places = _inside(spread([k[0] for k in known], apart), apart, y_range)
    plot.text(
        x=[max(k[1] for k in known)] * len(known),
        y=places,
        text=[k[2] for k in known],
        text_color=[k[3] for k in known],
        text_font_size="13px",
        text_baseline="middle",
        x_offset=8,
    )


def _inside(places: list[float], apart: float, y_range: tuple[float, float]) -> list[float]:
    """Names that were pushed over the top come down again, in their order."""
    top = y_range[1] - 0.4 * apart
    order = np.argsort(places, kind="stable")[::-1]
    out = np.array(places)
    out[order[0]] = min(out[order[0]], top)
    for above, here in pairwise(order):
        out[here] = min(out[here], out[above] - apart)
    return [float(v) for v in out]
