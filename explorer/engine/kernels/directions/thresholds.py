"""Random thresholds: per feature of the node, n_thresholds cuts drawn at random, the best kept.

Sazonau Algorithm 2 draws "a set of tnum random thresholds for each feature from the fraction"
without saying from where; they are drawn uniformly between the smallest and the largest value
of the feature at the node, so that each can divide it. Missing values are tried on both sides of
every threshold, and known values against missing ones; the larger worth decides.
"""

import numpy as np

from ..cut import LEAST
from ..grow import grow_trees
from ..impurity import GAIN_RATIO, split_information, worth
from ..jit import grower, step, template
from ..linear import draw_node_features, inner_criterion
from ..missing import BY_WEIGHT, LEFT, RIGHT, TOP
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
    SIDE,
)
from .axis import gap_of


@step
def _worth_of_cut(left, right, totals, criterion, parent, by_ratio):
    """(gain, merit) of a cut with class sums ``left``; ``right`` gets the rest."""
    nl, nr = 0.0, 0.0
    for k in range(totals.size):
        right[k] = totals[k] - left[k]
        nl += left[k]
        nr += right[k]
    gain = worth(left, criterion) + worth(right, criterion) - parent
    return gain, gain / split_information(nl, nr) if by_ratio else gain


@step
def _known_sums(v, n, y, w, out):
    """out[K] := class sums of the known values of v[:n]; returns how many are missing."""
    out[:] = 0.0
    missing = 0
    for k in range(n):
        if np.isnan(v[k]):
            missing += 1
        else:
            out[y[k]] += w[k]
    return missing


@template
def thresholds(table, knobs, node, work, split):
    n = node.b - node.a
    K = node.totals.size
    criterion = inner_criterion(knobs.criterion)
    parent = worth(node.totals, criterion)
    by_ratio = knobs.criterion == GAIN_RATIO
    left, right, known = work.bench.pair[0], work.bench.pair[1], work.bench.pair[2]
    v = work.value
    pool = node.pool
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, node.pool)
    best = -np.inf
    chosen = False
    i = 0
    while i < m or (not chosen and i < pool.size):  # Bounded: i rises
        if i >= m:
            j = i + below(work.state, pool.size - i)
            pool[i], pool[j] = pool[j], pool[i]
        f = pool[i]
        i += 1
        column = work.turned[f] if knobs.rotate else table.XT[f]
        missing = 0
        lo, hi = np.inf, -np.inf
        for k in range(n):
            v[k] = column[node.rows[node.a + k]]
            if v[k] < lo:
                lo = v[k]
            if v[k] > hi:
                hi = v[k]
        if not knobs.rotate and gap_of(table.gap_of, f) >= 0:
            missing = _known_sums(v, n, node.y, node.w, known)
        tries = knobs.n_thresholds if lo < hi else 0
        separate = np.int64(0 < missing < n)  # one more try: the known against the missing
        for tried in range(tries + separate):
            at = TOP
            if tried < tries:
                u = uniform(work.state)
                at = lo * (1.0 - u) + hi * u
                if not lo <= at < hi:
                    at = max(lo, LEAST)
            for k in range(K):
                left[k] = 0.0
            for k in range(n):
                if v[k] <= at:
                    left[node.y[k]] += node.w[k]
            side = RIGHT if missing > 0 else BY_WEIGHT
            gain, merit = _worth_of_cut(left, right, node.totals, criterion, parent, by_ratio)
            if missing > 0 and tried < tries:
                for k in range(K):
                    left[k] += node.totals[k] - known[k]
                more, better = _worth_of_cut(left, right, node.totals, criterion, parent, by_ratio)
                if better > merit:
                    gain, merit, side = more, better, LEFT
            if merit > best:
                best = merit
                chosen = True
                split.what[KIND] = ROTATED if knobs.rotate else AXIS
                split.what[FEATURE] = f
                split.what[SIDE] = side
                split.score[CUT] = at
                split.score[GAIN] = gain
                split.what[LOW] = 0
                split.what[HIGH] = 0
    return chosen


@grower
def grow_thresholds(table, knobs, first, trees, block, stop, yard):
    return grow_trees(thresholds, table, knobs, first, trees, block, stop, yard)
