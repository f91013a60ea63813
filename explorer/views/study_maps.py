"""Draws small maps of fixed size for studies: a posterior, its boundaries, points; and a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import LinearColorMapper, Range1d

from explorer.views.study_charts import finish, small_chart
from explorer.views.theme import (
    THEMES,
    amount_palette,
    class_colour,
    posterior_palette,
)


def small_map(
    x_range: Any,
    y_range: Any,
    *,
    image: Any = None,
    n_classes: int = 2,
    amounts: bool = False,
    points: tuple[Any, Any, Any] | None = None,
    boundary: Any = None,
    bayes: Any = None,
    title: str = "",
    theme: str = "light",
    size: int = 260,
    ticks: bool = True,
) -> Any:
    """A map of x_range by y_range (low and high of each).

    image: uint8[h, w] of posterior indices, or of amounts 0 ... 1 as 0 ... 255.
    points: x, y, codes. boundary, bayes: lines as `joined` gives them; the second is dashed.
    """
    look = THEMES[theme]
    plot = small_chart(
        title,
        theme,
        size,
        size + (24 if title else 0),
        x_range=Range1d(start=float(x_range[0]), end=float(x_range[1])),
        y_range=Range1d(start=float(y_range[0]), end=float(y_range[1])),
    )
    if image is not None:
        palette = amount_palette(theme) if amounts else posterior_palette(n_classes, theme)
        plot.image(
            [np.asarray(image, np.uint8)],
            float(x_range[0]),
            float(y_range[0]),
            float(x_range[1] - x_range[0]),
            float(y_range[1] - y_range[0]),
            color_mapper=LinearColorMapper(palette=palette, low=0, high=255),
        )
    if points is not None:
        x, y, codes = (np.asarray(a) for a in points)
        for k in np.unique(codes):
            of = class_colour(int(k))
            plot.scatter(
                x[codes == k],
                y[codes == k],
                marker=of.marker,
                size=5,
                fill_color=of.base,
                line_color=look.ink,
                line_width=0.5,
            )
    for line, dash, halo in ((boundary, "solid", 4), (bayes, [8, 5], 3)):
        if line is not None and len(line):
            xs, ys = np.asarray(line, np.float64).T
            plot.line(xs, ys, line_color=look.card, line_width=halo, line_alpha=0.7)
            plot.line(xs, ys, line_color=look.ink, line_width=1.6, line_dash=dash)
    if not ticks:
        plot.axis.visible = False
    return finish(plot, theme)


def small_tree(
    segments: Any, leaves: Any, codes: Any, *, title: str = "", theme: str = "light"
) -> Any:
    """A tree: segments [m, 2, 2] from parents to children, leaves [n, 2] with their class."""
    look = THEMES[theme]
    segments, leaves = np.asarray(segments, np.float64), np.asarray(leaves, np.float64)
    plot = small_chart(title, theme, 260, 160, x_axis_type=None, y_axis_type=None)
    for (x0, y0), (x1, y1) in segments:  # an elbow: across, then down
        plot.line([x0, x1, x1], [y0, y0, y1], line_color=look.muted, line_width=1)
    for k in np.unique(codes):
        of = class_colour(int(k))
        mine = np.asarray(codes) == k
        plot.scatter(
            leaves[mine, 0],
            leaves[mine, 1],
            marker=of.marker,
            size=6,
            fill_color=of.base,
            line_color=look.ink,
            line_width=0.5,
        )
    return finish(plot, theme)


def two_histograms(
    edges: Any,
    counts: Any,
    *,
    x_label: str = "",
    title: str = "",
    theme: str = "light",
    cut: float | None = None,
    width: int = 260,
    height: int = 150,
) -> Any:
    """Histograms of two or more classes over one axis, see-through; a cut as a line."""
    look = THEMES[theme]
    edges, counts = np.asarray(edges, np.float64), np.asarray(counts, np.float64)
    plot = small_chart(title, theme, width, height, x_axis_label=x_label)
    for k, row in enumerate(counts):
        of = class_colour(k)
        plot.quad(
            left=edges[:-1],
            right=edges[1:],
            bottom=0,
            top=row,
            fill_color=of.base,
            fill_alpha=0.5,
            line_color=of.line(look),
            line_width=1,
        )
    if cut is not None:
        plot.line([cut, cut], [0, float(counts.max()) or 1.0], line_color=look.ink, line_width=2)
    plot.y_range.start = 0
    plot.yaxis.visible = False
    return finish(plot, theme)
