"""What is drawn of proximities: aligned positions, the sorted matrix, votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from explorer.analysis.model import check_training, spread
from explorer.analysis.proximity import Proximity
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
OUTLYING = 10.0  # Breiman's outlyingness from which a sample is marked
MOST_CELLS = 300  # of the heat map, along a side


@dataclass(frozen=True, eq=False)
class Places(Record):
    """Samples on two principal coordinates, turned (never stretched) onto a reference.

    xy: float64[n, 2]. explained: float64[2], share of the total squared distance that lies along
    each axis as it is drawn. bars: float64[c], the share of each component before turning.
    """

    xy: Floats
    explained: Floats
    bars: Floats

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample."""
        import pandas

        return pandas.DataFrame({"across": self.xy[:, 0], "up": self.xy[:, 1]})


def turned_places(
    records: Sequence[Proximity], components: tuple[int, int] = (0, 1)
) -> tuple[Places, ...]:
    """Two components of each model, all turned onto the first model's (Procrustes)."""
    out: list[Places] = []
    for record in records:
        xy = np.zeros((record.y.size, 2))
        for at, c in enumerate(components):
            if c < record.coordinates.shape[1]:
                xy[:, at] = record.coordinates[:, c]
        if out:
            turn, _ = linalg.orthogonal_procrustes(xy, out[0].xy)
            xy = xy @ turn
        # all n samples are placed, but with landmarks only these make up the total
        among = xy[record.landmarks]
        total = record.eigenvalues[0] / record.explained[0] if record.explained.size else 1.0
        explained = (among * among).sum(axis=0) / total
        out.append(Places(xy, explained, record.explained))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class SortedProximity(Record):
    """The matrix of proximities, samples sorted by class and, within it, by first coordinate.

    cells: float64[s, s], means over blocks; below the diagonal one model, above it another.
    position: float64[n], place of each sample along a side, NaN if it was not compared.
    edges: intp[K + 1], where classes begin and end; n: samples along a side.
    """

    class_names: tuple[str, ...]
    cells: Floats
    position: Floats
    edges: NDArray[np.intp]
    n: int

    def to_frame(self) -> pandas.DataFrame:
        """The cells as they are drawn."""
        import pandas

        return pandas.DataFrame(self.cells)


def sorted_proximity(
    below: Proximity, above: Proximity | None = None, most: int = MOST_CELLS
) -> SortedProximity:
    """One matrix of two models: the first below the diagonal, the second above it."""
    rows = below.landmarks
    first = below.coordinates[rows, 0] if below.coordinates.shape[1] else np.zeros(rows.size)
    order = np.lexsort((first, below.y[rows]))
    matrix = below.landmark_proximity[np.ix_(order, order)]
    if above is not None:
        if not np.array_equal(above.landmarks, rows):
            raise ValueError("The two models were not compared on the same samples.")
        other = above.landmark_proximity[np.ix_(order, order)]
        matrix = np.tril(matrix) + np.triu(other, 1)
    n = rows.size
    size = min(n, most)
    cut = (np.arange(size) * n) // size
    cells = np.add.reduceat(np.add.reduceat(matrix, cut, axis=0), cut, axis=1)
    counts = np.diff(np.append(cut, n)).astype(np.float64)
    position = np.full(below.y.size, np.nan)
    position[rows[order]] = np.arange(n) + 0.5
    classes = np.bincount(below.y[rows], minlength=len(below.class_names))
    edges = np.concatenate([[0], np.cumsum(classes)]).astype(np.intp)
    return SortedProximity(
        below.class_names, cells / np.outer(counts, counts), position, edges, int(n)
    )


@dataclass(frozen=True, eq=False)
class SampleVotes(Record):
    """How out-of-bag trees voted on each training sample.

    votes: float64[n, K], shares; margin: float64[n], share of the own class minus the largest of
    the others, below 0 where the forest is wrong; winner: intp[n], -1 where no tree could vote.
    All NaN for a forest without out-of-bag samples.
    """

    class_names: tuple[str, ...]
    y: NDArray[np.intp]
    votes: Floats
    margin: Floats
    winner: NDArray[np.intp]

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """bool[n], samples whose out-of-bag vote went to another class."""
        return (self.winner >= 0) & (self.winner != self.y)

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample."""
        import pandas

        table: dict[str, Any] = {"class": [self.class_names[k] for k in self.y]}
        for k, name in enumerate(self.class_names):
            table[f"votes {name}"] = self.votes[:, k]
        return pandas.DataFrame(table | {"margin": self.margin})


def sample_votes(forest: Forest, dataset: Dataset) -> SampleVotes:
    """Out-of-bag votes of the forest on the samples it was grown on."""
    columns = check_training(forest, dataset)
    n, K = dataset.n_samples, dataset.n_classes
    if forest.has_oob:
        votes = spread(np.asarray(forest.oob_proba, np.float64), columns, K)
    else:
        votes = np.full((n, K), np.nan)
    own = votes[np.arange(n), dataset.y]
    others = votes.copy()
    others[np.arange(n), dataset.y] = -np.inf
    known = np.isfinite(own)
    winner = np.where(known, np.where(known[:, None], votes, 0.0).argmax(axis=1), -1)
    margin = np.where(known, own - others.max(axis=1), np.nan)
    return SampleVotes(dataset.class_names, dataset.y, votes, margin, winner.astype(np.intp))


@dataclass(frozen=True, eq=False)
class PairedPlaces(Record):
    """First principal coordinates of two models, for a pairs plot (Menze Fig. 8).

    below: float64[n, c] of the first model; above: of the second, each component mirrored where
    that brings it closer to the first's; None for one model alone. explained: float64[m, c], the
    share of each component, per model.
    """

    below: Floats
    above: Floats | None
    explained: Floats

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample."""
        import pandas

        table = {f"below {c + 1}": self.below[:, c] for c in range(self.below.shape[1])}
        if self.above is not None:
            table |= {f"above {c + 1}": self.above[:, c] for c in range(self.above.shape[1])}
        return pandas.DataFrame(table)


def paired_places(
    below: Proximity, above: Proximity | None = None, components: int = 3
) -> PairedPlaces:
    """The first components of one or two models; those a model has not are 0."""
    models = [below] if above is None else [below, above]
    places = np.zeros((len(models), below.y.size, components))
    explained = np.zeros((len(models), components))
    for at, record in enumerate(models):
        c = min(components, record.coordinates.shape[1])
        places[at, :, :c] = record.coordinates[:, :c]
        explained[at, :c] = record.explained[:c]
    if above is not None:
        agree = (places[0] * places[1]).sum(axis=0)
        places[1] *= np.where(agree < 0, -1.0, 1.0)
    return PairedPlaces(places[0], None if above is None else places[1], explained)
