"""Missing values filled with the median of the data that the step is fitted on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import LEARNED, Floats, Transform, noted, with_learned


@dataclass(frozen=True)
class Fill(Transform):
    """NaN becomes the median of its feature over the known values of the training part.

    In a data set the missing cells are its `gaps`, which hold a value for now; `fitted` does not
    count them, and `apply` writes the median into them. A feature without a known value in the
    training part becomes 0 there, and so is constant.
    """

    # float64 [p]
    value: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    @property
    def in_parts(self) -> bool:
        return True

    def fitted(self, dataset: Dataset) -> Fill:
        value = np.median(dataset.X, axis=0)
        if dataset.gaps is not None:
            for j in np.flatnonzero(dataset.gaps.any(axis=0)):
                known = dataset.X[~dataset.gaps[:, j], j]
                value[j] = np.median(known) if known.size else 0.0
        return with_learned(self, value=value)

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if self.value is None:
            raise ValueError("The medians are not known yet; call `fitted` with the training data.")
        if self.value.size != rows.shape[1]:
            raise ValueError(
                f"Missing values were filled in {self.value.size} features; these rows have "
                f"{rows.shape[1]}."
            )
        absent = np.isnan(rows)
        return np.where(absent, self.value, rows) if absent.any() else rows.copy()

    def apply(self, dataset: Dataset) -> Dataset:
        if dataset.gaps is None:
            return noted(dataset, "No value was missing, so none was filled.")
        step = self if self.is_fitted else self.fitted(dataset)
        return noted(
            dataset,
            f"{int(dataset.gaps.sum())} missing values filled with the median of their feature.",
            X=step.map(dataset.raw),
            truth=None,
        )
