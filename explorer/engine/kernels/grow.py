"""Growing trees: draw rows, then split nodes until they are done. Written once for all families.

A family enters as ``direction(table, knobs, node, work, split) -> bool``, which fills
``split`` or says that the node cannot be divided. A tree is written as flat arrays; children
are made in pairs, so the right child is the left one plus one:

    feature   3  -2  -1  -1  -1      >= 0 axis split, -2 oblique split, -1 leaf
    left      1   3   0   1   2      left child, or the number of the leaf
              .
             / \\
            o   [leaf 0]

In-bag rows stay grouped by node in ``rows`` and out-of-bag rows in ``oob``; both are divided
stably at every split, so every node's rows are in ascending order (in-bag rows group by group,
where there are groups of replicates).
"""

from typing import NamedTuple

import numpy as np

from .jit import step, template
from .linear import project
from .missing import (
    BY_WEIGHT,
    LEFT,
    fill_all,
    fill_node,
    heavier_side,
    missing_left,
    side_of_filled,
)
from .rng import draw_features, seed_tree
from .rotation import random_rotation, turn_data
from .sample import draw_rows
from .scratch import (
    AXIS,
    CUT,
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LOW,
    OBLIQUE,
    SIDE,
    SIZE,
    Knobs,
    Model,
    Node,
    Slim,
    Split,
    Table,
    Work,
    make_split,
    make_work,
)
from .sorting import SPARE

LEAF, SLANT = -1, -2
UNBOUNDED = 1 << 30


class Block(NamedTuple):
    """Room for some trees, one after the other; ``ends`` says where each ends."""

    feature: np.ndarray  # int32[N]
    left: np.ndarray  # int32[N]
    cut: np.ndarray  # float64[N]
    gain: np.ndarray  # float32[N] decrease of impurity times weight, 0 at leaves
    begin: np.ndarray  # int32[N] first weight of an oblique node, within its tree
    end: np.ndarray  # int32[N]
    index: np.ndarray  # int32[W]
    value: np.ndarray  # float64[W]
    counts: np.ndarray  # float64[L, K] class sums of the leaves
    oob_leaf: np.ndarray  # int32[O] leaf of each out-of-bag row, rows ascending
    ends: np.ndarray  # int64[trees, 4] nodes, weights, leaves, oob rows so far
    side: np.ndarray  # uint8[N] 1 where missing values go left; [0] for data without any
    fill: np.ndarray  # float64[W] what takes their place at an oblique node, or [0]


class Yard(NamedTuple):
    """Where trees of a block are grown, one after the other."""

    work: Work
    split: Split
    stack: np.ndarray  # int64[2n + 2, 6] nodes to come: number, a, b, c, d, depth
    ints: np.ndarray  # int32[4, n]: times in the bag, in-bag rows, oob rows, leaves of the latter
    y: np.ndarray  # int32[n] the current node's classes
    goes_left: np.ndarray  # bool[n]
    w: np.ndarray  # float64[n] and weights
    totals: np.ndarray  # float64[K]
    pool: np.ndarray  # int32[P]
    filled: np.ndarray  # float64[P, n] columns without gaps, changed node by node, or [0, 0]
    mean: np.ndarray  # float64[P] what the gaps are filled with


@step
def _divide(rows, a, b, goes_left, spare):
    """Stable partition of rows[a:b]; returns where the right part starts."""
    at, kept = a, 0
    for i in range(a, b):  # no branch: which way a row goes is unpredictable
        row = rows[i]
        go = np.int64(goes_left[i - a])
        rows[at] = row
        spare[kept] = row
        at += go
        kept += 1 - go
    for i in range(kept):
        rows[at + i] = spare[i]
    return at


@step
def _below(values, rows, a, n, cut, goes_left):
    for i in range(n):
        goes_left[i] = values[rows[a + i]] <= cut


@step
def _ranked_below(rank, X, f, rows, a, n, low, high, cut, goes_left):
    """Ranks decide, but between the two values that the cut halves."""
    for i in range(n):
        row = rows[a + i]
        r = rank[row]
        if low < r < high:
            goes_left[i] = X[row, f] <= cut
        else:
            goes_left[i] = r <= low


@template
def _sides(table, work, split, rows, a, n, goes_left):
    """Which of rows[a:a+n] go left. Exactly the test that walk.py makes."""
    cut = split.score[CUT]
    kind = split.what[KIND]
    f = split.what[FEATURE]
    if kind == OBLIQUE:
        project(table.XT, split.index, split.value, split.what[SIZE], rows, a, n, work.value)
        for i in range(n):
            goes_left[i] = work.value[i] <= cut
    elif kind == AXIS:
        low, high = split.what[LOW], split.what[HIGH]
        if low < high:
            _ranked_below(table.rank[f], table.X, f, rows, a, n, low, high, cut, goes_left)
        else:
            _below(table.XT[f], rows, a, n, cut, goes_left)
        if table.gap_of.size > 0 and table.gap_of[f] >= 0 and split.what[SIDE] == LEFT:
            missing_left(table.absent[table.gap_of[f]], rows, a, n, goes_left)
    else:
        _below(work.turned[f], rows, a, n, cut, goes_left)


def make_yard(table: Table, knobs: Knobs, model: Model | Slim, filled: np.ndarray) -> Yard:
    """All scratch of a block of trees."""
    n, P = table.X.shape
    K = knobs.n_class
    return Yard(
        make_work(n, P, K, knobs.rotate, model),
        make_split(max(knobs.m_try, knobs.n_combine)),
        np.empty((2 * n + 2, 6), np.int64),
        np.empty((4, n), np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.bool_),
        np.empty(n, np.float64),
        np.empty(K, np.float64),
        np.empty(P, np.int32),
        filled,
        np.empty(P),
    )


@step
def _push(stack, top, node, a, b, c, d, depth):
    stack[top, 0], stack[top, 1], stack[top, 2] = node, a, b
    stack[top, 3], stack[top, 4], stack[top, 5] = c, d, depth


@step
def _pop(stack, top):
    return (
        stack[top, 0],
        stack[top, 1],
        stack[top, 2],
        stack[top, 3],
        stack[top, 4],
        stack[top, 5],
    )


@template
def grow_trees(direction, table, knobs, first, trees, block, stop, yard):
    """Grow trees ``first`` ... ``first + trees - 1`` into ``block``; returns how many were.

    Stops early where the block is full or ``stop[0]`` is set.
    """
    n, P = table.X.shape
    K = knobs.n_class
    widest = max(knobs.m_try, knobs.n_combine)
    work, split, stack = yard.work, yard.split, yard.stack
    times, rows, oob, leaf_of = yard.ints[0], yard.ints[1], yard.ints[2], yard.ints[3]
    goes_left, y, w, totals = yard.goes_left, yard.y, yard.w, yard.totals
    zero = np.int64(0)  # a literal would compile its callee again
    node_at, weight_at, leaf_at, oob_at = 0, 0, 0, 0
    for t in range(trees):
        seed_tree(work.state, knobs.seed, first + t)
        draw_rows(
            work.state,
            knobs.bootstrap,
            knobs.bag,
            table.members,
            table.member_at,
            table.group,
            times,
        )
        inside, outside = 0, 0
        for j in range(table.members.size):
            if times[table.members[j]] > 0:
                rows[inside] = table.members[j]
                inside += 1
        for i in range(n):
            if times[i] == 0:
                oob[outside] = i
                outside += 1
        if knobs.rotate:
            wanted = P * P
        elif block.begin.size > 0:
            wanted = (inside - 1) * widest
        else:
            wanted = 0
        if (
            node_at + 2 * inside > block.feature.size
            or leaf_at + inside > block.counts.shape[0]
            or oob_at + outside > block.oob_leaf.size
            or weight_at + wanted > block.index.size
        ):
            return t
        for f in range(P):
            yard.pool[f] = f
        pool = yard.pool
        if knobs.per_tree:
            draw_features(work.state, pool, knobs.m_try)
            pool = pool[: knobs.m_try]
        weights = 0
        fills = yard.filled.size > 0
        if fills:
            fill_all(table, yard.filled, yard.mean)
        if knobs.rotate:
            if fills:
                everything = (rows, zero, inside, oob, zero, outside)
                fill_node(table, times, *everything, yard.filled, yard.mean)
            random_rotation(work.state, work.turn)
            turn_data(work.turn, table.XT, work.turned)
            for f in range(P):
                for j in range(P):
                    block.index[weight_at + weights] = j
                    block.value[weight_at + weights] = work.turn[f, j]
                    if fills:
                        block.fill[weight_at + weights] = yard.mean[j]
                    weights += 1

        nodes, leaves = 1, 0
        _push(stack, zero, zero, zero, inside, zero, outside, zero)
        top = 1
        # Bounded: a node is divided into two parts with rows in each, so there are under 2n nodes
        while top > 0:
            if stop[0]:
                return t
            top -= 1
            me, a, b, c, d, depth = _pop(stack, top)
            totals[:] = 0.0
            size = 0.0
            for i in range(b - a):
                row = rows[a + i]
                y[i] = table.y[row]
                w[i] = times[row] * table.weight[row]
                totals[y[i]] += w[i]
                size += w[i]
            present = 0
            for k in range(K):
                if totals[k] > 0.0:
                    present += 1
            at = node_at + me
            divided = False
            if present > 1 and size > knobs.min_leaf and depth < knobs.max_depth:
                if fills and not knobs.rotate:
                    fill_node(table, times, rows, a, b, oob, c, d, yard.filled, yard.mean)
                split.what[SIDE] = BY_WEIGHT
                node = Node(rows, a, b, oob, c, d, y, w, totals, pool)
                divided = direction(table, knobs, node, work, split)
                if fills and divided:
                    side_of_filled(table, split, yard.mean)
            middle, oob_middle = a, c
            if divided:
                _sides(table, work, split, rows, a, b - a, goes_left)
                middle = _divide(rows, a, b, goes_left, work.bench.ints[SPARE])
                divided = a < middle < b
            if not divided:
                block.feature[at] = LEAF
                block.left[at] = leaves
                block.cut[at] = 0.0
                block.gain[at] = 0.0
                if block.side.size > 0:
                    block.side[at] = 0
                if block.begin.size > 0:
                    block.begin[at] = 0
                    block.end[at] = 0
                for k in range(K):
                    block.counts[leaf_at + leaves, k] = totals[k]
                for i in range(c, d):
                    leaf_of[oob[i]] = leaves
                leaves += 1
                continue
            if block.side.size > 0:
                if split.what[SIDE] == BY_WEIGHT:
                    split.what[SIDE] = heavier_side(goes_left, w, b - a)
                left = split.what[KIND] == AXIS and split.what[SIDE] == LEFT
                block.side[at] = np.uint8(left)
            _sides(table, work, split, oob, c, d - c, goes_left)
            oob_middle = _divide(oob, c, d, goes_left, work.bench.ints[SPARE])

            block.left[at] = nodes
            block.cut[at] = split.score[CUT]
            block.gain[at] = max(split.score[GAIN], 0.0)
            if split.what[KIND] == AXIS:
                block.feature[at] = split.what[FEATURE]
                if block.begin.size > 0:
                    block.begin[at] = 0
                    block.end[at] = 0
            elif split.what[KIND] == OBLIQUE:
                block.feature[at] = SLANT
                block.begin[at] = weights
                for j in range(split.what[SIZE]):
                    block.index[weight_at + weights] = split.index[j]
                    block.value[weight_at + weights] = split.value[j]
                    if fills:
                        block.fill[weight_at + weights] = yard.mean[split.index[j]]
                    weights += 1
                block.end[at] = weights
            else:
                block.feature[at] = SLANT
                block.begin[at] = split.what[FEATURE] * P
                block.end[at] = (split.what[FEATURE] + 1) * P
            # right first, so that the left child is the next to be grown
            _push(stack, top, nodes + 1, middle, b, oob_middle, d, depth + 1)
            _push(stack, top + 1, nodes, a, middle, c, oob_middle, depth + 1)
            top += 2
            nodes += 2

        for i in range(n):
            if times[i] == 0:
                block.oob_leaf[oob_at] = leaf_of[i]
                oob_at += 1
        node_at += nodes
        weight_at += weights
        leaf_at += leaves
        block.ends[t, 0] = node_at
        block.ends[t, 1] = weight_at
        block.ends[t, 2] = leaf_at
        block.ends[t, 3] = oob_at
    return trees
