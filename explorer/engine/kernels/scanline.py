"""Exact pictures of forests: the posterior on a plane, by pixel rows.

Pixel (row, col) is the point o + s u + t v with s = (col + 1/2) / width and t = (row + 1/2) /
height. Along a row every linear split has at most one crossing, so intervals of pixels are
pushed down a tree, not pixels:

    row   |-------------|-----------------|      node: columns [0, 14) left, [14, 32) right
          |--leaf 2--|l3|---leaf 7---|l8--|      leaves add their vote to a difference array
    sum   one running sum per class ends the row

The crossing is a line in (row, col), prepared once per node. Where a pixel centre lies so
near a split that rounding could decide, the walker's own test is made at that pixel, so that
the picture equals ``predict_proba`` at every pixel.
"""

from typing import NamedTuple

import numpy as np

from .jit import kernel, step
from .walk import MAJORITY

# what a node does along a row
CROSS_UP, CROSS_DOWN, LEVEL, ALL_LEFT, ALL_RIGHT, END = 0, 1, 2, 3, 4, 5
_ROWS = 16  # rows per pass over the trees


class Picture(NamedTuple):
    """The plane, and the affine scaling (x - shift) / scale of each feature; read-only."""

    o: np.ndarray  # float64[P]
    u: np.ndarray  # float64[P]
    v: np.ndarray  # float64[P]
    shift: np.ndarray  # float64[P]
    scale: np.ndarray  # float64[P]
    across: np.ndarray  # float64[width] scaled values of feature ``fx``, or [0]
    down: np.ndarray  # float64[height] scaled values of feature ``fy``, or [0]
    fixed: np.ndarray  # float64[P] scaled values of the other features, or [0]
    fx: int  # with ``across``: two axes under a scaling that is monotone but not affine
    fy: int
    width: int
    height: int


class Lines(NamedTuple):
    """Per node: what it does along a row, and its crossing as a line."""

    kind: np.ndarray  # int8[N]
    q0: np.ndarray  # float64[N] crossing column at t = 0, or the score there
    q1: np.ndarray  # float64[N] its slope in t, or weight of ``down``
    q2: np.ndarray  # float64[N] weight of ``across``
    doubt: np.ndarray  # float64[N] distance within which rounding could decide


@step
def _coordinate(picture, f, col, row):
    """Scaled feature f at a pixel: the same arithmetic as Plane.points and the scalers."""
    if picture.across.size > 0:
        if f == picture.fx:
            return picture.across[col]
        if f == picture.fy:
            return picture.down[row]
        return picture.fixed[f]
    s = (col + 0.5) / picture.width
    t = (row + 0.5) / picture.height
    x = picture.o[f] + s * picture.u[f] + t * picture.v[f]
    return (x - picture.shift[f]) / picture.scale[f]


@step
def _exactly_left(trees, t, at, picture, col, row):
    """The walker's test at the centre of a pixel."""
    f = trees.feature[at]
    if f >= 0:
        return _coordinate(picture, f, col, row) <= trees.cut[at]
    weights = trees.weight_at[t]
    s = 0.0
    for j in range(weights + trees.begin[at], weights + trees.end[at]):
        s += trees.value[j] * _coordinate(picture, trees.index[j], col, row)
    return s <= trees.cut[at]


@step
def _add_term(picture, f, c, sums):
    """Add c x_f to the affine form sums = (constant, along u, along v, magnitude)."""
    o = (picture.o[f] - picture.shift[f]) / picture.scale[f]
    u = picture.u[f] / picture.scale[f]
    v = picture.v[f] / picture.scale[f]
    sums[0] += c * o
    sums[1] += c * u
    sums[2] += c * v
    sums[3] += abs(c) * (
        (abs(picture.o[f]) + abs(picture.shift[f])) / picture.scale[f] + abs(u) + abs(v)
    )


@step
def _prepare_affine(trees, at, weights, picture, lines, sums):
    sums[:] = 0.0
    f = trees.feature[at]
    terms = 1
    if f >= 0:
        _add_term(picture, f, 1.0, sums)
    else:
        terms = trees.end[at] - trees.begin[at]
        for j in range(weights + trees.begin[at], weights + trees.end[at]):
            _add_term(picture, trees.index[j], trees.value[j], sums)
    c = trees.cut[at]
    a, b, d = sums[0], sums[1], sums[2]
    error = (terms + 4) * 4e-16 * (sums[3] + abs(c))
    width = picture.width
    if abs(b) > error:
        lines.kind[at] = CROSS_UP if b > 0.0 else CROSS_DOWN
        lines.q0[at] = (c - a) / b * width - 0.5
        lines.q1[at] = -d / b * width
        lines.doubt[at] = error / abs(b) * width + 1e-9
    else:
        lines.kind[at] = LEVEL
        lines.q0[at] = a - c
        lines.q1[at] = d
        lines.doubt[at] = error + abs(b)


@step
def _prepare_axes(trees, at, weights, picture, lines):
    """A node under a monotone scaling: constant + q2 x across[col] + q1 x down[row] <= cut."""
    f = trees.feature[at]
    base, x, y, size = 0.0, 0.0, 0.0, abs(trees.cut[at])
    if f >= 0:
        if f == picture.fx:
            x = 1.0
        elif f == picture.fy:
            y = 1.0
        else:
            base = picture.fixed[f]
        size += abs(base)
    else:
        for j in range(weights + trees.begin[at], weights + trees.end[at]):
            g, c = trees.index[j], trees.value[j]
            if g == picture.fx:
                x = c
            elif g == picture.fy:
                y = c
            else:
                base += c * picture.fixed[g]
                size += abs(c * picture.fixed[g])
    edge = picture.across.size - 1
    size += abs(x) * max(abs(picture.across[0]), abs(picture.across[edge]))
    edge = picture.down.size - 1
    size += abs(y) * max(abs(picture.down[0]), abs(picture.down[edge]))
    lines.q0[at] = base - trees.cut[at]
    lines.q1[at] = y
    lines.q2[at] = x
    lines.doubt[at] = 1e-13 * size
    # along a row the score moves with x times the direction of ``across``
    slope = x * (picture.across[picture.across.size - 1] - picture.across[0])
    if slope > 0.0:
        lines.kind[at] = CROSS_UP
    elif slope < 0.0:
        lines.kind[at] = CROSS_DOWN
    else:
        lines.kind[at] = LEVEL
        if x != 0.0:
            lines.q0[at] += x * picture.across[0]


@kernel
def prepare(trees, first, last, picture, lines):
    """Work out the line of every node of trees first ... last-1 on the plane."""
    sums = np.empty(4)
    for t in range(first, last):
        for at in range(trees.node_at[t], trees.node_at[t + 1]):
            if trees.feature[at] == -1:
                lines.kind[at] = END
            elif picture.across.size > 0:
                _prepare_axes(trees, at, trees.weight_at[t], picture, lines)
            else:
                _prepare_affine(trees, at, trees.weight_at[t], picture, lines, sums)


@step
def _search(trees, t, at, picture, lines, row, c0, c1, upward):
    """First column in [c0, c1) on the far side, where ``across`` is monotone (bisection)."""
    base = lines.q0[at] + lines.q1[at] * picture.down[row]
    a, b = c0, c1
    while a < b:
        mid = (a + b) >> 1
        s = base + lines.q2[at] * picture.across[mid]
        if abs(s) <= lines.doubt[at]:
            is_left = _exactly_left(trees, t, at, picture, mid, row)
        else:
            is_left = s <= 0.0
        if is_left == upward:
            a = mid + 1
        else:
            b = mid
    return a


@step
def _crossing(trees, t, at, picture, lines, row, v, c0, c1, upward):
    """First column in [c0, c1) beyond the split: right of it if ``upward``, else left of it."""
    q = lines.q0[at] + lines.q1[at] * v
    if q < c0 - 1.0:
        k = c0
    elif q > c1 + 1.0:
        k = c1
    else:
        k = min(max(int(np.floor(q)) + 1, c0), c1)
    doubt = lines.doubt[at]
    near = np.round(q)
    if abs(q - near) <= doubt or doubt > 0.25:
        # the pixels that rounding could misplace: decided one by one by the walker's test
        a = int(min(max(np.floor(q - doubt), c0), c1))
        b = int(min(max(np.ceil(q + doubt) + 1.0, c0), c1))
        k = b
        for col in range(a, b):
            if _exactly_left(trees, t, at, picture, col, row) != upward:
                k = col
                break
    return k


@kernel
def paint(trees, first, last, picture, lines, vote, weights, top, bottom, total, out):
    """Paint rows top ... bottom-1 of out (float32[height, width, K]) by the given trees."""
    width = picture.width
    K = out.shape[2]
    table = picture.across.size > 0
    steps = np.empty((_ROWS, K, width + 1))
    deepest = 0
    for t in range(first, last):
        deepest = max(deepest, trees.node_at[t + 1] - trees.node_at[t])
    stack = np.empty((deepest + 2, 3), np.int64)
    for start in range(top, bottom, _ROWS):
        stop = min(start + _ROWS, bottom)
        steps[:, :, :] = 0.0
        for t in range(first, last):
            base, leaf_base = trees.node_at[t], trees.leaf_at[t]
            for row in range(start, stop):
                v = (row + 0.5) / picture.height
                target = steps[row - start]
                height = 0
                at, c0, c1 = base, 0, width
                while True:
                    kind = lines.kind[at]
                    if kind == END:
                        leaf = leaf_base + trees.left[at]
                        if vote == MAJORITY:
                            k = trees.winner[leaf]
                            target[k, c0] += weights[t]
                            target[k, c1] -= weights[t]
                        else:
                            n = 0.0
                            for k in range(K):
                                n += trees.counts[leaf, k]
                            for k in range(K):
                                p = trees.counts[leaf, k]
                                if p > 0.0:
                                    p = weights[t] * (p / n)
                                    target[k, c0] += p
                                    target[k, c1] -= p
                        if height == 0:
                            break
                        height -= 1
                        at, c0, c1 = stack[height, 0], stack[height, 1], stack[height, 2]
                        continue
                    child = base + trees.left[at]
                    if kind == LEVEL:
                        if table:
                            s = lines.q0[at] + lines.q1[at] * picture.down[row]
                        else:
                            s = lines.q0[at] + lines.q1[at] * v
                        if abs(s) <= lines.doubt[at]:
                            is_left = _exactly_left(trees, t, at, picture, c0, row)
                        else:
                            is_left = s <= 0.0
                        at = child if is_left else child + 1
                        continue
                    upward = kind == CROSS_UP
                    if table:
                        k = _search(trees, t, at, picture, lines, row, c0, c1, upward)
                    else:
                        k = _crossing(trees, t, at, picture, lines, row, v, c0, c1, upward)
                    near, far = child, child + 1
                    if not upward:
                        near, far = child + 1, child
                    if k <= c0:
                        at = far
                    elif k >= c1:
                        at = near
                    else:
                        stack[height, 0], stack[height, 1], stack[height, 2] = far, k, c1
                        height += 1
                        at, c1 = near, k
        for row in range(start, stop):
            target = steps[row - start]
            line = out[row]
            for k in range(K):
                s = 0.0
                change = target[k]
                for col in range(width):
                    s += change[col]
                    line[col, k] = min(max(s / total, 0.0), 1.0)
