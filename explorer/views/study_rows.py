"""Draws a table of a study: a row per data set or feature, a mark per model, printed ones open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FactorRange, NumeralTickFormatter, Range1d
from bokeh.models.annotations import Legend, LegendItem

from explorer.views.chart import chart, dress
from explorer.views.study_lines import MARKERS
from explorer.views.theme import THEMES

ROW, TIGHT = 24, 18  # px of a row; of one among more than 20


@dataclass(frozen=True)
class Marks:
    """One model's values, one per row (NaN: none), with intervals; printed: open rings."""

    name: str
    values: Any
    low: Any = None
    high: Any = None
    printed: bool = False
    place: int = 0


def study_rows(
    rows: Sequence[str],
    marks: Sequence[Marks],
    *,
    theme: str = "light",
    title: str = "",
    x_label: str = "",
    percent: bool = False,
    log: bool = False,
    line_at: float | None = None,
    bars: bool = False,
    width: int = 560,
) -> Any:
    """Rows from top to bottom. line_at: a vertical line; bars: from there (or 0) to the value."""
    look = THEMES[theme]
    every = np.concatenate(
        [
            np.asarray(values, np.float64)
            for m in marks
            for values in (m.values, m.low, m.high)
            if values is not None
        ]
    )
    every = every[np.isfinite(every)]
    if line_at is not None or bars:
        every = np.append(every, 0.0 if line_at is None else line_at)
    named = [m for m in marks if not m.printed]
    legend = 26 if len(named) > 1 or len(marks) > len(named) else 0
    plot = chart(
        width=width,
        height=(TIGHT if len(rows) > 20 else ROW) * len(rows) + 64 + legend + (22 if title else 0),
        sizing_mode="fixed",
        title=title or None,
        y_range=FactorRange(factors=list(reversed(rows))),
        x_range=_range(every, log),
        x_axis_type="log" if log else "linear",
        x_axis_label=x_label,
    )
    dress(plot, theme)
    if plot.title is not None:
        plot.title.update(
            text_color=look.ink, text_font_size="13px", text_font_style="normal", standoff=4
        )
    plot.yaxis.update(axis_line_color=None, major_tick_line_color=None)
    plot.ygrid.update(visible=True, grid_line_color=look.hairline)
    if percent:
        plot.xaxis.formatter = NumeralTickFormatter(format="0 %")
    if line_at is not None:
        plot.line([line_at, line_at], [rows[-1], rows[0]], line_color=look.muted, line_dash=[6, 4])
    start = 0.0 if line_at is None else line_at
    drawn = [_mark(plot, rows, mark, look, bars, start) for mark in marks]
    if legend:
        items = [
            LegendItem(label=mark.name, renderers=[glyph])
            for mark, glyph in zip(marks, drawn, strict=True)
        ]
        plot.add_layout(_legend(items, look), "above")
    return plot


def _range(values: np.ndarray, log: bool) -> Range1d:
    if not values.size:
        return Range1d(start=0.1 if log else 0, end=1)
    low, high = float(values.min()), float(values.max())
    if log:
        return Range1d(start=low / 1.25, end=high * 1.25)
    reach = max(high - low, 1e-9)
    return Range1d(start=low - 0.04 * reach, end=high + 0.04 * reach)


def _mark(plot: Any, rows: Sequence[str], mark: Marks, look: Any, bars: bool, start: float) -> Any:
    values = np.asarray(mark.values, np.float64)
    seen = np.flatnonzero(np.isfinite(values))
    colour = look.models[mark.place % len(look.models)]
    source = ColumnDataSource({"x": values[seen], "row": [rows[int(i)] for i in seen]})
    if bars:
        plot.hbar(
            y="row",
            left=start,
            right="x",
            height=0.6,
            fill_color=colour,
            fill_alpha=0.35,
            line_color=None,
            source=source,
        )
    if mark.low is not None and mark.high is not None:
        source.data["low"] = np.asarray(mark.low, np.float64)[seen]
        source.data["high"] = np.asarray(mark.high, np.float64)[seen]
        plot.segment("low", "row", "high", "row", line_color=colour, line_width=1.6, source=source)
    return plot.scatter(
        "x",
        "row",
        marker=MARKERS[mark.place % len(MARKERS)],
        size=12 if mark.printed else 8,
        fill_color=None if mark.printed else colour,
        line_color=colour,
        line_width=1.6,
        source=source,
    )


def _legend(items: list[LegendItem], look: Any) -> Legend:
    return Legend(
        items=items,
        orientation="horizontal",
        border_line_color=None,
        background_fill_color=look.card,
        label_text_color=look.ink,
        label_text_font_size="13px",
        padding=2,  # type: ignore[arg-type] # a number is allowed
        margin=0,
        spacing=14,
        label_standoff=2,
        glyph_width=18,
    )
