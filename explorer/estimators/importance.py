"""Impurity importance: how much of the decrease of impurity each feature has brought."""

import numpy as np

from ..engine import Forest, Scaling


def spread_of(forest: Forest, X: np.ndarray) -> np.ndarray | None:
    """Standard deviation of every scaled feature; None for a forest of axis splits only."""
    if not forest.index.size:
        return None
    kept = forest.training.weight > 0
    Z = forest.scaling.transform(X if kept.all() else X[kept])
    fit = Scaling.fit_known if np.isnan(Z).any() else Scaling.fit
    low, high = np.fmin.reduce(Z, axis=0), np.fmax.reduce(Z, axis=0)  # of the known values
    # z-scoring computes it without overflow, but gives a constant feature 1
    return np.where(high > low, fit("zscore", Z, np.ones(len(Z))).scale, 0.0)


def shared_gain(forest: Forest, spread: np.ndarray | None) -> np.ndarray:
    P = forest.n_features
    total = np.zeros(P)
    for t in range(forest.n_tree):
        nodes = slice(forest.node_at[t], forest.node_at[t + 1])
        feature, gain = forest.feature[nodes], forest.gain[nodes].astype(np.float64)
        axis = feature >= 0
        tree = np.zeros(P)
        tree += np.bincount(feature[axis], gain[axis], minlength=P)
        slant = np.flatnonzero(feature < -1)
        if slant.size and spread is not None:
            begin = forest.begin[nodes][slant].astype(np.int64)
            size = forest.end[nodes][slant] - begin
            node = np.repeat(np.arange(slant.size), size)
            within = np.arange(node.size) - np.repeat(np.cumsum(size) - size, size)
            at = forest.weight_at[t] + begin[node] + within
            with np.errstate(over="ignore"):
                pull = np.abs(forest.value[at]) * spread[forest.index[at]]
                sums = np.bincount(node, pull, minlength=slant.size)
            lost = ~np.isfinite(sums) | (sums == 0)  # out of a number's range: equal shares
            pull[lost[node]] = 1.0
            sums[lost] = size[lost]
            tree += np.bincount(
                forest.index[at], gain[slant][node] * pull / sums[node], minlength=P
            )
        if tree.sum() > 0:
            total += tree / tree.sum()
    return total / total.sum() if total.sum() > 0 else total
