"""Draws a data set as a small SVG: the picture on a button."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.views.theme import class_colour

SIDE = 48


def thumbnail(X: Any, y: Any) -> str:
    """An SVG of the first two features by class. Numbers only: nothing of a file's text."""
    points = np.asarray(X, float)[:, :2]
    low, high = np.quantile(points, [0.02, 0.98], axis=0)
    reach = float((high - low).max()) or 1.0
    places = (points - (low + high) / 2) / reach * (SIDE - 12) + SIDE / 2
    dots = [
        f'<circle cx="{px:.1f}" cy="{SIDE - py:.1f}" r="1.9" fill="{class_colour(int(k)).base}"/>'
        for (px, py), k in zip(places, np.asarray(y), strict=True)
        if 1 < px < SIDE - 1 and 1 < py < SIDE - 1
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" '
        f'width="{SIDE}" height="{SIDE}">{"".join(dots)}</svg>'
    )
