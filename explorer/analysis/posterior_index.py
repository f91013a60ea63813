"""A posterior as one byte per pixel: the winning class, and how far it is ahead.

Pictures are sent and stored in this form; `views/theme.py` has the palettes that colour it.
"""

from __future__ import annotations

from typing import Any

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
        winner, first, second = two_best(posterior)
        gap = first - second
        index = np.minimum(np.rint(gap * (L - 1)) + L * winner, NO_DATA - 1)
    if np.isnan(index.sum()):
        index = np.where(np.isnan(index), NO_DATA, index)
    out: NDArray[np.uint8] = index.astype(np.uint8)
    return out


def two_best(posterior: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any], NDArray[Any]]:
    """The winner (the first of equals) and the two largest posteriors, each [h, w], of [h, w, K].

    Class by class: sorting K values at every pixel takes ten times as long.
    """
    classes = np.ascontiguousarray(np.moveaxis(posterior, -1, 0))
    first, second = classes[0].copy(), np.full_like(classes[0], -np.inf)
    winner = np.zeros(first.shape, np.intp)
    lower = np.empty_like(first)
    for k, values in enumerate(classes[1:], start=1):
        winner[values > first] = k
        np.minimum(first, values, out=lower)
        np.maximum(second, lower, out=second)
        np.maximum(first, values, out=first)
    return winner, first, second
