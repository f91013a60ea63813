"""The physics of simulated spectra: bands, what disturbs them, and the exact posterior.

A spectrum of class k is

    x = g Σ_b a_b s_b  +  Σ_j c_j P_j  +  o 1  +  ε

with band shapes s_b of height 1, amplitudes a_b ~ N(μ_kb, d_b²), a multiplicative scatter
g = exp(τ s), a baseline of Legendre polynomials P_j, Menze's per-sample offset o, and detector
noise ε. All but g is linear and Gaussian, so given g the class density is a Gaussian of low rank
plus noise; integrating over the one scalar g gives the posterior to quadrature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular
from scipy.special import voigt_profile

from explorer.data.gaussians import GaussianMixture
from explorer.data.lasting import lasting_property
from explorer.data.truth import Floats, Truth, balanced_labels

SHAPES = ("gaussian", "lorentzian", "voigt")
_VALUES = 1 << 18  # of a table of densities that is held at once

# A Voigt profile of equal Gaussian and Lorentzian widths f has full width 1.6376 f (Olivero and
# Longbothum 1977: 0.5346 f + sqrt(0.2166 f² + f²)).
_VOIGT_SHARE = 1.0 / (0.5346 + np.sqrt(1.2166))


@dataclass(frozen=True)
class Band:
    """One band of a spectrum.

    centre and width (full width at half maximum) in units of the axis; height above the baseline;
    shape "gaussian", "lorentzian" or "voigt" (equal parts of both); contrast: what class k adds to
    the height, relative, one number per class (empty: the band is the same in every class).
    """

    centre: float
    width: float
    height: float
    shape: str = "voigt"
    contrast: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(
                f"A band of shape '{self.shape}' is not known; choose one of {', '.join(SHAPES)}."
            )
        if not self.width > 0:
            raise ValueError(
                f"The band at {self.centre:g} has width {self.width:g}; it must be > 0."
            )

    def profile(self, axis: ArrayLike) -> Floats:
        """The band with height 1 on the axis, float64 [p] (or [n, p] for [n, p] axes)."""
        x = np.asarray(axis, np.float64) - self.centre
        if self.shape == "gaussian":
            return np.exp(-4.0 * np.log(2.0) * np.square(x / self.width))
        if self.shape == "lorentzian":
            return 1.0 / (1.0 + np.square(2.0 * x / self.width))
        share = self.width * _VOIGT_SHARE
        sigma, gamma = share / np.sqrt(8.0 * np.log(2.0)), 0.5 * share
        return voigt_profile(x, sigma, gamma) / voigt_profile(0.0, sigma, gamma)

    def covers(self, axis: ArrayLike) -> NDArray[np.bool_]:
        """Channels within one full width of the centre (a Gaussian is above 6 % of its height)."""
        return np.abs(np.asarray(axis, np.float64) - self.centre) <= self.width


@dataclass(frozen=True, eq=False)
class SpectraTruth(Truth):
    """The distribution of x above.

    shapes: s_b, float64 [p, B]; amplitude: μ_kb, [K, B]; spread: d_b, [B]; drift: what is added
    linearly with standard normal coefficients (baseline, offset), [p, r]; scatter: τ >= 0;
    noise: σ > 0.
    """

    shapes: Floats
    amplitude: Floats
    spread: Floats
    drift: Floats
    scatter: float
    noise: float

    @property
    def n_features(self) -> int:
        return int(self.shapes.shape[0])

    @property
    def n_classes(self) -> int:
        return int(self.amplitude.shape[0])

    @cached_property
    def _without_scatter(self) -> GaussianMixture:
        return GaussianMixture.equal(
            self.amplitude @ self.shapes.T,
            np.arange(self.n_classes),
            self.noise**2,
            np.column_stack([self.shapes * self.spread, self.drift]),
        )

    @lasting_property
    def _basis(self) -> Floats:
        """Orthonormal [p, r]: all that is not noise lies in its span.

        Columns are scaled first, or a large offset would hide the bands from the rank decision.
        """
        span = np.column_stack([self.drift, self.shapes])
        span = span / np.maximum(np.linalg.norm(span, axis=0), 1e-300)
        q, s, _ = np.linalg.svd(span, full_matrices=False)
        return np.ascontiguousarray(q[:, s > 1e-10 * s[0]])

    @lasting_property
    def _white(self) -> tuple[Floats, Floats, Floats]:
        """(T [r, r], v [r], m [K, r]): coordinates in which every gain's covariance is diagonal.

        In the basis, what does not scale with g (drift, noise) has covariance D = L Lᵀ and the
        bands g² A. With the eigenvectors Q of L⁻¹ A L⁻ᵀ and its eigenvalues v, z T = z L⁻ᵀ Q has
        covariance diag(1 + g² v) and class means g m.
        """
        bands = (self._basis.T @ self.shapes) * self.spread
        drift = self._basis.T @ self.drift
        root = np.linalg.cholesky(drift @ drift.T + self.noise**2 * np.eye(self._basis.shape[1]))
        half = solve_triangular(root, bands, lower=True)
        v, q = np.linalg.eigh(half @ half.T)
        T = solve_triangular(root, q, lower=True, trans="T")
        return T, np.maximum(v, 0.0), self.amplitude @ self.shapes.T @ self._basis @ T

    @lasting_property
    def _nodes(self) -> tuple[Floats, float]:
        """Equal steps in s = log g / τ, fine against the width of the likelihood of s."""
        _, v, m = self._white
        narrowest = 1.0
        for s in np.linspace(-8.0, 8.0, 9):
            g = float(np.exp(self.scatter * s))
            information = np.square(m * g * self.scatter) @ (1.0 / (1.0 + g * g * v))
            narrowest = min(narrowest, float(1.0 / np.sqrt(1.0 + information.max())))
        count = int(np.clip(np.ceil(16.0 / (0.5 * narrowest)), 65, 20_001))
        nodes = np.linspace(-8.0, 8.0, count)
        return nodes, float(nodes[1] - nodes[0])

    @lasting_property
    def _terms(self) -> tuple[Floats, Floats]:
        """What the log density at every gain is made of: [K, 2r, G] times (w², w), plus [K, G]."""
        T, v, m = self._white
        s, step = self._nodes
        g = np.exp(self.scatter * s)
        inverse = 1.0 / (1.0 + np.square(g) * v[:, None])  # [r, G]
        factors = np.stack([np.concatenate([-0.5 * inverse, g * c[:, None] * inverse]) for c in m])
        p, r = self.n_features, v.size
        constant = (
            np.log(step)
            - 0.5 * (p + 1) * np.log(2 * np.pi)
            - (p - r) * np.log(self.noise)
            - np.log(self.n_classes)
            + np.linalg.slogdet(T)[1]
        )
        shared = constant - 0.5 * np.square(s) + 0.5 * np.log(inverse).sum(axis=0)
        return factors, shared - 0.5 * np.square(g) * (np.square(m) @ inverse)

    def log_joint(self, X: ArrayLike) -> Floats:
        X = self.check(X)
        if self.scatter == 0.0:
            return self._without_scatter.log_joint(X)
        z = X @ self._basis
        across = np.square(X - z @ self._basis.T).sum(axis=1) / self.noise**2
        w = z @ self._white[0]
        powers = np.concatenate([np.square(w), w], axis=1)
        factors, constants = self._terms
        joint = np.empty((len(X), self.n_classes))
        rows = max(1, _VALUES // constants.shape[1])
        for a in range(0, len(X), rows):
            part = slice(a, a + rows)
            for k in range(self.n_classes):
                joint[part, k] = _log_sum(powers[part] @ factors[k] + constants[k])
        return joint - 0.5 * across[:, None]

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        y = balanced_labels(n, self.n_classes, rng)
        return self.spectra(y, np.arange(n), rng), y

    def spectra(
        self,
        y: NDArray[np.intp],
        objects: NDArray[np.intp],
        rng: np.random.Generator,
        profiles: Floats | None = None,
    ) -> Floats:
        """Spectra [n, p] for labels y [n]; rows of one object share their amplitudes a_b.

        profiles: band shapes of each row [n, p, B] where bands move from sample to sample.
        """
        n = y.size
        wobble = rng.standard_normal((int(objects.max()) + 1, self.spread.size)) * self.spread
        a = self.amplitude[y] + wobble[objects]
        g = np.exp(self.scatter * rng.standard_normal(n))[:, None]
        bands = a @ self.shapes.T if profiles is None else np.einsum("nb,npb->np", a, profiles)
        X = g * bands + rng.standard_normal((n, self.drift.shape[1])) @ self.drift.T
        return X + self.noise * rng.standard_normal((n, self.n_features))

    @property
    def bayes_error(self) -> float | None:
        """Without scatter as for any Gaussians of one covariance; not known with scatter."""
        return self._without_scatter.bayes_error if self.scatter == 0.0 else None

    def with_offset(self, sd: float, direction: Floats | None = None) -> SpectraTruth:
        u = np.ones(self.n_features) if direction is None else direction
        return replace(self, drift=np.column_stack([self.drift, sd * u]))

    def marginal(self, features: NDArray[np.intp]) -> SpectraTruth:
        return replace(self, shapes=self.shapes[features], drift=self.drift[features])


def amplitudes(bands: Sequence[Band], n_classes: int, effect: float) -> Floats:
    """Mean heights μ_kb = height_b (1 + effect contrast_kb), float64 [K, B]."""
    heights = np.empty((n_classes, len(bands)))
    for b, band in enumerate(bands):
        contrast = band.contrast or (0.0,) * n_classes
        if len(contrast) != n_classes:
            raise ValueError(
                f"The band at {band.centre:g} has {len(contrast)} contrasts "
                f"for {n_classes} classes."
            )
        heights[:, b] = band.height * (1.0 + effect * np.asarray(contrast))
    return heights


def _log_sum(logs: Floats) -> Floats:
    """log Σ exp over the last axis, [n, G] to [n]; the table is used up."""
    most = logs.max(axis=1)
    logs -= most[:, None]
    total: Floats = most + np.log(np.exp(logs, out=logs).sum(axis=1))
    return total
