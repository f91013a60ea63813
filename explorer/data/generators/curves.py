"""Two data sets along curves: entangled spirals and half moons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.data.curves import NoisyCurves
from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, samples, seed, sigma
from explorer.data.truth import Floats


@dataclass(frozen=True, eq=False)
class Spirals(NoisyCurves):
    """c_0(t) = (2 w + 1)/3 (cos 2πw, sin 2πw) with w = cycles t, and c_1 = -c_0."""

    cycles: float
    noise: float

    def curve(self, k: int, t: Floats) -> Floats:
        w = self.cycles * t
        radius = (2.0 * w + 1.0) / 3.0 * (1.0 if k == 0 else -1.0)
        return np.column_stack([radius * np.cos(2 * np.pi * w), radius * np.sin(2 * np.pi * w)])


@dataclass(frozen=True, eq=False)
class Moons(NoisyCurves):
    """Two half circles of radius 1, facing, the second moved by (1, 1/2)."""

    noise: float

    def curve(self, k: int, t: Floats) -> Floats:
        a = np.pi * t
        if k == 0:
            return np.column_stack([np.cos(a), np.sin(a)])
        return np.column_stack([1.0 - np.cos(a), 0.5 - np.sin(a)])


def spirals(n: int = 200, cycles: float = 1.0, noise: float = 0.1, seed: int = 0) -> Dataset:
    """Two entangled spirals (Menze Table 1, set 17), noise isotropic with standard deviation σ.

    The R package behind the paper adds its noise across the curve only; ours goes both ways, so
    that the density is an integral of Gaussians and the posterior is known to quadrature.
    """
    truth = Spirals(cycles, noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="spirals",
        title="Spirals",
        X=X,
        y=y,
        class_names=("one", "other"),
        truth=truth,
        citation="Menze et al. 2011, Table 1; after mlbench.spirals (Leisch, Dimitriadou)",
    )


def moons(n: int = 200, noise: float = 0.2, seed: int = 0) -> Dataset:
    """Two half moons with isotropic noise σ; posterior known to quadrature."""
    truth = Moons(noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="moons",
        title="Moons",
        X=X,
        y=y,
        class_names=("upper", "lower"),
        truth=truth,
    )


ENTRIES = (
    entry(
        spirals,
        "Spirals",
        "2-D",
        "Two entangled spirals: no straight cut helps for long.",
        n=samples(),
        cycles=Knob("Turns of each spiral.", 0.25, 3.0),
        noise=sigma(0.03, 1.0),
        seed=seed(),
    ),
    entry(
        moons,
        "Moons",
        "2-D",
        "Two half moons, one inside the arm of the other.",
        n=samples(),
        noise=sigma(0.02, 1.0),
        seed=seed(),
    ),
)
