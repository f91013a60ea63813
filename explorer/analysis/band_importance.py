"""`BandImportance`: what a forest loses when a whole band, or a group of features, is permuted.

Neighbouring channels of a spectrum say nearly the same, so permuting one of them costs little: its
neighbours stand in. A band is permuted as a whole. How large an importance is by chance alone is
seen on forests grown on permuted labels, where no band matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster import hierarchy

from explorer.analysis.model import Progress, check_training, derived_seed, stop_if
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest, grow

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
BANDS = 20
REPEATS = 10
NULLS = 20
NULL_TREES = 100
CORRELATED = 0.8  # features of one group correlate at least so much
_95 = 1.959963984540054


@dataclass(frozen=True, eq=False)
class BandImportance(Record):
    """Permutation importance of B bands or groups of features.

    features: B arrays of intp, the columns of each. drop: float64[B], by how much the share of
        out-of-bag votes for the true class falls when the columns are permuted together, mean
        over samples and repeats. low, high: float64[B], its 95 % interval over samples (over
        groups of replicates where the data set has them).
    null: float64[M, B], the same on forests grown on permuted labels; null_high: float64[B], its
        largest value. p_value: float64[B], (forests of the null with as large a drop + 1) /
        (M + 1); NaN without a null.
    votes: the share of out-of-bag votes for the true class before.
    """

    dataset: str
    names: tuple[str, ...]
    features: tuple[Ints, ...]
    drop: Floats
    low: Floats
    high: Floats
    null: Floats
    null_high: Floats
    p_value: Floats
    votes: float
    repeats: int

    @property
    def order(self) -> Ints:
        """Bands in descending order of importance."""
        return np.argsort(-self.drop, kind="stable")

    def to_frame(self) -> pandas.DataFrame:
        """One row per band."""
        import pandas

        return pandas.DataFrame(
            {
                "band": list(self.names),
                "features": [f.size for f in self.features],
                "drop": self.drop,
                "low": self.low,
                "high": self.high,
                "by chance": self.null_high,
                "p": self.p_value,
            }
        )


def equal_bands(dataset: Dataset, n: int = BANDS) -> tuple[tuple[str, Ints], ...]:
    """Bands of equal width on the axis, each with its name; empty ones are left out."""
    if dataset.axis is None:
        raise ValueError(
            f"Data set '{dataset.name}' has no spectral axis; use correlated_groups or features."
        )
    if not 1 <= n <= dataset.n_features:
        raise ValueError(f"There can be 1 to {dataset.n_features} bands, not {n}.")
    values = dataset.axis.values
    edges = np.linspace(values.min(), values.max(), n + 1)
    which = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, n - 1)
    bands = [np.flatnonzero(which == b) for b in range(n)]
    unit = f" {dataset.axis.unit}" if dataset.axis.unit else ""
    return tuple((f"{values[f].min():g} to {values[f].max():g}{unit}", f) for f in bands if f.size)


def single_features(dataset: Dataset) -> tuple[tuple[str, Ints], ...]:
    """Every feature by itself."""
    return tuple((name, np.array([j])) for j, name in enumerate(dataset.feature_names))


def correlated_groups(
    dataset: Dataset, correlation: float = CORRELATED
) -> tuple[tuple[str, Ints], ...]:
    """Groups of features whose absolute correlations all reach a value (complete linkage)."""
    if not 0.0 < correlation <= 1.0:
        raise ValueError(f"correlation is {correlation!r}; use a number above 0 and up to 1.")
    if dataset.n_features < 2:
        return single_features(dataset)
    centred = dataset.X - dataset.X.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    unit = centred / np.where(length > 0, length, 1.0)
    apart = 1.0 - np.abs(unit.T @ unit)
    above = np.triu_indices(dataset.n_features, 1)
    tree = hierarchy.linkage(np.maximum(apart[above], 0.0), "complete")
    label = hierarchy.fcluster(tree, 1.0 - correlation, "distance")
    groups = [np.flatnonzero(label == k) for k in np.unique(label)]
    groups.sort(key=lambda f: int(f[0]))
    names = dataset.feature_names
    return tuple(
        (names[f[0]] if f.size == 1 else f"{names[f[0]]} and {f.size - 1} more", f) for f in groups
    )


def band_importance(
    forest: Forest,
    dataset: Dataset,
    bands: Sequence[tuple[str, Any]] | None = None,
    *,
    repeats: int = REPEATS,
    nulls: int = NULLS,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> BandImportance:
    """Permute every band of a forest's training samples, out of bag.

    bands: (name, columns) of each; 20 bands of equal width for spectra, groups of correlated
    features for tables by default. repeats: permutations of each. nulls: forests grown on
    permuted labels, 0 for none; they have at most 100 trees.
    """
    check_training(forest, dataset)
    if not forest.has_oob:
        raise ValueError(
            "This forest has no out-of-bag samples to permute. Grow it with a bootstrap."
        )
    if repeats < 1 or nulls < 0:
        raise ValueError(f"repeats is {repeats} and nulls is {nulls}; use at least 1 and 0.")
    if bands is None:
        bands = correlated_groups(dataset)
        if dataset.axis is not None:
            bands = equal_bands(dataset, min(BANDS, dataset.n_features))
    columns = tuple(np.unique(np.asarray(f, np.intp)) for _, f in bands)
    for (name, _), f in zip(bands, columns, strict=True):
        if f.size == 0 or f[0] < 0 or f[-1] >= dataset.n_features:
            raise ValueError(f"Band '{name}' has no features of data set '{dataset.name}'.")
    wanted = 1 + nulls

    def told(done: int) -> None:
        stop_if(cancel)
        if progress is not None:
            progress(done, wanted, "permuting bands")

    told(0)
    before, after = _votes(forest, dataset, columns, repeats, seed, threads, cancel)
    loss = before[None, :] - after  # [B, n]
    drop, low, high = _intervals(loss, dataset.groups)
    null = np.empty((nulls, len(columns)))
    spec = forest.spec.replace(n_tree=min(forest.spec.n_tree, NULL_TREES))
    for m in range(nulls):
        told(1 + m)
        rng = np.random.default_rng(derived_seed(seed, 7, m))
        shuffled = dataset.replace(y=_permuted_labels(dataset, rng))
        other = grow(
            spec.replace(seed=derived_seed(seed, 8, m)),
            shuffled.X,
            shuffled.y,
            threads=threads,
            cancel=cancel,
        )
        own, permuted = _votes(other, shuffled, columns, 1, derived_seed(seed, m), threads, cancel)
        null[m] = np.nanmean(own[None, :] - permuted, axis=1)
    told(wanted)
    largest = null.max(axis=0) if nulls else np.full(drop.size, np.nan)
    p_value = np.full(drop.size, np.nan)
    if nulls:
        p_value = ((null >= drop[None, :]).sum(axis=0) + 1.0) / (nulls + 1.0)
    return BandImportance(
        dataset.name,
        tuple(str(name) for name, _ in bands),
        columns,
        drop,
        low,
        high,
        null,
        largest,
        p_value,
        float(np.nanmean(before)),
        repeats,
    )


def _votes(
    forest: Forest,
    dataset: Dataset,
    columns: Sequence[Ints],
    repeats: int,
    seed: int,
    threads: int | None,
    cancel: Any,
) -> tuple[Floats, Floats]:
    """Share of out-of-bag votes for the true class: as it is [n], and with each band permuted.

    The second is [B, n], the mean over repeats. Repeat r of band b draws from (seed, b, r) alone.
    """
    out = (forest.bags() == 0).T  # [n, T]
    tested = out.sum(axis=1)
    codes = forest.training.codes
    first = np.asarray(forest.leaf_at[:-1], np.int64)

    def right(X: Floats) -> Floats:
        leaf = forest.apply(X, threads=threads)
        votes = forest.winner[leaf + first[None, :]]
        count = ((votes == codes[:, None]) & out).sum(axis=1)
        return np.divide(count, tested, out=np.full(codes.size, np.nan), where=tested > 0)

    before = right(dataset.X)
    after = np.zeros((len(columns), codes.size))
    X = np.array(dataset.X)
    for b, f in enumerate(columns):
        stop_if(cancel)
        for r in range(repeats):
            rows = np.random.default_rng((seed, b, r)).permutation(codes.size)
            X[:, f] = dataset.X[rows][:, f]
            after[b] += right(X)
        X[:, f] = dataset.X[:, f]
    return before, after / repeats


def _intervals(loss: Floats, groups: Ints | None) -> tuple[Floats, Floats, Floats]:
    """Mean and 95 % interval of each row of loss [B, n], over samples or groups of them."""
    known = np.isfinite(loss[0])
    loss = loss[:, known]
    if groups is not None:
        _, member = np.unique(groups[known], return_inverse=True)
        size = np.bincount(member)
        loss = np.array([np.bincount(member, row) / size for row in loss])
    mean = loss.mean(axis=1)
    error = loss.std(axis=1, ddof=1) / np.sqrt(loss.shape[1]) if loss.shape[1] > 1 else 0.0 * mean
    return mean, mean - _95 * error, mean + _95 * error


def _permuted_labels(dataset: Dataset, rng: np.random.Generator) -> Ints:
    """Labels in random order; replicates that share a label keep one label."""
    if dataset.groups is None:
        return rng.permutation(dataset.y)
    _, first, member = np.unique(dataset.groups, return_index=True, return_inverse=True)
    return np.asarray(rng.permutation(dataset.y[first])[member], np.intp)
