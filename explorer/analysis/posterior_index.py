"""A posterior as one byte per pixel: the winning class, and how far it is ahead.

Pictures are sent and stored in this form; `views/theme.py` has the palettes that colour it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NO_DATA = 255  # the index of a pixel without a posterior


def levels(n_classes: int) -> int:
    """L, shades per class: 250 // K, at least 2 so that up to 125 classes fit a byte."""
    return max(2, 250 // n_classes)


def posterior_index(posterior: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Index kL + round((L-1)(p1 - p2)), uint8 [h, w], of a posterior [h, w, K].

    k is the winner (the first of equals), p1 and p2 the two largest; NaN gives NO_DATA.
    """
    K = posterior.shape[-1]
    L = levels(K)
    if K == 2:
        gap = posterior[..., 1] - posterior[..., 0]
        index = np.abs(gap)
        index *= L - 1
        np.rint(index, out=index)
        index[gap > 0] += L
    else:
        winner = posterior.argmax(axis=-1)
        top = np.partition(posterior, K - 2, axis=-1)
        gap = top[..., -1] - top[..., -2]
        index = np.minimum(np.rint(gap * (L - 1)) + L * winner, NO_DATA - 1)
    if np.isnan(index.sum()):
        index = np.where(np.isnan(index), NO_DATA, index)
    out: NDArray[np.uint8] = index.astype(np.uint8)
    return out
