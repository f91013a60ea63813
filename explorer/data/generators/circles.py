"""Concentric noisy rings, and the ball in a cube of Menze Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import gammaln, ive

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, flipped, samples, seed, sigma
from explorer.data.truth import Floats, Polyline, Rule, Truth, balanced_labels

_VERTICES = 361


@dataclass(frozen=True, eq=False)
class Rings(Truth):
    """Two circles around 0, radii outer (class 0) and inner (class 1), noise N(0, σ² I) added.

    The density of a ring is a Rice density over its circle:
    p(x | R) = exp(-(r² + R²)/2σ²) I0(rR/σ²) / 2πσ², in closed form.
    """

    outer: float
    inner: float
    noise: float

    @property
    def n_features(self) -> int:
        return 2

    @property
    def n_classes(self) -> int:
        return 2

    def _log_density(self, r: Floats, radius: float) -> Floats:
        v = self.noise**2
        # ive(0, z) = exp(-z) I0(z): what is left in the exponent is -(r - R)²/2σ²
        bessel = np.log(ive(0, r * radius / v))
        return bessel - np.square(r - radius) / (2 * v) - np.log(2 * np.pi * v)

    def log_joint(self, X: ArrayLike) -> Floats:
        X = self.check(X)
        r = np.hypot(X[:, 0], X[:, 1])
        both = [self._log_density(r, self.outer), self._log_density(r, self.inner)]
        return np.column_stack(both) - np.log(2.0)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        y = balanced_labels(n, 2, rng)
        a = 2 * np.pi * rng.random(n)
        radius = np.where(y == 0, self.outer, self.inner)
        X = radius[:, None] * np.column_stack([np.cos(a), np.sin(a)])
        return X + self.noise * rng.standard_normal((n, 2)), y

    @cached_property
    def boundary_radius(self) -> float:
        """The one r at which both densities meet (their ratio is monotone in r)."""

        def odds(r: float) -> float:
            at = np.array([r])
            both = self._log_density(at, self.outer) - self._log_density(at, self.inner)
            return float(both[0])

        return float(brentq(odds, 0.0, self.outer + 40 * self.noise, xtol=1e-14))

    @property
    def bayes_error(self) -> float:
        """Closed form in Rice distribution functions."""
        from scipy.stats import rice  # slow to import, so only here

        r, s = self.boundary_radius, self.noise
        miss = rice.cdf(r, self.outer / s, scale=s) + rice.sf(r, self.inner / s, scale=s)
        return float(0.5 * miss)

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...]:
        return (_circle(self.boundary_radius),)


@dataclass(frozen=True, eq=False)
class Ball(Rule):
    """x uniform on the cube (-1, 1)^p; class 1 within the ball that holds half of the cube.

    Where that ball would leave the cube (p > 3) it is cut by it, and the radius is the one at
    which half of the cube is inside, as the recipe wants; it is found by quadrature.
    """

    p: int
    flip: float

    @property
    def n_features(self) -> int:
        return self.p

    @property
    def n_classes(self) -> int:
        return 2

    @cached_property
    def radius(self) -> float:
        """Half of the cube's volume lies within this radius."""
        # volume of the unit ball π^{p/2} / Γ(p/2 + 1); half of the cube is 2^{p-1}
        log_unit = 0.5 * self.p * np.log(np.pi) - gammaln(0.5 * self.p + 1)
        radius = float(np.exp(((self.p - 1) * np.log(2.0) - log_unit) / self.p))
        return radius if radius <= 1.0 else _median_radius(self.p)

    def label(self, X: Floats) -> NDArray[np.intp]:
        return (np.square(X).sum(axis=1) < self.radius**2).astype(np.intp)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.uniform(-1.0, 1.0, (n, self.p))

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        return (_circle(self.radius),) if self.p == 2 else None


def _circle(radius: float) -> Polyline:
    a = np.linspace(0.0, 2 * np.pi, _VERTICES)
    return radius * np.column_stack([np.cos(a), np.sin(a)])


def _median_radius(p: int) -> float:
    """The median of |x| for x uniform on (-1, 1)^p, by convolving the law of x² on a grid."""
    cells = 4096
    edges = np.sqrt(np.linspace(0.0, 1.0, cells + 1))
    law = np.diff(edges)  # P(x² in a cell)
    size = cells * p
    spectrum = np.fft.rfft(law, 2 * size) ** p
    total = np.clip(np.fft.irfft(spectrum, 2 * size)[:size], 0.0, None)
    below = np.cumsum(total) / total.sum()
    # cell i of the sum covers squares around (i + p/2) / cells
    squares = (np.arange(size) + 0.5 * p + 0.5) / cells
    return float(np.sqrt(np.interp(0.5, below, squares)))


def circles(
    n: int = 200, outer: float = 1.0, inner: float = 0.5, noise: float = 0.12, seed: int = 0
) -> Dataset:
    """Two noisy rings around the origin; posterior, Bayes error and boundary in closed form."""
    if inner >= outer:
        raise ValueError(f"The inner radius ({inner}) must be below the outer one ({outer}).")
    truth = Rings(outer, inner, noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="circles",
        title="Circles",
        X=X,
        y=y,
        class_names=("outer", "inner"),
        truth=truth,
    )


def ball(n: int = 200, p: int = 2, noise: float = 0.0, seed: int = 0) -> Dataset:
    """The "circles" of Menze Table 1, set 20: a ball in a cube, half of the volume each.

    noise: share of labels that are turned; the Bayes error.
    """
    truth = Ball(p, noise)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="ball",
        title="Ball in a cube",
        X=X,
        y=y,
        class_names=("outside", "inside"),
        truth=truth,
        informative=np.arange(p),
        citation="Menze et al. 2011, Table 1; after mlbench.circle (Leisch, Dimitriadou)",
    )


ENTRIES = (
    entry(
        circles,
        "Circles",
        "2-D",
        "A ring within a ring: the boundary is a circle.",
        n=samples(),
        outer=Knob("Radius of the outer ring.", 0.1, 5.0),
        inner=Knob("Radius of the inner ring.", 0.0, 4.9),
        noise=sigma(0.01, 1.0),
        seed=seed(),
    ),
    entry(
        ball,
        "Ball in a cube",
        "synthetic",
        "Inside or outside of a ball that fills half of a cube (Menze's circles).",
        n=samples(),
        p=Knob("Features.", 2, 200, symbol="p"),
        noise=flipped(),
        seed=seed(),
    ),
)
