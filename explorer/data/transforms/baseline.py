"""Owns baseline correction: asymmetric least squares, or a polynomial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solveh_banded

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, knob, noted


@dataclass(frozen=True)
class Baseline(Transform):
    """x minus its baseline z.

    method "asls" (Eilers, Boelens 2005): z minimises Σ w_i (x_i - z_i)² + λ Σ (Δ² z_i)², where
    w_i = asymmetry above the baseline and 1 - asymmetry below it, iterated until the weights
    stay (at most 50 times). method "polynomial": the least squares polynomial through all
    channels. Neither is invertible: the truth goes.
    """

    method: str = knob("asls", "Kind of baseline.", choices=("asls", "polynomial"))
    smoothness: float = knob(1e5, "More makes a stiffer baseline.", 1.0, 1e12, symbol="λ")
    asymmetry: float = knob(0.01, "Weight of what lies above the baseline.", 1e-6, 0.5, symbol="p")
    degree: int = knob(2, "Degree of the polynomial.", 0, 10)

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        return rows - (self._asls(rows) if self.method == "asls" else self._polynomial(rows))

    def _polynomial(self, rows: Floats) -> Floats:
        p = rows.shape[1]
        t = np.linspace(-1.0, 1.0, p)
        q, _ = np.linalg.qr(np.polynomial.legendre.legvander(t, min(self.degree, p - 1)))
        return (rows @ q) @ q.T

    def _asls(self, rows: Floats) -> Floats:
        p = rows.shape[1]
        if p < 3:
            raise ValueError(f"A smooth baseline needs at least 3 channels; there are {p}.")
        # λ DᵀD is pentadiagonal; upper form of solveh_banded: row 2 diagonal, row 1 first
        # off-diagonal (shifted by one), row 0 second
        second = np.diff(np.eye(min(p, 5)), 2, axis=0)
        penalty = np.zeros((3, p))
        if p <= 5:
            full = second.T @ second
            for offset in range(3):
                penalty[2 - offset, offset:] = np.diag(full, offset)
        else:
            diagonal, first = np.full(p, 6.0), np.full(p, -4.0)
            diagonal[[0, -1]], diagonal[[1, -2]] = 1.0, 5.0
            first[[1, -1]] = -2.0
            penalty[2], penalty[1], penalty[0] = diagonal, first, 1.0
        penalty *= self.smoothness
        baselines = np.empty_like(rows)
        for i, x in enumerate(rows):
            weight = np.ones(p)
            for _ in range(50):
                banded = penalty.copy()
                banded[2] += weight
                z = solveh_banded(banded, weight * x)
                updated = np.where(x > z, self.asymmetry, 1.0 - self.asymmetry)
                if np.array_equal(updated, weight):
                    break
                weight = updated
            baselines[i] = z
        return baselines

    def apply(self, dataset: Dataset) -> Dataset:
        what = (
            f"asymmetric least squares, smoothness {self.smoothness:g}"
            if self.method == "asls"
            else f"polynomial of degree {self.degree}"
        )
        return noted(dataset, f"Baseline removed: {what}.", X=self.map(dataset.X), truth=None)
