"""Draws what studies print: lines by a knob, boxes of groups, and grids of numbers.

Unlike the pages' figures these have a fixed size, so that they look the same in a page, in a file
and on paper. Models keep their colour and dash in all of them (`model_look`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, NumeralTickFormatter, Range1d
from bokeh.models.annotations import Legend, LegendItem

from explorer.views.chart import chart, dress
from explorer.views.theme import OTHER, THEMES, amount_palette, signed_palette

PERCENT = "0.[0] %"
_DASHES: tuple[Any, ...] = ("solid", [8, 4], [3, 3], [12, 4, 3, 4], [6, 2], [2, 2])
_MARKS = ("circle", "square", "triangle", "diamond", "inverted_triangle", "hex")
# the forests that appear in most figures, in the places of models A to F
_PLACES = {
    "RF": 0,
    "oRF-ridge": 1,
    "FRANK": 1,
    "RF-ODT": 1,
    "oRF-lda": 2,
    "F-RC": 2,
    "oRF-rnd": 3,
    "RR-RF": 3,
    "RF-rnd": 4,
    "RR-RF(r)": 4,
    "CART": 5,
    "RF(r)": 5,
}


@dataclass(frozen=True)
class Series:
    """One line: x, y of equal length; low, high: a band around it, or None."""

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None


def model_look(name: str, others: int, theme: str) -> tuple[str, Any, str]:
    """(colour, dash, marker) of a model; ``others``: how many without a place came before."""
    look = THEMES[theme]
    place = _PLACES.get(name)
    if place is not None:
        return look.models[place], _DASHES[place], _MARKS[place]
    colour = OTHER if others % 2 == 0 else look.muted
    return colour, _DASHES[(1 + others) % len(_DASHES)], _MARKS[others % len(_MARKS)]


def small_chart(
    title: str = "", theme: str = "light", width: int = 440, height: int = 300, **options: Any
) -> Any:
    """An empty chart of fixed size in our style."""
    plot = chart(width=width, height=height, sizing_mode="fixed", **options)
    if title:
        plot.title.text = title
    finish(plot, theme)
    return plot


def finish(plot: Any, theme: str) -> Any:
    """Colours and type of a theme on a chart, its title and legends."""
    look = THEMES[theme]
    dress(plot, theme)
    plot.title.update(
        text_color=look.ink, text_font_size="14px", text_font_style="bold", standoff=6
    )
    for legend in plot.legend:
        legend.update(
            background_fill_alpha=0.0,
            border_line_color=None,
            label_text_color=look.ink,
            label_text_font_size="13px",
            spacing=2,
            padding=4,
            margin=4,
        )
    return plot


def lines(
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    theme: str = "light",
    log_x: bool = False,
    log_y: bool = False,
    percent: bool = True,
    from_zero: bool = True,
    ticks: Sequence[float] | None = None,
    tick_labels: Mapping[float, str] | None = None,
    width: int = 440,
    height: int = 300,
    legend: bool = True,
) -> Any:
    """Lines of models by a knob, with bands where they are known."""
    plot = small_chart(
        title,
        theme,
        width,
        height,
        x_axis_label=x_label,
        y_axis_label=y_label,
        x_axis_type="log" if log_x else "linear",
        y_axis_type="log" if log_y else "linear",
    )
    if percent:
        plot.yaxis.formatter = NumeralTickFormatter(format=PERCENT)
    if ticks is not None:
        plot.xaxis.ticker = FixedTicker(ticks=list(ticks))
    if tick_labels is not None:
        plot.xaxis.major_label_overrides = dict(tick_labels)
    items: list[LegendItem] = []
    others = 0
    top = 0.0
    for one in series:
        colour, dash, mark = model_look(one.name, others, theme)
        others += one.name not in _PLACES
        y = np.array([np.nan if v is None else v for v in one.y], np.float64)
        top = max(top, float(np.nanmax(y)) if np.isfinite(y).any() else 0.0)
        source = ColumnDataSource({"x": np.asarray(one.x), "y": y, "name": [one.name] * y.size})
        if one.low is not None and one.high is not None:
            low = np.array([np.nan if v is None else v for v in one.low], np.float64)
            high = np.array([np.nan if v is None else v for v in one.high], np.float64)
            known = np.isfinite(low) & np.isfinite(high)
            plot.varea(
                np.asarray(one.x)[known], low[known], high[known], fill_color=colour, fill_alpha=0.1
            )
            top = max(top, float(high[known].max()) if known.any() else 0.0)
        line = plot.line("x", "y", source=source, line_width=2, line_dash=dash, line_color=colour)
        drawn = [line]
        if y.size <= 40:
            drawn.append(
                plot.scatter(
                    "x", "y", source=source, size=6, marker=mark, fill_color=colour, line_color=None
                )
            )
        items.append(LegendItem(label=one.name, renderers=drawn))
    if from_zero and not log_y:
        plot.y_range = Range1d(start=0, end=1.06 * top or 1.0)
    plot.add_tools(HoverTool(tooltips=[("", "@name"), (x_label, "@x"), (y_label, "@y")]))
    if legend and len(items) > 1:
        plot.add_layout(Legend(items=items), "right")
    return finish(plot, theme)


def boxes(
    groups: Sequence[tuple[str, Sequence[float]]],
    *,
    y_label: str,
    title: str = "",
    theme: str = "light",
    width: int = 440,
    height: int = 300,
    zero: bool = True,
) -> Any:
    """A box per group: quartiles, whiskers to 1.5 times their distance, the rest as dots."""
    look = THEMES[theme]
    names = [name for name, _ in groups]
    plot = small_chart(title, theme, width, height, x_range=names, y_axis_label=y_label)
    for name, values in groups:
        v = np.asarray(values, np.float64)
        if v.size == 0:
            continue
        q1, q2, q3 = np.quantile(v, [0.25, 0.5, 0.75])
        reach = 1.5 * (q3 - q1)
        inside = v[(v >= q1 - reach) & (v <= q3 + reach)]
        plot.segment([name], [inside.min()], [name], [q1], line_color=look.ink)
        plot.segment([name], [q3], [name], [inside.max()], line_color=look.ink)
        plot.vbar(
            [name], 0.5, [q3], [q1], fill_color=look.neutral, line_color=look.ink, line_width=1
        )
        plot.rect([name], [q2], 0.5, 2, height_units="screen", color=look.models[1])
        outside = v[(v < q1 - reach) | (v > q3 + reach)]
        plot.scatter([name] * outside.size, outside, size=5, fill_color=None, line_color=look.ink)
    if zero:
        dash = value([3, 3])
        plot.ray(x=[0], y=[0], length=0, angle=0, line_color=look.muted, line_dash=dash)
        plot.ray(x=[0], y=[0], length=0, angle=np.pi, line_color=look.muted, line_dash=dash)
    return finish(plot, theme)


def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Any,
    *,
    text: Sequence[Sequence[str]] | None = None,
    marks: Sequence[Sequence[bool]] | None = None,
    title: str = "",
    theme: str = "light",
    signed: bool = False,
    width: int | None = None,
) -> Any:
    """A table as a picture: colour by value, the number in words, a frame where ``marks`` says.

    values: [rows, columns]; NaN is empty. Signed values have a colour on either side of zero.
    """
    look = THEMES[theme]
    v = np.asarray(values, np.float64)
    known = np.isfinite(v)
    widest = max([len(r) for r in rows] or [1])
    plot = small_chart(
        title,
        theme,
        width or 8 * widest + 76 * len(columns) + 40,
        22 * len(rows) + (70 if title else 46),
        x_range=list(columns),
        y_range=list(reversed(rows)),
        x_axis_location="above",
    )
    top = float(np.abs(v[known]).max()) if known.any() else 1.0
    palette = signed_palette(theme) if signed else amount_palette(theme)
    share = (v / (top or 1.0) + 1) / 2 if signed else v / (top or 1.0)
    # half of the palette, so that ink can be read on all of it
    at = np.where(known, 64 + share * 128 if signed else share * 110, 0).astype(int)
    cells: dict[str, Any] = {k: [] for k in ("x", "y", "fill", "text", "line", "wide")}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            mark = bool(marks[i][j]) if marks is not None else False
            words = f"{v[i, j]:.3g}" if text is None else text[i][j]
            cells["x"].append(column)
            cells["y"].append(row)
            cells["fill"].append(palette[at[i, j]] if known[i, j] else look.card)
            cells["text"].append(words if known[i, j] or text is not None else "")
            cells["line"].append(look.ink if mark else look.card)
            cells["wide"].append(2 if mark else 1)
    source = ColumnDataSource(cells)
    plot.rect(
        "x",
        "y",
        0.94,
        0.86,
        source=source,
        fill_color="fill",
        line_color="line",
        line_width="wide",
    )
    plot.text(
        "x",
        "y",
        text="text",
        text_align="center",
        text_baseline="middle",
        text_font_size="12px",
        text_color=look.ink,
        source=source,
    )
    plot.axis.axis_line_color = None
    plot.axis.major_tick_line_color = None
    finish(plot, theme)
    plot.axis.axis_line_color = None
    plot.axis.major_tick_line_color = None
    return plot
