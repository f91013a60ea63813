"""`ClassSpectra`: the spectra of a data set, summarised class by class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.record import Record
from explorer.data import Dataset

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
MOST_SPECTRA = 200
_JUMP = 3.0  # a step of the axis so many times its median is a gap


@dataclass(frozen=True, eq=False)
class ClassSpectra(Record):
    """Means and spread of K classes along a spectral axis of P channels.

    axis: float64[P]; label: what to write along it; falling: draw it from high to low.
    breaks: intp, channels after which the axis jumps, because a band was left out.
    counts: intp[K]. mean, low, high: float64[K, P], low and high the 10 % and 90 % quantiles of
        the class; NaN for a class without samples.
    rows: intp[m], the spectra to draw singly, at most MOST_SPECTRA, in the classes' shares;
    y: intp[m], their classes; spectra: float64[m, P].
    """

    class_names: tuple[str, ...]
    axis: Floats
    label: str
    falling: bool
    breaks: NDArray[np.intp]
    counts: NDArray[np.intp]
    mean: Floats
    low: Floats
    high: Floats
    rows: NDArray[np.intp]
    y: NDArray[np.intp]
    spectra: Floats

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    def to_frame(self) -> pandas.DataFrame:
        """One row per channel: axis, then mean, low and high of each class."""
        import pandas

        table: dict[str, Any] = {self.label: self.axis}
        for k, name in enumerate(self.class_names):
            table |= {
                f"{name} mean": self.mean[k],
                f"{name} 10 %": self.low[k],
                f"{name} 90 %": self.high[k],
            }
        return pandas.DataFrame(table)


def axis_breaks(axis: Any) -> NDArray[np.intp]:
    """Channels after which an axis jumps by more than three of its usual steps."""
    steps = np.abs(np.diff(np.asarray(axis, np.float64)))
    if steps.size < 2:
        return np.empty(0, np.intp)
    return np.flatnonzero(steps > _JUMP * np.median(steps))


def class_spectra(dataset: Dataset, most: int = MOST_SPECTRA, seed: int = 0) -> ClassSpectra:
    """The classes' means, their spread, and some of the spectra themselves."""
    if dataset.axis is None:
        raise ValueError(f"Data set '{dataset.name}' has no spectral axis.")
    K, P = dataset.n_classes, dataset.n_features
    mean, low, high = (np.full((K, P), np.nan) for _ in range(3))
    for k in range(K):
        mine = dataset.X[dataset.y == k]
        if len(mine):
            mean[k] = mine.mean(axis=0)
            low[k], high[k] = np.quantile(mine, [0.1, 0.9], axis=0)
    rows = thinned(dataset.y, most, seed)
    return ClassSpectra(
        dataset.class_names,
        dataset.axis.values,
        dataset.axis.label,
        dataset.axis.reversed,
        axis_breaks(dataset.axis.values),
        dataset.class_counts,
        mean,
        low,
        high,
        rows,
        dataset.y[rows],
        dataset.X[rows],
    )


def thinned(y: NDArray[np.intp], most: int, seed: int = 0) -> NDArray[np.intp]:
    """At most so many rows, drawn in the classes' shares, ascending, intp."""
    n = y.size
    if n <= most:
        return np.arange(n)
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(y[order], kind="stable")]
    return np.sort(order[(np.arange(most) * n) // most])
