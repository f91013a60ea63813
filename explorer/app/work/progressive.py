"""Slow pictures: a coarse one at once, then the fine one in bands of rows.

Each band ends a chunk of work, so others get their turn and a stale picture is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.planes import LabelledPlane

BAND_SECONDS = 0.05
COARSE = 5  # a coarse pixel is so many pixels wide and high
Draw = Callable[[LabelledPlane, int, int], Any]


def coarse(draw: Draw, plane: LabelledPlane, width: int, height: int) -> NDArray[np.float32]:
    """A picture [height, width, K] out of large pixels."""
    w, h = max(1, width // COARSE), max(1, height // COARSE)
    small = np.asarray(draw(plane, w, h), np.float32)
    rows = np.minimum(np.arange(height) * h // height, h - 1)
    columns = np.minimum(np.arange(width) * w // width, w - 1)
    return small[rows[:, None], columns[None, :]]


def banded(
    draw: Draw, plane: LabelledPlane, width: int, height: int
) -> Iterator[NDArray[np.float32] | None]:
    """None after each band, then the picture [height, width, K]."""
    y0, y1 = plane.y_range
    pieces: list[Any] = []
    done, rows = 0, max(1, 2000 // width)
    while done < height:
        end = min(height, done + rows)
        band = (y0 + (y1 - y0) * done / height, y0 + (y1 - y0) * end / height)
        before = time.perf_counter()
        pieces.append(draw(replace(plane, y_range=band), width, end - done))
        spent = max(1e-4, time.perf_counter() - before)
        rows = max(1, int((end - done) * min(4.0, BAND_SECONDS / spent)))
        done = end
        if done < height:
            yield None
    yield np.concatenate(pieces).astype(np.float32, copy=False)
