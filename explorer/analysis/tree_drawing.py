"""`TreeDrawing`: where the nodes of a tree are drawn, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.model import check_features, class_columns, spread
from explorer.analysis.projection import split_words
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class TreeDrawing(Record):
    """A tree laid out for drawing (Menze Fig. 1). N nodes, the root first.

    number: int[N], the node's number in its tree. x: float64[N], leaves at 0, 1, 2, ... from left
    to right, parents halfway between their children; y: float64[N], minus the depth.
    parent: int[N], position in these arrays, -1 for the root. is_left: bool[N].
    is_leaf: bool[N]; ``folded``: bool[N], inner nodes drawn as leaves because of ``max_depth``.
    size: float64[N], in-bag weight; share: float64[N, K], of each class; winner: int[N].
    gain: float64[N], decrease of impurity times weight. text: the split, or the class of a leaf.
    """

    class_names: tuple[str, ...]
    tree: int
    number: NDArray[np.intp]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    parent: NDArray[np.intp]
    is_left: NDArray[np.bool_]
    is_leaf: NDArray[np.bool_]
    folded: NDArray[np.bool_]
    size: NDArray[np.float64]
    share: NDArray[np.float64]
    winner: NDArray[np.intp]
    gain: NDArray[np.float64]
    text: tuple[str, ...]

    @property
    def segments(self) -> NDArray[np.float64]:
        """Lines from parents to children, float64[N - 1, 2, 2]."""
        child = np.flatnonzero(self.parent >= 0)
        at = np.column_stack([self.x, self.y])
        return np.stack([at[self.parent[child]], at[child]], axis=1)

    def to_frame(self) -> pandas.DataFrame:
        """One row per node."""
        import pandas

        table = {
            "node": self.number,
            "parent": np.where(self.parent >= 0, self.number[self.parent], -1),
            "x": self.x,
            "depth": -self.y,
            "leaf": self.is_leaf,
            "weight": self.size,
            "class": [self.class_names[k] for k in self.winner],
            "text": list(self.text),
            "gain": self.gain,
        }
        for k, name in enumerate(self.class_names):
            table[f"share({name})"] = self.share[:, k]
        return pandas.DataFrame(table)


def tree_drawing(
    forest: Forest, dataset: Dataset, tree: int = 0, *, max_depth: int | None = None
) -> TreeDrawing:
    """Lay out one tree; nodes below ``max_depth`` are folded into their ancestor there."""
    check_features(forest, dataset)
    read = forest.tree(tree)
    columns = class_columns(forest, dataset)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth is {max_depth}; use 0 or more, or None for the whole tree.")
    order: list[int] = []
    parent: list[int] = []
    is_left: list[bool] = []
    stack = [(0, -1, False)]
    while stack:  # left before right, so that leaves come in the order they are drawn
        number, above, left = stack.pop()
        here = len(order)
        order.append(number)
        parent.append(above)
        is_left.append(left)
        node = read.nodes[number]
        if not node.is_leaf and (max_depth is None or node.depth < max_depth):
            stack.append((node.right, here, False))
            stack.append((node.left, here, True))
    N = len(order)
    parents = np.array(parent, np.intp)
    ends = np.ones(N, bool)
    ends[parents[1:]] = False
    x = np.zeros(N)
    x[ends] = np.arange(ends.sum())
    low, high = x.copy(), x.copy()
    low[~ends], high[~ends] = np.inf, -np.inf
    for i in range(N - 1, 0, -1):  # children stand after their parents
        if not ends[i]:
            x[i] = 0.5 * (low[i] + high[i])
        p = parents[i]
        low[p], high[p] = min(low[p], x[i]), max(high[p], x[i])
    if not ends[0]:
        x[0] = 0.5 * (low[0] + high[0])
    nodes = [read.nodes[k] for k in order]
    counts = spread(np.array([node.counts for node in nodes]), columns, dataset.n_classes)
    size = counts.sum(axis=1)
    winner = counts.argmax(axis=1)
    text = []
    for k, node in enumerate(nodes):
        if node.cut is None:
            text.append(dataset.class_names[winner[k]])
        else:
            text.append(split_words(node.features, node.weights, node.cut, dataset.feature_names))
    leaf = np.array([node.is_leaf for node in nodes])
    return TreeDrawing(
        dataset.class_names,
        tree,
        np.array(order, np.intp),
        x,
        -np.array([node.depth for node in nodes], np.float64),
        parents,
        np.array(is_left),
        leaf,
        ends & ~leaf,
        size,
        counts / size[:, None],
        winner,
        np.array([node.gain for node in nodes]),
        tuple(text),
    )
