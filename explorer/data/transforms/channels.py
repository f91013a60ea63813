"""Selects or joins channels: band selection and binning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.axis import SpectralAxis
from explorer.data.dataset import Dataset
from explorer.data.transforms.base import LEARNED, Floats, Transform, knob, noted, with_learned


@dataclass(frozen=True)
class BandSelection(Transform):
    """Only the channels whose axis value lies in [low, high], or all but these.

    Either end may come first.

    Without a spectral axis, features are counted 1, 2, 3, .... The truth stays exact where a
    marginal has a closed form. A fitted selection knows its channels; `map` of one that was not
    fitted counts features, as it does not know the axis.
    """

    low: float = knob(0.0, "One end of the band, in units of the axis.", -1e12, 1e12)
    high: float = knob(1e12, "Other end of the band, in units of the axis.", -1e12, 1e12)
    keep: bool = knob(True, "Keep the band; otherwise it is left out.")
    # intp: the channels that remain
    index: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def _inside(self, values: Floats, what: str) -> np.ndarray:
        low, high = sorted((self.low, self.high))
        inside = np.flatnonzero((values >= low) & (values <= high))
        if inside.size == 0:
            raise ValueError(
                f"No channel lies between {low:g} and {high:g}; {what} runs from "
                f"{values.min():g} to {values.max():g}."
            )
        if self.keep:
            return inside
        if inside.size == values.size:
            raise ValueError(f"No channel would be left without {low:g} to {high:g}.")
        return np.setdiff1d(np.arange(values.size), inside)

    def channels(self, dataset: Dataset) -> np.ndarray:
        """Indices of the chosen channels, ascending, intp."""
        if self.index is not None:
            return self.index
        if dataset.axis is None:
            return self._inside(np.arange(1.0, dataset.n_features + 1), "the count of features")
        return self._inside(dataset.axis.values, "the axis")

    def fitted(self, dataset: Dataset) -> BandSelection:
        return with_learned(self, index=self.channels(dataset))

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if self.index is not None:
            return rows[:, self.index]
        return rows[:, self._inside(np.arange(1.0, rows.shape[1] + 1), "the count of features")]

    def apply(self, dataset: Dataset) -> Dataset:
        low, high = sorted((self.low, self.high))
        kept = dataset.select(self.channels(dataset))
        words = "kept" if self.keep else "left out, the others kept"
        return noted(kept, f"Channels from {low:g} to {high:g} {words} ({kept.n_features}).")


@dataclass(frozen=True)
class Binning(Transform):
    """Means of `size` neighbouring channels; a rest at the end makes one smaller bin.

    A bin is informative if one of its channels was. Not invertible: the truth goes.
    """

    size: int = knob(4, "Channels that become one.", 1, 10_000)

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        starts = np.arange(0, rows.shape[1], self.size)
        counts = np.diff(np.append(starts, rows.shape[1]))
        return np.add.reduceat(rows, starts, axis=1) / counts

    def apply(self, dataset: Dataset) -> Dataset:
        p = dataset.n_features
        starts = np.arange(0, p, self.size)
        ends = np.append(starts[1:], p)
        axis = dataset.axis
        if axis is not None:
            centres = self.map(axis.values[None])[0]
            axis = SpectralAxis(centres, axis.name, axis.unit, axis.reversed)
            names = tuple(f"{v:.6g}" for v in centres)
        if axis is None or len(set(names)) < len(names):
            names = tuple(
                dataset.feature_names[a]
                if b - a == 1
                else f"{dataset.feature_names[a]}..{dataset.feature_names[b - 1]}"
                for a, b in zip(starts, ends, strict=True)
            )
        informative = dataset.informative
        return noted(
            dataset,
            f"Binned by {self.size} channels.",
            X=self.map(dataset.X),
            feature_names=names,
            axis=axis,
            informative=None if informative is None else np.unique(informative // self.size),
            image_shape=None,
            truth=dataset.truth if self.size == 1 else None,
        )
