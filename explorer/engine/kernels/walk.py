"""Walking samples down trees: leaves, votes and posteriors.

At an oblique node the score is summed over the node's weights in stored order, one product at
a time; growing and drawing take the same sum, so that they agree with walking to the bit.
"""

from typing import NamedTuple

import numpy as np

from .jit import kernel, step

MAJORITY, POSTERIOR = 0, 1


class Trees(NamedTuple):
    """A forest as kernels see it; all read-only. Offsets have one more entry than trees."""

    feature: np.ndarray  # int32[N]
    left: np.ndarray  # int32[N]
    cut: np.ndarray  # float64[N]
    begin: np.ndarray  # int32[N], or [0] for a forest of axis splits
    end: np.ndarray  # int32[N], or [0]
    index: np.ndarray  # int32[W]
    value: np.ndarray  # float64[W]
    counts: np.ndarray  # float64[L, K]
    winner: np.ndarray  # int32[L] class of the most weight, the lowest on ties
    node_at: np.ndarray  # int64[T + 1]
    weight_at: np.ndarray  # int64[T + 1]
    leaf_at: np.ndarray  # int64[T + 1]


@step
def leaf_of(trees, t, x):
    """Number, within tree t, of the leaf that sample x falls into."""
    base, weights = trees.node_at[t], trees.weight_at[t]
    at = base
    while True:  # Bounded: children come after their parents
        f = trees.feature[at]
        if f >= 0:
            go_left = x[f] <= trees.cut[at]
        elif f == -1:
            return trees.left[at]
        else:
            s = 0.0
            for j in range(weights + trees.begin[at], weights + trees.end[at]):
                s += trees.value[j] * x[trees.index[j]]
            go_left = s <= trees.cut[at]
        at = base + trees.left[at] + (0 if go_left else 1)


@step
def add_vote(trees, leaf, vote, weight, out):
    """Add one tree's vote at ``leaf`` (counted over all trees) to out[K]."""
    if vote == MAJORITY:
        out[trees.winner[leaf]] += weight
        return
    total = 0.0
    for k in range(out.size):
        total += trees.counts[leaf, k]
    for k in range(out.size):
        out[k] += weight * (trees.counts[leaf, k] / total)


@kernel
def leaves(trees, X, out):
    """out[i, t] := leaf of sample i in tree t (int32[n, T])."""
    for t in range(out.shape[1]):
        for i in range(X.shape[0]):
            out[i, t] = leaf_of(trees, t, X[i])


@kernel
def votes(trees, X, first, last, vote, weights, out):
    """out[i] += votes of trees first ... last-1 for sample i (float64[n, K]).

    ``weights`` (float64[T]) weighs the trees. Samples go in small batches, each through all
    trees in order, so that a tree stays in the cache and sums do not depend on the batches.
    """
    n = X.shape[0]
    for a in range(0, n, 64):
        b = min(a + 64, n)
        for t in range(first, last):
            base = trees.leaf_at[t]
            for i in range(a, b):
                add_vote(trees, base + leaf_of(trees, t, X[i]), vote, weights[t], out[i])


@kernel
def out_of_bag(trees, times, oob_leaf, oob_at, first, y, sample_weight, vote, weights, sums, error):
    """Add the out-of-bag votes of some trees, one after the other.

    ``times`` (int32[k, n]) are the bags of trees first ... first+k-1, ``oob_leaf`` the leaves of
    their out-of-bag rows. ``sums`` (float64[n, K]) holds the votes so far; ``error[t]`` gets the
    share of weight misclassified after tree t, among the rows that have a vote.
    """
    n, K = sums.shape
    for k in range(times.shape[0]):
        t = first + k
        at = oob_at[t]
        base = trees.leaf_at[t]
        wrong, judged = 0.0, 0.0
        for i in range(n):
            if times[k, i] == 0:
                add_vote(trees, base + oob_leaf[at], vote, weights[t], sums[i])
                at += 1
            best, top = -1, 0.0
            for c in range(K):
                if sums[i, c] > top:
                    best, top = c, sums[i, c]
            if best >= 0:
                judged += sample_weight[i]
                if best != y[i]:
                    wrong += sample_weight[i]
        error[t] = wrong / judged if judged > 0.0 else np.nan
