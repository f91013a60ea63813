"""The Savitzky-Golay derivatives, by `scipy.signal.savgol_filter`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import LEARNED, Floats, Transform, knob, noted, with_learned

_EVEN = 0.01


def _step(dataset: Dataset) -> tuple[float, str]:
    """The distance of channels on an even axis and its unit; 1 and "channel" on any other."""
    if dataset.axis is None or dataset.n_features < 2:
        return 1.0, "channel"
    steps = np.diff(dataset.axis.values)
    if np.ptp(steps) > _EVEN * abs(steps.mean()):
        return 1.0, "channel"
    return float(steps.mean()), dataset.axis.unit or "unit of the axis"


@dataclass(frozen=True)
class Derivative(Transform):
    """The order-th derivative of a polynomial fitted in a moving window (Savitzky, Golay 1964).

    order 0 smooths. At the ends the polynomial of the last window is used. A fitted derivative,
    and so `apply`, is per unit of the axis, with its sign, where channels are evenly spaced to 1 %;
    otherwise, and in `map` of one that was not fitted, it is per channel. Not invertible: the
    truth goes. Informative channels grow by half a window.
    """

    order: int = knob(1, "First or second derivative; 0 only smooths.", 0, 2)
    window: int = knob(11, "Channels in the moving window, an odd number.", 3, 501)
    degree: int = knob(2, "Degree of the polynomial in the window.", 1, 7)
    # float64: the distance of channels on the axis
    step: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window % 2 == 0:
            raise ValueError(f"The window has {self.window} channels; it must be an odd number.")
        if not self.order <= self.degree < self.window:
            raise ValueError(
                f"A derivative of order {self.order} needs a polynomial of at least that degree "
                f"and below the window: degree {self.degree}, window {self.window}."
            )

    def fitted(self, dataset: Dataset) -> Derivative:
        return with_learned(self, step=_step(dataset)[0])

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        return self._filter(np.asarray(X, np.float64), 1.0 if self.step is None else self.step)

    def _filter(self, rows: Floats, step: float | np.ndarray) -> Floats:
        from scipy.signal import savgol_filter  # slow to import, so only here

        if rows.shape[1] < self.window:
            raise ValueError(
                f"The window ({self.window} channels) is wider than the spectra "
                f"({rows.shape[1]} channels); take a smaller one."
            )
        slopes = savgol_filter(rows, self.window, self.degree, deriv=self.order, axis=1)
        return np.asarray(slopes / step**self.order, np.float64)

    def apply(self, dataset: Dataset) -> Dataset:
        step, per = _step(dataset)
        informative = dataset.informative
        if informative is not None and informative.size:
            reach = self.window // 2
            near = informative[:, None] + np.arange(-reach, reach + 1)
            informative = np.unique(near[(near >= 0) & (near < dataset.n_features)])
        what = ("Smoothed", "First derivative", "Second derivative")[self.order]
        return noted(
            dataset,
            f"{what}, Savitzky-Golay, window {self.window}, degree {self.degree}, per {per}.",
            X=self._filter(dataset.X, step if self.step is None else self.step),
            informative=informative,
            truth=None,
        )
