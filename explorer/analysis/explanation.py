"""`Explanation`: the votes of single trees for a sample, and the training samples most like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.model import check_training
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
NEAREST = 5


@dataclass(frozen=True, eq=False)
class Explanation(Record):
    """What every tree of a forest says of one sample.

    sample: its number among the training samples, -1 for one measured later. x: float64[P].
    truth: the code of its class, -1 where it is not known. posterior: float64[K].
    votes: intp[T], the class that each tree votes for; leaf: intp[T], the node where the sample
    ends in each tree. fresh: bool[T], the trees that never saw it.
    nearest: intp[m], training samples in descending order of nearness, the share of trees in
    which they end in the same leaf: float64[m].
    """

    dataset: str
    class_names: tuple[str, ...]
    sample: int
    x: Floats
    truth: int
    posterior: Floats
    votes: Ints
    leaf: Ints
    fresh: NDArray[np.bool_]
    nearest: Ints
    nearness: Floats

    @property
    def predicted(self) -> int:
        """The class with the largest posterior."""
        return int(self.posterior.argmax())

    def to_frame(self) -> pandas.DataFrame:
        """One row per tree."""
        import pandas

        return pandas.DataFrame(
            {
                "tree": np.arange(1, self.votes.size + 1),
                "vote": [self.class_names[k] for k in self.votes],
                "leaf": self.leaf,
                "out of bag": self.fresh,
            }
        )


def explain(
    forest: Forest,
    dataset: Dataset,
    sample: int | ArrayLike,
    *,
    nearest: int = NEAREST,
    threads: int | None = None,
) -> Explanation:
    """The votes for one sample and its nearest training samples.

    dataset: what the forest was grown on. sample: the number of one of its samples, or the P
    values of another one.
    """
    check_training(forest, dataset)
    own = isinstance(sample, int | np.integer)
    row = int(sample) if isinstance(sample, int | np.integer) else -1
    if own and not 0 <= row < dataset.n_samples:
        raise ValueError(f"There is no sample {row}; the data have {dataset.n_samples}.")
    x = dataset.X[row] if own else np.asarray(sample, float)
    ends = forest.apply(np.vstack([x[None, :], dataset.X]), threads=threads)
    leaf, others = ends[0], ends[1:]
    T = forest.n_tree
    votes = forest.classes[forest.winner[forest.leaf_at[:-1] + leaf]]
    fresh = np.ones(T, bool)
    if own:
        fresh = forest.bags()[:, row] == 0 if forest.has_oob else np.zeros(T, bool)
    alike = (others == leaf).mean(axis=1)
    if own:
        alike[row] = -1.0  # it is its own nearest one
    order = np.argsort(-alike, kind="stable")[: min(nearest, dataset.n_samples - own)]
    posterior = np.zeros(dataset.n_classes)
    posterior[forest.classes] = forest.predict_proba(x[None, :], threads=threads)[0]
    return Explanation(
        dataset.name,
        dataset.class_names,
        row,
        x.copy(),
        int(dataset.y[row]) if own else -1,
        posterior,
        votes.astype(np.intp),
        _nodes(forest, leaf),
        fresh,
        order,
        alike[order],
    )


def _nodes(forest: Forest, leaf: NDArray[np.integer]) -> Ints:
    """The nodes of leaves, counted within their trees: leaves have numbers of their own."""
    found = np.empty(forest.n_tree, np.intp)
    for t in range(forest.n_tree):
        nodes = slice(forest.node_at[t], forest.node_at[t + 1])
        # at a leaf there is no feature, and `left` holds its number
        mine = (forest.feature[nodes] == -1) & (forest.left[nodes] == leaf[t])
        found[t] = np.flatnonzero(mine)[0]
    return found
