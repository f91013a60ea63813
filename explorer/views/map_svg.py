"""Draws the map of a model as an SVG text: what a report shows, without a browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np

from explorer.analysis import PosteriorMap
from explorer.views.map_figure import LAYERS
from explorer.views.png import data_url, indexed_png
from explorer.views.theme import THEMES, class_colour, posterior_palette
from explorer.views.tick_labels import short_number

WIDTH = 460
LEFT, BOTTOM, TOP, RIGHT = 46, 40, 8, 8
MOST_POINTS = 2000
_SHAPES = {
    "circle": "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "triangle": "M0 -4.2 4 3.2H-4z",
    "square": "M-3.2 -3.2h6.4v6.4h-6.4z",
    "diamond": "M0 -4.4 3.4 0 0 4.4 -3.4 0z",
    "inverted_triangle": "M0 4.2 4 -3.2H-4z",
    "hex": "M0 -4l3.5 2v4L0 4l-3.5-2v-4z",
}
_STAR = "M0 -4.6l1.3 3.1 3.3.2-2.5 2.2.8 3.3L0 2.4l-2.9 1.8.8-3.3-2.5-2.2 3.3-.2z"


def map_svg(
    index: Any,
    n_classes: int,
    window: Any,
    points: Any,
    codes: Any,
    boundary: tuple[Any, Any],
    bayes: tuple[Any, Any] | None = None,
    names: tuple[str, str] = ("x1", "x2"),
    title: str = "",
    key: str = "frame",
    layers: Sequence[str] = LAYERS[:3],
    soft: bool = True,
    cells: tuple[Any, Any] | None = None,
    wrong: Any = (),
    tested: tuple[Any, Any] | None = None,
) -> str:
    """An SVG of one map, in the light theme.

    index: uint8 [h, w] of `posterior_index`. window: x0, x1, y0, y1 in data units. points:
    [n, 2] with class codes [n]. boundary, bayes: x and y of lines, NaN between them. Names and
    title may be anybody's text: they are escaped. key: a word of our own, another one for each map
    of a page. layers: what is drawn, as on the page; cells: lines of one tree; wrong: places
    [m, 2] of errors; tested: places and classes of test errors.
    """
    look = THEMES["light"]
    h, w = np.asarray(index).shape
    wide = WIDTH - LEFT - RIGHT
    high = round(wide * h / w)
    x_of = _scale(window.x0, window.x1, LEFT, LEFT + wide)
    y_of = _scale(window.y0, window.y1, TOP + high, TOP)
    picture = data_url(indexed_png(index, posterior_palette(n_classes, "light", soft)))
    height = high + TOP + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-label="{escape(title)}">',
        f'<clipPath id="{key}"><path d="M{LEFT} {TOP}h{wide}v{high}h-{wide}z"/></clipPath>',
        f'<image href="{picture}" x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" '
        'preserveAspectRatio="none" style="image-rendering:pixelated"/>',
        f'<g clip-path="url(#{key})" fill="none" stroke-linejoin="round">',
    ]
    if "One tree" in layers and cells is not None:
        thin = f'stroke="{look.ink}" stroke-width="1" stroke-opacity=".7"'
        parts.append(_line(cells, x_of, y_of, thin))
    if "Boundary" in layers:
        parts.append(_line(boundary, x_of, y_of, f'stroke="{look.card}" stroke-width="4"'))
        parts.append(_line(boundary, x_of, y_of, f'stroke="{look.ink}" stroke-width="2"'))
    if "Bayes" in layers and bayes is not None:
        dashes = f'stroke="{look.ink}" stroke-width="1.5" stroke-dasharray="8 5"'
        parts.append(_line(bayes, x_of, y_of, dashes))
    parts.append("</g>")
    if "Points" in layers:
        parts.append(_points(points, codes, x_of, y_of, look.ink, key))
    if "Errors" in layers:
        parts.append(_rings(wrong, x_of, y_of, look.error, key))
    if "Test errors" in layers and tested is not None:
        parts.append(_points(*tested, x_of, y_of, look.ink, key, 0.7))
        parts.append(_rings(tested[0], x_of, y_of, look.error, key, 'stroke-dasharray="3 2"', 5.5))
    parts += _axes(window, names, x_of, y_of, wide, high, look)
    return "".join([*parts, "</svg>"])


class Frame(NamedTuple):
    """The part of a plane that is seen, in data units."""

    x0: float
    x1: float
    y0: float
    y1: float


def posterior_svg(found: PosteriorMap, points: Any, codes: Any, title: str = "") -> str:
    """An SVG of a map with samples at points [n, 2] of classes codes [n], as the app draws it."""
    return map_svg(
        found.index,
        len(found.class_names),
        Frame(*found.plane.x_range, *found.plane.y_range),
        points,
        codes,
        found.contour,
        names=(found.plane.x_label, found.plane.y_label),
        title=title,
        layers=("Points", "Boundary"),
    )


def _scale(low: float, high: float, start: float, end: float) -> Any:
    return lambda v: start + (np.asarray(v, float) - low) / (high - low) * (end - start)


def _line(lines: tuple[Any, Any], x_of: Any, y_of: Any, look: str) -> str:
    x, y = x_of(lines[0]), y_of(lines[1])
    path, up = [], True
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if math.isnan(a) or math.isnan(b):
            up = True
            continue
        path.append(f"{'M' if up else 'L'}{a:.1f} {b:.1f}")
        up = False
    return f'<path d="{"".join(path)}" {look}/>' if path else ""


def _rings(
    places: Any, x_of: Any, y_of: Any, colour: str, key: str, dash: str = "", radius: float = 7
) -> str:
    xy = np.asarray(places, float).reshape(-1, 2)[:MOST_POINTS]
    rings = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}"/>'
        for a, b in zip(x_of(xy[:, 0]).tolist(), y_of(xy[:, 1]).tolist(), strict=True)
    )
    look = f'fill="none" stroke="{colour}" stroke-width="1.8" {dash}'
    return f'<g clip-path="url(#{key})" {look}>{rings}</g>'


def _points(
    points: Any, codes: Any, x_of: Any, y_of: Any, ink: str, key: str, size: float = 1.0
) -> str:
    xy, k = np.asarray(points, float), np.asarray(codes)
    if len(xy) > MOST_POINTS:
        keep = np.random.default_rng(0).permutation(len(xy))[:MOST_POINTS]
        xy, k = xy[keep], k[keep]
    x, y = x_of(xy[:, 0]), y_of(xy[:, 1])
    marks = []
    scaled = "" if size == 1 else f" scale({size})"
    for code in np.unique(k).tolist():
        look = class_colour(int(code))
        shape = _SHAPES.get(look.marker, _STAR)
        where = "".join(
            f'<path d="{shape}" transform="translate({a:.1f} {b:.1f}){scaled}"/>'
            for a, b in zip(x[k == code].tolist(), y[k == code].tolist(), strict=True)
        )
        marks.append(f'<g fill="{look.base}" stroke="{ink}" stroke-width=".8">{where}</g>')
    return f'<g clip-path="url(#{key})">{"".join(marks)}</g>'


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two ends: steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    first = math.ceil(low / step)
    return [n * step for n in range(first, math.floor(high / step) + 1)]


def _axes(
    window: Any, names: tuple[str, str], x_of: Any, y_of: Any, wide: int, high: int, look: Any
) -> list[str]:
    under = TOP + high
    parts = [
        f'<path d="M{LEFT} {TOP}h{wide}v{high}h-{wide}z" fill="none" stroke="{look.hairline}"/>',
        f'<g font-family="system-ui, sans-serif" font-size="12" fill="{look.muted}">',
    ]
    parts += [
        f'<text x="{float(x_of(v)):.1f}" y="{under + 15}" text-anchor="middle">'
        f"{short_number(v)}</text>"
        for v in ticks(window.x0, window.x1)
    ]
    parts += [
        f'<text x="{LEFT - 6}" y="{float(y_of(v)) + 4:.1f}" text-anchor="end">'
        f"{short_number(v)}</text>"
        for v in ticks(window.y0, window.y1)
    ]
    across, up = (escape(name[:60]) for name in names)
    middle = TOP + high / 2
    parts += [
        f'<text x="{LEFT + wide / 2}" y="{under + 33}" text-anchor="middle">{across}</text>',
        f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">{up}</text>',
        "</g>",
    ]
    return parts
