"""Cost-complexity pruning by cross-validation (Breiman et al. 1984; CART of Menze s.3).

Every inner node gets the complexity at which weakest-link pruning turns it into a leaf (or
cuts it off). The complexity of the tree that stays is the one with the smallest error in a
stratified k-fold cross-validation; among equals the largest, hence the smallest tree.
"""

import heapq
from typing import Any

import numpy as np

from .check import read_only
from .growing import Cancelled, Progress, grow_trees, is_cancelled
from .kernels.scratch import Knobs, Table
from .spec import ForestSpec
from .tree import node_counts

Arrays = dict[str, np.ndarray]


def collapse_at(feature: np.ndarray, left: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Complexity at which each node of a tree has become a leaf; -inf for leaves."""
    N = feature.size
    total = sums[0].sum()
    as_leaf = (sums.sum(axis=1) - sums.max(axis=1)) / total
    error, leaves = as_leaf.copy(), np.ones(N, int)
    parent = np.full(N, -1)
    inner = feature != -1
    for i in range(N - 1, -1, -1):
        if inner[i]:
            for child in (left[i], left[i] + 1):
                parent[child] = i
            error[i] = error[left[i]] + error[left[i] + 1]
            leaves[i] = leaves[left[i]] + leaves[left[i] + 1]
    out = np.full(N, -np.inf)
    alive = inner.copy()

    def link(i: int) -> float:
        return (as_leaf[i] - error[i]) / (leaves[i] - 1)

    heap = [(link(i), i) for i in np.flatnonzero(inner).tolist()]
    heapq.heapify(heap)
    alpha = 0.0
    while heap:
        g, i = heapq.heappop(heap)
        if not alive[i] or g != link(i):
            continue
        alpha = max(alpha, g)
        stack = [i]
        while stack:  # the whole branch goes at once
            k = stack.pop()
            if alive[k]:
                alive[k] = False
                out[k] = alpha
                stack += [left[k], left[k] + 1]
        gone, more = leaves[i] - 1, as_leaf[i] - error[i]
        leaves[i], error[i] = 1, as_leaf[i]
        k = int(parent[i])
        while k >= 0:
            leaves[k] -= gone
            error[k] += more
            if alive[k]:
                heapq.heappush(heap, (link(k), k))
            k = int(parent[k])
    return out


def _scores(table: Table, tree: Arrays, node: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Left (True) or right for each row at its node."""
    f = tree["feature"][node]
    out = np.empty(rows.size, bool)
    axis = f >= 0
    out[axis] = table.X[rows[axis], f[axis]] <= tree["cut"][node[axis]]
    for i in np.flatnonzero(~axis):
        span = slice(tree["begin"][node[i]], tree["end"][node[i]])
        s = 0.0
        for w, g in zip(tree["value"][span], tree["index"][span], strict=True):
            s += w * table.X[rows[i], g]
        out[i] = s <= tree["cut"][node[i]]
    return out


def _errors(
    table: Table, tree: Arrays, sums: np.ndarray, rows: np.ndarray, alphas: np.ndarray
) -> np.ndarray:
    """Weight of ``rows`` that the tree, pruned at each alpha, gets wrong."""
    collapse = collapse_at(tree["feature"], tree["left"], sums)
    winner = sums.argmax(axis=1)
    wrong = np.zeros(alphas.size)
    node, going = np.zeros(rows.size, int), np.arange(rows.size)
    # a row's class at alpha is that of the first node on its way with collapse <= alpha
    until = np.full(rows.size, np.inf)  # alphas below this are still undecided
    while going.size:
        here = node[going]
        stop = collapse[here]
        bad = winner[here] != table.y[rows[going]]
        for row, a, upper in zip(going[bad], stop[bad], until[going[bad]], strict=True):
            wrong[(alphas >= a) & (alphas < upper)] += table.weight[rows[row]]
        until[going] = np.minimum(until[going], stop)
        going = going[tree["feature"][here] != -1]
        if going.size:
            goes_left = _scores(table, tree, node[going], rows[going])
            node[going] = tree["left"][node[going]] + np.where(goes_left, 0, 1)
    return wrong


def folds_of(codes: np.ndarray, rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Fold number of each of ``rows``, classes spread evenly."""
    fold = np.empty(rows.size, int)
    order = rng.permutation(rows.size)
    order = order[np.argsort(codes[rows[order]], kind="stable")]
    fold[order] = np.arange(rows.size) % k
    return fold


def _pruned(tree: Arrays, sums: np.ndarray, alpha: float) -> Arrays:
    """The tree with every node that collapses at or below alpha made a leaf."""
    collapse = collapse_at(tree["feature"], tree["left"], sums)
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
    oblique = tree["begin"].size > 0
    begin = np.zeros(nodes.size if oblique else 0, np.int32)
    end = begin.copy()
    index, value = [np.empty(0, np.int32)], [np.empty(0)]
    at = 0
    if oblique:
        for k in np.flatnonzero(~is_leaf & (feature[nodes] < -1)):
            span = slice(tree["begin"][nodes[k]], tree["end"][nodes[k]])
            index.append(tree["index"][span])
            value.append(tree["value"][span])
            begin[k], end[k] = at, at + index[-1].size
            at = end[k]
    out |= {"begin": begin, "end": end}
    out |= {"index": np.concatenate(index), "value": np.concatenate(value)}
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
    """Grow and prune trees first ... last-1."""
    trees = []
    for t in range(first, last):
        if is_cancelled(cancel):
            raise Cancelled

        def news(_done: int, _wanted: int, what: str, t: int = t) -> None:
            if progress is not None:
                progress(t - first, last - first, what)

        def one(data: Table, t: int = t, news: Progress = news) -> tuple[Arrays, np.ndarray]:
            tree = grow_trees(spec, data, knobs, t, t + 1, news, cancel, threads)
            return tree, node_counts(tree["feature"], tree["left"], tree["counts"])

        tree, sums = one(table)
        collapse = collapse_at(tree["feature"], tree["left"], sums)
        steps = np.unique(np.append(collapse[np.isfinite(collapse)], 0.0))
        # the geometric mean of two steps stands for the interval between them
        alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
        wrong = np.zeros(alphas.size)
        rng = np.random.default_rng([spec.seed, t, 0x43415254])
        usable = table.usable
        fold = folds_of(table.y, usable, min(spec.prune, usable.size), rng)
        for k in range(fold.max() + 1):
            held = usable[fold == k]
            weight = table.weight.copy()
            weight[held] = 0.0
            part = table._replace(
                weight=read_only(weight), usable=read_only(usable[fold != k].copy())
            )
            other, other_sums = one(part)
            wrong += _errors(table, other, other_sums, held, alphas)
            news(0, 1, f"pruning, fold {k + 1} of {fold.max() + 1}")
        best = np.flatnonzero(wrong <= wrong.min() + 1e-12 * table.weight.sum())[-1]
        trees.append(_pruned(tree, sums, steps[best]))
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
