"""Central axis projection (Ho s.2): cut perpendicular to the line between two class means.

The two classes whose means are farthest apart (Euclidean distance in the tree's subspace, the
features as they are) span the central axis. ``n_thresholds`` equally spaced stops between the
means are tried; at each, every class errs by its weight on the side where it is the minority.
The stop with the smallest sum of errors wins; among equals the one nearest the middle of the
segment, which Ho leaves open. Where the means of all classes coincide there is no axis, and
the best single-feature cut of the subspace is taken instead.
"""

import numpy as np

from ..cut import best_cut, midpoint
from ..grow import grow_trees
from ..impurity import worth
from ..jit import grower, step, template
from ..linear import (
    any_nan,
    cut_along,
    draw_varying,
    farthest_classes,
    inner_criterion,
    load_columns,
    project,
)
from ..scratch import (
    AXIS,
    CUT,
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LOW,
    OBLIQUE,
    SIZE,
)


@step
def any_axis_cut(table, knobs, node, work, split, m):
    """The best cut on one of the first m features of the pool: the last resort of Ho's trees."""
    n = node.b - node.a
    best, chosen = -np.inf, False
    for j in range(m):
        f = node.pool[j]
        for i in range(n):
            work.value[i] = table.XT[f, node.rows[node.a + i]]
        gain, il, ir = best_cut(
            work.value,
            node.y,
            node.w,
            n,
            node.totals,
            inner_criterion(knobs.criterion),
            best,
            work.bench,
        )
        if il >= 0:
            best, chosen = gain, True
            split.what[KIND] = AXIS
            split.what[FEATURE] = f
            split.score[CUT] = midpoint(work.value[il], work.value[ir])
            split.score[GAIN] = gain
            split.what[LOW] = 0
            split.what[HIGH] = 0
    return chosen


@step
def best_stop(value, y, w, n, K, near, far, stops, sums, totals):
    """Number (1 ... stops) of the stop with the smallest error; see the module's first lines."""
    for i in range((stops + 2) * K):
        sums[i] = 0.0
    width = (far - near) / (stops + 1)
    for i in range(n):
        # the first stop at or above this sample: it lies left of that stop and all later ones
        q = int(min(max(np.ceil((value[i] - near) / width), 0.0), stops + 1.0))
        # Bounded: q falls to 0 at most, and then rises to stops + 1 at most
        while q > 0 and value[i] <= near + (q - 1) * width:
            q -= 1
        while q <= stops and value[i] > near + q * width:  # Bounded: q rises
            q += 1
        sums[q * K + y[i]] += w[i]
    best, chosen, off = np.inf, 0, np.inf
    for q in range(1, stops + 1):
        error = 0.0
        for k in range(K):
            sums[q * K + k] += sums[(q - 1) * K + k]
            error += min(sums[q * K + k], totals[k] - sums[q * K + k])
        middle = abs(q - 0.5 * (stops + 1))
        if error < best or (error == best and middle < off):
            best, chosen, off = error, q, middle
    return chosen


@step
def central_axis(table, knobs, node, work, split, m):
    n = node.b - node.a
    K = node.totals.size
    Z = work.model.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    # one common factor leaves distances in proportion and keeps their squares in range
    big = 0.0
    for j in range(m):
        for i in range(n):
            big = max(big, abs(Z[j, i]))
    if big == 0.0:
        return False
    for j in range(m):
        for i in range(n):
            Z[j, i] /= big
    first, last = farthest_classes(node.y, node.w, n, node.totals, Z, m, work.model.means)
    size = 0
    for j in range(m):
        d = work.model.means[last, j] - work.model.means[first, j]
        if d != 0.0:
            split.index[size] = node.pool[j]
            split.value[size] = d
            size += 1
    split.what[SIZE] = size
    if size == 0:
        return any_axis_cut(table, knobs, node, work, split, m)
    project(table.XT, split.index, split.value, split.what[SIZE], node.rows, node.a, n, work.value)
    near, far = 0.0, 0.0
    for i in range(n):
        if node.y[i] == first:
            near += node.w[i] * work.value[i]
        elif node.y[i] == last:
            far += node.w[i] * work.value[i]
    near /= node.totals[first]
    far /= node.totals[last]
    stops = knobs.n_thresholds
    width = (far - near) / (stops + 1)
    if not (width > 0.0 and np.isfinite(width)) or any_nan(work.value, n):
        if cut_along(table, knobs, node, work, split, -np.inf):
            return True
        return any_axis_cut(table, knobs, node, work, split, m)
    q = best_stop(work.value, node.y, node.w, n, K, near, far, stops, work.bench.sums, node.totals)
    cut = near + q * width
    left, right = work.bench.pair[0], work.bench.pair[1]
    for k in range(K):
        left[k] = 0.0
    below = 0
    for i in range(n):
        if work.value[i] <= cut:
            left[node.y[i]] += node.w[i]
            below += 1
    if below == 0 or below == n:
        if cut_along(table, knobs, node, work, split, -np.inf):
            return True
        return any_axis_cut(table, knobs, node, work, split, m)
    for k in range(K):
        right[k] = node.totals[k] - left[k]
    criterion = inner_criterion(knobs.criterion)
    split.what[KIND] = OBLIQUE
    split.score[CUT] = cut
    split.score[GAIN] = max(
        0.0, worth(left, criterion) + worth(right, criterion) - worth(node.totals, criterion)
    )
    return True


@template
def cap(table, knobs, node, work, split):
    m = draw_varying(
        knobs.m_try,
        knobs.per_tree,
        work.state,
        node.pool,
        table.XT,
        node.rows,
        node.a,
        node.b - node.a,
    )
    if m == 0:
        return False
    return central_axis(table, knobs, node, work, split, m)


@grower
def grow_cap(table, knobs, first, trees, block, stop, yard):
    return grow_trees(cap, table, knobs, first, trees, block, stop, yard)
