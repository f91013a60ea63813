"""Which nodes samples pass: numbers of leaves as nodes, and decision paths."""

import numpy as np
from scipy.sparse import csr_matrix

from ..engine import Forest


def leaf_nodes(forest: Forest) -> np.ndarray:
    """Node, within its tree, of every leaf of the forest, int32[leaves]."""
    out = np.empty(int(forest.leaf_at[-1]), np.int32)
    for t in range(forest.n_tree):
        own = slice(forest.node_at[t], forest.node_at[t + 1])
        leaf = np.flatnonzero(forest.feature[own] == -1)
        out[forest.leaf_at[t] + forest.left[own][leaf]] = leaf
    return out


def reached_nodes(forest: Forest, X: np.ndarray, threads: int) -> np.ndarray:
    """Node at which each sample ends in each tree, int32[n, trees], counted within the tree."""
    leaves = forest.apply(X, threads=threads)
    return leaf_nodes(forest)[forest.leaf_at[:-1] + leaves].astype(np.int32)


def parents(forest: Forest) -> np.ndarray:
    """Parent of every node, counted over the forest, int64[N]; -1 for roots."""
    out = np.full(forest.feature.size, -1)
    tree = np.repeat(np.arange(forest.n_tree), np.diff(forest.node_at))
    inner = np.flatnonzero(forest.feature != -1)
    left = forest.node_at[tree[inner]] + forest.left[inner]
    out[left] = inner
    out[left + 1] = inner
    return out


def decision_path(forest: Forest, X: np.ndarray, threads: int) -> csr_matrix:
    """Which nodes (counted over the forest) each sample passes, as ones of a matrix [n, N]."""
    up = parents(forest)
    here = (forest.node_at[:-1] + reached_nodes(forest, X, threads)).ravel()
    row = np.repeat(np.arange(len(X)), forest.n_tree)
    rows, nodes = [], []
    while here.size:
        rows.append(row)
        nodes.append(here)
        here = up[here]
        row, here = row[here >= 0], here[here >= 0]
    where = (np.concatenate(rows), np.concatenate(nodes))
    ones = np.ones(where[0].size, np.int64)
    return csr_matrix((ones, where), shape=(len(X), forest.feature.size))
