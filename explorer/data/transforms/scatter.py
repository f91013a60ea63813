"""Multiplicative scatter correction, plain and extended: spectra brought onto a reference."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import LEARNED, Floats, Transform, knob, noted, with_learned

REFERENCES = ("mean", "median")
_FLAT = 1e-12


@dataclass(frozen=True)
class MSC(Transform):
    """x = a + b r + e, least squares per spectrum; the result is (x - a) / b (Martens et al. 1983).

    r is the mean or median spectrum of the data that the transform is fitted on, so in an
    evaluation that of the training part. Offset and scatter go; so does the truth.
    """

    centre: str = knob("mean", "Reference spectrum: mean or median.", choices=REFERENCES)
    # float64 [p]
    reference: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def fitted(self, dataset: Dataset) -> MSC:
        return with_learned(self, reference=_reference(self.centre, dataset))

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        reference = _own(self.reference, rows, "MSC")
        centred = reference - reference.mean()
        slope = rows @ centred / (centred @ centred)
        _check_slopes(slope, rows, "MSC")
        offset = rows.mean(axis=1) - slope * reference.mean()
        out = rows - offset[:, None]
        out /= slope[:, None]
        return out

    def apply(self, dataset: Dataset) -> Dataset:
        step = self if self.is_fitted else self.fitted(dataset)
        return noted(
            dataset,
            f"Multiplicative scatter correction onto the {self.centre} spectrum.",
            X=step.map(dataset.X),
            truth=None,
        )


@dataclass(frozen=True)
class EMSC(Transform):
    """x = b r + Σ c_j t^j + e; the result is (x - Σ c_j t^j) / b (Martens, Stark 1991).

    r is the reference as in MSC, t the position on the axis scaled to -1..1 (the channel's number
    without an axis), j = 0..degree. degree 0 is MSC.
    """

    centre: str = knob("mean", "Reference spectrum: mean or median.", choices=REFERENCES)
    degree: int = knob(2, "Degree of the baseline that is fitted along.", 0, 6)
    # float64 [p]
    reference: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)
    # float64 [p], -1..1
    position: np.ndarray | None = field(default=None, compare=False, repr=False, metadata=LEARNED)

    def fitted(self, dataset: Dataset) -> EMSC:
        p = dataset.n_features
        values = np.arange(p, dtype=np.float64) if dataset.axis is None else dataset.axis.values
        span = np.ptp(values) or 1.0
        return with_learned(
            self,
            reference=_reference(self.centre, dataset),
            position=2.0 * (values - values.min()) / span - 1.0,
        )

    @property
    def in_parts(self) -> bool:
        return True

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        reference = _own(self.reference, rows, "EMSC")
        assert self.position is not None
        if rows.shape[1] < self.degree + 3:
            raise ValueError(
                f"EMSC with degree {self.degree} needs at least {self.degree + 3} channels; "
                f"there are {rows.shape[1]}. Choose a lower degree."
            )
        polynomial = np.polynomial.legendre.legvander(self.position, self.degree)
        basis = np.column_stack([reference, polynomial])
        # orthonormal columns: the reference comes last, so that its own part decides the slope
        q, r = np.linalg.qr(np.column_stack([polynomial, reference]))
        if abs(r[-1, -1]) <= _FLAT * np.abs(r).max():
            raise ValueError(
                f"The reference spectrum is itself a polynomial of degree {self.degree} or lower, "
                "so EMSC cannot tell it from a baseline. Choose a lower degree, or SNV."
            )
        weights = np.linalg.solve(r, q.T @ rows.T)  # [degree + 2, n]: baseline, then slope
        slope = weights[-1]
        _check_slopes(slope, rows, "EMSC")
        out = rows - weights[:-1].T @ basis[:, 1:].T
        out /= slope[:, None]
        return out

    def apply(self, dataset: Dataset) -> Dataset:
        step = self if self.is_fitted else self.fitted(dataset)
        return noted(
            dataset,
            f"Extended scatter correction onto the {self.centre} spectrum, baseline of degree "
            f"{self.degree}.",
            X=step.map(dataset.X),
            truth=None,
        )


def _reference(centre: str, dataset: Dataset) -> Floats:
    if dataset.n_features < 2:
        raise ValueError("Scatter correction needs at least two channels; this data set has one.")
    reference = (np.mean if centre == "mean" else np.median)(dataset.X, axis=0)
    if np.ptp(reference) <= _FLAT * np.abs(dataset.X).max():
        raise ValueError(
            f"The {centre} spectrum is constant, so scatter cannot be corrected with it. "
            "Remove SNV or mean-centring before this step."
        )
    return np.asarray(reference, np.float64)


def _own(reference: np.ndarray | None, rows: Floats, name: str) -> Floats:
    if reference is None:
        raise ValueError(f"{name} has no reference yet; call `fitted` with the training data.")
    if reference.size != rows.shape[1]:
        raise ValueError(
            f"{name} was fitted on spectra of {reference.size} channels; these have "
            f"{rows.shape[1]}."
        )
    return reference


def _check_slopes(slope: Floats, rows: Floats, name: str) -> None:
    flat = np.abs(slope) <= _FLAT * max(1.0, float(np.abs(slope).max(initial=0.0)))
    if flat.any():
        where = int(np.flatnonzero(flat)[0]) + 1
        raise ValueError(
            f"Spectrum {where} has nothing of the reference in it, so {name} cannot scale it. "
            "Remove it first."
        )
