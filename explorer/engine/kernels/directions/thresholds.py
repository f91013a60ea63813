"""Random thresholds: per feature of the node, n_thresholds cuts drawn at random, the best kept.

Sazonau Algorithm 2 draws "a set of tnum random thresholds for each feature from the fraction"
without saying from where; they are drawn uniformly between the smallest and the largest value
of the feature at the node, so that each can divide it.
"""

import numpy as np

from ..grow import grow_trees
from ..impurity import GAIN_RATIO, split_information, worth
from ..jit import grower, template
from ..linear import draw_node_features, inner_criterion
from ..rng import below, uniform
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


@template
def thresholds(table, knobs, node, work, split):
    n = node.b - node.a
    K = node.totals.size
    criterion = inner_criterion(knobs.criterion)
    parent = worth(node.totals, criterion)
    left, right = work.bench.pair[0], work.bench.pair[1]
    v = work.value
    pool = node.pool
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, node.pool)
    best = -np.inf
    chosen = False
    i = 0
    while i < m or (not chosen and i < pool.size):
        if i >= m:
            j = i + below(work.state, pool.size - i)
            pool[i], pool[j] = pool[j], pool[i]
        f = pool[i]
        i += 1
        column = work.turned[f] if knobs.rotate else table.XT[f]
        lo, hi = np.inf, -np.inf
        for k in range(n):
            v[k] = column[node.rows[node.a + k]]
            lo = min(lo, v[k])
            hi = max(hi, v[k])
        if not lo < hi:
            continue
        for _ in range(knobs.n_thresholds):
            u = uniform(work.state)
            at = lo * (1.0 - u) + hi * u
            if not lo <= at < hi:
                at = lo
            for k in range(K):
                left[k] = 0.0
            for k in range(n):
                if v[k] <= at:
                    left[node.y[k]] += node.w[k]
            nl, nr = 0.0, 0.0
            for k in range(K):
                right[k] = node.totals[k] - left[k]
                nl += left[k]
                nr += right[k]
            gain = worth(left, criterion) + worth(right, criterion) - parent
            merit = gain
            if knobs.criterion == GAIN_RATIO:
                merit = gain / split_information(nl, nr)
            if merit > best:
                best = merit
                chosen = True
                split.what[KIND] = ROTATED if knobs.rotate else AXIS
                split.what[FEATURE] = f
                split.score[CUT] = at
                split.score[GAIN] = gain
                split.what[LOW] = 0
                split.what[HIGH] = 0
    return chosen


@grower
def grow_thresholds(table, knobs, first, trees, block, stop, yard):
    return grow_trees(thresholds, table, knobs, first, trees, block, stop, yard)
