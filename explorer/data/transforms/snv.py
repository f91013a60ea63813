"""The standard normal variate: every spectrum to mean 0 and standard deviation 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, noted


@dataclass(frozen=True)
class SNV(Transform):
    """(x - mean(x)) / sd(x) per spectrum, sd with p - 1 (Barnes, Dhanoa, Lister 1989).

    Offset and scatter go; so does the truth, as the map is not invertible.
    """

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if rows.shape[1] < 2:
            raise ValueError("SNV needs at least two channels; this data set has one.")
        centred = rows - rows.mean(axis=1, keepdims=True)
        sd = np.sqrt(np.einsum("ij,ij->i", centred, centred) / (rows.shape[1] - 1))
        flat = sd <= 1e-14 * np.maximum(rows.max(axis=1), -rows.min(axis=1))
        if flat.any():
            raise ValueError(
                f"Spectrum {int(np.flatnonzero(flat)[0]) + 1} is constant, so SNV cannot scale it. "
                "Remove it first."
            )
        centred /= sd[:, None]
        return centred

    def apply(self, dataset: Dataset) -> Dataset:
        return noted(
            dataset, "Standard normal variate per spectrum.", X=self.map(dataset.X), truth=None
        )
