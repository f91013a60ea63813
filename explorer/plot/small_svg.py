"""Small SVG pictures for cards: points, lines, bars and trees, without axes and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from explorer.views.theme import LIGHT, class_colour

WIDE, HIGH = 220, 132
EDGE = 6
MOST_POINTS = 400
INK = "currentColor"  # dark on a light page and light on a dark one


def svg(inside: str, words: str, wide: int = WIDE, high: int = HIGH) -> str:
    """A picture with words for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" role="img" aria-label="{escape(words)}">{inside}</svg>'
    )


def _scaled(values: Any, low: float, high: float, start: float, end: float) -> Any:
    return start + (np.asarray(values, float) - low) / ((high - low) or 1.0) * (end - start)


def points_svg(xy: Any, codes: Any, words: str) -> str:
    """Samples by class; at most 400 of them, chosen evenly."""
    places, y = np.asarray(xy, float), np.asarray(codes)
    step = max(1, -(-len(places) // MOST_POINTS))
    places, y = places[::step], y[::step]
    low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
    x = _scaled(places[:, 0], low[0], high[0], EDGE, WIDE - EDGE)
    up = _scaled(places[:, 1], low[1], high[1], HIGH - EDGE, EDGE)
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.4" fill="{class_colour(int(k)).base}"/>'
        for a, b, k in zip(x, up, y, strict=True)
        if np.isfinite(a) and np.isfinite(b)
    )
    return svg(dots, words)


def lines_svg(
    curves: Sequence[tuple[Any, Any, str]],
    words: str,
    *,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    falling: bool = False,
    chance: bool = False,
) -> str:
    """Lines of (x, y, colour) on common ranges; chance: a dashed diagonal."""
    xs = np.concatenate([np.asarray(x, float) for x, _, _ in curves])
    ys = np.concatenate([np.asarray(y, float) for _, y, _ in curves])
    x0, x1 = x_range or (float(np.nanmin(xs)), float(np.nanmax(xs)))
    y0, y1 = y_range or (float(np.nanmin(ys)), float(np.nanmax(ys)))
    if falling:
        x0, x1 = x1, x0
    parts = []
    if chance:
        parts.append(
            f'<path d="M{EDGE} {HIGH - EDGE}L{WIDE - EDGE} {EDGE}" stroke="{INK}" '
            'stroke-opacity=".4" stroke-dasharray="5 4" fill="none"/>'
        )
    for x, y, colour in curves:
        step = max(1, len(np.asarray(x)) // 400)
        at = _scaled(np.asarray(x)[::step], x0, x1, EDGE, WIDE - EDGE)
        up = _scaled(np.asarray(y)[::step], y0, y1, HIGH - EDGE, EDGE)
        known = np.isfinite(at) & np.isfinite(up)
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(at[known], up[known], strict=True))
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
        )
    return svg("".join(parts), words)


def bars_svg(names: Sequence[str], values: Any, words: str, most: int = 6) -> str:
    """Level bars with their names, the first at the top; green below zero, violet above."""
    heights = np.asarray(values, float)[:most]
    reach = float(np.nanmax(np.abs(heights))) or 1.0
    signed = bool((heights < 0).any())
    row = min(20, (HIGH - 4) / max(len(heights), 1))
    left = 92
    middle = left + (WIDE - left - EDGE) / 2 if signed else left
    room = (WIDE - EDGE - middle) - 2
    parts = []
    for i, (name, value) in enumerate(zip(list(names)[:most], heights, strict=True)):
        if not np.isfinite(value):
            continue
        long = abs(value) / reach * room
        tone = (LIGHT.high if value > 0 else LIGHT.low) if signed else "#5C7A8A"
        x = middle if value > 0 else middle - long
        top = 2 + i * row
        parts.append(
            f'<text x="{left - 6}" y="{top + row / 2 + 4:.1f}" font-size="11" text-anchor="end" '
            f'fill="{INK}">{escape(_short(name))}</text>'
            f'<rect x="{x:.1f}" y="{top + 2:.1f}" width="{long:.1f}" height="{row - 4:.1f}" '
            f'fill="{tone}"/>'
        )
    return svg("".join(parts), words)


def _short(name: str, most: int = 14) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def tree_svg(record: Any, words: str) -> str:
    """Branches and nodes, coloured by the class that leads."""
    x = _scaled(record.x, 0, max(float(record.x.max()), 1.0), EDGE + 4, WIDE - EDGE - 4)
    y = _scaled(record.y, float(record.y.min()), 0.0, HIGH - EDGE - 4, EDGE + 4)
    parts = []
    for child, above in enumerate(record.parent.tolist()):
        if above >= 0:
            parts.append(
                f'<path d="M{x[above]:.1f} {y[above]:.1f}L{x[child]:.1f} {y[child]:.1f}" '
                f'stroke="{INK}" stroke-opacity=".45" fill="none"/>'
            )
    for a, b, k, size, leaf in zip(
        x, y, record.winner, record.size / record.size[0], record.is_leaf, strict=True
    ):
        radius = 2.2 + 4 * float(np.sqrt(size))
        parts.append(
            f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius:.1f}" '
            f'fill="{class_colour(int(k)).base}" fill-opacity="{1 if leaf else 0.55}" '
            f'stroke="{INK}" stroke-width=".6"/>'
        )
    return svg("".join(parts), words)


def intervals_svg(names: Sequence[str], values: Any, low: Any, high: Any, words: str) -> str:
    """A dot and its interval per name."""
    middle = np.asarray(values, float)
    a = np.where(np.isfinite(low), low, middle)
    b = np.where(np.isfinite(high), high, middle)
    top = float(max(b.max(), middle.max())) or 1.0
    left = 92
    row = min(22, (HIGH - 8) / max(len(middle), 1))
    parts = []
    for i, name in enumerate(names):
        y = 8 + (i + 0.5) * row
        ends = _scaled([a[i], middle[i], b[i]], 0.0, top, left, WIDE - EDGE - 4)
        parts.append(
            f'<text x="{left - 8}" y="{y + 4:.1f}" font-size="11" text-anchor="end" '
            f'fill="{INK}">{escape(_short(name))}</text>'
            f'<path d="M{ends[0]:.1f} {y:.1f}H{ends[2]:.1f}" stroke="{INK}" stroke-opacity=".5" '
            f'stroke-width="2"/><circle cx="{ends[1]:.1f}" cy="{y:.1f}" r="4" '
            'fill="#D6336C"/>'
        )
    return svg("".join(parts), words)


def grid_svg(shares: Any, words: str) -> str:
    """A square table of shares 0 ... 1, darker for more."""
    cells = np.asarray(shares, float)
    n, m = cells.shape
    side = min((HIGH - 4) / n, (WIDE - 4) / m)
    parts = [
        f'<rect x="{2 + j * side:.1f}" y="{2 + i * side:.1f}" width="{side - 1:.1f}" '
        f'height="{side - 1:.1f}" fill="#A23B72" fill-opacity="{0.06 + 0.94 * cells[i, j]:.2f}"/>'
        for i in range(n)
        for j in range(m)
        if np.isfinite(cells[i, j])
    ]
    return svg("".join(parts), words)


def image_svg(png_url: str, words: str, points: str = "") -> str:
    """A picture of bytes, as wide as a card."""
    return svg(
        f'<image href="{png_url}" x="0" y="0" width="{WIDE}" height="{HIGH}" '
        f'preserveAspectRatio="none"/>{points}',
        words,
    )
