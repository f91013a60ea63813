"""`Attribution`: why a forest says what it says of one sample, shared out among bands or features.

Shapley values against a background of training samples, for every family: an oblique split credits
all features that it weighs (engine/attribution.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.band_importance import BANDS, equal_bands, single_features
from explorer.analysis.model import Progress, check_training
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest
from explorer.engine.attribution import shapley

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
BACKGROUND = 100  # training samples that stand for "unknown"
TARGET = 0.002


@dataclass(frozen=True, eq=False)
class Attribution(Record):
    """What each of M bands or features adds to a forest's posterior of one sample.

    values: float64[M, K], in shares of votes; for every class they sum to ``posterior - base``.
    error: float64[M, K], their standard errors; zero where every coalition was counted.
    base: float64[K], the mean posterior of the background; posterior: float64[K], the sample's.
    features: M arrays of intp, the columns of each band. rounds: of random orders, 0 if exact.
    """

    dataset: str
    class_names: tuple[str, ...]
    names: tuple[str, ...]
    features: tuple[Ints, ...]
    values: Floats
    error: Floats
    base: Floats
    posterior: Floats
    background: Ints
    rounds: int

    @property
    def predicted(self) -> int:
        """The class with the largest posterior."""
        return int(self.posterior.argmax())

    @property
    def order(self) -> Ints:
        """Bands in descending order of what they move the predicted class by, either way."""
        return np.argsort(-np.abs(self.values[:, self.predicted]), kind="stable")

    def to_frame(self) -> pandas.DataFrame:
        """One row per band; for each class its value and standard error."""
        import pandas

        columns: dict[str, Any] = {"band": list(self.names)}
        for k, name in enumerate(self.class_names):
            columns[name] = self.values[:, k]
            columns[f"{name}, standard error"] = self.error[:, k]
        return pandas.DataFrame(columns)


def attribution(
    forest: Forest,
    dataset: Dataset,
    sample: int | ArrayLike,
    bands: Sequence[tuple[str, Any]] | None = None,
    *,
    background: ArrayLike | None = None,
    target: float = TARGET,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Attribution:
    """Share out the posterior of one sample.

    dataset: what the forest was grown on. sample: the number of one of its samples, or the P
        values of another one, measured later. bands: (name, columns) pairs that together hold
        every feature once; None for twenty bands of equal width where there is an axis, and for
        single features elsewhere. background: numbers of training samples; None draws up to a
        hundred, each class in its share.
    target: largest standard error where not every coalition can be counted.
    """
    check_training(forest, dataset)
    x = dataset.X[_checked(sample, dataset)] if isinstance(sample, int | np.integer) else sample
    if bands is None:
        few = min(BANDS, dataset.n_features)
        bands = single_features(dataset) if dataset.axis is None else equal_bands(dataset, few)
    rows = _spread(dataset, BACKGROUND) if background is None else np.asarray(background, np.intp)
    if rows.size and not (rows.min() >= 0 and rows.max() < dataset.n_samples):
        raise ValueError(f"background names samples that are not among the {dataset.n_samples}.")
    found = shapley(
        forest,
        np.asarray(x, float),
        dataset.X[rows],
        _players(bands, dataset.n_features),
        target=target,
        seed=seed,
        threads=threads,
        progress=progress,
        cancel=cancel,
    )
    return Attribution(
        dataset.name,
        dataset.class_names,
        tuple(name for name, _ in bands),
        tuple(np.asarray(columns, np.intp) for _, columns in bands),
        found.values,
        found.error,
        found.base,
        found.posterior,
        rows,
        found.rounds,
    )


def _checked(sample: int | np.integer, dataset: Dataset) -> int:
    if not 0 <= sample < dataset.n_samples:
        raise ValueError(f"There is no sample {sample}; the data have {dataset.n_samples}.")
    return int(sample)


def _players(bands: Sequence[tuple[str, Any]], n_features: int) -> Ints:
    """The number of the band of each feature."""
    players = np.full(n_features, -1)
    for b, (name, columns) in enumerate(bands):
        columns = np.asarray(columns, np.intp)
        if not columns.size or columns.min() < 0 or columns.max() >= n_features:
            raise ValueError(f"Band '{name}' has no features, or features that the data lack.")
        if (players[columns] >= 0).any():
            raise ValueError(f"Band '{name}' holds a feature of another band.")
        players[columns] = b
    if (players < 0).any():
        raise ValueError(f"{int((players < 0).sum())} features are in no band; put them in one.")
    return players


def _spread(dataset: Dataset, most: int) -> Ints:
    """Up to ``most`` samples, each class in its share; the same for the same data."""
    n = dataset.n_samples
    if n <= most:
        return np.arange(n)
    mixed = np.random.default_rng(0).permutation(n)
    by_class = mixed[np.argsort(dataset.y[mixed], kind="stable")]
    steps = ((np.arange(most) + 0.5) * n / most).astype(np.intp)
    return np.sort(by_class[steps])
