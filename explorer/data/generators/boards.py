"""Data sets whose Bayes boundary runs along axes: XOR, checkerboard, sparse parity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, flipped, samples, seed, sigma
from explorer.data.gaussians import GaussianMixture
from explorer.data.truth import Floats, Polyline, Rule


@dataclass(frozen=True, eq=False)
class CornerGaussians(GaussianMixture):
    """Four Gaussians at (±1, ±1), opposite corners of one class.

    p0 - p1 is proportional to (φ(x1-1) - φ(x1+1)) (φ(x2-1) - φ(x2+1)), so the boundary is the
    axes themselves and a point is misclassified if noise carries exactly one coordinate over.
    """

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...]:
        return _lines((0.0,), (0.0,), lo, hi)


@dataclass(frozen=True, eq=False)
class Checkerboard(Rule):
    """x uniform on (0, cells)², class = parity of the square it falls in.

    Beyond the board the posterior goes on with the pattern, so that maps have no edge.
    """

    cells: int
    flip: float

    @property
    def n_features(self) -> int:
        return 2

    @property
    def n_classes(self) -> int:
        return 2

    def label(self, X: Floats) -> NDArray[np.intp]:
        return (np.floor(X).sum(axis=1) % 2).astype(np.intp)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.uniform(0.0, self.cells, (n, 2))

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...]:
        low, high = np.asarray(lo, float), np.asarray(hi, float)
        xs, ys = (tuple(np.arange(np.ceil(low[i]), np.floor(high[i]) + 1).tolist()) for i in (0, 1))
        return _lines(xs, ys, lo, hi)


@dataclass(frozen=True, eq=False)
class SparseParity(Rule):
    """x uniform on (-1, 1)^p, class = parity of how many of the first p* features exceed 0."""

    p: int
    p_star: int
    flip: float

    @property
    def n_features(self) -> int:
        return self.p

    @property
    def n_classes(self) -> int:
        return 2

    def label(self, X: Floats) -> NDArray[np.intp]:
        return ((X[:, : self.p_star] > 0).sum(axis=1) % 2).astype(np.intp)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.uniform(-1.0, 1.0, (n, self.p))

    @property
    def scale_free(self) -> bool:
        return True  # only the signs of x enter

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        if self.p != 2:
            return None
        return _lines((0.0,), (0.0,) if self.p_star == 2 else (), lo, hi)


def _lines(
    xs: tuple[float, ...], ys: tuple[float, ...], lo: ArrayLike, hi: ArrayLike
) -> tuple[Polyline, ...]:
    """Upright lines at xs and level lines at ys, across the box."""
    (x0, y0), (x1, y1) = np.asarray(lo, float), np.asarray(hi, float)
    upright = [np.array([[x, y0], [x, y1]]) for x in xs if x0 <= x <= x1]
    flat = [np.array([[x0, y], [x1, y]]) for y in ys if y0 <= y <= y1]
    return tuple(upright + flat)


def xor(n: int = 200, noise: float = 0.5, seed: int = 0) -> Dataset:
    """Noisy XOR: Gaussians of standard deviation σ at (±1, ±1), opposite corners of one class.

    Bayes error 2 q (1 - q) with q = Φ(-1/σ); the boundary is the two axes.
    """
    miss = float(ndtr(-1.0 / noise))
    corners = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]
    base = GaussianMixture.equal(corners, [0, 0, 1, 1], noise**2)
    truth = CornerGaussians(
        base.mean, base.class_of, base.variance, base.weight, base.factor, 2 * miss * (1 - miss)
    )
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="xor", title="XOR", X=X, y=y, class_names=("same", "different"), truth=truth
    )


def checkerboard(n: int = 400, cells: int = 4, noise: float = 0.0, seed: int = 0) -> Dataset:
    """A board of cells x cells squares; noise: share of labels that are turned, the Bayes error."""
    truth = Checkerboard(cells, noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="checkerboard",
        title="Checkerboard",
        X=X,
        y=y,
        class_names=("dark", "light"),
        truth=truth,
    )


def parity(
    n: int = 1000, p: int = 10, p_star: int = 3, noise: float = 0.0, seed: int = 0
) -> Dataset:
    """Sparse parity (Tomita s.2.1): only the first p* of p features carry the class, jointly.

    The defaults are those of Tomita Fig. 2. noise: share of labels that are turned; the paper's
    word "noisy" means the features beyond p*, so its value is 0.
    """
    if p_star > p:
        raise ValueError(f"p* ({p_star}) counts some of the p ({p}) features; it cannot exceed p.")
    truth = SparseParity(p, p_star, noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="parity",
        title="Sparse parity",
        X=X,
        y=y,
        class_names=("even", "odd"),
        truth=truth,
        informative=np.arange(p_star),
        citation="Tomita, Maggioni, Vogelstein 2016, s.2.1",
    )


ENTRIES = (
    entry(
        xor,
        "XOR",
        "2-D",
        "Opposite corners belong together: no single feature tells the class.",
        n=samples(),
        noise=sigma(0.05, 3.0),
        seed=seed(),
    ),
    entry(
        checkerboard,
        "Checkerboard",
        "2-D",
        "Squares of two colours: made for straight cuts.",
        n=samples(),
        cells=Knob("Squares along each side.", 2, 12),
        noise=flipped(),
        seed=seed(),
    ),
    entry(
        parity,
        "Sparse parity",
        "synthetic",
        "A few features tell the class, only together; the rest is noise (Tomita).",
        n=samples(),
        p=Knob("Features in all.", 1, 200, symbol="p"),
        p_star=Knob("Features that carry the class.", 1, 20, symbol="p*"),
        noise=flipped(),
        seed=seed(),
    ),
)
