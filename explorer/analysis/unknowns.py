"""`Unknowns`: samples measured later, judged by a forest: class, class set, neighbours, outliers.

A class set at confidence 95 % contains the true class of at least 95 % of the samples of every
class, if they come from the same distribution as the training samples (conformal prediction).
Its calibration needs no samples of its own: every training sample is judged by the trees that
never saw it (out-of-bag conformal classifiers: Johansson et al. 2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.spatial import cKDTree

from explorer.analysis.model import check_training, spread, stop_if
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
CONFIDENCE = 0.95
STRANGE = 0.01  # share of the training samples of a class that would be called unlike it
NEIGHBOURS = 5
_NEAR = 3  # nearest samples whose mean distance says how far a sample is from a class
_COMPONENTS = 10  # principal components in which distances are measured, at most
_LARGEST = 1e100  # of a value whose square can be summed
_CELLS = 4_000_000  # proximities that are held at once


@dataclass(frozen=True, eq=False)
class Unknowns(Record):
    """What a forest says of N new samples.

    posterior: float64[N, K]; predicted: intp[N].
    p_value: float64[N, K]: share of the training samples of class k whose out-of-bag votes for k
        are no stronger than those of this sample, (count + 1) / (n_k + 1).
    class_set: bool[N, K], classes with p_value > 1 - confidence; it may hold none (the sample is
        like no class) or several (the forest cannot tell them apart at this confidence).
    nearest: intp[N, m], training samples in descending order of proximity; nearness: float64[N, m],
        the share of trees (with the training sample out of bag) in which both share a leaf.
    outlyingness: float64[N, K], Breiman's, against every class: the class's size over the sum of
        squared proximities to it, less the median of the class's own, over their median absolute
        deviation.
    distance_p: float64[N, K]: share of the training samples of class k that are at least as far
        from their three nearest of the class, in the principal components of the training
        samples and the residual from these; (count + 1) / (n_k + 1).
    unlike: bool[N]: the sample is farther from every class than 99 % of the class's own samples
        are (than all of them where they are fewer than 99), or more outlying by
        proximity. A forest alone cannot tell: a sample far outside falls into the leaves at the
        edge and gets confident votes.
    """

    dataset: str
    class_names: tuple[str, ...]
    names: tuple[str, ...]
    confidence: float
    posterior: Floats
    predicted: NDArray[np.intp]
    p_value: Floats
    class_set: NDArray[np.bool_]
    nearest: NDArray[np.intp]
    nearness: Floats
    outlyingness: Floats
    distance_p: Floats
    unlike: NDArray[np.bool_]
    training_names: tuple[str, ...]

    def set_words(self, i: int) -> str:
        """The class set of a sample in words: "setosa or virginica", or "none"."""
        names = [self.class_names[k] for k in np.flatnonzero(self.class_set[i])]
        return " or ".join(names) or "none"

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample."""
        import pandas

        rows = np.arange(self.predicted.size)
        table: dict[str, Any] = {
            "sample": list(self.names),
            "class": [self.class_names[k] for k in self.predicted],
            "votes": self.posterior[rows, self.predicted],
            f"classes at {100 * self.confidence:g} %": [self.set_words(int(i)) for i in rows],
            "unlike anything seen": self.unlike,
        }
        for k, name in enumerate(self.class_names):
            table[f"P({name})"] = self.posterior[:, k]
        for m in range(self.nearest.shape[1]):
            table[f"nearest {m + 1}"] = [self.training_names[j] for j in self.nearest[:, m]]
            table[f"proximity {m + 1}"] = self.nearness[:, m]
        return pandas.DataFrame(table)


def judge_unknowns(
    forest: Forest,
    training: Dataset,
    X: ArrayLike,
    *,
    names: tuple[str, ...] | None = None,
    confidence: float = CONFIDENCE,
    neighbours: int = NEIGHBOURS,
    threads: int | None = None,
    cancel: Any = None,
) -> Unknowns:
    """Judge new samples X [N, p] by a forest grown on ``training`` (prepared in the same way).

    confidence: of the class sets, between 0 and 1. neighbours: training samples listed for each.
    """
    columns = check_training(forest, training)
    if not forest.has_oob:
        raise ValueError(
            "This forest has no out-of-bag samples, so class sets cannot be calibrated. "
            "Grow it with a bootstrap."
        )
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence is {confidence!r}; use a number between 0 and 1.")
    rows = np.asarray(X, np.float64)
    if rows.ndim != 2 or rows.shape[1] != training.n_features:
        raise ValueError(
            f"The forest was grown on {training.n_features} features; the new samples have shape "
            f"{rows.shape}. Bring them onto the same axis and prepare them in the same way."
        )
    usable = (np.abs(rows) <= _LARGEST).all(axis=1)  # NaN is not
    if not usable.all():
        where = int(np.flatnonzero(~usable)[0]) + 1
        raise ValueError(
            f"New sample {where} holds values that are not finite numbers, or above {_LARGEST:g}."
        )
    called = names or tuple(f"sample {i + 1}" for i in range(len(rows)))
    if len(called) != len(rows):
        raise ValueError(f"There are {len(called)} names for {len(rows)} new samples.")

    K = training.n_classes
    posterior = spread(forest.predict_proba(rows, threads=threads), columns, K)
    own = spread(forest.oob_proba, columns, K)
    stop_if(cancel)
    p_value = conformal_p(own, training.y, posterior)
    near = LeafNeighbours(forest, training, threads)
    near.calibrate(cancel)
    m = min(neighbours, training.n_samples)
    nearest = np.empty((len(rows), m), np.intp)
    nearness = np.empty((len(rows), m))
    away = np.empty((len(rows), K))
    for part in _pieces(len(rows), training.n_samples):
        stop_if(cancel)
        shares = near.of(rows[part])
        # equal shares: the lower row first
        nearest[part] = np.argsort(-shares, axis=1, kind="stable")[:, :m]
        nearness[part] = np.take_along_axis(shares, nearest[part], axis=1)
        away[part] = near.outlyingness(shares)
    distance_p = _Distances(training).p_value(rows)
    size = np.bincount(training.y, minlength=K)
    present = size > 0
    least = np.maximum(STRANGE, 1.0 / (size + 1.0))  # of few samples: beyond all of them
    far = np.all((distance_p <= least)[:, present], axis=1)
    outlying = np.all((away > near.threshold)[:, present], axis=1)
    unlike: NDArray[np.bool_] = np.logical_or(far, outlying)
    return Unknowns(
        training.name,
        training.class_names,
        called,
        confidence,
        posterior,
        posterior.argmax(axis=1),
        p_value,
        p_value > 1.0 - confidence,
        nearest,
        nearness,
        away,
        distance_p,
        unlike,
        training.sample_names or tuple(f"sample {i + 1}" for i in range(training.n_samples)),
    )


def conformal_p(calibration: Floats, y: NDArray[np.intp], posterior: Floats) -> Floats:
    """p-values [N, K] of new posteriors [N, K], class by class.

    calibration: [n, K], posteriors of samples of classes y by models that did not see them; rows
    of NaN (never out of bag) do not count. A class without any has p-value 1: it cannot be
    excluded.
    """
    out = np.ones(posterior.shape)
    for k in range(posterior.shape[1]):
        own = calibration[y == k, k]
        own = np.sort(own[np.isfinite(own)])
        no_stronger = np.searchsorted(own, posterior[:, k], side="right")
        out[:, k] = (no_stronger + 1.0) / (own.size + 1.0)
    return out


def _pieces(rows: int, columns: int) -> Iterator[slice]:
    """Rows of a matrix of proximities, as many at a time as may be held."""
    step = max(1, _CELLS // max(1, columns))
    for a in range(0, rows, step):
        yield slice(a, min(a + step, rows))


def _outlyingness_raw(shares: Floats, y: NDArray[np.intp], K: int) -> Floats:
    """Size of every class over the sum of squared proximities to it, [N, K] of shares [N, n]."""
    member = np.zeros((y.size, K))
    member[np.arange(y.size), y] = 1.0
    return member.sum(axis=0) / np.maximum((shares * shares) @ member, 1e-12)


class LeafNeighbours:
    """Proximity of rows to the training samples: shared leaves in trees that did not see these."""

    def __init__(self, forest: Forest, training: Dataset, threads: int | None) -> None:
        """`outlyingness` needs `calibrate` before."""
        self.forest, self.y, self.K = forest, training.y, training.n_classes
        self.threads = threads
        out = forest.bags() == 0  # [T, n]
        self.trees = np.maximum(out.sum(axis=0), 1)
        leaf = forest.apply(training.X, threads=threads)  # [n, T]
        self.n_node = forest.feature.size
        self.members = self._leaves(leaf, out.T)  # [n, nodes]

    def calibrate(self, cancel: Any = None) -> None:
        """Find how outlying the training samples are in their own classes."""
        out = self.forest.bags() == 0
        # among themselves, both out of bag, so that training samples are as new ones are
        n = self.y.size
        own = np.empty(n)
        unseen = out.astype(np.float64)
        for part in _pieces(n, n):
            stop_if(cancel)
            both = (self.members[part] @ self.members.T).toarray()
            tested = unseen[:, part].T @ unseen
            shares = both / np.maximum(tested, 1.0)
            rows = np.arange(n)[part]
            shares[np.arange(rows.size), rows] = 0.0
            own[part] = _outlyingness_raw(shares, self.y, self.K)[
                np.arange(rows.size), self.y[part]
            ]
        self.median, self.spread = np.zeros(self.K), np.ones(self.K)
        self.threshold = np.full(self.K, np.inf)
        for k in np.unique(self.y):
            mine = own[self.y == k]
            self.median[k] = np.median(mine)
            deviation = float(np.median(np.abs(mine - self.median[k])))
            self.spread[k] = deviation if deviation > 0 else max(self.median[k], 1e-12)
            scaled = (mine - self.median[k]) / self.spread[k]
            self.threshold[k] = np.quantile(scaled, 1.0 - STRANGE, method="higher")

    def _leaves(self, leaf: NDArray[Any], counted: NDArray[np.bool_] | None) -> sparse.csr_array:
        """One row per sample, one column per node of the forest: 1 at its leaves."""
        n, T = leaf.shape
        start = np.asarray(self.forest.node_at[:-1], np.int64)
        column = (leaf.astype(np.int64) + start[None, :]).ravel()
        row = np.repeat(np.arange(n), T)
        keep = slice(None) if counted is None else counted.ravel()
        ones = np.ones(row[keep].size)
        return sparse.csr_array((ones, (row[keep], column[keep])), shape=(n, self.n_node))

    def among(self, chosen: NDArray[np.intp]) -> Floats:
        """Shares [m, m] of some training samples, by the trees that saw neither of a pair; 1 on
        the diagonal, 0 where no tree is left."""
        out = (self.forest.bags() == 0)[:, chosen].astype(np.float64)
        members = self.members[chosen]
        both = (members @ members.T).toarray()
        shares: Floats = both / np.maximum(out.T @ out, 1.0)
        np.fill_diagonal(shares, 1.0)
        return shares

    def of(self, rows: Floats) -> Floats:
        """Shares [N, n] of the trees that did not see the training sample."""
        mine = self._leaves(self.forest.apply(rows, threads=self.threads), None)
        return np.asarray((mine @ self.members.T).toarray() / self.trees[None, :], np.float64)

    def outlyingness(self, shares: Floats) -> Floats:
        return (_outlyingness_raw(shares, self.y, self.K) - self.median) / self.spread


class _Distances:
    """How far rows are from every class, against how far the class's own samples are.

    In the first principal components of the training samples (features scaled to unit spread
    where there is no axis), and with the length of the residual as one more coordinate: what is
    unlike all training samples is often outside their space (Jackson, Mudholkar 1979). Each of
    these coordinates is scaled to unit spread.
    """

    def __init__(self, training: Dataset) -> None:
        if np.abs(training.X).max() > _LARGEST:
            raise ValueError(
                f"Training samples hold values above {_LARGEST:g}, too large to measure distances "
                "between them. Scale the data first."
            )
        self.mean = training.X.mean(axis=0)
        spread = training.X.std(axis=0)
        self.scale = np.ones(spread.size)
        if training.axis is None:
            self.scale = np.where(spread > 0, spread, 1.0)
        centred = (training.X - self.mean) / self.scale
        _, values, rotation = np.linalg.svd(centred, full_matrices=False)
        kept = int((values > 1e-10 * max(float(values[0]), 1e-300)).sum())
        self.rotation = rotation[: max(1, min(_COMPONENTS, kept))]
        self.members: list[tuple[Any, int, Floats] | None] = []
        self.unit = np.ones(len(self.rotation) + 1)
        placed = self._place(training.X)
        spread = placed.std(axis=0)
        self.unit = np.where(spread > 1e-10 * spread.max(), spread, max(spread.max(), 1e-300))
        placed = placed / self.unit
        for k in range(training.n_classes):
            mine = placed[training.y == k]
            if len(mine) < 2:
                self.members.append(None)
                continue
            tree = cKDTree(mine)
            near = min(_NEAR, len(mine) - 1)
            own = np.asarray(tree.query(mine, k=near + 1)[0])[:, 1:].mean(axis=1)  # without itself
            self.members.append((tree, near, np.sort(own)))

    def _place(self, X: Floats) -> Floats:
        centred = (X - self.mean) / self.scale
        scores = centred @ self.rotation.T
        residual = np.linalg.norm(centred - scores @ self.rotation, axis=1)
        return np.column_stack([scores, residual]) / self.unit

    def p_value(self, X: Floats) -> Floats:
        placed = self._place(X)
        out = np.ones((len(X), len(self.members)))
        for k, found in enumerate(self.members):
            if found is None:
                continue
            tree, near, own = found
            away = np.reshape(tree.query(placed, k=near)[0], (len(X), near)).mean(axis=1)
            farther = own.size - np.searchsorted(own, away, side="left")
            out[:, k] = (farther + 1.0) / (own.size + 1.0)
        return out
