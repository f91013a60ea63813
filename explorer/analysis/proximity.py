"""`Proximity`: which samples a forest keeps together, as numbers and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import eigsh

from explorer.analysis.model import Progress, check_training, stop_if
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest, measures

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
EXACT = 2000  # samples up to which all pairs are compared
LANDMARKS = 500  # samples that all others are compared with beyond that
MOST = 100_000
# name -> words: principal coordinates (Torgerson), or "the PCA of the distances" of Menze s.5
SCALINGS = {"mds": "classical scaling of distances", "pca": "PCA of the distance matrix"}
CONSISTENT = 0.9  # share of out-of-bag votes against a sample's class
_SMALL = 64  # samples up to which eigenvectors are computed directly
_ROWS = 20_000  # rows whose proximities are held at once


@dataclass(frozen=True, eq=False)
class Proximity(Record):
    """Sample proximity of a forest (Menze s.5 and Fig. 8; Breiman).

    y: intp[n]. label: how pairs were counted, in words.
    landmarks: intp[L], the samples that all are compared with; all n of them up to EXACT samples.
    proximity: float64[n, n], share of the trees with both samples out of bag in which they share
        a leaf; 1 on the diagonal, 0 for pairs that no tree tested (``untested`` of them). None
        where landmarks are fewer than samples: [L, L] of them alone is landmark_proximity.
    coordinates: float64[n, c] principal coordinates: classical scaling of the distances
        sqrt(1 - proximity) (Breiman: 1 - proximity is a squared distance). With landmarks, the
        others are placed by their distances to them (landmark MDS).
    scaling: how distances became coordinates, a key of SCALINGS.
    eigenvalues: float64[c]; explained: float64[c], each over the sum of all positive ones:
        such distances need not fit into any space, and then some are negative. That sum counts
        all of them for any number of samples (with landmarks, those of the landmarks).
    outlyingness: float64[n]: size of the class over the sum of squared proximities to it, less
        the class's median, over its median absolute deviation (Breiman). Above 10: an outlier.
    wrong: float64[n], share of out-of-bag votes against the sample's class; NaN without any.
    prototypes: intp[K], per class the sample with most of its class among its nearest, -1 for
        an absent class; prototype_quartiles: float64[K, 3, P], quartiles of each feature over
        those of its ``neighbours`` nearest samples that are of its class (Breiman).
    """

    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    y: NDArray[np.intp]
    label: str
    landmarks: NDArray[np.intp]
    proximity: Floats | None
    landmark_proximity: Floats
    untested: int
    coordinates: Floats
    eigenvalues: Floats
    explained: Floats
    outlyingness: Floats
    wrong: Floats
    prototypes: NDArray[np.intp]
    prototype_quartiles: Floats
    neighbours: int
    scaling: str = "mds"

    @property
    def distance(self) -> Floats:
        """sqrt(1 - proximity), of all samples or of the landmarks, float64[., .]."""
        which = self.landmark_proximity if self.proximity is None else self.proximity
        return np.sqrt(np.maximum(1.0 - which, 0.0))

    @property
    def misclassified(self) -> NDArray[np.intp]:
        """Samples that at least 90 % of the out-of-bag votes put into another class."""
        return np.flatnonzero(self.wrong >= CONSISTENT)

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample: class, coordinates, outlyingness, votes against it."""
        import pandas

        table: dict[str, Any] = {"class": [self.class_names[k] for k in self.y]}
        for c in range(self.coordinates.shape[1]):
            table[f"coordinate {c + 1}"] = self.coordinates[:, c]
        landmark = np.zeros(self.y.size, bool)
        landmark[self.landmarks] = True
        table |= {"outlyingness": self.outlyingness, "wrong": self.wrong, "landmark": landmark}
        return pandas.DataFrame(table)


def classical_mds(
    distance: Floats, components: int = 2
) -> tuple[Floats, Floats, Floats, tuple[Floats, Floats]]:
    """Classical scaling of distances [n, n] (Torgerson; principal coordinates).

    Returns (coordinates [n, c], eigenvalues [c], explained [c], (vectors [n, c], mean squared
    distance to each [n])); c is at most the number of positive eigenvalues. Signs: the largest
    entry of each vector is positive.
    """
    square = distance * distance
    mean = square.mean(axis=0)
    B = -0.5 * (square - mean[None, :] - mean[:, None] + mean.mean())
    top, values, total = _largest(B, components)
    return top * np.sqrt(values), values, values / total, (top, mean)


def distance_pca(
    distance: Floats, components: int = 2
) -> tuple[Floats, Floats, Floats, tuple[Floats, Floats]]:
    """Principal components of the rows of a distance matrix [L, L] (Menze s.5).

    A sample is described by its distances to all samples, as if they were its features. Returns
    (scores [L, c], eigenvalues [c] of the covariance times L, explained [c], (components [L, c],
    mean distance to each [L])). Signs: the largest entry of each component is positive.
    """
    mean = distance.mean(axis=0)
    centred = distance - mean
    axes, values, total = _largest(centred.T @ centred, components)
    return centred @ axes, values, values / total, (axes, mean)


def _largest(B: Floats, components: int) -> tuple[Floats, Floats, float]:
    """(vectors [n, c], eigenvalues [c], sum of all positive eigenvalues) of a symmetric matrix."""
    every = linalg.eigvalsh(B, check_finite=False)
    total = float(every[every > 0].sum())
    c = min(components, int((every > 1e-12 * max(total, 0.0)).sum()))
    n = len(B)
    if c == 0:
        return np.empty((n, 0)), np.empty(0), total
    if n <= _SMALL or 4 * c >= n:
        values, vectors = linalg.eigh(B, subset_by_index=(n - c, n - 1), check_finite=False)
    else:  # Lanczos, from a start that is always the same
        start = np.random.default_rng(0).standard_normal(n)
        values, vectors = eigsh(B, c, which="LA", v0=start, tol=0)
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    values, top = values[::-1].copy(), vectors[:, ::-1]
    sign = np.sign(top[np.abs(top).argmax(axis=0), np.arange(c)])
    return top * np.where(sign == 0, 1.0, sign), values, total


def place(squared: Floats, vectors: Floats, eigenvalues: Floats, mean_squared: Floats) -> Floats:
    """Coordinates [n, c] of samples by their squared distances [n, L] to scaled landmarks.

    Distance-based triangulation of landmark MDS (de Silva and Tenenbaum); a landmark comes out
    where classical scaling put it.
    """
    return -0.5 * (squared - mean_squared) @ (vectors / np.sqrt(eigenvalues))


def proximity(
    forest: Forest,
    dataset: Dataset,
    *,
    out_of_bag: bool = True,
    scaling: str = "mds",
    components: int = 10,
    landmarks: int | None = None,
    neighbours: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Proximity:
    """Proximities of the forest's training samples, their picture, prototypes and outliers.

    out_of_bag: count a tree for a pair only if both are out of its bag (Menze s.5); a forest
    without a bootstrap counts every tree. scaling: "mds" (principal coordinates) or "pca" (the
    paper's PCA of the distances: each sample's distances to all others are its features).
    landmarks: how many samples to compare with (None: all
    up to 2 000 samples, else 500), drawn class by class. neighbours: k of the prototypes
    (None: half the smallest class).
    """
    check_training(forest, dataset)
    n = dataset.n_samples
    if n > MOST:
        raise ValueError(
            f"Data set '{dataset.name}' has {n} samples; proximities go up to {MOST}. "
            "Take some of the rows."
        )
    if scaling not in SCALINGS:
        raise ValueError(f"scaling is {scaling!r}; choose one of {', '.join(SCALINGS)}.")
    if components < 1:
        raise ValueError(f"A picture needs at least one component, not {components}.")
    scaled = classical_mds if scaling == "mds" else distance_pca
    oob = out_of_bag and forest.has_oob
    chosen = _landmarks(dataset, landmarks, seed)
    options: dict[str, Any] = {"threads": threads, "progress": progress, "cancel": cancel}
    met = measures.meetings(
        forest, None if chosen.size == n else chosen, out_of_bag=oob, X=dataset.X, **options
    )
    own = np.full(n, -1)
    own[chosen] = np.arange(chosen.size)

    def rows(a: int, b: int) -> tuple[Floats, int]:
        shares, untested = met.proximity(a, b, threads=threads)
        mine = np.arange(a, b)[own[a:b] >= 0]
        blind = int((shares[mine - a, own[mine]] == 0.0).sum())  # never out of bag itself
        shares[mine - a, own[mine]] = 1.0
        return shares, int(untested.sum()) - blind

    if chosen.size == n:
        full, untested = rows(0, n)
        among = full
        coordinates, values, explained, _ = scaled(_distance(full), components)
        pieces = [(0, full)]
    else:
        among = np.empty((chosen.size, chosen.size))
        blocks = [(a, min(a + _ROWS, n)) for a in range(0, n, _ROWS)]
        untested = 0
        for a, b in blocks:
            stop_if(cancel)
            shares, missing = rows(a, b)
            untested += missing
            mine = np.arange(a, b)[own[a:b] >= 0]
            among[own[mine]] = shares[mine - a]
        _, values, explained, (vectors, mean) = scaled(_distance(among), components)
        coordinates = np.empty((n, values.size))
        pieces = ((a, rows(a, b)[0]) for a, b in blocks)  # type: ignore[assignment]
    judge = _Judge(dataset, chosen, neighbours)
    for a, shares in pieces:
        stop_if(cancel)
        judge.look(a, shares)
        if chosen.size < n:
            if scaling == "mds":
                placed = place(1.0 - shares, vectors, values, mean)
            else:
                placed = (_distance(shares) - mean) @ vectors
            coordinates[a : a + len(shares)] = placed
    prototypes, quartiles = judge.prototypes()
    words = "pairs out of bag" if oob else "all pairs, in every tree"
    if chosen.size < n:
        words += f", {n} samples against {chosen.size} landmarks"
    return Proximity(
        dataset.class_names,
        dataset.feature_names,
        dataset.y,
        words,
        chosen,
        full if chosen.size == n else None,
        among,
        untested,
        coordinates,
        values,
        explained,
        judge.outlyingness(),
        _wrong(forest, dataset),
        prototypes,
        quartiles,
        judge.k,
        scaling,
    )


def _distance(shares: Floats) -> Floats:
    return np.sqrt(np.maximum(1.0 - shares, 0.0))


def _landmarks(dataset: Dataset, wanted: int | None, seed: int) -> NDArray[np.intp]:
    """Rows to compare with: all, or so many drawn in the classes' shares, ascending."""
    n = dataset.n_samples
    if wanted is None:
        wanted = n if n <= EXACT else LANDMARKS
    if wanted < 2:
        raise ValueError(f"Proximities need at least two landmarks, not {wanted}.")
    if wanted >= n:
        return np.arange(n)
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    order = order[np.argsort(dataset.y[order], kind="stable")]
    # every (n / wanted)-th of the samples sorted by class
    return np.sort(order[(np.arange(wanted) * n) // wanted])


def _wrong(forest: Forest, dataset: Dataset) -> Floats:
    if not forest.has_oob:
        return np.full(dataset.n_samples, np.nan)
    codes = forest.training.codes
    return 1.0 - forest.oob_proba[np.arange(codes.size), codes]


class _Judge:
    """Outliers and prototypes, from proximities to the landmarks, a piece of rows at a time."""

    def __init__(self, dataset: Dataset, chosen: NDArray[np.intp], neighbours: int | None) -> None:
        self.dataset, self.chosen = dataset, chosen
        self.y = dataset.y
        K = dataset.n_classes
        self.size = np.bincount(self.y[chosen], minlength=K)
        present = self.size[self.size > 0]
        self.k = int(max(1, present.min() // 2)) if neighbours is None else int(neighbours)
        if not 1 <= self.k <= chosen.size:
            raise ValueError(f"neighbours is {neighbours}; use 1 to {chosen.size}.")
        self.raw = np.empty(dataset.n_samples)
        self.best = np.full(K, -1)
        self.most = np.full(K, -1.0)
        self.near: dict[int, NDArray[np.intp]] = {}

    def look(self, first: int, shares: Floats) -> None:
        rows = np.arange(first, first + len(shares))
        mine = self.y[rows]
        same = self.y[self.chosen][None, :] == mine[:, None]
        square = (shares * shares * same).sum(axis=1)
        self.raw[rows] = self.size[mine] / np.maximum(square, 1e-12)
        # nearest first; ties go to the lower row
        order = np.argsort(-shares, axis=1, kind="stable")[:, : self.k]
        hits = np.take_along_axis(same, order, axis=1)
        closeness = (np.take_along_axis(shares, order, axis=1) * hits).sum(axis=1)
        score = hits.sum(axis=1) + closeness / (self.k + 1.0)  # closeness breaks ties
        for c in np.unique(mine):
            at = np.flatnonzero(mine == c)
            top = at[score[at].argmax()]
            if score[top] > self.most[c]:
                self.most[c], self.best[c] = score[top], rows[top]
                self.near[int(c)] = self.chosen[order[top][hits[top]]]

    def outlyingness(self) -> Floats:
        out = np.zeros(self.raw.size)
        for c in np.unique(self.y):
            mine = self.y == c
            away = self.raw[mine] - np.median(self.raw[mine])
            spread = np.median(np.abs(away))
            out[mine] = away / spread if spread > 0 else np.zeros(away.size)
        return out

    def prototypes(self) -> tuple[NDArray[np.intp], Floats]:
        X = self.dataset.X
        quartiles = np.full((self.best.size, 3, X.shape[1]), np.nan)
        for c, rows in self.near.items():
            among = X[rows] if rows.size else X[self.best[c]][None, :]
            quartiles[c] = np.quantile(among, [0.25, 0.5, 0.75], axis=0)
        return self.best.astype(np.intp), quartiles
