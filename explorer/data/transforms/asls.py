"""Asymmetric least squares baselines of many spectra (Eilers, Boelens 2005).

    z minimises sum_i w_i (x_i - z_i)^2 + lambda sum_i (second difference of z at i)^2

with w_i = asymmetry above the baseline and 1 - asymmetry below it, until the weights stay. Every
round solves a system with five diagonals, W + lambda D'D = L diag(d) L', whose outer diagonals are
the same for all spectra. Few spectra go through LAPACK, one after the other; many go through a
compiled loop that takes eight at a time, so that the processor's vector units are used:

    x, z, slope, inverse : float64 [p, 8]     eight spectra side by side, one channel after another
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Floats = NDArray[np.float64]
ROUNDS = 50
_LANES = 8
_MANY = 400_000  # values from which on compiling (a second, once) is worth it


def baselines(rows: Floats, smoothness: float, asymmetry: float) -> Floats:
    """The baselines, float64 [n, p], of spectra [n, p] with p >= 3."""
    if rows.size < _MANY:
        return one_by_one(rows, smoothness, asymmetry)
    out = np.empty_like(rows)
    diagonal, off = penalty(rows.shape[1])
    _compiled()(
        np.ascontiguousarray(rows), diagonal * smoothness, off * smoothness, smoothness,
        asymmetry, ROUNDS, out,
    )  # fmt: skip
    return out


def penalty(p: int) -> tuple[Floats, Floats]:
    """The diagonal [p] of D'D and the one beside it [p - 1]; the outermost is 1 everywhere."""
    second = np.diff(np.eye(min(p, 5)), 2, axis=0)
    small = second.T @ second
    if p <= 5:
        return np.diag(small).copy(), np.diag(small, 1).copy()
    diagonal, off = np.full(p, 6.0), np.full(p - 1, -4.0)
    diagonal[[0, -1]], diagonal[[1, -2]] = 1.0, 5.0
    off[[0, -1]] = -2.0
    return diagonal, off


def one_by_one(rows: Floats, smoothness: float, asymmetry: float) -> Floats:
    """The same by LAPACK's solver for banded systems, spectrum after spectrum."""
    p = rows.shape[1]
    diagonal, off = penalty(p)
    # upper form of solveh_banded: row 2 diagonal, row 1 first off-diagonal (shifted by one), row 0
    banded = np.zeros((3, p))
    banded[0, 2:], banded[1, 1:], banded[2] = smoothness, smoothness * off, smoothness * diagonal
    out = np.empty_like(rows)
    for i, x in enumerate(rows):
        weight = np.ones(p)
        for _ in range(ROUNDS):
            system = banded.copy()
            system[2] += weight
            z = solveh_banded(system, weight * x)
            updated = np.where(x > z, asymmetry, 1.0 - asymmetry)
            if np.array_equal(updated, weight):
                break
            weight = updated
        out[i] = z
    return out


@cache
def _compiled() -> Any:
    """The loop over groups of eight spectra, compiled when first needed and kept on disk."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(_fill)
    except RuntimeError:  # no folder can be written to
        return numba.njit(nogil=True, error_model="numpy")(_fill)


def _fill(
    rows: Floats, diagonal: Floats, off: Floats, outer: float, asymmetry: float, rounds: int,
    out: Floats,
) -> None:  # fmt: skip
    """Writes the baselines of all rows; diagonal [p], off [p - 1] and outer are times lambda."""
    n, p = rows.shape
    x = np.zeros((p, _LANES))
    z = np.zeros((p, _LANES))
    weight = np.zeros((p, _LANES))
    slope = np.zeros((p, _LANES))  # first subdiagonal of L
    inverse = np.zeros((p, _LANES))  # 1 / d; the second subdiagonal of L is outer / d
    done = np.zeros(_LANES, np.bool_)
    square = outer * outer
    for begin in range(0, n, _LANES):
        for lane in range(_LANES):
            row = min(begin + lane, n - 1)  # the last group is filled up with copies
            done[lane] = begin + lane >= n
            for i in range(p):
                x[i, lane] = rows[row, i]
                weight[i, lane] = 1.0
        for _ in range(rounds):
            # forward: u_i = d_i * slope_i; L z' = w x
            for lane in range(_LANES):
                inverse[0, lane] = 1.0 / (diagonal[0] + weight[0, lane])
                slope[0, lane] = off[0] * inverse[0, lane]
                z[0, lane] = weight[0, lane] * x[0, lane]
            for lane in range(_LANES):
                d = diagonal[1] + weight[1, lane] - slope[0, lane] * off[0]
                inverse[1, lane] = 1.0 / d
                u = off[1] - outer * slope[0, lane]
                slope[1, lane] = u * inverse[1, lane]
                z[1, lane] = weight[1, lane] * x[1, lane] - slope[0, lane] * z[0, lane]
            for i in range(2, p):
                beside = off[i] if i < p - 1 else 0.0
                before = off[i - 1]
                for lane in range(_LANES):
                    u_before = before - outer * slope[i - 2, lane]
                    d = (
                        diagonal[i] + weight[i, lane] - slope[i - 1, lane] * u_before
                        - square * inverse[i - 2, lane]
                    )  # fmt: skip
                    inverse[i, lane] = 1.0 / d
                    slope[i, lane] = (beside - outer * slope[i - 1, lane]) * inverse[i, lane]
                    z[i, lane] = (
                        weight[i, lane] * x[i, lane] - slope[i - 1, lane] * z[i - 1, lane]
                        - outer * inverse[i - 2, lane] * z[i - 2, lane]
                    )  # fmt: skip
            # backward: D L' z = z'
            for lane in range(_LANES):
                z[p - 1, lane] *= inverse[p - 1, lane]
                z[p - 2, lane] = (
                    z[p - 2, lane] * inverse[p - 2, lane] - slope[p - 2, lane] * z[p - 1, lane]
                )
            for i in range(p - 3, -1, -1):
                for lane in range(_LANES):
                    z[i, lane] = (
                        (z[i, lane] - outer * z[i + 2, lane]) * inverse[i, lane]
                        - slope[i, lane] * z[i + 1, lane]
                    )  # fmt: skip
            changed = np.zeros(_LANES, np.int64)
            for i in range(p):
                for lane in range(_LANES):
                    w = asymmetry if x[i, lane] > z[i, lane] else 1.0 - asymmetry
                    changed[lane] += w != weight[i, lane]
                    weight[i, lane] = w
            # a spectrum whose weights stayed is written once; its lane goes on without effect
            left = 0
            for lane in range(_LANES):
                if not done[lane]:
                    if changed[lane] == 0:
                        done[lane] = True
                        for i in range(p):
                            out[begin + lane, i] = z[i, lane]
                    else:
                        left += 1
            if left == 0:
                break
        for lane in range(_LANES):
            if not done[lane]:
                for i in range(p):
                    out[begin + lane, i] = z[i, lane]
