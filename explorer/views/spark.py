"""Draws the means of classes as a small SVG, for a line of text."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.views.theme import class_colour

WIDE, HIGH = 120, 26


def spark_svg(means: Any, falling: bool = False) -> str:
    """Lines of K classes [K, p]; a class of NaN is left out."""
    values = np.asarray(means, np.float64)
    values = values[:, ::-1] if falling else values
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    reach = (high - low) or 1.0
    x = np.linspace(1, WIDE - 1, values.shape[1])
    lines = []
    for k, row in enumerate(values):
        if np.isfinite(row).all():
            y = HIGH - 2 - (HIGH - 4) * (row - low) / reach
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
            lines.append(
                f'<polyline points="{points}" fill="none" stroke="{class_colour(k).base}" '
                'stroke-width="1.2"/>'
            )
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" aria-hidden="true">'
        f"{''.join(lines)}</svg>"
    )
