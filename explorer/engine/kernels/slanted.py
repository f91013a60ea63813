"""Many rows down a tree with oblique splits at once, four in lockstep.

As in lockstep.py, but a node has weights, so it is packed into rows of the same length:

    value   w w w 0     products are added in stored order, one at a time, as walk.py adds them;
    index   f f f 0     a padded product adds zero, so the sum is the same to the bit
    cut     c           infinite at a leaf, so that a row that has arrived stays
    left    l           a leaf is its own left child

An axis split is a weight of 1. If a sum is not a number (a padded zero times an infinite value
of a scaled feature), the row walks the tree again by walk.py's rule.
"""

from typing import NamedTuple

import numpy as np

from .jit import kernel, step
from .lockstep import LEAST_ROWS, MOST_ROWS, STEPS, U, arrive

BLOCK_VALUES = 1 << 18  # values of a block of rows: 2 MB
LEAF, SLANT = -1, -2


class Packed(NamedTuple):
    """Nodes of trees that follow each other, ``width`` weights each."""

    value: np.ndarray  # float64[N * width]
    index: np.ndarray  # uint16[N * width]
    cut: np.ndarray  # float64[N]
    left: np.ndarray  # uint32[N]
    width: int


@kernel
def pack(trees, start, first, last, packed):
    """Pack trees first ... last-1; packed.cut[0] is node ``start`` of the forest."""
    width = packed.width
    for t in range(first, last):
        base, weights = trees.node_at[t], trees.weight_at[t]
        for at in range(base, trees.node_at[t + 1]):
            to = at - start
            value = packed.value[to * width : (to + 1) * width]
            index = packed.index[to * width : (to + 1) * width]
            value[:] = 0.0
            index[:] = 0
            f = trees.feature[at]
            if f == LEAF:
                packed.cut[to] = np.inf
                packed.left[to] = at - base
                continue
            packed.cut[to] = trees.cut[at]
            packed.left[to] = trees.left[at]
            if f == SLANT:
                begin = weights + trees.begin[at]
                for j in range(trees.end[at] - trees.begin[at]):
                    value[j] = trees.value[begin + j]
                    index[j] = trees.index[begin + j]
            else:
                value[0] = 1.0
                index[0] = f


@step
def _exact(trees, t, x):
    """The leaf of sample x in tree t, as a node counted within the tree, by walk.py's rule."""
    base, weights = trees.node_at[t], trees.weight_at[t]
    at = base
    for _ in range(trees.node_at[t + 1] - base):
        f = trees.feature[at]
        if f == LEAF:
            break
        if f >= 0:
            go_left = x[f] <= trees.cut[at]
        else:
            s = 0.0
            for j in range(weights + trees.begin[at], weights + trees.end[at]):
                s += trees.value[j] * x[trees.index[j]]
            go_left = s <= trees.cut[at]
        at = base + trees.left[at] + (0 if go_left else 1)
    return at - base


@step
def _move(value, index, cut, left, width, at, x, row):
    """(next node, 1 if the score is not a number) of a row whose values start at x[row]."""
    s = 0.0
    first = at * U(width)
    for j in range(width):
        s += value[first + U(j)] * x[row + U(index[first + U(j)])]
    return U(left[at]) + U(s > cut[at]), np.int64(s != s)


@step
def _walk(trees, t, value, index, cut, left, width, Z, x, a, rows, at, active):
    """at[:rows] := the leaves of Z[a : a + rows] in tree t, as nodes; ``x`` is Z, flat."""
    P = U(Z.shape[1])
    origin = U(a) * P
    for i in range(rows):
        active[i] = i
        at[i] = 0
    m = rows
    for _ in range(cut.size):  # phases, as in lockstep.py
        if m == 0:
            break
        kept = 0
        whole = m - m % 4
        for g in range(0, whole, 4):
            r0, r1, r2, r3 = active[g], active[g + 1], active[g + 2], active[g + 3]
            x0, x1, x2, x3 = origin + r0 * P, origin + r1 * P, origin + r2 * P, origin + r3 * P
            p0, p1, p2, p3 = at[r0], at[r1], at[r2], at[r3]
            o0, o1, o2, o3 = p0, p1, p2, p3
            odd = np.int64(0)
            for _ in range(STEPS):
                o0, o1, o2, o3 = p0, p1, p2, p3
                p0, e0 = _move(value, index, cut, left, width, p0, x, x0)
                p1, e1 = _move(value, index, cut, left, width, p1, x, x1)
                p2, e2 = _move(value, index, cut, left, width, p2, x, x2)
                p3, e3 = _move(value, index, cut, left, width, p3, x, x3)
                odd |= e0 | e1 | e2 | e3
            if odd:
                for i in range(g, g + 4):
                    at[active[i]] = _exact(trees, t, Z[a + active[i]])
                continue
            at[r0], at[r1], at[r2], at[r3] = p0, p1, p2, p3
            active[kept] = r0
            kept += np.int64(p0 != o0)
            active[kept] = r1
            kept += np.int64(p1 != o1)
            active[kept] = r2
            kept += np.int64(p2 != o2)
            active[kept] = r3
            kept += np.int64(p3 != o3)
        for g in range(whole, m):  # fewer than four are left
            at[active[g]] = _exact(trees, t, Z[a + active[g]])
        m = kept


@kernel
def descend(trees, packed, Z, first, last, vote, weights, leaf, out):
    """Walk samples Z (float64[n, P]) down trees first ... last-1, the first of ``packed``.

    Adds their votes to out (float64[n, K]) as walk.votes does, to the bit; or, where ``leaf``
    (int32[n, T]) is not empty, writes the leaves as walk.leaves does and no votes.
    """
    n, P = Z.shape
    x = Z.reshape(n * P)
    width = packed.width
    size = max(LEAST_ROWS, min(MOST_ROWS, BLOCK_VALUES // P))
    at, active = np.empty(size, np.uint64), np.empty(size, np.uint64)
    start = trees.node_at[first]
    for a in range(0, n, size):
        rows = min(size, n - a)
        for t in range(first, last):
            lo, hi = trees.node_at[t] - start, trees.node_at[t + 1] - start
            value = packed.value[lo * width : hi * width]
            index = packed.index[lo * width : hi * width]
            cut, left = packed.cut[lo:hi], packed.left[lo:hi]
            _walk(trees, t, value, index, cut, left, width, Z, x, a, rows, at, active)
            arrive(trees, t, at, a, rows, vote, weights[t], leaf, out)
