"""Missing values: how they are filled or sent to a side while a tree grows, and walked afterwards.

An axis split sends the samples that lack its feature to one side. While growing, the best cut is
searched twice, with the missing values above all others (so they go right) and below all others
(so they go left), and the side of the larger gain is kept; right on ties, as in scikit-learn. The
first search includes the cut that separates known from missing values, which is stored as a cut
at the largest number. Where no in-bag sample of the node lacks the feature, the side is that of
the larger weight.

An oblique split needs a value of every feature it weighs: a missing one is replaced by the mean
of the known values among the node's in-bag samples. Where there are none, the mean of the parent
stays; above the root that is the mean over all training samples. A rotated tree is filled once,
with the means at its root, before it is rotated.

Only data with missing values come here; everything else grows and walks without these steps.
"""

from typing import NamedTuple

import numpy as np

from .cut import best_of_any
from .jit import kernel, step
from .rng import below, seed_tree
from .scratch import AXIS, CUT, FEATURE, HIGH, KIND, LOW, SIDE
from .walk import add_vote

TOP = 1.7976931348623157e308  # the largest number: every known value is left of this cut
BY_WEIGHT, LEFT, RIGHT = 0, 1, 2  # where missing values go; BY_WEIGHT while none was seen


# ---- growing: sides of axis splits


@step
def set_missing(value, absent, rows, a, n, to):
    for i in range(n):
        if absent[rows[a + i]]:
            value[i] = to


@step
def best_cut_and_side(v, absent, rows, a, n, y, w, totals, criterion, floor, bench):
    """As ``best_cut`` for ranks v[:n] of which some are missing; returns the side of those, too.

    On return the missing ones are above or below all others, as the side says.
    """
    missing, top = 0, -1.0
    for i in range(n):
        if absent[rows[a + i]]:
            missing += 1
        else:
            top = max(top, v[i])
    if missing == n:
        return -1.0, -1, -1, BY_WEIGHT
    set_missing(v, absent, rows, a, n, top + 1.0)
    gain, il, ir = best_of_any(v, y, w, n, totals, criterion, floor, bench)
    if missing == 0:
        return gain, il, ir, BY_WEIGHT
    set_missing(v, absent, rows, a, n, -1.0)
    best = gain if il >= 0 else floor
    other, jl, jr = best_of_any(v, y, w, n, totals, criterion, best, bench)
    # a cut between missing and known values was tried above, to the other side
    if jl >= 0 and other > best and not absent[rows[a + jl]]:
        return other, jl, jr, LEFT
    set_missing(v, absent, rows, a, n, top + 1.0)
    return gain, il, ir, RIGHT


@step
def missing_left(absent, rows, a, n, goes_left):
    """Send those of rows[a:a+n] that lack the feature left."""
    for i in range(n):
        if absent[rows[a + i]]:
            goes_left[i] = True


@step
def heavier_side(goes_left, w, n):
    """The side of more weight, right on ties."""
    balance = 0.0
    for i in range(n):
        balance += w[i] if goes_left[i] else -w[i]
    return LEFT if balance > 0.0 else RIGHT


# ---- growing: values for oblique splits


@step
def fill_all(table, filled, mean):
    """Before a tree: missing values are the means over all training samples."""
    centre = table.centre
    for f in range(mean.size):
        mean[f] = centre[f]
    for g in range(table.gaps.size):
        f = table.gaps[g]
        absent, column = table.absent[g], filled[f]
        for i in range(column.size):
            if absent[i]:
                column[i] = centre[f]


@step
def _known_mean(column, absent, times, weight, rows, a, b, mean):
    """Weighted mean of the known values of rows[a:b]; where there are none, the parent's."""
    s, total = 0.0, 0.0
    lo, hi = np.inf, -np.inf
    for i in range(a, b):
        row = rows[i]
        if not absent[row]:
            x, w = column[row], times[row] * weight[row]
            s += w * x
            total += w
            lo = min(lo, x)
            hi = max(hi, x)
    if total > 0.0:
        found = s / total
        if not np.isfinite(found):  # a sum of huge values
            found = 0.5 * lo + 0.5 * hi
        return min(max(found, lo), hi)
    if b > a:
        return column[rows[a]]
    return mean


@step
def fill_node(table, times, rows, a, b, oob, c, d, filled, mean):
    """Fill the missing values of a node's rows with the means of its known in-bag values."""
    for g in range(table.gaps.size):
        f = table.gaps[g]
        absent, column = table.absent[g], filled[f]
        mean[f] = _known_mean(column, absent, times, table.weight, rows, a, b, mean[f])
        for i in range(a, b):
            if absent[rows[i]]:
                column[rows[i]] = mean[f]
        for i in range(c, d):
            if absent[oob[i]]:
                column[oob[i]] = mean[f]


@step
def side_of_filled(table, split, mean):
    """An axis cut of filled columns (directions/cap.py) has the missing values where they fell."""
    f = split.what[FEATURE]
    if split.what[KIND] == AXIS and split.what[LOW] == split.what[HIGH] and table.gap_of[f] >= 0:
        split.what[SIDE] = LEFT if mean[f] <= split.score[CUT] else RIGHT


# ---- walking


class Gaps(NamedTuple):
    """What a forest does with missing values; read-only."""

    side: np.ndarray  # uint8[N] 1 where an axis split sends them left
    fill: np.ndarray  # float64[W] what an oblique split puts in their place


@step
def _goes_left(trees, gaps, t, at, x, f, value):
    """The side of sample x at an inner node, with feature f set to ``value`` (f = -1: none)."""
    g = trees.feature[at]
    if g >= 0:
        v = value if g == f else x[g]
        return gaps.side[at] == 1 if np.isnan(v) else v <= trees.cut[at]
    s = 0.0
    weights = trees.weight_at[t]
    for j in range(weights + trees.begin[at], weights + trees.end[at]):
        g = trees.index[j]
        v = value if g == f else x[g]
        s += trees.value[j] * (gaps.fill[j] if np.isnan(v) else v)
    return s <= trees.cut[at]


@step
def _leaf_of(trees, gaps, t, x, f, value):
    base = trees.node_at[t]
    at = base
    while trees.feature[at] != -1:  # Bounded: children come after their parents
        go_left = _goes_left(trees, gaps, t, at, x, f, value)
        at = base + trees.left[at] + (0 if go_left else 1)
    return trees.left[at]


@kernel
def leaves(trees, gaps, X, out):
    """As ``walk.leaves``, for samples of which some values are missing."""
    for t in range(out.shape[1]):
        for i in range(X.shape[0]):
            out[i, t] = _leaf_of(trees, gaps, t, X[i], -1, 0.0)


@kernel
def votes(trees, gaps, X, first, last, vote, weights, out):
    """As ``walk.votes``, for samples of which some values are missing."""
    n = X.shape[0]
    for a in range(0, n, 64):
        b = min(a + 64, n)
        for t in range(first, last):
            base = trees.leaf_at[t]
            for i in range(a, b):
                leaf = base + _leaf_of(trees, gaps, t, X[i], -1, 0.0)
                add_vote(trees, leaf, vote, weights[t], out[i])


# ---- permutation importance


@step
def _mark_used(trees, t, used):
    """used[f] := whether tree t looks at feature f."""
    used[:] = False
    for at in range(trees.node_at[t], trees.node_at[t + 1]):
        f = trees.feature[at]
        if f >= 0:
            used[f] = True
        elif f < -1:
            weights = trees.weight_at[t]
            for j in range(weights + trees.begin[at], weights + trees.end[at]):
                used[trees.index[j]] = True


@kernel
def permuted(trees, gaps, X, y, weight, times, first, a, b, seed, repeats, drop):
    """As ``permutation.permuted``, for samples of which some values are missing.

    A missing value is permuted like any other. Every out-of-bag row walks once per feature that
    its tree looks at.
    """
    n, P = X.shape
    state = np.empty(4, np.uint64)
    rows, order, leaf = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    used = np.empty(P, np.bool_)
    for k in range(a, b):
        t = first + k
        drop[k, :] = 0.0
        m, total = 0, 0.0
        for i in range(n):
            if times[k, i] == 0 and weight[i] > 0.0:
                rows[m] = i
                total += weight[i]
                leaf[m] = _leaf_of(trees, gaps, t, X[i], -1, 0.0)
                m += 1
        if m < 2:
            continue
        _mark_used(trees, t, used)
        winner = trees.winner[trees.leaf_at[t] : trees.leaf_at[t + 1]]
        for f in range(P):
            if not used[f]:
                continue
            worse = 0.0
            for turn in range(repeats):
                seed_tree(state, seed, (t * P + f) * repeats + turn)
                for r in range(m):
                    order[r] = r
                for r in range(m - 1, 0, -1):
                    q = below(state, r + 1)
                    order[r], order[q] = order[q], order[r]
                for r in range(m):
                    row = rows[r]
                    after = _leaf_of(trees, gaps, t, X[row], f, X[rows[order[r]], f])
                    right, still = winner[leaf[r]] == y[row], winner[after] == y[row]
                    worse += weight[row] * (np.int64(right) - np.int64(still))
            drop[k, f] = worse / (total * repeats)
