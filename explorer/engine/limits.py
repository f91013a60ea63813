"""Limits of scikit-learn's trees, laid on trees that are grown: small leaves, few leaves, pruning.

A limit never changes how a node is split, only which splits stay. Where scikit-learn stops
growing (``min_impurity_decrease``, ``max_leaf_nodes``, ``ccp_alpha``) the tree that stays is the
one that growing would have stopped at: a split does not depend on those below it. A split that
makes too small a leaf (``min_samples_leaf``, ``min_weight_fraction_leaf``) is undone: the splits
of the larger part take its place, and the samples of the smaller part walk down them; a node
whose parts are both too small becomes a leaf.
"""

import heapq
from dataclasses import dataclass, replace

import numpy as np

from .forest import Forest, Training
from .pruning import collapse_at
from .reweighting import TreeWeight
from .tree import node_counts


@dataclass(frozen=True)
class TreeLimits:
    """What a tree may not exceed; the defaults limit nothing."""

    min_samples_leaf: int = 1  # in-bag samples of a leaf, counted as often as they were drawn
    min_weight_fraction_leaf: float = 0.0  # share of a leaf in the weight of its tree
    min_impurity_decrease: float = 0.0  # least decrease of impurity times a node's share
    max_leaf_nodes: int | None = None  # leaves, the best splits first
    ccp_alpha: float = 0.0  # complexity of cost-complexity pruning, by impurity

    @property
    def small_leaves(self) -> bool:
        return self.min_samples_leaf > 1 or self.min_weight_fraction_leaf > 0

    @property
    def cuts_back(self) -> bool:
        return (
            self.min_impurity_decrease > 0 or self.max_leaf_nodes is not None or self.ccp_alpha > 0
        )


def impurity(sums: np.ndarray, criterion: str) -> np.ndarray:
    """Impurity of nodes with class sums float64[N, K]: Gini, or entropy in bits (scikit-learn)."""
    p = sums / sums.sum(axis=1, keepdims=True)
    if criterion == "gini":
        return 1.0 - (p * p).sum(axis=1)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=1)


def limited(
    forest: Forest, limits: TreeLimits, X: np.ndarray, tree_weight: TreeWeight | None = None
) -> Forest:
    """The forest within ``limits``; X and tree_weight are what it was grown on.

    It cannot be extended.
    """
    if limits.small_leaves:
        forest = _without_small_leaves(forest, X, limits, tree_weight)
    if limits.cuts_back:
        forest = _cut_back(forest, limits)
    return forest


def tree_sums(forest: Forest, t: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(feature, left, class sums) of the nodes of tree t."""
    own = slice(forest.node_at[t], forest.node_at[t + 1])
    feature, left = forest.feature[own], forest.left[own]
    counts = forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
    return feature, left, node_counts(feature, left, counts)


def decreases(
    feature: np.ndarray, left: np.ndarray, sums: np.ndarray, criterion: str
) -> tuple[np.ndarray, np.ndarray]:
    """(gain, cost) of every node: its share of the tree's weight times the decrease of impurity by
    its split (0 at leaves), and times its impurity; float64[N] each.
    """
    weight = sums.sum(axis=1)
    cost = impurity(sums, criterion) * weight / weight[0]
    out = np.zeros(feature.size)
    inner = np.flatnonzero(feature != -1)
    out[inner] = cost[inner] - cost[left[inner]] - cost[left[inner] + 1]
    return out, cost


# ---- limits that make inner nodes leaves


def _cut_back(forest: Forest, limits: TreeLimits) -> Forest:
    trees = [_new_leaves(forest, t, limits) for t in range(forest.n_tree)]
    return _rebuilt(forest, [_structure(forest, t, keep) for t, keep in enumerate(trees)])


def _new_leaves(forest: Forest, t: int, limits: TreeLimits) -> np.ndarray:
    """Which nodes of tree t keep their split, bool[N]."""
    feature, left, sums = tree_sums(forest, t)
    gain, cost = decreases(feature, left, sums, forest.spec.criterion)
    keep = feature != -1
    if limits.min_impurity_decrease > 0:
        keep &= gain + np.finfo(float).eps >= limits.min_impurity_decrease
    if limits.max_leaf_nodes is not None:
        keep = _best_first(left, keep, gain, limits.max_leaf_nodes)
    if limits.ccp_alpha > 0:
        # nodes cut off above have no part in pruning: they are leaves already
        pruned = np.where(keep, feature, np.int32(-1))
        alpha = collapse_at(pruned, left, sums, cost)
        keep &= alpha > limits.ccp_alpha
    return keep


def _best_first(left: np.ndarray, keep: np.ndarray, gain: np.ndarray, leaves: int) -> np.ndarray:
    """Splits in the order of their gain, from the root on, until there are so many leaves."""
    out = np.zeros(keep.size, bool)
    heap = [(-gain[0], 0)] if keep[0] else []
    grown = 1
    while heap and grown < leaves:
        _, i = heapq.heappop(heap)
        out[i] = True
        grown += 1
        for child in (int(left[i]), int(left[i]) + 1):
            if keep[child]:
                heapq.heappush(heap, (-gain[child], child))
    return out


def _structure(forest: Forest, t: int, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, left): nodes of tree t that are reached by splits kept; left is -1 at leaves."""
    left = forest.left[forest.node_at[t] : forest.node_at[t + 1]]
    nodes, children = [0], []
    for i in nodes:  # grows while it is walked
        children.append(len(nodes) if keep[i] else -1)
        if keep[i]:
            nodes += [int(left[i]), int(left[i]) + 1]
    return np.array(nodes), np.array(children, np.int32)


# ---- limits on the size of leaves


def _without_small_leaves(
    forest: Forest, X: np.ndarray, limits: TreeLimits, tree_weight: TreeWeight | None
) -> Forest:
    leaves = forest.apply(X, threads=1)
    structures = []
    for t in range(forest.n_tree):
        feature, left, sums = tree_sums(forest, t)
        weight = sums.sum(axis=1)
        fits = weight >= limits.min_weight_fraction_leaf * weight[0] * (1 - 1e-12)
        if limits.min_samples_leaf > 1:
            times = forest.bags(t, t + 1)[0]
            n_leaf = int(forest.leaf_at[t + 1] - forest.leaf_at[t])
            size = np.bincount(leaves[:, t], times, minlength=n_leaf)[:, None]
            fits &= node_counts(feature, left, size)[:, 0] >= limits.min_samples_leaf
        structures.append(_large_nodes(feature, left, fits))
    return _rebuilt(forest, structures, X, tree_weight)


def _large_nodes(
    feature: np.ndarray, left: np.ndarray, fits: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, left): which nodes of a tree stay, and the new left child of each, -1 at leaves."""
    nodes, children = [0], []
    for at, _ in enumerate(nodes):  # grows while it is walked
        i, child = nodes[at], -1
        while feature[i] != -1:
            pair = (int(left[i]), int(left[i]) + 1)
            large = [k for k in pair if fits[k]]
            if len(large) == 1:
                i = large[0]
                continue
            if len(large) == 2:
                child = len(nodes)
                nodes += pair
            break
        nodes[at] = i
        children.append(child)
    return np.array(nodes), np.array(children, np.int32)


# ---- the forest that stays


def _rebuilt(
    forest: Forest,
    structures: list[tuple[np.ndarray, np.ndarray]],
    X: np.ndarray | None = None,
    tree_weight: TreeWeight | None = None,
) -> Forest:
    """The forest of the given nodes. Without X every node keeps its samples (see _cut_back)."""
    names = ("feature", "left", "cut", "gain", "begin", "end", "side")
    parts: dict[str, list[np.ndarray]] = {name: [] for name in names}
    sizes, counts = [], []
    for t, (nodes, left) in enumerate(structures):
        leaf = left < 0
        left[leaf] = np.arange(leaf.sum())
        at = forest.node_at[t] + nodes
        for name in names:
            values = getattr(forest, name)
            parts[name].append(values[at] if values.size else values)
        parts["left"][-1] = left
        parts["feature"][-1] = np.where(leaf, np.int32(-1), parts["feature"][-1])
        parts["gain"][-1] = np.where(leaf, np.float32(0), parts["gain"][-1])
        parts["cut"][-1] = np.where(leaf, 0.0, parts["cut"][-1])
        counts.append(tree_sums(forest, t)[2][nodes[leaf]])
        sizes.append((nodes.size, int(leaf.sum())))
    arrays = {name: np.concatenate(values) for name, values in parts.items()}
    node_at, leaf_at = np.cumsum([(0, 0), *sizes], axis=0).T
    arrays |= {"node_at": node_at.astype(np.int64), "leaf_at": leaf_at.astype(np.int64)}
    for name in ("index", "value", "fill", "weight_at"):  # weights of undone splits stay, unused
        arrays[name] = getattr(forest, name)
    arrays["counts"] = np.concatenate(counts)
    # more trees grown from this spec would not heed the limits: without data, no more trees
    training = replace(forest.training, digest="", X=None)
    if X is None:
        arrays |= {"oob_at": forest.oob_at, "oob_leaf": _moved_leaves(forest, structures)}
        return _forest(forest, training, arrays)
    arrays |= {"oob_leaf": forest.oob_leaf[:0], "oob_at": np.zeros_like(forest.oob_at)}
    # who is where now: walk the training samples, those in the bag to count, the others to note
    leaves, oob = _forest(forest, training, arrays).apply(X, threads=1), []
    sums = np.zeros_like(arrays["counts"])
    for t in range(forest.n_tree):
        times = forest.bags(t, t + 1)[0]
        weight = training.weight * times
        if tree_weight is not None:
            weight = weight * tree_weight(times)
        np.add.at(sums, (leaf_at[t] + leaves[:, t], training.codes), weight)
        oob.append(leaves[times == 0, t])
    arrays["counts"] = sums
    arrays["oob_leaf"] = np.concatenate(oob).astype(np.int32)
    arrays["oob_at"] = np.cumsum([0, *(rows.size for rows in oob)]).astype(np.int64)
    return _forest(forest, training, arrays)


def _forest(like: Forest, training: Training, arrays: dict[str, np.ndarray]) -> Forest:
    return Forest(
        like.spec, like.classes, like.n_features, like.scaling, training, arrays, like.first
    )


def _moved_leaves(forest: Forest, structures: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The new leaf of every out-of-bag row, where leaves were joined."""
    out = np.empty_like(forest.oob_leaf)
    for t, (nodes, left) in enumerate(structures):
        own = slice(forest.node_at[t], forest.node_at[t + 1])
        feature, old = forest.feature[own], forest.left[own]
        home = np.full(feature.size, -1)
        is_leaf = np.ones(nodes.size, bool)
        inner = feature[nodes] != -1
        # a node kept as inner has its children among the kept ones, right after each other
        is_leaf[inner] = ~np.isin(old[nodes[inner]], nodes)
        home[nodes[is_leaf]] = left[is_leaf]
        for i in range(feature.size):  # parents come before their children
            if feature[i] != -1 and home[i] >= 0:
                home[old[i]] = home[old[i] + 1] = home[i]
        new_of = np.empty(int(forest.leaf_at[t + 1] - forest.leaf_at[t]), np.int32)
        leaf = feature == -1
        new_of[old[leaf]] = home[leaf]
        rows = slice(forest.oob_at[t], forest.oob_at[t + 1])
        out[rows] = new_of[forest.oob_leaf[rows]]
    return out
