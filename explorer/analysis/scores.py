"""Single numbers that judge votes: intervals, areas, depths, the error tree by tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

from explorer.engine import Forest

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def interval(values: Any, level: float = 0.95) -> tuple[float, float, float]:
    """(mean, low, high): mean and Student's t interval of finite values; NaN ends for one."""
    values = np.asarray(values, np.float64)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return np.nan, np.nan, np.nan
    mean = float(values.mean())
    if values.size == 1:
        return mean, np.nan, np.nan
    reach = stats.t.isf((1 - level) / 2, values.size - 1) * values.std(ddof=1)
    reach /= np.sqrt(values.size)
    return mean, float(mean - reach), float(mean + reach)


def class_aucs(y: Ints, posterior: Floats) -> Floats:
    """Area under the ROC of each class against the rest, float64[K]; NaN where one is absent."""
    out = np.full(posterior.shape[1], np.nan)
    for k in range(out.size):
        mine = y == k
        if mine.any() and not mine.all():
            out[k] = roc_auc_score(mine, posterior[:, k])
    return out


def auc(y: Ints, posterior: Floats) -> float:
    """Area under the ROC: of class 1 for two, else the mean of each class against the rest."""
    each = class_aucs(y, posterior)
    if each.size == 2:
        return float(each[1])
    present = each[np.isfinite(each)]
    return float(present.mean()) if present.size else np.nan


def oob_wrong(forest: Forest) -> Floats:
    """1 for training samples whose out-of-bag vote is another class, else 0, float64[n].

    NaN for samples that are in every tree's bag.
    """
    proba = forest.oob_proba
    wrong = (proba.argmax(axis=1) != forest.training.codes).astype(np.float64)
    wrong[np.isnan(proba[:, 0])] = np.nan
    return wrong


def tree_depths(forest: Forest) -> NDArray[np.int64]:
    """Depth of the deepest leaf of each tree, int64[n_tree]."""
    depth = np.zeros(forest.n_tree, np.int64)
    tree = np.arange(forest.n_tree)
    at = forest.node_at[:-1]
    level = 0
    while at.size:
        inner = forest.feature[at] != -1
        tree, at = tree[inner], at[inner]
        level += 1
        depth[tree] = level
        left = forest.node_at[tree] + forest.left[at]
        tree, at = np.repeat(tree, 2), np.column_stack([left, left + 1]).ravel()
    return depth


def error_by_trees(forest: Forest, X: Any, y: Any, *, threads: int | None = None) -> Floats:
    """Error on samples X, labels y, after 1, 2, ... n_tree trees have voted, float64[n_tree]."""
    y = np.asarray(y)
    leaves = forest.apply(X, threads=threads)
    weights = forest.tree_weights
    soft = forest.spec.vote in ("posterior", "bayesian")
    sums = np.zeros((len(leaves), forest.n_classes))
    every = np.arange(len(leaves))
    out = np.empty(forest.n_tree)
    for t in range(forest.n_tree):
        at = forest.leaf_at[t] + leaves[:, t]
        if soft:
            counts = forest.counts[at]
            sums += weights[t] * (counts / counts.sum(axis=1, keepdims=True))
        else:
            sums[every, forest.winner[at]] += weights[t]
        out[t] = (forest.classes[sums.argmax(axis=1)] != y).mean()
    return out
