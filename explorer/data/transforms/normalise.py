"""Normalisation of single spectra by their area, length or a peak, and mean-centring."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import LEARNED, Floats, Transform, knob, noted, with_learned

METHODS = ("area", "vector", "peak", "maximum")


@dataclass(frozen=True)
class Normalise(Transform):
    """Every spectrum divided by one number of its own.

    method "area": the mean of |x|, so that all spectra have the area of one of height 1;
    "vector": the root mean square; "maximum": the largest |x|; "peak": the value at the channel
    nearest to ``at`` on the axis (without an axis, features are counted 1, 2, 3, ...). Not
    invertible: the truth goes.
    """

    method: str = knob("area", "Number that each spectrum is divided by.", choices=METHODS)
    at: float = knob(0.0, "Place of the peak, in units of the axis.", -1e12, 1e12)
    # intp: the peak's channel
    channel: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def fitted(self, dataset: Dataset) -> Normalise:
        axis = dataset.axis
        values = np.arange(1.0, dataset.n_features + 1) if axis is None else axis.values
        if self.method == "peak" and not values.min() <= self.at <= values.max():
            raise ValueError(
                f"There is no channel at {self.at:g}; the axis runs from {values.min():g} to "
                f"{values.max():g}. Choose a place of the peak within it."
            )
        return with_learned(self, channel=np.abs(values - self.at).argmin())

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if self.method == "area":
            size = np.abs(rows).mean(axis=1)
        elif self.method == "vector":
            size = np.sqrt(np.mean(rows**2, axis=1))
        elif self.method == "maximum":
            size = np.abs(rows).max(axis=1)
        else:
            if self.channel is None:
                raise ValueError("The peak's channel is not known yet; call `fitted` first.")
            size = rows[:, int(self.channel)]
        small = np.abs(size) <= 1e-14 * np.abs(rows).max(axis=1)
        if small.any():
            what = "at the peak" if self.method == "peak" else "everywhere"
            raise ValueError(
                f"Spectrum {int(np.flatnonzero(small)[0]) + 1} is zero {what}, so it cannot be "
                "normalised. Remove it, or choose another normalisation."
            )
        return rows / size[:, None]

    def apply(self, dataset: Dataset) -> Dataset:
        step = self if self.is_fitted else self.fitted(dataset)
        words = f"its value at {self.at:g}" if self.method == "peak" else f"its {self.method}"
        words = {"its vector": "its root mean square"}.get(words, words)
        return noted(
            dataset, f"Each spectrum divided by {words}.", X=step.map(dataset.X), truth=None
        )


@dataclass(frozen=True)
class MeanCentre(Transform):
    """Minus the mean spectrum of the data that the transform is fitted on.

    Forests with cuts along axes do not change; it makes differences between classes visible.
    """

    # float64 [p]

    mean: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def fitted(self, dataset: Dataset) -> MeanCentre:
        return with_learned(self, mean=dataset.X.mean(axis=0))

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if self.mean is None:
            raise ValueError("The mean is not known yet; call `fitted` with the training data.")
        return rows - self.mean

    def apply(self, dataset: Dataset) -> Dataset:
        step = self if self.is_fitted else self.fitted(dataset)
        return noted(dataset, "Mean spectrum subtracted.", X=step.map(dataset.X), truth=None)
