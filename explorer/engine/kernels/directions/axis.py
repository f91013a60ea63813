"""Axis splits: the best cut on one of m_try features (Menze, Tomita s.2.4, Sazonau).

Values are dense ranks (or, in a rotated tree, rotated features). If none of the m_try
features varies at the node, further ones are drawn until one does, so that a tree is grown to
full depth; once a feature separates the classes perfectly, the rest are not looked at. For the
gain ratio (C4.5, Do s.2) the cut along a feature maximises information gain, and features
compete by gain ratio among those of at least average gain, as in C4.5.
"""

import numpy as np

from ..cut import best_cut, midpoint
from ..grow import grow_trees
from ..impurity import GAIN_RATIO, perfect_gain, split_information
from ..jit import grower, step, template
from ..linear import draw_node_features, inner_criterion
from ..rng import below
from ..scratch import (
    AXIS,
    CUT,
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LOW,
    ROTATED,
)


@step
def load_values(column, rows, a, n, out):
    """out[:n] := values of rows[a:a+n] along a feature."""
    for i in range(n):
        out[i] = column[rows[a + i]]


@step
def left_weight(value, w, n, at):
    s = 0.0
    for i in range(n):
        if value[i] <= at:
            s += w[i]
    return s


@step
def gain_ratio(gain, value, w, n, at, total):
    left = left_weight(value, w, n, at)
    return gain / split_information(left, total - left)


@template
def axis(table, knobs, node, work, split):
    n = node.b - node.a
    criterion = inner_criterion(knobs.criterion)
    by_ratio = knobs.criterion == GAIN_RATIO
    pool = node.pool
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, pool)
    total = node.totals.sum()

    least = -np.inf
    if by_ratio:
        s, found = 0.0, 0
        for i in range(m):
            f = pool[i]
            if knobs.rotate:
                load_values(work.turned[f], node.rows, node.a, n, work.value)
            else:
                load_values(table.rank[f], node.rows, node.a, n, work.value)
            gain, il, ir = best_cut(
                work.value, node.y, node.w, n, node.totals, criterion, -np.inf, work.bench
            )
            if il >= 0:
                s += gain
                found += 1
        if found > 0:
            least = s / found * (1.0 - 1e-9)

    best = -np.inf
    enough = np.inf if by_ratio else perfect_gain(node.totals, criterion)
    chosen = False
    i = 0
    while (i < m and best < enough) or (not chosen and i < pool.size):
        if i >= m:
            j = i + below(work.state, pool.size - i)
            pool[i], pool[j] = pool[j], pool[i]
        f = pool[i]
        i += 1
        if knobs.rotate:
            load_values(work.turned[f], node.rows, node.a, n, work.value)
        else:
            load_values(table.rank[f], node.rows, node.a, n, work.value)
        gain, il, ir = best_cut(
            work.value,
            node.y,
            node.w,
            n,
            node.totals,
            criterion,
            -np.inf if by_ratio else best,
            work.bench,
        )
        if il < 0:
            continue
        merit = gain
        if by_ratio:
            if gain < least and i <= m:
                continue
            merit = gain_ratio(gain, work.value, node.w, n, work.value[il], total)
        if merit > best:
            best = merit
            chosen = True
            split.what[FEATURE] = f
            split.score[GAIN] = gain
            if knobs.rotate:
                split.what[KIND] = ROTATED
                split.score[CUT] = midpoint(work.value[il], work.value[ir])
            else:
                split.what[KIND] = AXIS
                row, other = node.rows[node.a + il], node.rows[node.a + ir]
                split.score[CUT] = midpoint(table.X[row, f], table.X[other, f])
                split.what[LOW] = table.rank[f, row]
                split.what[HIGH] = table.rank[f, other]
    return chosen


@grower
def grow_axis(table, knobs, first, trees, block, stop, yard):
    return grow_trees(axis, table, knobs, first, trees, block, stop, yard)
