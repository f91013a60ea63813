"""Lines along which the winning class changes, straight from a raster of posteriors.

This is the quick way, for pictures under a moving slider: a contour between pixel centres, which
takes a millisecond. `analysis/boundary.py` puts every vertex on the boundary itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.posterior_index import two_best
from explorer.engine.flat import zero_lines

Floats = NDArray[np.float64]
Line = tuple[Floats, Floats]
Range = tuple[float, float]
LONGEST = 20_000  # vertices; a boundary that fills the picture is not worth drawing
NO_LINE: Line = (np.empty(0), np.empty(0))


def winner_lines(posterior: NDArray[np.float32], x_range: Range, y_range: Range) -> Line:
    """Where the winner changes: x and y in the units of the ranges, NaN between lines.

    posterior: [h, w, K] at pixel centres, row 0 lowest.
    """
    h, w, K = posterior.shape
    pieces = []
    levels: list[tuple[Any, Any]]
    if K == 2:
        levels = [(posterior[..., 1] - posterior[..., 0], None)]
    else:
        # a border is drawn once, by the lower of its two classes
        winner, first, second = two_best(posterior)
        present = np.flatnonzero(np.bincount(winner.ravel(), minlength=K))
        levels = [
            (posterior[..., k] - np.where(winner == k, second, first), winner < k)
            for k in present[:-1]
        ]
    for level, masked in levels:
        points = zero_lines(level, masked)
        if 0 < len(points) <= LONGEST:
            pieces += [points, np.full((1, 2), np.nan)]
    if not pieces:
        return NO_LINE
    line = np.concatenate(pieces[:-1])
    x = x_range[0] + (line[:, 0] + 0.5) / w * (x_range[1] - x_range[0])  # lines come in pixels
    y = y_range[0] + (line[:, 1] + 0.5) / h * (y_range[1] - y_range[0])
    return x, y


def joined(lines: Sequence[Floats]) -> Line:
    """Polylines [m, 2] as x and y, NaN between them."""
    if not lines:
        return NO_LINE
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([piece for line in lines for piece in (line, gap)][:-1])
    return points[:, 0].copy(), points[:, 1].copy()


def stacked(lines: Sequence[Any]) -> Floats:
    """Polylines [m, 2] as one array [M, 2], a row of NaN after each: how studies keep them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines for part in (np.asarray(line, np.float64), gap)]
    return np.concatenate(parts) if parts else np.empty((0, 2))


def separate(line: Line) -> list[Floats]:
    """The polylines [m, 2] of x and y with NaN between them."""
    points = np.column_stack(line)
    gaps = np.isnan(points[:, 0])
    pieces = np.split(points, np.flatnonzero(gaps))
    kept = [piece[~np.isnan(piece[:, 0])] for piece in pieces]
    return [piece for piece in kept if len(piece) > 1]
