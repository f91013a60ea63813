"""Cost-complexity pruning by cross-validation (Breiman et al. 1984; CART of Menze s.3).

Every inner node gets the complexity at which weakest-link pruning turns it into a leaf (or
cuts it off). The complexity of the tree that stays is the one with the smallest error in a
stratified k-fold cross-validation; among equals the largest, hence the smallest tree.
"""

import heapq
from typing import Any

import numpy as np

from .check import read_only
from .growing import Cancelled, Progress, drawn_together, grow_one_on_each, is_cancelled
from .kernels.scratch import Knobs, Table
from .spec import ForestSpec
from .tree import inner_by_depth, node_counts

Arrays = dict[str, np.ndarray]


def collapse_at(
    feature: np.ndarray, left: np.ndarray, sums: np.ndarray, cost: np.ndarray | None = None
) -> np.ndarray:
    """Complexity at which each node of a tree has become a leaf; -inf for leaves.

    cost: what each node costs as a leaf, float64[N]; None is its share of the tree's weight that
    it gets wrong.
    """
    as_leaf = cost
    if as_leaf is None:
        as_leaf = (sums.sum(axis=1) - sums.max(axis=1)) / sums[0].sum()
    subtree, many, above = as_leaf.copy(), np.ones(feature.size, int), np.full(feature.size, -1)
    by_depth = inner_by_depth(feature, left)
    for nodes in reversed(by_depth):
        first, second = left[nodes], left[nodes] + 1
        subtree[nodes] = subtree[first] + subtree[second]
        many[nodes] = many[first] + many[second]
        above[first] = above[second] = nodes
    own, error, leaves = as_leaf.tolist(), subtree.tolist(), many.tolist()  # quicker to index
    parent, child = above.tolist(), left.tolist()
    out = [-np.inf] * feature.size
    alive = [False] * feature.size
    heap = []
    for nodes in by_depth:
        links = (as_leaf[nodes] - subtree[nodes]) / (many[nodes] - 1)
        heap += list(zip(links.tolist(), nodes.tolist(), strict=True))
        for i in nodes.tolist():
            alive[i] = True
    heapq.heapify(heap)
    alpha = 0.0
    while heap:
        g, i = heap[0]
        if not alive[i]:
            heapq.heappop(heap)
            continue
        link = (own[i] - error[i]) / (leaves[i] - 1)
        if g != link:  # a branch below has collapsed since; that can only raise the link
            heapq.heapreplace(heap, (link, i))
            continue
        heapq.heappop(heap)
        alpha = max(alpha, g)
        stack = [i]
        while stack:  # the whole branch goes at once
            k = stack.pop()
            if alive[k]:
                alive[k] = False
                out[k] = alpha
                stack += [child[k], child[k] + 1]
        gone, more = leaves[i] - 1, own[i] - error[i]
        leaves[i], error[i] = 1, own[i]
        k = parent[i]
        while k >= 0:
            leaves[k] -= gone
            error[k] += more
            k = parent[k]
    return np.array(out)


def _errors(
    part: Table, tree: Arrays, sums: np.ndarray, held: np.ndarray, truth: Table, alphas: np.ndarray
) -> np.ndarray:
    """Weight of the rows ``held`` that the tree, pruned at each of ``alphas`` (rising), gets wrong.

    The tree was grown on ``part``, which leaves these rows out; ``truth`` has their weights.
    Growing has found their leaves: they are out of bag.
    """
    out_of_bag = np.ones(truth.y.size, bool)
    out_of_bag[part.members] = False
    if part.group.size:  # rows of weight zero whose group is in the bag
        out_of_bag &= part.group >= part.member_at.size - 1
    leaf = np.empty(truth.y.size, int)
    leaf[out_of_bag] = tree["oob_leaf"]
    counts = np.zeros(tree["counts"].shape)
    np.add.at(counts, (leaf[held], truth.y[held]), truth.weight[held])
    at_node = node_counts(tree["feature"], tree["left"], counts)
    wrong = at_node.sum(axis=1) - at_node[np.arange(len(sums)), sums.argmax(axis=1)]
    # a node is a leaf from its own collapse on, until its parent's
    begin = collapse_at(tree["feature"], tree["left"], sums)
    end = np.full(begin.size, np.inf)
    for nodes in inner_by_depth(tree["feature"], tree["left"]):
        for child in (0, 1):
            end[tree["left"][nodes] + child] = begin[nodes]
    change = np.zeros(alphas.size + 1)
    np.add.at(change, np.searchsorted(alphas, begin), wrong)
    np.subtract.at(change, np.searchsorted(alphas, end), wrong)
    return np.cumsum(change)[:-1]


def folds_of(
    codes: np.ndarray,
    rows: np.ndarray,
    k: int,
    rng: np.random.Generator,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Fold number of each of ``rows``, classes spread evenly; groups stay together.

    A group counts as a sample of the class of its first row.
    """
    if groups is not None:
        _, first, group = np.unique(groups[rows], return_index=True, return_inverse=True)
        return folds_of(codes, rows[first], min(k, first.size), rng)[group]
    fold = np.empty(rows.size, int)
    order = rng.permutation(rows.size)
    order = order[np.argsort(codes[rows[order]], kind="stable")]
    fold[order] = np.arange(rows.size) % k
    return fold


def _without(table: Table, rows: np.ndarray, groups: np.ndarray | None) -> Table:
    """The table with the weights of some rows zero."""
    weight = table.weight.copy()
    weight[rows] = 0.0
    members, member_at, group = map(read_only, drawn_together(weight, groups))
    return table._replace(
        weight=read_only(weight), members=members, member_at=member_at, group=group
    )


def _pruned(tree: Arrays, sums: np.ndarray, collapse: np.ndarray, alpha: float) -> Arrays:
    """The tree with every node that collapses at or below alpha made a leaf."""
    feature, left = tree["feature"], tree["left"]
    old, new_left, leaf_rows = [0], [0], []
    at = 0
    while at < len(old):
        i = old[at]
        if collapse[i] <= alpha:
            new_left[at] = -1
        else:
            new_left[at] = len(old)
            old += [left[i], left[i] + 1]
            new_left += [0, 0]
        at += 1
    nodes = np.array(old)
    is_leaf = np.array(new_left) == -1
    leaf_rows = nodes[is_leaf]
    lefts = np.array(new_left, np.int32)
    lefts[is_leaf] = np.arange(is_leaf.sum())
    out = {name: tree[name][nodes].copy() for name in ("feature", "cut", "gain")}
    out["feature"][is_leaf] = -1
    out["cut"][is_leaf] = 0.0
    out["gain"][is_leaf] = 0.0
    out["left"] = lefts
    side = tree["side"]
    out["side"] = np.where(is_leaf, np.uint8(0), side[nodes]) if side.size else side
    oblique = tree["begin"].size > 0
    begin = np.zeros(nodes.size if oblique else 0, np.int32)
    end = begin.copy()
    index, value, fill = [np.empty(0, np.int32)], [np.empty(0)], [np.empty(0)]
    at = 0
    if oblique:
        for k in np.flatnonzero(~is_leaf & (feature[nodes] < -1)):
            span = slice(tree["begin"][nodes[k]], tree["end"][nodes[k]])
            index.append(tree["index"][span])
            value.append(tree["value"][span])
            fill.append(tree["fill"][span])
            begin[k], end[k] = at, at + index[-1].size
            at = end[k]
    out |= {"begin": begin, "end": end}
    out |= {"index": np.concatenate(index), "value": np.concatenate(value)}
    out["fill"] = np.concatenate(fill)
    out["counts"] = sums[leaf_rows]
    out["oob_leaf"] = tree["oob_leaf"][:0]
    sizes = {"node_at": nodes.size, "weight_at": at, "leaf_at": leaf_rows.size, "oob_at": 0}
    out |= {k: np.array([0, v], np.int64) for k, v in sizes.items()}
    return out


def prune_trees(
    spec: ForestSpec,
    table: Table,
    knobs: Knobs,
    first: int,
    last: int,
    progress: Progress | None,
    cancel: Any,
    threads: int | None,
) -> Arrays:
    """Grow and prune trees first ... last-1. Groups stay in one fold, if there are two of them."""
    groups = table.group if table.group.size and table.member_at.size > 2 else None
    trees = []
    for t in range(first, last):
        rng = np.random.default_rng([spec.seed, t, 0x43415254])
        usable = np.sort(table.members)
        fold = folds_of(table.y, usable, min(spec.prune, usable.size), rng, groups)
        held = [usable[fold == k] for k in range(fold.max() + 1)]
        parts = [_without(table, rows, groups) for rows in held]

        def news(_done: int, _wanted: int, what: str, t: int = t) -> None:
            if progress is not None:
                progress(t - first, last - first, what)

        grown = grow_one_on_each(spec, [table, *parts], knobs, t, news, cancel, threads)
        sums = [node_counts(tree["feature"], tree["left"], tree["counts"]) for tree in grown]
        collapse = collapse_at(grown[0]["feature"], grown[0]["left"], sums[0])
        steps = np.unique(np.append(collapse[np.isfinite(collapse)], 0.0))
        # the geometric mean of two steps stands for the interval between them
        alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
        wrong = np.zeros(alphas.size)
        for k, (part, rows) in enumerate(zip(parts, held, strict=True)):
            if is_cancelled(cancel):
                raise Cancelled
            wrong += _errors(part, grown[k + 1], sums[k + 1], rows, table, alphas)
        best = np.flatnonzero(wrong <= wrong.min() + 1e-12 * table.weight.sum())[-1]
        trees.append(_pruned(grown[0], sums[0], collapse, steps[best]))
        if progress is not None:
            progress(t - first + 1, last - first, "pruning")
    return _stack(trees)


def _stack(trees: list[Arrays]) -> Arrays:
    out = {}
    for name in trees[0]:
        parts = [tree[name] for tree in trees]
        if name.endswith("_at"):
            ends = np.cumsum([p[1] for p in parts])
            out[name] = np.concatenate([[0], ends]).astype(np.int64)
        else:
            out[name] = np.concatenate(parts)
    return out
