"""`Projection`: the samples at one node, seen along the direction of its split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from explorer.analysis.model import check_training
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest, ForestSpec, Tree, grow

if TYPE_CHECKING:
    import pandas

GRID = 200  # points at which densities are taken
TAIL = 0.15  # of the range of the scores, on each side of the grid


@dataclass(frozen=True, eq=False)
class Projection(Record):
    """One split, seen along its direction (Tomita Fig. 1, Menze Fig. 1).

    tree, node, depth: which. label: the split in words.
    features: int[m] the split weighs, with feature_names and weights float64[m] (of the features
        as the forest scales them; 1 for an axis split). cut: scores <= cut go left.
    rows: intp[n] samples at the node; scores: float64[n]; y: intp[n] class codes;
    times: float64[n], their weight in the tree's bag, 0 for out-of-bag samples.
    edges: float64[b + 1]; histogram: float64[K, b], in-bag weight per bin and class.
    grid: float64[g]; density: float64[K, g], kernel density of each class (Scott's rule,
        weighted), integrating to one; NaN for a class with fewer than two distinct scores.
    cuts: float64[c], halfway between neighbouring scores; decrease: float64[c], the decrease of
        impurity there (Sazonau eq. 1). best_decrease: that of the split's own cut.
    criterion: "gini" or "entropy".
    """

    tree: int
    node: int
    depth: int
    label: str
    class_names: tuple[str, ...]
    features: NDArray[np.intp]
    feature_names: tuple[str, ...]
    weights: NDArray[np.float64]
    cut: float
    rows: NDArray[np.intp]
    scores: NDArray[np.float64]
    y: NDArray[np.intp]
    times: NDArray[np.float64]
    edges: NDArray[np.float64]
    histogram: NDArray[np.float64]
    grid: NDArray[np.float64]
    density: NDArray[np.float64]
    cuts: NDArray[np.float64]
    decrease: NDArray[np.float64]
    best_decrease: float
    criterion: str

    @property
    def best_share(self) -> float:
        """The best decrease as a share of the node's impurity, from 0 to 1; 0 for a pure node."""
        sums = np.bincount(self.y, self.times, len(self.class_names)).astype(np.float64)
        before = float(impurity(sums, self.criterion))
        return self.best_decrease / before if before > 0 else 0.0

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample at the node."""
        import pandas

        return pandas.DataFrame(
            {
                "row": self.rows,
                "class": [self.class_names[k] for k in self.y],
                "score": self.scores,
                "weight": self.times,
                "side": np.where(self.scores <= self.cut, "left", "right"),
            }
        )


def way_to(tree: Tree, node: int) -> list[tuple[int, bool]]:
    """(node, goes left) from the root to a node."""
    way = []
    while node > 0:
        parent = tree.nodes[node].parent
        way.append((parent, tree.nodes[parent].left == node))
        node = parent
    return way[::-1]


def scores_at(Z: NDArray[np.float64], features: Any, weights: Any) -> NDArray[np.float64]:
    """Scores of scaled samples Z [n, P], summed as the engine sums them, to the bit."""
    out = np.zeros(len(Z))
    for f, w in zip(features, weights, strict=True):
        out += w * Z[:, f]
    return out


def rows_at(forest: Forest, tree: Tree, node: int, Z: NDArray[np.float64]) -> NDArray[np.intp]:
    """Which of the scaled samples Z [n, P] come to a node, ascending."""
    rows = np.arange(len(Z))
    for number, goes_left in way_to(tree, node):
        at = tree.nodes[number]
        score = scores_at(Z[rows], at.features, at.weights)
        assert at.cut is not None  # a node with children
        rows = rows[(score <= at.cut) == goes_left]
    return rows


def draws_at(forest: Forest, tree: int, node: int, Z: NDArray[np.float64]) -> NDArray[np.intp]:
    """The scaled training samples Z [n, P] at a node, each as often as the tree's bag holds it.

    These are the samples the node's split was found on; ``TreeDrawing.size`` counts them too.
    """
    rows = rows_at(forest, forest.tree(tree), node, Z)
    times = forest.bags(tree, tree + 1)[0][rows]
    return np.repeat(rows, times.astype(np.intp))


def impurity(counts: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    """Gini impurity 1 - sum p^2 or entropy - sum p log p of class weights [..., K]."""
    total = counts.sum(axis=-1, keepdims=True)
    p = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if criterion == "gini":
        return 1.0 - (p * p).sum(axis=-1) - (total[..., 0] == 0)
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    return -(p * logs).sum(axis=-1)


def impurity_decrease(
    scores: NDArray[np.float64],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    n_classes: int,
    criterion: str = "gini",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(cuts, decrease): every cut between two distinct scores, and what it is worth.

    imp(parent) - sum_j (n_j / n) imp(child j), Sazonau eq. 1 with eq. 2 (gini) or 3 (entropy).
    """
    inside = weight > 0
    order = np.flatnonzero(inside)[np.argsort(scores[inside], kind="stable")]
    s = scores[order]
    sums = np.zeros((s.size, n_classes))
    sums[np.arange(s.size), y[order]] = weight[order]
    left = sums.cumsum(axis=0)
    total = left[-1]
    ends = np.flatnonzero(s[:-1] < s[1:])
    low, high = left[ends], total - left[ends]
    share = low.sum(axis=1) / total.sum()
    worth = share * impurity(low, criterion) + (1 - share) * impurity(high, criterion)
    return 0.5 * (s[ends] + s[ends + 1]), impurity(total, criterion) - worth


def split_words(features: Any, weights: Any, cut: float, names: tuple[str, ...]) -> str:
    """A split in words: "x3 <= 0.5", or its four largest weights."""
    if len(features) == 1 and weights[0] == 1.0:
        return f"{names[features[0]]} <= {cut:.4g}"
    largest = np.argsort(-np.abs(weights), kind="stable")
    terms = [f"{weights[k]:+.3g} {names[features[k]]}" for k in largest[:4]]
    more = f" + {len(features) - 4} more" if len(features) > 4 else ""
    return f"{' '.join(terms).removeprefix('+')}{more} <= {cut:.4g}"


def projection(
    forest: Forest, dataset: Dataset, tree: int = 0, node: int = 0, *, bins: int = 30
) -> Projection:
    """The samples at one inner node along its direction; dataset is the training set."""
    check_training(forest, dataset)
    read = forest.tree(tree)
    if not 0 <= node < len(read):
        raise ValueError(f"Tree {tree} has nodes 0 ... {len(read) - 1}; there is no node {node}.")
    if bins < 1:
        raise ValueError(f"A histogram has at least one bin, not {bins}.")
    at = read.nodes[node]
    if at.cut is None:
        raise ValueError(
            f"Node {node} of tree {tree} is a leaf: it has no direction to look along."
        )
    Z = forest.scaling.transform(dataset.X)
    rows = rows_at(forest, read, node, Z)
    scores = scores_at(Z[rows], at.features, at.weights)
    times = (forest.bags(tree, tree + 1)[0] * forest.training.weight)[rows].astype(np.float64)
    y = dataset.y[rows]
    K = dataset.n_classes
    criterion = "gini" if forest.spec.criterion == "gini" else "entropy"
    cuts, decrease = impurity_decrease(scores, y, times, K, criterion)
    sides = np.zeros((2, K))
    np.add.at(sides, ((scores > at.cut).astype(int), y), times)
    weight = sides.sum(axis=1) / sides.sum()
    best = impurity(sides.sum(axis=0), criterion) - weight @ impurity(sides, criterion)
    low, high = _reach(scores)
    edges = np.linspace(low, high, bins + 1)
    histogram = np.zeros((K, bins))
    for k in range(K):
        mine = y == k
        histogram[k] = np.histogram(scores[mine], edges, weights=times[mine])[0]
    grid = np.linspace(low - TAIL * (high - low), high + TAIL * (high - low), GRID)
    density = np.array([kernel_density(scores[y == k], times[y == k], grid) for k in range(K)])
    names = tuple(dataset.feature_names[f] for f in at.features)
    return Projection(
        tree,
        node,
        at.depth,
        split_words(at.features, at.weights, at.cut, dataset.feature_names),
        dataset.class_names,
        at.features.astype(np.intp),
        names,
        at.weights,
        at.cut,
        rows,
        scores,
        y,
        times,
        edges,
        histogram,
        grid,
        density,
        cuts,
        decrease,
        float(best),
        criterion,
    )


def _reach(scores: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(scores.min()), float(scores.max())
    if not low < high:
        room = max(abs(low), 1.0) * 0.5
        return low - room, high + room
    return low, high


def kernel_density(
    scores: NDArray[np.float64], weight: NDArray[np.float64], grid: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted Gaussian kernel density on a grid; NaN with fewer than two distinct scores."""
    inside = weight > 0
    if np.unique(scores[inside]).size < 2:
        return np.full(grid.size, np.nan)
    return stats.gaussian_kde(scores[inside], weights=weight[inside])(grid)


def first_split(
    spec: ForestSpec,
    dataset: Dataset,
    candidates: int | None = None,
    *,
    seed: int | None = None,
    bins: int = 30,
    threads: int | None = None,
) -> Projection:
    """The best first split of a family out of d candidates, on all samples (Tomita Fig. 1).

    candidates: d, directions tried; for a family that draws features, how many it may look at.
    None: all features, or the spec's own number of combinations.
    """
    changes: dict[str, Any] = {
        "n_tree": 1,
        "bootstrap": "none",
        "max_depth": 1,
        "min_leaf": 1,
        "prune": 0,
        "seed": spec.seed if seed is None else seed,
    }
    if spec.m_try is not None:
        changes["m_try"] = "all" if candidates is None else candidates
        if spec.subspace is not None:
            changes["subspace"] = "node"
    if spec.tuning == "oob":  # there is nothing out of bag
        changes["tuning"] = "loo"
    if spec.m_try is None and spec.n_candidates is not None and candidates is not None:
        changes["n_candidates"] = candidates
    forest = grow(
        spec.replace(**changes), dataset.X, dataset.y, groups=dataset.groups, threads=threads
    )
    if forest.feature[0] == -1:
        raise ValueError(
            f"No split was found on data set '{dataset.name}': no direction that was tried varies."
        )
    return projection(forest, dataset, 0, 0, bins=bins)
