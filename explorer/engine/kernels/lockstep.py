"""Many rows down a tree of axis splits at once, eight in lockstep, on nodes of 8 bytes.

One row waits for memory at every node; eight independent rows wait together. A node is packed
into one integer, so that it is one load:

    bits 63 ... 32           31 ... shift     shift-1 ... 0
    key of the cut           feature          left child (the right one is next to it)

A key is a float32 whose bits are turned into an integer of the same order. Rounding to float32
keeps the order too, so two different keys decide exactly as the doubles would. Where the keys
of a value and a cut are equal, the row walks that tree again in double precision. A leaf is its
own left child and its key is above that of every number, so a row that has arrived stays.

Rows move in phases of STEPS moves; after each phase the rows that have arrived are dropped. A
phase moves every other row by at least one node, so a tree of N nodes needs at most N phases.
"""

from typing import NamedTuple

import numpy as np

from .jit import kernel, step
from .walk import add_vote

STEPS = 6
BLOCK_KEYS = 1 << 18  # keys of a block of rows: 1 MB, half of a core's L2 cache
MOST_ROWS = 4096
LEAST_ROWS = 64
U = np.uint64
TOP = U(0x7FFFFFFF)  # key of a leaf: above the key of +infinity
_MIRROR = np.int32(0x7FFFFFFF)
_HALF = U(32)


@step
def _order(bits):
    """The bits of a float32, as an integer that compares as the number does."""
    return bits ^ ((bits >> np.int32(31)) & _MIRROR)


class Packed(NamedTuple):
    """Nodes of trees that follow each other, without gaps."""

    node: np.ndarray  # uint64[N]
    shift: np.uint64  # bits of the left child


@kernel
def pack(trees, start, first, last, packed):
    """Pack trees first ... last-1; packed.node[0] is node ``start`` of the forest."""
    number = np.empty(1, np.float32)
    bits = number.view(np.int32)
    node, shift = packed.node, packed.shift
    for t in range(first, last):
        base = trees.node_at[t]
        for at in range(base, trees.node_at[t + 1]):
            f = trees.feature[at]
            if f < 0:
                node[at - start] = (TOP << _HALF) | U(at - base)
            else:
                number[0] = np.float32(trees.cut[at] + 0.0)  # -0.0 is 0.0
                key = U(_order(bits[0]))
                node[at - start] = (key << _HALF) | (U(f) << shift) | U(trees.left[at])


@step
def _exact(trees, t, x):
    """The leaf of sample x in tree t, as a node counted within the tree, in double precision."""
    base = trees.node_at[t]
    at = base
    for _ in range(trees.node_at[t + 1] - base):
        f = trees.feature[at]
        if f < 0:
            break
        at = base + trees.left[at] + (0 if x[f] <= trees.cut[at] else 1)
    return at - base


@step
def _move(node, at, key, row, shift, low, high):
    """(next node, 1 if the keys are equal) of a row whose keys start at key[row].

    All places are unsigned: numba would test signed ones for negative numbers at every access.
    """
    word = node[at]
    cut = np.int32(word >> _HALF)
    x = key[row + ((word >> shift) & high)]
    return (word & low) + U(x > cut), np.int64(x == cut)


@step
def _walk(trees, t, node, shift, low, high, Z, a, rows, key, at, active):
    """at[:rows] := the leaves of Z[a : a + rows] in tree t, as nodes; ``key`` holds their keys."""
    P = U(Z.shape[1])
    for i in range(rows):
        active[i] = i
        at[i] = 0
    m = rows
    for _ in range(node.size):  # phases
        if m == 0:
            break
        kept = 0
        whole = m - m % 8
        for g in range(0, whole, 8):
            r0, r1, r2, r3 = active[g], active[g + 1], active[g + 2], active[g + 3]
            r4, r5, r6, r7 = active[g + 4], active[g + 5], active[g + 6], active[g + 7]
            k0, k1, k2, k3 = r0 * P, r1 * P, r2 * P, r3 * P
            k4, k5, k6, k7 = r4 * P, r5 * P, r6 * P, r7 * P
            p0, p1, p2, p3 = at[r0], at[r1], at[r2], at[r3]
            p4, p5, p6, p7 = at[r4], at[r5], at[r6], at[r7]
            o0, o1, o2, o3, o4, o5, o6, o7 = p0, p1, p2, p3, p4, p5, p6, p7
            equal = np.int64(0)
            for _ in range(STEPS):
                o0, o1, o2, o3, o4, o5, o6, o7 = p0, p1, p2, p3, p4, p5, p6, p7
                p0, e0 = _move(node, p0, key, k0, shift, low, high)
                p1, e1 = _move(node, p1, key, k1, shift, low, high)
                p2, e2 = _move(node, p2, key, k2, shift, low, high)
                p3, e3 = _move(node, p3, key, k3, shift, low, high)
                p4, e4 = _move(node, p4, key, k4, shift, low, high)
                p5, e5 = _move(node, p5, key, k5, shift, low, high)
                p6, e6 = _move(node, p6, key, k6, shift, low, high)
                p7, e7 = _move(node, p7, key, k7, shift, low, high)
                equal |= e0 | e1 | e2 | e3 | e4 | e5 | e6 | e7
            if equal:
                for i in range(g, g + 8):
                    at[active[i]] = _exact(trees, t, Z[a + active[i]])
                continue
            at[r0], at[r1], at[r2], at[r3] = p0, p1, p2, p3
            at[r4], at[r5], at[r6], at[r7] = p4, p5, p6, p7
            # no branch: which rows have arrived is unpredictable. kept <= g, so nothing is lost
            active[kept] = r0
            kept += np.int64(p0 != o0)
            active[kept] = r1
            kept += np.int64(p1 != o1)
            active[kept] = r2
            kept += np.int64(p2 != o2)
            active[kept] = r3
            kept += np.int64(p3 != o3)
            active[kept] = r4
            kept += np.int64(p4 != o4)
            active[kept] = r5
            kept += np.int64(p5 != o5)
            active[kept] = r6
            kept += np.int64(p6 != o6)
            active[kept] = r7
            kept += np.int64(p7 != o7)
        for g in range(whole, m):  # fewer than eight are left
            at[active[g]] = _exact(trees, t, Z[a + active[g]])
        m = kept


@step
def arrive(trees, t, at, a, rows, vote, weight, leaf, out):
    """Add the votes of samples a ... a+rows-1, which are at nodes ``at`` of tree t.

    Where ``leaf`` is not empty, their leaves are written there instead.
    """
    base, leaves = trees.node_at[t], trees.leaf_at[t]
    if leaf.size > 0:
        for i in range(rows):
            leaf[a + i, t] = trees.left[base + at[i]]
    else:
        for i in range(rows):
            add_vote(trees, leaves + trees.left[base + at[i]], vote, weight, out[a + i])


@kernel
def descend(trees, packed, Z, first, last, vote, weights, leaf, out):
    """Walk samples Z (float64[n, P]) down trees first ... last-1, the first of ``packed``.

    Adds their votes to out (float64[n, K]) as walk.votes does, to the bit; or, where ``leaf``
    (int32[n, T]) is not empty, writes the leaves as walk.leaves does and no votes.
    """
    n, P = Z.shape
    node, shift = packed.node, packed.shift
    size = max(LEAST_ROWS, min(MOST_ROWS, BLOCK_KEYS // P))
    low, high = (U(1) << shift) - U(1), (U(1) << (_HALF - shift)) - U(1)
    number = np.empty(min(size, n) * P, np.float32)
    key = number.view(np.int32)
    at, active = np.empty(size, np.uint64), np.empty(size, np.uint64)
    start = trees.node_at[first]
    for a in range(0, n, size):
        rows = min(size, n - a)
        for i in range(rows):
            for f in range(P):
                number[i * P + f] = np.float32(Z[a + i, f] + 0.0)
        for j in range(rows * P):
            key[j] = _order(key[j])
        for t in range(first, last):
            own = node[trees.node_at[t] - start : trees.node_at[t + 1] - start]
            _walk(trees, t, own, shift, low, high, Z, a, rows, key, at, active)
            arrive(trees, t, at, a, rows, vote, weights[t], leaf, out)
