"""Corruption (Tomita s.2.3): some entries become 10^2 ... 10^5 times larger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, knob, noted, seed_knob
from explorer.data.truth import Polyline, Truth

FACTORS = (1e2, 1e3, 1e4, 1e5)


@dataclass(frozen=True)
class Corruption(Transform):
    """A share of the entries, chosen without replacement, times a factor drawn from FACTORS.

    The truth of a sparse parity is kept, because only signs enter it (Tomita Fig. 2, right
    column); for all others P(y | corrupted x) is a sum over 5^p patterns, and `truth` is None.
    `map` of new rows corrupts entries drawn for their own shape: take another seed for test data.
    """

    share: float = knob(0.2, "Share of entries that are corrupted.", 0.0, 1.0)
    seed: int = seed_knob()

    def map(self, X: ArrayLike) -> Floats:
        rng = np.random.default_rng([self.seed, 3])
        return corrupt(np.asarray(X, np.float64), self.share, rng)

    def apply(self, dataset: Dataset) -> Dataset:
        truth = dataset.truth
        if truth is not None:
            truth = Corrupted(truth, self.share) if truth.scale_free else None
        return noted(
            dataset,
            f"{100 * self.share:.0f} % of the entries corrupted (seed {self.seed}).",
            X=self.map(dataset.X),
            truth=truth,
        )


@dataclass(frozen=True, eq=False)
class Corrupted(Truth):
    """The truth of corrupted rows where positive factors do not change the posterior."""

    source: Truth
    share: float

    @property
    def n_features(self) -> int:
        return self.source.n_features

    @property
    def n_classes(self) -> int:
        return self.source.n_classes

    @property
    def scale_free(self) -> bool:
        return True

    def log_joint(self, X: ArrayLike) -> Floats:
        return self.source.log_joint(X)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        X, y = self.source.sample(n, rng)
        return corrupt(X, self.share, rng), y

    @property
    def bayes_error(self) -> float | None:
        return self.source.bayes_error

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        return self.source.boundary(lo, hi)


def corrupt(X: Floats, share: float, rng: np.random.Generator) -> Floats:
    """A copy of X [n, p] with round(share n p) of its entries multiplied."""
    rows = X.copy()
    chosen = rng.choice(rows.size, size=round(share * rows.size), replace=False)
    rows.reshape(-1)[chosen] *= rng.choice(FACTORS, size=chosen.size)
    return rows
