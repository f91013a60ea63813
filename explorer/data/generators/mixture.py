"""The mixture of Gaussians of The Elements of Statistical Learning (Menze Fig. 4)."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, samples, seed
from explorer.data.gaussians import GaussianMixture


def mixture(
    n: int = 200, variance: float = 0.2, n_centres: int = 10, centres: int = 0, seed: int = 0
) -> Dataset:
    """Ten centres per class, drawn from N((1, 0), I) and N((0, 1), I); points from N(centre, I/5).

    centres: the seed of the centres, so that new samples (another `seed`) keep the same truth.
    The book's own centres are not reproduced; every seed is another draw of its recipe
    (Hastie, Tibshirani, Friedman 2009, s.2.3.3).
    """
    place = np.random.default_rng([centres, 2009])
    blue = place.standard_normal((n_centres, 2)) + np.array([1.0, 0.0])
    orange = place.standard_normal((n_centres, 2)) + np.array([0.0, 1.0])
    truth = GaussianMixture.equal(np.vstack([blue, orange]), np.repeat([0, 1], n_centres), variance)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="mixture",
        title="Mixture of Gaussians",
        X=X,
        y=y,
        class_names=("blue", "orange"),
        truth=truth,
        citation="Hastie, Tibshirani, Friedman 2009, s.2.3.3; Menze et al. 2011, Fig. 4",
    )


ENTRIES = (
    entry(
        mixture,
        "Mixture of Gaussians",
        "2-D",
        "Ten centres per class: a boundary that winds, known exactly.",
        n=samples(),
        variance=Knob("Variance around each centre; more overlap.", 0.01, 2.0, symbol="σ²"),
        n_centres=Knob("Centres per class; fewer make a simpler boundary.", 1, 50),
        centres=Knob("Another number places other centres.", 0, 2**31 - 1),
        seed=seed(),
    ),
)
