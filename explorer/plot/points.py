"""Samples as HoloViews points: colour and marker by class, linked by their row."""

from __future__ import annotations

from html import escape
from typing import Any

import holoviews as hv
import numpy as np
from holoviews.core.util import dimension_sanitizer

from explorer.data import Dataset
from explorer.plot.style import look_of
from explorer.views.theme import class_colour

SAMPLE = "sample"  # the column that `link_selections(index_cols=["sample"])` links by
CLASS = "class"
MANY = 2000  # samples beyond which marks are small and without an outline


def sample_points(
    xy: Any,
    data: Dataset | None,
    dims: list[str],
    *,
    class_names: tuple[str, ...] = (),
    y: Any = None,
    theme: str = "light",
    more: dict[str, Any] | None = None,
) -> list[hv.Points]:
    """The samples of each class as one `Points`, labelled with the class; hover names a sample.

    xy: [n, 2]. data: whose samples these are, or None with class_names and y. dims: names of the
    two axes. more: further columns by name, shown under the pointer.
    """
    look = look_of(theme)
    names = tuple(class_names) if data is None else data.class_names
    codes = np.asarray(y if data is None else data.y)
    places = np.asarray(xy)
    extra = {name: np.asarray(values) for name, values in (more or {}).items()}
    tips = [("sample", "@sample"), ("class", "@class")]
    if data is not None and data.sample_names is not None:
        extra["name"] = np.array([escape(name) for name in data.sample_names], object)
        tips.append(("name", "@name"))
    tips += [(escape(name), "@{" + dimension_sanitizer(name) + "}{0.00}") for name in (more or {})]
    many = len(codes) > MANY
    out = []
    for k, name in enumerate(names):
        rows = np.flatnonzero(codes == k)
        if not rows.size:
            continue
        table: dict[str, Any] = {
            dims[0]: places[rows, 0],
            dims[1]: places[rows, 1],
            CLASS: np.full(rows.size, name, object),
            SAMPLE: rows,
            **{column: values[rows] for column, values in extra.items()},
        }
        vdims = [column for column in table if column not in dims]
        points = hv.Points(table, kdims=dims, vdims=vdims, label=name)
        out.append(
            points.opts(
                color=class_colour(k).base,
                marker=class_colour(k).marker,
                size=3 if many else 7,
                line_color=None if many else look.ink,
                line_width=0.8,
                tools=["hover", "box_select", "lasso_select"],
                active_tools=[],
                hover_tooltips=tips,
                nonselection_alpha=0.25,
                backend="bokeh",
            )
        )
    return out
