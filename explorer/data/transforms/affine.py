"""The invertible maps of Tomita s.2.3: turn, random rotation, scaling, and both (affine)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, knob, noted, seed_knob
from explorer.data.truth import AffineMap, Mapped

_LARGEST_ROTATION = 4000  # QR of p x p takes p³ steps and 8 p² bytes


class Invertible(Transform):
    """x' = A x. The truth is carried over exactly (`Mapped`), the Bayes error stays."""

    @abstractmethod
    def affine(self, p: int) -> AffineMap:
        """A [p, p] and its inverse for p features."""

    @abstractmethod
    def sentence(self) -> str:
        """What goes into the notes."""

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        return self.affine(rows.shape[1]).forward(rows)

    def apply(self, dataset: Dataset) -> Dataset:
        """X A^T; features that mix several old ones lose name, axis and image."""
        m = self.affine(dataset.n_features)
        mixed = np.count_nonzero(m.matrix, axis=1) > 1
        names = tuple(
            f"{name}'" if mix else name
            for name, mix in zip(dataset.feature_names, mixed, strict=True)
        )
        informative = dataset.informative
        if informative is not None:
            informative = np.flatnonzero((m.matrix[:, informative] != 0).any(axis=1))
        return noted(
            dataset,
            self.sentence(),
            X=m.forward(dataset.X),
            feature_names=names,
            axis=None if mixed.any() else dataset.axis,
            image_shape=None if mixed.any() else dataset.image_shape,
            informative=informative,
            truth=None if dataset.truth is None else Mapped(dataset.truth, m),
        )


@dataclass(frozen=True)
class Turn(Invertible):
    """Rotation by an angle in the plane of two features (counted from 0)."""

    angle: float = knob(45.0, "Turn the data, in degrees.", -360.0, 360.0)
    first: int = knob(0, "First feature of the plane, counted from 0.", 0, 10**6)
    second: int = knob(1, "Second feature of the plane, counted from 0.", 0, 10**6)

    def affine(self, p: int) -> AffineMap:
        if self.first == self.second or max(self.first, self.second) >= p:
            raise ValueError(
                f"A turn needs two different features out of {p}; it has "
                f"{self.first} and {self.second} (counted from 0)."
            )
        a = np.deg2rad(self.angle)
        A = np.eye(p)
        i, j = self.first, self.second
        A[[i, i, j, j], [i, j, i, j]] = np.cos(a), -np.sin(a), np.sin(a), np.cos(a)
        return AffineMap(A, A.T, np.zeros(p))

    def sentence(self) -> str:
        return f"Turned by {self.angle:g} degrees."


@dataclass(frozen=True)
class Rotation(Invertible):
    """A rotation drawn uniformly at random (Tomita s.2.3; by QR as in s.2.4), determinant +1."""

    seed: int = seed_knob()

    def affine(self, p: int) -> AffineMap:
        if p > _LARGEST_ROTATION:
            raise ValueError(
                f"A random rotation of {p} features needs {8 * p * p / 1e6:.0f} MB; at most "
                f"{_LARGEST_ROTATION} features can be rotated. Bin or select channels first."
            )
        rng = np.random.default_rng([self.seed, 1])
        q, r = np.linalg.qr(rng.standard_normal((p, p)))
        q = q * np.where(np.diag(r) < 0, -1.0, 1.0)  # or QR's own signs would bias the draw
        if p and np.linalg.det(q) < 0:
            q[:, 0] = -q[:, 0]
        return AffineMap(q, q.T, np.zeros(p))

    def sentence(self) -> str:
        return f"Rotated at random (seed {self.seed})."


@dataclass(frozen=True)
class RandomScaling(Invertible):
    """Each feature times a factor, uniform on [low, high] (Tomita s.2.3: [1e-5, 1e5]).

    spacing "uniform" is the paper's: nine of ten factors then lie above 1e4. "log" draws the
    exponent uniformly, so that all magnitudes occur.
    """

    low: float = knob(1e-5, "Smallest factor.", 1e-12, 1e12)
    high: float = knob(1e5, "Largest factor.", 1e-12, 1e12)
    spacing: str = knob("uniform", "How factors are drawn.", choices=("uniform", "log"))
    seed: int = seed_knob()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low > self.high:
            raise ValueError(f"The smallest factor ({self.low}) exceeds the largest ({self.high}).")

    def factors(self, p: int) -> Floats:
        """Float64 [p]."""
        u = np.random.default_rng([self.seed, 2]).random(p)
        if self.spacing == "log":
            return np.exp(np.log(self.low) + u * (np.log(self.high) - np.log(self.low)))
        return self.low + u * (self.high - self.low)

    def affine(self, p: int) -> AffineMap:
        s = self.factors(p)
        return AffineMap(np.diag(s), np.diag(1.0 / s), np.zeros(p))

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        return rows * self.factors(rows.shape[1])

    def sentence(self) -> str:
        return f"Features scaled by factors from [{self.low:g}, {self.high:g}] (seed {self.seed})."


@dataclass(frozen=True)
class Affine(Invertible):
    """A rotation followed by a scaling (Tomita s.2.3), each as with the same seed alone."""

    low: float = knob(1e-5, "Smallest factor.", 1e-12, 1e12)
    high: float = knob(1e5, "Largest factor.", 1e-12, 1e12)
    spacing: str = knob("uniform", "How factors are drawn.", choices=("uniform", "log"))
    seed: int = seed_knob()

    def affine(self, p: int) -> AffineMap:
        q = Rotation(self.seed).affine(p).matrix
        s = RandomScaling(self.low, self.high, self.spacing, self.seed).factors(p)
        return AffineMap(s[:, None] * q, q.T / s, np.zeros(p))

    def sentence(self) -> str:
        return f"Rotated and scaled at random (seed {self.seed})."
