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
    Every seed is another draw of the book's recipe (Hastie, Tibshirani, Friedman 2009, s.2.3.3);
    `book_mixture` has the book's own centres.
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


# mixture.example$means of the book's R package; their Bayes error on the package's lattice is the
# 0.210 that the book prints (tests/data/test_generators.py)
# fmt: off
BOOK_CENTRES = (
    (-0.25343316, 1.7414788), (0.26669318, 0.3712341), (2.09646921, 1.2333642),  # blue
    (-0.06127272, -0.2086791), (2.70354085, 0.5968283), (2.37721198, -1.1864147),
    (1.05690759, -0.6838939), (0.57888354, -0.0683458), (0.62425213, 0.5987384),
    (1.67335495, -0.2893159),
    (1.19936869, 0.2484086), (-0.3025611, 0.945419), (0.05727232, 2.4197271),  # orange
    (1.32932203, 0.819226), (-0.07938427, 1.6138017), (3.50792673, 1.0529863),
    (1.6139229, 0.6717378), (1.0075357, 1.3683071), (-0.45462141, 1.0860697),
    (-1.79801805, 1.9297806),
)
# fmt: on


def book_mixture(n: int = 200, seed: int = 0) -> Dataset:
    """Samples around the twenty centres of the book's figures 2.1 to 2.5 and 13.4, variance 1/5.

    The book's 200 samples are one draw of this mixture; its Bayes error is 0.208.
    """
    places = np.array(BOOK_CENTRES)
    truth = GaussianMixture.equal(places, np.repeat([0, 1], len(places) // 2), 0.2)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="book_mixture",
        title="Mixture of the book",
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
    entry(
        book_mixture,
        "Mixture of the book",
        "synthetic",
        "The twenty centres of The Elements of Statistical Learning.",
        n=samples(),
        seed=seed(),
    ),
)
