"""Breiman's three norms (Menze Table 1, sets 16, 18, 19) in any dimension."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, samples, seed, sigma
from explorer.data.gaussians import GaussianMixture

_CITATION = "Breiman 1998, Arcing classifiers; Menze et al. 2011, Table 1"


def _dataset(name: str, title: str, truth: GaussianMixture, n: int, seed: int) -> Dataset:
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name=name,
        title=title,
        X=X,
        y=y,
        class_names=("1", "2"),
        truth=truth,
        informative=np.arange(truth.n_features),
        citation=_CITATION,
    )


def twonorm(n: int = 300, p: int = 20, noise: float = 1.0, seed: int = 0) -> Dataset:
    """Two Gaussians N(±a 1, σ² I), a = 2/√p; Bayes error Φ(-2/σ), 2.3 % at σ = 1 (as printed)."""
    a = np.full(p, 2.0 / np.sqrt(p))
    truth = GaussianMixture.equal([a, -a], [0, 1], noise**2)
    return _dataset("twonorm", "Twonorm", truth, n, seed)


def threenorm(n: int = 300, p: int = 20, noise: float = 1.0, seed: int = 0) -> Dataset:
    """Class 1 from N(a 1, σ² I) or N(-a 1, σ² I), half each; class 2 from N((a, -a, ...), σ² I).

    a = 2/√p. The three centres span a plane, so the Bayes error is a two-dimensional integral:
    10.5 % at p = 20, σ = 1, as Breiman prints it. In one dimension class 2 lies on one of class
    1's two centres.
    """
    a = np.full(p, 2.0 / np.sqrt(p))
    alternating = a * (-1.0) ** np.arange(p)
    truth = GaussianMixture.equal([a, -a, alternating], [0, 0, 1], noise**2)
    return _dataset("threenorm", "Threenorm", truth, n, seed)


def ringnorm(n: int = 300, p: int = 20, noise: float = 1.0, seed: int = 0) -> Dataset:
    """Class 1 from N(0, 4σ² I), class 2 from N(a 1, σ² I), a = 2/√p.

    The boundary is a sphere around (4/3) a 1, so the Bayes error is a sum of two noncentral χ²
    distribution functions: 1.24 % at p = 20, σ = 1, where Breiman prints 1.3 %. (mlbench's
    a = 1/√p would give 1.50 %.)
    """
    from scipy.stats import ncx2  # slow to import, so only here

    a = 2.0 / np.sqrt(p)
    v = noise**2
    # |x - a|²/v < |x|²/4v + 2 p ln 2  is  |x - (4/3) a|² < R²
    r2 = (8.0 / 3.0) * v * p * np.log(2.0) + p * a * a * (16.0 / 9.0 - 4.0 / 3.0)
    inside_1 = ncx2.cdf(r2 / (4 * v), p, p * (4 * a / 3) ** 2 / (4 * v))
    outside_2 = ncx2.sf(r2 / v, p, p * (a / 3) ** 2 / v)
    truth = GaussianMixture.equal(
        [np.zeros(p), np.full(p, a)],
        [0, 1],
        [4 * v, v],
        error=float(0.5 * (inside_1 + outside_2)),
    )
    return _dataset("ringnorm", "Ringnorm", truth, n, seed)


def _knobs() -> dict[str, Knob]:
    return {
        "n": samples(),
        "p": Knob("Features.", 1, 1000, symbol="p"),
        "noise": sigma(0.1, 10.0),
        "seed": seed(),
    }


ENTRIES = (
    entry(
        twonorm,
        "Twonorm",
        "synthetic",
        "Two round Gaussians on a diagonal: one oblique cut is optimal.",
        **_knobs(),
    ),
    entry(
        threenorm,
        "Threenorm",
        "synthetic",
        "Three round Gaussians of two classes; Menze's test bed for correlation.",
        **_knobs(),
    ),
    entry(
        ringnorm,
        "Ringnorm",
        "synthetic",
        "A tight Gaussian inside a wide one: the boundary is a sphere.",
        **_knobs(),
    ),
)
