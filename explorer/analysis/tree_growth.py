"""`TreeGrowth`: one tree after each of its cuts, in the order in which they were made.

Nodes are made in pairs, so after k cuts there are the nodes 0 ... 2k. A cell of the plane belongs
to the deepest of them that it lies in: cells are cut no further, they only change their node.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.model import class_columns, spread
from explorer.analysis.partition import Partition, partition
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.projection import way_to
from explorer.analysis.record import Record
from explorer.analysis.tree_drawing import TreeDrawing, tree_drawing
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TreeGrowth(Record):
    """A tree and its cells on a plane, to be shown cut by cut.

    cuts: how many there are. drawing, partition: of the whole tree. ways: for each cell the nodes
    from the root to its leaf. counts: float64[N, K], in-bag weight of each class at every node.
    """

    cuts: int
    drawing: TreeDrawing
    partition: Partition
    ways: tuple[Ints, ...]
    counts: Floats

    def drawing_after(self, k: int) -> TreeDrawing:
        """The tree after k cuts; every node stays where the whole tree has it."""
        whole = self.drawing
        here = np.flatnonzero(whole.number <= 2 * k)
        place = np.full(len(whole.number), -1)
        place[here] = np.arange(here.size)
        above = whole.parent[here]
        parent = np.where(above >= 0, place[above], -1)
        ends = np.ones(here.size, bool)
        ends[parent[parent >= 0]] = False
        names = ("number", "x", "y", "is_left", "size", "share", "winner", "gain")
        return replace(
            whole,
            **{name: getattr(whole, name)[here] for name in names},
            parent=parent,
            is_leaf=ends,
            folded=whole.folded[here] & ends & (2 * self.cuts == 2 * k),
            text=tuple(whole.text[int(i)] for i in here),
        )

    def cells_after(self, k: int) -> Ints:
        """The node that each cell of the plane belongs to after k cuts, intp[C]."""
        return np.array([way[way <= 2 * k][-1] for way in self.ways], np.intp)

    def shares_after(self, k: int) -> Floats:
        """The class shares of each cell after k cuts, float64[C, K]."""
        counts = self.counts[self.cells_after(k)]
        shares: Floats = counts / counts.sum(axis=1, keepdims=True)
        return shares

    def lines_after(self, k: int) -> Ints:
        """Which lines of the partition are cut by then, ascending."""
        return np.flatnonzero(self._cut_by(self.partition.line_node) <= k)

    def cut_at(self, k: int) -> int:
        """The node that the k-th cut divides, k from 1."""
        for number, parent in zip(self.drawing.number, self.drawing.parent, strict=True):
            if number == 2 * k:
                return int(self.drawing.number[parent])
        return -1

    def _cut_by(self, nodes: Ints) -> Ints:
        """The number of the cut that divides each node."""
        left = {}
        for number, parent in zip(self.drawing.number, self.drawing.parent, strict=True):
            if parent >= 0:
                left[int(self.drawing.number[parent])] = (int(number) + 1) // 2
        return np.array([left.get(int(n), self.cuts + 1) for n in nodes], np.intp)

    def to_frame(self) -> pandas.DataFrame:
        return self.drawing.to_frame()


def tree_growth(
    forest: Forest, dataset: Dataset, tree: int = 0, plane: LabelledPlane | None = None
) -> TreeGrowth:
    """One tree of a forest, to be shown cut by cut on a plane of the data."""
    drawing = tree_drawing(forest, dataset, tree)
    cells = partition(forest, dataset, tree, plane)
    read = forest.tree(tree)
    number_of = {node.leaf: node.number for node in read.nodes if node.is_leaf}
    ways = []
    for leaf in cells.leaf:
        node = number_of[int(leaf)]
        way = [number for number, _ in way_to(read, node)]
        ways.append(np.array([*way, node], np.intp))
    columns = class_columns(forest, dataset)
    counts = spread(np.array([node.counts for node in read.nodes]), columns, dataset.n_classes)
    return TreeGrowth((len(read) - 1) // 2, drawing, cells, tuple(ways), counts)
