"""Baseline correction: an offset, a line, a polynomial, or asymmetric least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.asls import baselines
from explorer.data.transforms.base import Floats, Transform, knob, noted

METHODS = ("asls", "polynomial", "constant", "linear")


@dataclass(frozen=True)
class Baseline(Transform):
    """x minus its baseline z.

    method "asls" (Eilers, Boelens 2005): z minimises Σ w_i (x_i - z_i)² + λ Σ (Δ² z_i)², where
    w_i = asymmetry above the baseline and 1 - asymmetry below it, iterated until the weights
    stay (at most 50 times). method "polynomial": the least squares polynomial through all
    channels. method "constant": the smallest value. method "linear": the line through the first
    and the last channel. None of them is invertible: the truth goes.
    """

    method: str = knob("asls", "Kind of baseline.", choices=METHODS)
    smoothness: float = knob(1e5, "More makes a stiffer baseline.", 1.0, 1e12, symbol="λ")
    asymmetry: float = knob(0.01, "Weight of what lies above the baseline.", 1e-6, 0.5, symbol="p")
    degree: int = knob(2, "Degree of the polynomial.", 0, 10)

    @property
    def in_parts(self) -> bool:
        return self.method != "asls"

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        if self.method == "asls":
            return rows - self._asls(rows)
        if self.method == "polynomial":
            return rows - self._polynomial(rows)
        if self.method == "constant":
            return rows - rows.min(axis=1, keepdims=True)
        t = np.linspace(0.0, 1.0, rows.shape[1])
        out = rows - rows[:, :1] * (1.0 - t)
        out -= rows[:, -1:] * t
        return out

    def _polynomial(self, rows: Floats) -> Floats:
        p = rows.shape[1]
        t = np.linspace(-1.0, 1.0, p)
        q, _ = np.linalg.qr(np.polynomial.legendre.legvander(t, min(self.degree, p - 1)))
        return (rows @ q) @ q.T

    def _asls(self, rows: Floats) -> Floats:
        p = rows.shape[1]
        if p < 3:
            raise ValueError(f"A smooth baseline needs at least 3 channels; there are {p}.")
        return baselines(rows, self.smoothness, self.asymmetry)

    def apply(self, dataset: Dataset) -> Dataset:
        what = {
            "asls": f"asymmetric least squares, smoothness {self.smoothness:g}",
            "polynomial": f"polynomial of degree {self.degree}",
            "constant": "the smallest value of each spectrum",
            "linear": "the line through the first and the last channel",
        }[self.method]
        return noted(dataset, f"Baseline removed: {what}.", X=self.map(dataset.X), truth=None)
