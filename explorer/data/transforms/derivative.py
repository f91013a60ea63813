"""Owns the Savitzky-Golay derivatives, by `scipy.signal.savgol_filter`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, knob, noted

_EVEN = 0.01


@dataclass(frozen=True)
class Derivative(Transform):
    """The order-th derivative of a polynomial fitted in a moving window (Savitzky, Golay 1964).

    order 0 smooths. At the ends the polynomial of the last window is used. `apply` differentiates
    per unit of the axis, with its sign, where channels are evenly spaced to 1 %; else, and in
    `map`, per channel. Not invertible: the truth goes. Informative channels grow by half a window.
    """

    order: int = knob(1, "First or second derivative; 0 only smooths.", 0, 2)
    window: int = knob(11, "Channels in the moving window, an odd number.", 3, 501)
    degree: int = knob(2, "Degree of the polynomial in the window.", 1, 7)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window % 2 == 0:
            raise ValueError(f"The window has {self.window} channels; it must be an odd number.")
        if not self.order <= self.degree < self.window:
            raise ValueError(
                f"A derivative of order {self.order} needs a polynomial of at least that degree "
                f"and below the window: degree {self.degree}, window {self.window}."
            )

    def map(self, X: ArrayLike) -> Floats:
        return self._filter(np.asarray(X, np.float64), 1.0)

    def _filter(self, rows: Floats, step: float) -> Floats:
        from scipy.signal import savgol_filter  # slow to import, so only here

        if rows.shape[1] < self.window:
            raise ValueError(
                f"The window ({self.window} channels) is wider than the spectra "
                f"({rows.shape[1]} channels); take a smaller one."
            )
        slopes = savgol_filter(rows, self.window, self.degree, deriv=self.order, axis=1)
        return np.asarray(slopes / step**self.order, np.float64)

    def apply(self, dataset: Dataset) -> Dataset:
        step, per = 1.0, "channel"
        if dataset.axis is not None:
            steps = np.diff(dataset.axis.values)
            if np.ptp(steps) <= _EVEN * abs(steps.mean()):
                step, per = float(steps.mean()), dataset.axis.unit or "unit of the axis"
        informative = dataset.informative
        if informative is not None and informative.size:
            reach = self.window // 2
            near = informative[:, None] + np.arange(-reach, reach + 1)
            informative = np.unique(near[(near >= 0) & (near < dataset.n_features)])
        what = ("Smoothed", "First derivative", "Second derivative")[self.order]
        return noted(
            dataset,
            f"{what}, Savitzky-Golay, window {self.window}, degree {self.degree}, per {per}.",
            X=self._filter(dataset.X, step),
            informative=informative,
            truth=None,
        )
