"""What a tree loses when one feature is permuted among its out-of-bag rows (Sazonau eq. 8).

A permuted value can only matter where a row's way down meets the feature. So every way is
walked once and its (row, node, weight) entries are sorted by feature; for a feature, only its
entries are looked at, and only a row that turns off its way is walked on from there:

    feature 7    row 2: nodes 0, 4    row 5: node 0    row 9: nodes 0, 1, 6

At an oblique node the score moves by weight x change of the value; where rounding could decide,
the score is summed anew, in the walker's order, so that the result is that of walking all rows.
"""

import numpy as np

from .jit import kernel, step
from .rng import below, seed_tree


@step
def _score(trees, t, at, x, f, value):
    """Score of x at an oblique node, with feature f set to value."""
    weights = trees.weight_at[t]
    s = 0.0
    for j in range(weights + trees.begin[at], weights + trees.end[at]):
        g = trees.index[j]
        s += trees.value[j] * (value if g == f else x[g])
    return s


@step
def _leaf_from(trees, t, at, x, f, value):
    """Leaf below node ``at`` that x falls into, with feature f set to value."""
    base = trees.node_at[t]
    while True:  # Bounded: children come after their parents
        g = trees.feature[at]
        if g == -1:
            return trees.left[at]
        if g >= 0:
            go_left = (value if g == f else x[g]) <= trees.cut[at]
        else:
            go_left = _score(trees, t, at, x, f, value) <= trees.cut[at]
        at = base + trees.left[at] + (0 if go_left else 1)


@step
def _count_way(trees, t, x, per_feature):
    """Nodes on the way of x, counting the features they weigh."""
    base, weights = trees.node_at[t], trees.weight_at[t]
    at, nodes = base, 0
    while True:  # Bounded: children come after their parents
        f = trees.feature[at]
        if f == -1:
            return nodes
        nodes += 1
        if f >= 0:
            per_feature[f] += 1
            go_left = x[f] <= trees.cut[at]
        else:
            s = 0.0
            for j in range(weights + trees.begin[at], weights + trees.end[at]):
                per_feature[trees.index[j]] += 1
                s += trees.value[j] * x[trees.index[j]]
            go_left = s <= trees.cut[at]
        at = base + trees.left[at] + (0 if go_left else 1)


@kernel
def permuted(trees, X, y, weight, times, first, a, b, seed, repeats, drop):
    """drop[k] := growth of the error of tree first + k, by feature, for k in a ... b-1.

    X (float64[n, P], scaled), y (int32[n]), weight (float64[n]); ``times`` (int32[trees, n])
    are the bags of trees first, first + 1, ...; drop is float64[trees, P]. The permutation of
    feature f in tree t is drawn from (seed, t, f) alone.
    """
    n, P = X.shape
    state = np.empty(4, np.uint64)
    rows = np.empty(n, np.int64)
    order = np.empty(n, np.int64)
    for k in range(a, b):
        t = first + k
        drop[k, :] = 0.0
        m, total = 0, 0.0
        for i in range(n):
            if times[k, i] == 0 and weight[i] > 0.0:
                rows[m] = i
                total += weight[i]
                m += 1
        if m < 2:
            continue
        at_feature = np.zeros(P + 1, np.int64)
        way_at = np.zeros(m + 1, np.int64)
        for r in range(m):
            way_at[r + 1] = way_at[r] + _count_way(trees, t, X[rows[r]], at_feature[1:])
        for f in range(P):
            at_feature[f + 1] += at_feature[f]
        nodes, entries = way_at[m], at_feature[P]
        node = np.empty(nodes, np.int64)
        score = np.empty(nodes)
        size = np.empty(nodes)  # of the largest rounding error, in units of 1e-13
        leaf = np.empty(m, np.int64)
        entry_row = np.empty(entries, np.int64)
        entry_way = np.empty(entries, np.int64)
        entry_weight = np.empty(entries)
        fill = at_feature[:P].copy()
        base, weights = trees.node_at[t], trees.weight_at[t]
        for r in range(m):
            x = X[rows[r]]
            at = base
            for w in range(way_at[r], way_at[r + 1]):
                f = trees.feature[at]
                s, big = 0.0, 0.0
                if f >= 0:
                    s = x[f]
                    entry_row[fill[f]], entry_way[fill[f]], entry_weight[fill[f]] = r, w, 1.0
                    fill[f] += 1
                else:
                    for j in range(weights + trees.begin[at], weights + trees.end[at]):
                        g, c = trees.index[j], trees.value[j]
                        s += c * x[g]
                        big += abs(c * x[g])
                        entry_row[fill[g]], entry_way[fill[g]], entry_weight[fill[g]] = r, w, c
                        fill[g] += 1
                node[w], score[w], size[w] = at, s, big + abs(trees.cut[at])
                at = base + trees.left[at] + (0 if s <= trees.cut[at] else 1)
            leaf[r] = trees.left[at]

        for f in range(P):
            begin, end = at_feature[f], at_feature[f + 1]
            if begin == end:
                continue
            worse = 0.0
            for turn in range(repeats):
                seed_tree(state, seed, (t * P + f) * repeats + turn)
                for r in range(m):
                    order[r] = r
                for r in range(m - 1, 0, -1):
                    q = below(state, r + 1)
                    order[r], order[q] = order[q], order[r]
                e = begin
                while e < end:  # Bounded: e rises
                    r = entry_row[e]
                    row = rows[r]
                    old, new = X[row, f], X[rows[order[r]], f]
                    after = leaf[r]
                    while e < end and entry_row[e] == r:  # Bounded: e rises
                        if old != new and after == leaf[r]:
                            w = entry_way[e]
                            at, c = node[w], entry_weight[e]
                            if trees.feature[at] >= 0:
                                left = new <= trees.cut[at]
                            else:
                                s = score[w] + c * (new - old)
                                doubt = 1e-13 * (trees.end[at] - trees.begin[at] + 4)
                                doubt *= size[w] + abs(c * new) + abs(c * old)
                                if abs(s - trees.cut[at]) <= doubt:
                                    s = _score(trees, t, at, X[row], f, new)
                                left = s <= trees.cut[at]
                            if left != (score[w] <= trees.cut[at]):
                                child = base + trees.left[at] + (0 if left else 1)
                                after = _leaf_from(trees, t, child, X[row], f, new)
                        e += 1
                    if after != leaf[r]:
                        before_class = trees.winner[trees.leaf_at[t] + leaf[r]]
                        after_class = trees.winner[trees.leaf_at[t] + after]
                        if before_class == y[row] and after_class != y[row]:
                            worse += weight[row]
                        elif before_class != y[row] and after_class == y[row]:
                            worse -= weight[row]
            drop[k, f] = worse / (total * repeats)
