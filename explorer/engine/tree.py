"""One tree of a forest, node by node, for people and for pictures."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .kernels.missing import TOP

if TYPE_CHECKING:
    from .forest import Forest


@dataclass(frozen=True)
class TreeNode:
    """A node. At a leaf ``cut`` is None and ``features`` is empty.

    Samples with sum(weights x features) <= cut go left. Features are scaled as the forest's
    spec says; for an axis split the one weight is 1. ``missing`` says what happens to a sample
    that lacks a feature: at an axis split it is -1 (left) or 1 (right); at an oblique split it is
    None, and ``fills`` takes the place of the missing values. Both are None and empty in a forest
    that refuses missing values.
    """

    number: int  # within the tree; the root is 0
    parent: int  # -1 for the root
    depth: int
    features: np.ndarray  # int32
    weights: np.ndarray  # float64
    cut: float | None
    left: int  # -1 at a leaf
    right: int
    leaf: int  # number of the leaf, -1 at an inner node
    counts: np.ndarray  # float64[K] weight of each class among the tree's in-bag rows
    gain: float  # decrease of impurity times the node's weight
    missing: int | None = None  # -1 left, 1 right
    fills: np.ndarray = field(default_factory=lambda: np.empty(0))  # float64

    @property
    def is_leaf(self) -> bool:
        return self.cut is None


@dataclass(frozen=True)
class Tree:
    nodes: tuple[TreeNode, ...]
    classes: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def depth(self) -> int:
        return max(node.depth for node in self.nodes)

    def __str__(self) -> str:
        """The tree as indented rules."""
        lines: list[str] = []
        stack = [(0, "")]
        while stack:
            number, word = stack.pop()
            node = self.nodes[number]
            indent = "  " * node.depth
            if node.is_leaf:
                share = node.counts.max() / node.counts.sum()
                name = self.classes[int(node.counts.argmax())]
                lines.append(f"{indent}{word}{name} ({share:.0%} of {node.counts.sum():g})")
                continue
            terms = [
                f"x{f}" if w == 1.0 else f"{w:+.3g} x{f}"
                for f, w in zip(node.features[:4], node.weights[:4], strict=True)
            ]
            more = f" + {node.features.size - 4} more" if node.features.size > 4 else ""
            rule = f"{' '.join(terms)}{more} <= {node.cut:.6g}"
            if node.cut == TOP:
                rule = f"{terms[0]} is known"
            elif node.missing == -1:
                rule += f", or {terms[0]} is missing"
            lines.append(f"{indent}{word}{rule}?")
            stack.append((node.right, "no: "))
            stack.append((node.left, "yes: "))
        return "\n".join(lines)


def node_counts(feature: np.ndarray, left: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Class sums of every node of one tree, from those of its leaves."""
    out = np.zeros((feature.size, counts.shape[1]))
    leaf = feature == -1
    out[leaf] = counts[left[leaf]]
    for nodes in reversed(inner_by_depth(feature, left)):
        out[nodes] = out[left[nodes]] + out[left[nodes] + 1]
    return out


def inner_by_depth(feature: np.ndarray, left: np.ndarray) -> list[np.ndarray]:
    """The inner nodes of one tree, depth by depth from the root."""
    out: list[np.ndarray] = []
    nodes = np.zeros(1, int)
    while True:
        nodes = nodes[feature[nodes] != -1]
        if not nodes.size:
            return out
        out.append(nodes)
        nodes = (left[nodes][:, None] + [0, 1]).ravel()


def read_tree(forest: "Forest", t: int) -> Tree:
    a, b = forest.node_at[t], forest.node_at[t + 1]
    weights = forest.weight_at[t]
    feature, left = forest.feature[a:b], forest.left[a:b]
    sums = node_counts(feature, left, forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]])
    parent, depth = np.full(b - a, -1), np.zeros(b - a, int)
    for i in range(b - a):
        if feature[i] != -1:
            for child in (left[i], left[i] + 1):
                parent[child], depth[child] = i, depth[i] + 1
    gaps = forest._gaps if forest.spec.missing == "accept" else None
    nodes = []
    for i in range(b - a):
        leaf = feature[i] == -1
        index, value, fill = np.empty(0, np.int32), np.empty(0), np.empty(0)
        side = None
        if feature[i] >= 0:
            index, value = feature[i : i + 1], np.ones(1)
            if gaps is not None:
                side = -1 if gaps.side[a + i] else 1
        elif not leaf:
            span = slice(weights + forest.begin[a + i], weights + forest.end[a + i])
            index, value = forest.index[span], forest.value[span]
            if gaps is not None:
                fill = gaps.fill[span]
        nodes.append(
            TreeNode(
                number=i,
                parent=int(parent[i]),
                depth=int(depth[i]),
                features=index,
                weights=value,
                cut=None if leaf else float(forest.cut[a + i]),
                left=-1 if leaf else int(left[i]),
                right=-1 if leaf else int(left[i]) + 1,
                leaf=int(left[i]) if leaf else -1,
                counts=sums[i],
                gain=float(forest.gain[a + i]),
                missing=side,
                fills=fill,
            )
        )
    return Tree(tuple(nodes), forest.classes)
