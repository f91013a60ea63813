"""Walking samples down a forest, by the quickest kernel that suits the forest and the samples.

Few samples walk the forest's own arrays (kernels/walk.py): nothing has to be prepared, and one
row takes microseconds. For many samples the nodes are packed first (kernels/lockstep.py for axis
splits, kernels/slanted.py for oblique ones), which costs about as much as a few rows. The results
are the same to the bit.

Packed nodes are derived, never stored in a file. A forest keeps them if they take at most
KEPT_BYTES; a larger one is packed and walked in runs of trees of that size.
"""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .kernels import lockstep, slanted, walk
from .kernels.jit import call
from .threads import over_rows

if TYPE_CHECKING:
    from .forest import Forest

KEPT_BYTES = 64 << 20
FEW_ROWS = 64
_NO_LEAVES = np.empty((0, 0), np.int32)


class Packing:
    """The packed nodes of one forest, made when they are first needed."""

    def __init__(self, forest: "Forest") -> None:
        self._lock = threading.Lock()
        self._kept: Any = None
        self._shape(forest)

    def _shape(self, forest: "Forest") -> None:
        """Choose the kernels, and whether a node of this forest can be packed at all."""
        N = forest.feature.size
        if forest.begin.size == 0:
            self.kernels: Any = lockstep
            bits = max(1, (int(np.diff(forest.node_at).max()) - 1).bit_length())
            self._bits = np.uint64(bits)
            self.node_bytes = 8
            self.possible = bits + max(1, (forest.n_features - 1).bit_length()) <= 32
        else:
            self.kernels = slanted
            self._width = max(1, int((forest.end - forest.begin).max()))
            self.node_bytes = 12 + 10 * self._width
            # nodes of a rotated tree share their weights: packed, they would not
            room = N * self._width <= 8 * (N + forest.index.size)
            self.possible = room and forest.n_features <= 65536

    def worth_it(self, forest: "Forest", rows: int, trees: int) -> bool:
        """Whether packing (once) and walking in lockstep beats walking row by row."""
        if not self.possible or rows < FEW_ROWS:
            return False
        return self._kept is not None or rows * trees >= forest.node_at[trees] // 4

    def runs(
        self, forest: "Forest", trees: int, threads: int | None
    ) -> Iterator[tuple[int, int, Any]]:
        """(first, last, packed nodes) of the first ``trees`` trees, in order."""
        most = KEPT_BYTES // self.node_bytes
        if forest.feature.size <= most:
            with self._lock:
                if self._kept is None:
                    self._kept = self._pack(forest, 0, forest.n_tree, threads)
            yield 0, trees, self._kept
            return
        first = 0
        while first < trees:
            end = forest.node_at[first] + most
            last = int(np.searchsorted(forest.node_at, end, side="right")) - 1
            last = min(max(last, first + 1), trees)
            yield first, last, self._pack(forest, first, last, threads)
            first = last

    def _pack(self, forest: "Forest", first: int, last: int, threads: int | None) -> Any:
        start = forest.node_at[first]
        packed = self._room(int(forest.node_at[last] - start))
        pack = self.kernels.pack
        call(pack, "predicting", None, forest._trees, start, 0, 0, packed)
        over_rows(
            last - first,
            threads,
            max(1, 200_000 * (last - first) // int(forest.node_at[last] - start)),
            lambda a, b: pack(forest._trees, start, first + a, first + b, packed),
        )
        return packed

    def _room(self, nodes: int) -> Any:
        if self.kernels is lockstep:
            return lockstep.Packed(np.empty(nodes, np.uint64), self._bits)
        return slanted.Packed(
            np.empty(nodes * self._width),
            np.empty(nodes * self._width, np.uint16),
            np.empty(nodes),
            np.empty(nodes, np.uint32),
            self._width,
        )


def add_votes(
    forest: "Forest",
    Z: np.ndarray,
    trees: int,
    vote: int,
    weights: np.ndarray,
    out: np.ndarray,
    threads: int | None,
) -> None:
    """Add the votes of the first ``trees`` trees for scaled samples Z to out (float64[n, K])."""
    least = max(1, 20_000 // trees)
    packing = forest._packing
    if not packing.worth_it(forest, len(Z), trees):
        call(walk.votes, "voting", None, forest._trees, Z[:0], 0, 0, vote, weights, out[:0])
        over_rows(
            len(Z),
            threads,
            least,
            lambda a, b: walk.votes(forest._trees, Z[a:b], 0, trees, vote, weights, out[a:b]),
        )
        return
    descend = packing.kernels.descend
    for first, last, packed in packing.runs(forest, trees, threads):
        front = (forest._trees, packed)
        back = (first, last, vote, weights, _NO_LEAVES)
        call(descend, "predicting", None, *front, Z[:0], *back, out[:0])

        def some(a: int, b: int, front: Any = front, back: Any = back) -> None:
            descend(*front, Z[a:b], *back, out[a:b])

        over_rows(len(Z), threads, least, some)


def leaves(forest: "Forest", Z: np.ndarray, threads: int | None) -> np.ndarray:
    """Leaf of each scaled sample in each tree, int32[n, n_tree]."""
    out = np.empty((len(Z), forest.n_tree), np.int32)
    packing = forest._packing
    if not packing.worth_it(forest, len(Z), forest.n_tree):
        call(walk.leaves, "walking", None, forest._trees, Z[:0], out[:0])
        over_rows(len(Z), threads, 256, lambda a, b: walk.leaves(forest._trees, Z[a:b], out[a:b]))
        return out
    vote, weights = forest._vote(forest.n_tree)
    votes = np.empty((0, forest.n_classes))
    descend = packing.kernels.descend
    for first, last, packed in packing.runs(forest, forest.n_tree, threads):
        front = (forest._trees, packed)
        back = (first, last, vote, weights)
        call(descend, "predicting", None, *front, Z[:0], *back, _NO_LEAVES, votes)

        def some(a: int, b: int, front: Any = front, back: Any = back) -> None:
            descend(*front, Z[a:b], *back, out[a:b], votes)

        over_rows(len(Z), threads, 256, some)
    return out
