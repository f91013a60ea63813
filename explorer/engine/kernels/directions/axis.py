"""Axis splits: the best cut on one of m_try features (Menze, Tomita s.2.4, Sazonau).

Values are dense ranks (or, in a rotated tree, rotated features). A feature with few distinct
values is cut by levels.py, others by cut.py. If none of the m_try features varies at the node,
further ones are drawn until one does, so that a tree is grown to full depth; once a feature
separates the classes perfectly, the rest are not looked at. For the gain ratio (C4.5, Do s.2)
the cut along a feature maximises information gain, and features compete by gain ratio among
those of at least average gain, as in C4.5. Missing values go to the side of the larger gain
(missing.py).
"""

import numpy as np

from ..cut import best_cut, midpoint
from ..grow import grow_trees
from ..impurity import GAIN_RATIO, perfect_gain, split_information
from ..jit import grower, step, template
from ..levels import LEVELS, best_level_cut, row_at_level
from ..linear import draw_node_features, inner_criterion
from ..missing import BY_WEIGHT, RIGHT, TOP, best_cut_and_side
from ..present import with_present_classes
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
    SIDE,
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


@step
def gap_of(places, f):
    """Place of feature f among those with missing values, -1 for a complete one."""
    return np.int64(places[f]) if places.size > 0 else -1


@template
def _best_along(table, knobs, node, work, f, criterion, floor):
    """(gain, il, ir, side) of the best cut of a feature; work.value gets what was cut."""
    n = node.b - node.a
    v = work.value
    gap, side = -1, BY_WEIGHT
    if knobs.rotate:
        load_values(work.turned[f], node.rows, node.a, n, v)
    else:
        load_values(table.rank[f], node.rows, node.a, n, v)
        gap = gap_of(table.gap_of, f)
    if gap >= 0:
        gain, il, ir, side = best_cut_and_side(
            v,
            table.absent[gap],
            node.rows,
            node.a,
            n,
            node.y,
            node.w,
            node.totals,
            criterion,
            floor,
            work.bench,
        )
    else:
        gain, il, ir = best_cut(v, node.y, node.w, n, node.totals, criterion, floor, work.bench)
    return gain, il, ir, side


@template
def axis(table, knobs, whole_node, work, split):
    node = with_present_classes(whole_node, work.bench)
    n = node.b - node.a
    criterion = inner_criterion(knobs.criterion)
    by_ratio = knobs.criterion == GAIN_RATIO
    pool = node.pool
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, pool)
    total = node.totals.sum()

    least = -np.inf
    best = -np.inf
    enough = np.inf if by_ratio else perfect_gain(node.totals, criterion)
    chosen = False
    averaging, s, found = by_ratio, 0.0, 0  # the gain ratio first needs the gains of all features
    i = 0
    # Bounded: i rises, and begins again once
    while (i < m and best < enough) or (not chosen and i < pool.size):
        if i >= m:
            j = i + below(work.state, pool.size - i)
            pool[i], pool[j] = pool[j], pool[i]
        f = pool[i]
        i += 1
        few = not knobs.rotate and not by_ratio and table.levels[f] <= LEVELS
        if few and gap_of(table.gap_of, f) < 0:
            gain, low, high = best_level_cut(
                table.rank[f],
                table.levels[f],
                node.rows,
                node.a,
                n,
                node.y,
                node.w,
                node.totals,
                criterion,
                best,
                work.bench,
            )
            if low >= 0 and gain > best:
                best = gain
                chosen = True
                split.what[KIND] = AXIS
                split.what[FEATURE] = f
                split.what[LOW] = low
                split.what[HIGH] = high
                split.what[SIDE] = BY_WEIGHT
                split.score[GAIN] = gain
            continue
        gain, il, ir, side = _best_along(
            table, knobs, node, work, f, criterion, -np.inf if by_ratio else best
        )
        if averaging:
            if il >= 0:
                s += gain
                found += 1
            if i == m:
                if found > 0:
                    least = s / found * (1.0 - 1e-9)
                averaging, i = False, 0
            continue
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
                split.what[SIDE] = side
                row, other = node.rows[node.a + il], node.rows[node.a + ir]
                if side == RIGHT and np.isnan(table.X[other, f]):
                    split.score[CUT] = TOP  # known values from missing ones
                else:
                    split.score[CUT] = midpoint(table.X[row, f], table.X[other, f])
                split.what[LOW] = table.rank[f, row]
                split.what[HIGH] = table.rank[f, other]
    if chosen and not knobs.rotate:
        f = split.what[FEATURE]
        if not by_ratio and table.levels[f] <= LEVELS and gap_of(table.gap_of, f) < 0:
            row = row_at_level(table.rank[f], node.rows, node.a, n, split.what[LOW])
            other = row_at_level(table.rank[f], node.rows, node.a, n, split.what[HIGH])
            split.score[CUT] = midpoint(table.X[row, f], table.X[other, f])
    return chosen


@grower
def grow_axis(table, knobs, first, trees, block, stop, yard):
    return grow_trees(axis, table, knobs, first, trees, block, stop, yard)
