"""Two more Gaussian sets in any dimension: Trunk's problem and k-class blobs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import log_ndtr, ndtr

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, samples, seed, sigma
from explorer.data.gaussians import GaussianMixture
from explorer.data.truth import Floats, Polyline


def trunk(n: int = 300, p: int = 10, noise: float = 1.0, seed: int = 0) -> Dataset:
    """Trunk (Tomita s.2.1): N(±μ, σ² I) with μ_j = 1/√j; Bayes error Φ(-|μ|/σ).

    Feature j carries less signal the larger j; all carry some.
    """
    mu = 1.0 / np.sqrt(np.arange(1, p + 1))
    truth = GaussianMixture.equal([mu, -mu], [0, 1], noise**2)
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="trunk",
        title="Trunk",
        X=X,
        y=y,
        class_names=("1", "2"),
        truth=truth,
        informative=np.arange(p),
        citation="Trunk 1979; Tomita, Maggioni, Vogelstein 2016, s.2.1",
    )


@dataclass(frozen=True, eq=False)
class PolygonGaussians(GaussianMixture):
    """K round Gaussians on the corners of a regular polygon: the classes are sectors around 0."""

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...]:
        far = float(np.abs(np.concatenate([np.asarray(lo, float), np.asarray(hi, float)])).max())
        k = self.n_classes
        angles = (np.arange(k) + 0.5) * 2 * np.pi / k
        ends = 2.0 * far * np.column_stack([np.cos(angles), np.sin(angles)])
        return tuple(np.vstack([np.zeros(2), end]) for end in ends)


def blobs(
    n: int = 300,
    k: int = 3,
    p: int = 2,
    separation: float = 3.0,
    noise: float = 1.0,
    centres: int = 0,
    seed: int = 0,
) -> Dataset:
    """k round Gaussians of standard deviation σ, nearest centres `separation` apart.

    The centres stand where the Bayes error is known exactly: on a line (p = 1), on a regular
    polygon (p = 2), on a regular simplex (p >= k - 1). For 2 < p < k - 1 they are drawn at random
    (seed `centres`), scaled to the separation, and the Bayes error is not known.
    """
    step = separation / noise
    error: float | None
    mean = np.zeros((k, p))
    if p == 1:
        mean[:, 0] = separation * (np.arange(k) - (k - 1) / 2)
        error = float(2 * (k - 1) / k * ndtr(-step / 2))
    elif p == 2 and k > 2:
        angle = 2 * np.pi * np.arange(k) / k
        radius = separation / (2 * np.sin(np.pi / k))
        mean = radius * np.column_stack([np.cos(angle), np.sin(angle)])
        error = _sector_error(k, radius / noise)
    elif p >= k - 1:
        mean[:, : k - 1] = separation * _simplex(k)
        error = _simplex_error(k, step)
    else:
        place = np.random.default_rng([centres, 1979])
        mean = place.standard_normal((k, p))
        near = np.linalg.norm(mean[:, None] - mean[None], axis=2)[~np.eye(k, dtype=bool)].min()
        mean *= separation / near
        error = None
    base = GaussianMixture.equal(mean, np.arange(k), noise**2, error=error)
    truth: GaussianMixture = base
    if p == 2 and k > 2:
        truth = PolygonGaussians(
            base.mean, base.class_of, base.variance, base.weight, base.factor, error
        )
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="blobs",
        title=f"{k} Gaussian blobs",
        X=X,
        y=y,
        class_names=tuple(str(i + 1) for i in range(k)),
        truth=truth,
        informative=np.flatnonzero(np.ptp(mean, axis=0) > 0),
    )


def _simplex(k: int) -> Floats:
    """k points [k, k-1], every two at distance 1, their mean at 0."""
    corners = np.eye(k) / np.sqrt(2.0)
    centred = corners - corners.mean(axis=0)
    # a basis of the plane that the centred corners lie in; signs fixed so that it is one basis
    q, r = np.linalg.qr(centred.T)
    basis = q[:, : k - 1] * np.sign(np.diag(r)[: k - 1])
    return centred @ basis


def _simplex_error(k: int, step: float) -> float:
    """1 - ∫ φ(u) Φ(u + step/√2)^{k-1} du: class i wins if its coordinate is the largest of k."""

    def right(u: float) -> float:
        return float(np.exp(-0.5 * u * u + (k - 1) * log_ndtr(u + step / np.sqrt(2.0))))

    value, _ = quad(right, -40.0, 40.0, points=[-step, 0.0], epsabs=1e-13, limit=200)
    return float(1.0 - value / np.sqrt(2 * np.pi))


def _sector_error(k: int, radius: float) -> float:
    """P(angle leaves ±π/k) for N((radius, 0), I): (1/π) ∫ exp(-(radius sin(π/k)/sin θ)²/2) dθ.

    Over 0 < θ < π - π/k; Craig's form of the error of a point in an angular sector.
    """
    depth = radius * np.sin(np.pi / k)

    def tail(theta: float) -> float:
        s = np.sin(theta)
        return 0.0 if s <= 0 else float(np.exp(-0.5 * (depth / s) ** 2))

    value, _ = quad(tail, 0.0, np.pi - np.pi / k, epsabs=1e-13)
    return float(value / np.pi)


ENTRIES = (
    entry(
        trunk,
        "Trunk",
        "synthetic",
        "Each further feature carries less signal (Tomita).",
        n=samples(),
        p=Knob("Features.", 1, 1000, symbol="p"),
        noise=sigma(0.1, 10.0),
        seed=seed(),
    ),
    entry(
        blobs,
        "Gaussian blobs",
        "synthetic",
        "As many round classes as you like, equally far apart.",
        n=samples(),
        k=Knob("Classes.", 2, 20, symbol="K"),
        p=Knob("Features.", 1, 1000, symbol="p"),
        separation=Knob("Distance between neighbouring centres.", 0.0, 50.0),
        noise=sigma(0.01, 10.0),
        centres=Knob("Another number places other centres, where they are random.", 0, 2**31 - 1),
        seed=seed(),
    ),
)
