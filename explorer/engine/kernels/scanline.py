"""Exact pictures of forests: the posterior on a plane, by pixel rows.

Pixel (row, col) is the point o + s u + t v with s = (col + 1/2) / width and t = (row + 1/2) /
height. Along a row every linear split has at most one crossing, so intervals of pixels are
pushed down a tree, not pixels; a few rows go down together, each with its own interval:

    row 0 |-------------|-----------------|      node: columns [0, 14) near, [14, 32) beyond
    row 1 |--------------|----------------|      [0, 15) and [15, 32) here
          |--leaf 2---|l3|---leaf 7---|l8-|      leaves add their vote to a difference array
    sum   one running sum per class ends the row

The crossing is a line in (row, col), prepared once per node. Where a pixel centre lies so
near a split that rounding could decide, the walker's own test is made at that pixel, so that
the picture equals ``predict_proba`` at every pixel.
"""

from typing import NamedTuple

import numpy as np

from .jit import kernel, maker, step
from .walk import MAJORITY

# what a node does along a row
CROSS_UP, CROSS_DOWN, LEVEL, END = 0, 1, 2, 3
_ROWS = 32


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

    line: np.ndarray  # float64[N, 3]: Q0, Q1, DOUBT
    q2: np.ndarray  # float64[N] weight of ``across``, or [0]
    code: np.ndarray  # int64[N]: 4 x (left child, or leaf, counted over all trees) + kind


Q0 = 0  # crossing column at t = 0, or the score there
Q1 = 1  # its slope in t, or the weight of ``down``
DOUBT = 2  # distance within which rounding could decide


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
        kind = CROSS_UP if b > 0.0 else CROSS_DOWN
        lines.line[at, Q0] = (c - a) / b * width - 0.5
        lines.line[at, Q1] = -d / b * width
        lines.line[at, DOUBT] = error / abs(b) * width + 1e-9
    else:
        kind = LEVEL
        lines.line[at, Q0] = a - c
        lines.line[at, Q1] = d
        lines.line[at, DOUBT] = error + abs(b)
    return kind


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
    lines.line[at, Q0] = base - trees.cut[at]
    lines.line[at, Q1] = y
    lines.q2[at] = x
    lines.line[at, DOUBT] = 1e-13 * size
    # along a row the score moves with x times the direction of ``across``
    slope = x * (picture.across[picture.across.size - 1] - picture.across[0])
    if slope > 0.0:
        kind = CROSS_UP
    elif slope < 0.0:
        kind = CROSS_DOWN
    else:
        kind = LEVEL
        if x != 0.0:
            lines.line[at, Q0] += x * picture.across[0]
    return kind


@step
def _prepare_overflow(at, lines, kind):
    """Where huge numbers have made a line that is none, every pixel is walked (DOUBT decides)."""
    line = lines.line[at]
    fine = np.isfinite(line[Q0]) and np.isfinite(line[Q1]) and np.isfinite(line[DOUBT])
    if fine and (lines.q2.size == 0 or np.isfinite(lines.q2[at])):
        return kind
    line[Q0] = 0.0
    line[Q1] = 0.0
    line[DOUBT] = np.inf
    return LEVEL


@kernel
def prepare(trees, first, last, picture, lines):
    """Work out the line of every node of trees first ... last-1 on the plane."""
    sums = np.empty(4)
    for t in range(first, last):
        base = trees.node_at[t]
        for at in range(base, trees.node_at[t + 1]):
            to = base + trees.left[at]
            if trees.feature[at] == -1:
                kind = END
                to = trees.leaf_at[t] + trees.left[at]
            elif picture.across.size > 0:
                kind = _prepare_axes(trees, at, trees.weight_at[t], picture, lines)
            else:
                kind = _prepare_affine(trees, at, trees.weight_at[t], picture, lines, sums)
            if kind != END:
                kind = _prepare_overflow(at, lines, kind)
            lines.code[at] = 4 * to + kind


@step
def _search(trees, t, at, picture, lines, row, c0, c1, upward):
    """First column in [c0, c1) on the far side, where ``across`` is monotone (bisection)."""
    base = lines.line[at, Q0] + lines.line[at, Q1] * picture.down[row]
    a, b = c0, c1
    while a < b:  # Bounded: b - a at least halves
        mid = (a + b) >> 1
        s = base + lines.q2[at] * picture.across[mid]
        if not abs(s) > lines.line[at, DOUBT]:
            is_left = _exactly_left(trees, t, at, picture, mid, row)
        else:
            is_left = s <= 0.0
        if is_left == upward:
            a = mid + 1
        else:
            b = mid
    return a


@step
def _split_rows(line, v, rows, lo, hi, k, far):
    """k[r] := first column beyond the split in row r, within [lo[r], hi[r]].

    Returns (some columns are near, some are beyond, some could be misplaced by rounding).
    """
    q0, q1, doubt = line[Q0], line[Q1], line[DOUBT]
    sure = 1.0 - doubt
    near, beyond, unsure = 0, 0, 0
    for r in range(rows):
        q = q0 + q1 * v[r]
        whole = np.floor(q)
        part = q - whole
        first = min(max(whole + 1.0, lo[r]), hi[r])
        k[r] = first
        far[r] = first
        near |= np.int64(first > lo[r])
        beyond |= np.int64(first < hi[r])
        unsure |= np.int64(part < doubt) | np.int64(part > sure)
    return near != 0, beyond != 0, unsure != 0


@step
def _walk_pixels(trees, t, at, picture, row, c0, c1, vote, weight, steps):
    """Send the pixels of columns c0 ... c1-1 down from node ``at`` one by one, as walk.py does.

    Where a row runs along a split, rounding alone decides, and not in one piece.
    """
    base, leaf_base = trees.node_at[t], trees.leaf_at[t]
    for col in range(c0, c1):
        node = at
        while trees.feature[node] != -1:  # Bounded: children come after their parents
            go = 0 if _exactly_left(trees, t, node, picture, col, row) else 1
            node = base + trees.left[node] + go
        leaf = leaf_base + trees.left[node]
        _add_interval(trees.winner[leaf], trees.counts[leaf], vote, weight, col, col + 1, steps)


@step
def _split_level(trees, t, at, picture, line, v, start, rows, vote, weight, brush, steps):
    """The same for a split that runs along the rows: each row lies on one side."""
    lo, hi, k, far = brush.lo, brush.hi, brush.k, brush.far
    near, beyond = False, False
    for r in range(rows):
        k[r] = lo[r]
        if lo[r] < hi[r]:
            s = line[Q0] + line[Q1] * v[r]
            if abs(s) <= line[DOUBT]:
                c0, c1 = int(lo[r]), int(hi[r])
                _walk_pixels(trees, t, at, picture, start + r, c0, c1, vote, weight, steps[r])
                hi[r] = lo[r]
            elif s <= 0.0:
                k[r] = hi[r]
                near = True
            else:
                beyond = True
        far[r] = k[r]
    return near, beyond


@step
def _split_slowly(trees, t, at, picture, lines, v, start, rows, upward, vote, weight, brush, steps):
    """The same where rounding could decide, or where the scaling is not affine."""
    lo, hi, k, far = brush.lo, brush.hi, brush.k, brush.far
    near, beyond = False, False
    for r in range(rows):
        c0, c1 = int(lo[r]), int(hi[r])
        k[r] = lo[r]
        far[r] = lo[r]
        if c0 < c1:
            if picture.across.size > 0:
                a = _search(trees, t, at, picture, lines, start + r, c0, c1, upward)
                b = a
            else:
                q = lines.line[at, Q0] + lines.line[at, Q1] * v[r]
                doubt = lines.line[at, DOUBT]
                a = int(min(max(np.ceil(q - doubt), c0), c1))
                b = int(min(max(np.floor(q + doubt) + 1.0, a), c1))
                _walk_pixels(trees, t, at, picture, start + r, a, b, vote, weight, steps[r])
            near |= a > c0
            beyond |= b < c1
            k[r] = a
            far[r] = b
    return near, beyond


@step
def _add_interval(winner, counts, vote, weight, c0, c1, steps):
    """Add a leaf's vote to columns c0 ... c1-1 of one row's differences (float64[K, width + 1])."""
    if vote == MAJORITY:
        steps[winner, c0] += weight
        steps[winner, c1] -= weight
        return
    n = 0.0
    for k in range(counts.size):
        n += counts[k]
    for k in range(counts.size):
        if counts[k] > 0.0:
            p = weight * (counts[k] / n)
            steps[k, c0] += p
            steps[k, c1] -= p


@step
def _add_leaf(winner, counts, vote, weight, rows, lo, hi, steps):
    """The same for an interval in each of some rows."""
    if vote == MAJORITY:
        for r in range(rows):
            a, b = int(lo[r]), int(hi[r])
            if a < b:
                steps[r, winner, a] += weight
                steps[r, winner, b] -= weight
        return
    for r in range(rows):
        a, b = int(lo[r]), int(hi[r])
        if a < b:
            _add_interval(winner, counts, vote, weight, a, b, steps[r])


@step
def _run_sums(steps, total, line):
    """The running sums of a row, divided by the weight of all trees: float32[width, K]."""
    share = 1.0 / total
    for k in range(steps.shape[0]):
        s = 0.0
        change = steps[k]
        for col in range(line.shape[0]):
            s += change[col]
            line[col, k] = min(max(s * share, 0.0), 1.0)


@step
def _paint_rows(trees, t, picture, lines, vote, weight, v, start, rows, brush, steps):
    """Add tree t to the difference arrays of rows start ... start+rows-1."""
    lo, hi, k, far = brush.lo, brush.hi, brush.k, brush.far
    for r in range(rows):
        lo[r] = 0.0
        hi[r] = picture.width
    at, top = trees.node_at[t], 0
    table = picture.across.size > 0
    # Bounded: every node of a tree is met at most once, for it has one parent
    while True:
        code = lines.code[at]
        kind = code & 3
        child = code >> 2
        if kind == END:
            _add_leaf(trees.winner[child], trees.counts[child], vote, weight, rows, lo, hi, steps)
            if top == 0:
                return
            top -= 1
            at = brush.node[top]
            for r in range(rows):
                lo[r] = brush.los[top, r]
                hi[r] = brush.his[top, r]
            continue
        upward = kind != CROSS_DOWN
        if kind == LEVEL:
            near, beyond = _split_level(
                trees, t, at, picture, lines.line[at], v, start, rows, vote, weight, brush, steps
            )
        else:
            unsure = True
            if not table:
                near, beyond, unsure = _split_rows(lines.line[at], v, rows, lo, hi, k, far)
            if unsure:
                near, beyond = _split_slowly(
                    trees,
                    t,
                    at,
                    picture,
                    lines,
                    v,
                    start,
                    rows,
                    upward,
                    vote,
                    weight,
                    brush,
                    steps,
                )
        this = child if upward else child + 1
        that = child + 1 if upward else child
        if near and beyond:
            brush.node[top] = that
            for r in range(rows):
                brush.los[top, r] = far[r]
                brush.his[top, r] = hi[r]
                hi[r] = k[r]
            top += 1
            at = this
        elif beyond:
            for r in range(rows):
                lo[r] = far[r]
            at = that
        else:
            for r in range(rows):
                hi[r] = k[r]
            at = this


class Brush(NamedTuple):
    """Scratch of painting: the intervals of the current node, and those still to come."""

    lo: np.ndarray  # float64[_ROWS]
    hi: np.ndarray  # float64[_ROWS]
    k: np.ndarray  # float64[_ROWS] where the near part ends
    far: np.ndarray  # float64[_ROWS] where the far part begins
    node: np.ndarray  # int64[deepest]
    los: np.ndarray  # float64[deepest, _ROWS]
    his: np.ndarray  # float64[deepest, _ROWS]


@maker
def _make_brush(deepest):
    return Brush(
        np.empty(_ROWS),
        np.empty(_ROWS),
        np.empty(_ROWS),
        np.empty(_ROWS),
        np.empty(deepest, np.int64),
        np.empty((deepest, _ROWS)),
        np.empty((deepest, _ROWS)),
    )


@kernel
def paint(trees, first, last, picture, lines, vote, weights, top, bottom, total, out):
    """Paint rows top ... bottom-1 of out (float32[height, width, K]) by the given trees."""
    steps = np.empty((_ROWS, out.shape[2], picture.width + 1))
    deepest = 1
    for t in range(first, last):
        deepest = max(deepest, (trees.node_at[t + 1] - trees.node_at[t]) // 2 + 1)
    brush = _make_brush(deepest)
    v = np.empty(_ROWS)
    for start in range(top, bottom, _ROWS):
        rows = min(_ROWS, bottom - start)
        for r in range(rows):
            if picture.across.size > 0:
                v[r] = picture.down[start + r]
            else:
                v[r] = (start + r + 0.5) / picture.height
        steps[:, :, :] = 0.0
        for t in range(first, last):
            _paint_rows(trees, t, picture, lines, vote, weights[t], v, start, rows, brush, steps)
        for r in range(rows):
            _run_sums(steps[r], total, out[start + r])
