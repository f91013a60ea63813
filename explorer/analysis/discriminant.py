"""The plane on which classes lie farthest apart, of any number of features.

Linear discriminant analysis on standardised features with a shrunken covariance: half of what the
samples say, half a ball. So it works with more features than samples, and does not pull classes
apart that chance alone has put there. Features that do not vary have no weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
SHRINK = 0.5  # of the covariance within classes, towards a ball
MOST_VALUES = 1_500_000  # of the matrix that axes are found on; more samples are thinned


def thinned(y: Ints, most: int) -> Ints:
    """At most ``most`` rows, evenly spaced over the samples of every class, ascending."""
    n = y.size
    if n <= most:
        return np.arange(n)
    order = np.argsort(y, kind="stable")
    kept: Ints = np.sort(order[(np.arange(most) * n) // most])
    return kept


def standardised(X: Floats) -> tuple[Floats, Floats, Floats]:
    """(Z, mean, scale) with Z = (X - mean) / scale; a feature that does not vary is 0 in Z."""
    mean, spread = X.mean(axis=0), X.std(axis=0)
    varies = spread > 1e-12 * np.maximum(np.abs(mean), 1e-300)
    scale = np.where(varies, spread, 1.0)
    return np.where(varies, (X - mean) / scale, 0.0), mean, scale


def discriminant_axes(Z: Floats, y: Ints) -> Floats:
    """Two orthonormal axes [P, 2] in standardised features, the best first.

    Of two classes there is one such axis; the second one shows the most variance that is left.
    Of one class there is none: the first axis is then the first feature.
    Each axis has its largest weight positive. P is at least 2.
    """
    n, P = Z.shape
    classes, code = np.unique(y, return_inverse=True)
    size = np.bincount(code)
    means = np.zeros((classes.size, P))
    np.add.at(means, code, Z)
    means /= size[:, None]
    within = Z - means[code]
    between = np.sqrt(size / n)[:, None] * (means - Z.mean(axis=0))
    found = _solve(within, between.T)
    # of all that is spanned by the class means, the directions along which they differ most
    _, turn = np.linalg.eigh(between @ found)
    axes = found @ turn[:, ::-1]
    first = _unit(axes[:, 0], P, 0)
    # of one class there is no such axis, of two there is one
    rest = axes[:, 1] - first * (first @ axes[:, 1]) if classes.size > 2 else np.zeros(P)
    if np.linalg.norm(rest) <= 1e-9 * np.linalg.norm(axes[:, 0]):
        left = Z - Z.mean(axis=0)
        rest = principal_axes(left - np.outer(left @ first, first), 1)[:, 0]
        rest = rest - first * (first @ rest)
    second = _unit(rest, P, int(np.abs(first).argmin()))
    return np.column_stack([_turned(first), _turned(second)])


def _solve(within: Floats, right: Floats) -> Floats:
    """The shrunken covariance within classes, inverted, times right [P, k]."""
    n, P = within.shape
    ball = SHRINK * max(float((within**2).sum()) / (n * P), 1e-12)
    share = 1.0 - SHRINK
    if n >= P:
        found: Floats = np.linalg.solve(share / n * (within.T @ within) + ball * np.eye(P), right)
        return found
    small = n * ball / share * np.eye(n) + within @ within.T  # Woodbury: samples, not features
    return (right - within.T @ np.linalg.solve(small, within @ right)) / ball


def principal_axes(left: Floats, count: int) -> Floats:
    """The first principal axes of centred samples, [P, count], largest variance first."""
    n, P = left.shape
    if n >= P:
        axes: Floats = np.linalg.eigh(left.T @ left)[1][:, : -count - 1 : -1]
        return axes
    scores = np.linalg.eigh(left @ left.T)[1][:, : -count - 1 : -1]  # fewer samples than features
    axes = left.T @ scores
    return axes / np.maximum(np.linalg.norm(axes, axis=0), 1e-300)


def _unit(axis: Floats, P: int, instead: int) -> Floats:
    """The axis with length one; a single feature where there is none."""
    length = float(np.linalg.norm(axis))
    return axis / length if length > 1e-12 else np.eye(P)[instead]


def _turned(axis: Floats) -> Floats:
    return axis if axis[np.abs(axis).argmax()] >= 0 else -axis
