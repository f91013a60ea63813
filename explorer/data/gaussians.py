"""Mixtures of Gaussians as truths: most generators, and their artificially correlated twins.

Every component has covariance v I + U Uᵀ, with its own v and one U for all. That is enough for
long thin clouds, for Breiman's norms and for Menze's random offsets, and it keeps the density
accurate when U is 10^15 times v: the part of x across U and the part along U are never added
before they are scaled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, ndtr

from explorer.data.lasting import lasting_property
from explorer.data.trace import clip_line
from explorer.data.truth import (
    Floats,
    Polyline,
    Truth,
    balanced_labels,
    integrate_bayes_error,
)

_REACH = 6.5  # standard deviations; beyond lies less than 1e-10 of the mass
_CELLS_PER_SD = 20.0


@dataclass(frozen=True, eq=False)
class GaussianMixture(Truth):
    """p(x, y = k) = sum over components c of class k of w_c N(x; m_c, v_c I + U Uᵀ).

    mean: float64 [C, p]; class_of: intp [C]; variance: v_c > 0, float64 [C]; weight: float64 [C],
    sums to 1; factor: U, float64 [p, r]. error: the Bayes error where the generator has it in
    closed form.
    """

    mean: Floats
    class_of: NDArray[np.intp]
    variance: Floats
    weight: Floats
    factor: Floats
    error: float | None = field(default=None)

    @classmethod
    def equal(
        cls,
        mean: ArrayLike,
        class_of: ArrayLike,
        variance: ArrayLike,
        factor: ArrayLike | None = None,
        error: float | None = None,
    ) -> GaussianMixture:
        """Classes of equal prior, components of equal weight within their class."""
        means = np.atleast_2d(np.asarray(mean, np.float64))
        classes = np.asarray(class_of, np.intp)
        counts = np.bincount(classes)
        weight = 1.0 / (counts.size * counts[classes])
        v = np.broadcast_to(np.asarray(variance, np.float64), classes.shape).copy()
        u = np.zeros((means.shape[1], 0)) if factor is None else np.asarray(factor, np.float64)
        return cls(means, classes, v, weight, u.reshape(means.shape[1], -1), error)

    @property
    def n_features(self) -> int:
        return int(self.mean.shape[1])

    @property
    def n_classes(self) -> int:
        return int(self.class_of.max()) + 1

    @property
    def prior(self) -> Floats:
        """P(y = k), float64 [K]."""
        return np.bincount(self.class_of, weights=self.weight).astype(np.float64)

    @lasting_property
    def _along(self) -> tuple[Floats, Floats]:
        """Orthonormal directions of U [p, r'] and the variance that U adds along each [r']."""
        q, s, _ = np.linalg.svd(self.factor, full_matrices=False)
        keep = s > 0
        return np.ascontiguousarray(q[:, keep]), s[keep] ** 2

    def log_joint(self, X: ArrayLike) -> Floats:
        X = self.check(X)
        q, added = self._along
        p, r = self.n_features, added.size
        # Centring first keeps the numbers small; projecting out U twice keeps what is across U
        # clean to rounding ("twice is enough").
        centre = self.mean.mean(axis=0)
        D, M = X - centre, self.mean - centre
        z, mz = D @ q, M @ q
        across, m_across = D - z @ q.T, M - mz @ q.T
        across -= (across @ q) @ q.T
        m_across -= (m_across @ q) @ q.T
        logs = np.empty((len(X), self.class_of.size))
        for c, v in enumerate(self.variance):
            # the square is a scalar product of differences, never a difference of squares
            square = np.square(across - m_across[c]).sum(axis=1) / v
            square += (np.square(z - mz[c]) / (v + added)).sum(axis=1)
            log_det = (p - r) * np.log(v) + np.log(v + added).sum()
            logs[:, c] = np.log(self.weight[c]) - 0.5 * (square + log_det + p * np.log(2 * np.pi))
        if self.class_of.size == self.n_classes:
            return logs[:, np.argsort(self.class_of)]
        return np.column_stack(
            [logsumexp(logs[:, self.class_of == k], axis=1) for k in range(self.n_classes)]
        )

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        prior = self.prior
        if np.ptp(prior) < 1e-12:
            y = balanced_labels(n, self.n_classes, rng)
        else:
            y = rng.choice(self.n_classes, size=n, p=prior)
        component = np.empty(n, np.intp)
        for k in range(self.n_classes):
            mine = np.flatnonzero(self.class_of == k)
            rows = np.flatnonzero(y == k)
            component[rows] = rng.choice(mine, size=rows.size, p=self.weight[mine] / prior[k])
        X = rng.standard_normal((n, self.n_features)) * np.sqrt(self.variance[component])[:, None]
        X += self.mean[component]
        if self.factor.shape[1]:
            X += rng.standard_normal((n, self.factor.shape[1])) @ self.factor.T
        return X, y

    @cached_property
    def _computed_error(self) -> float | None:
        if np.ptp(self.variance) > 0:
            return None
        # With one covariance for all, only the span of the whitened mean differences matters.
        q, added = self._along
        v = self.variance[0]
        M = self.mean - self.mean.mean(axis=0)
        z = M @ q
        white = (M - z @ q.T) / np.sqrt(v) + (z / np.sqrt(v + added)) @ q.T
        _, s, axes = np.linalg.svd(white - white.mean(axis=0), full_matrices=False)
        rank = int((s > 1e-12 * max(1.0, s[0])).sum())
        if rank == 0:
            return 1.0 - float(self.prior.max())
        centres = white @ axes[:rank].T
        if rank == 1 and self.class_of.size == 2 and np.ptp(self.weight) < 1e-12:
            return float(ndtr(-0.5 * abs(centres[0, 0] - centres[1, 0])))
        if rank > 2:
            return None
        if rank == 1:  # the second coordinate is noise, the same for every class
            centres = np.column_stack([centres, np.zeros(len(centres))])
        flat = GaussianMixture(
            centres, self.class_of, np.ones(len(centres)), self.weight, np.zeros((2, 0))
        )
        lo, hi = centres.min(axis=0) - _REACH, centres.max(axis=0) + _REACH
        cells = int(np.clip(_CELLS_PER_SD * (hi - lo).max(), 200, 1500))
        return integrate_bayes_error(flat, lo, hi, cells)

    @property
    def bayes_error(self) -> float | None:
        """In closed form for two Gaussians of one covariance, Φ(-Δ/2); as given by the
        generator; by a midpoint rule (about 1e-6) where the means span a plane; else None."""
        return self.error if self.error is not None else self._computed_error

    @property
    def traced(self) -> bool:
        straight = self.class_of.size == 2 and self.variance[0] == self.variance[1]
        return type(self).boundary is GaussianMixture.boundary and not straight

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        """For two Gaussians of one covariance a straight line, else traced (`Truth.boundary`)."""
        if self.n_features != 2 or self.traced:
            return super().boundary(lo, hi)
        # level(x) = w·x + c
        (x0, y0), (x1, y1) = np.asarray(lo, np.float64), np.asarray(hi, np.float64)
        first, second = (self.mean[np.flatnonzero(self.class_of == k)[0]] for k in (0, 1))
        covariance = self.variance[0] * np.eye(2) + self.factor @ self.factor.T
        w = np.linalg.solve(covariance, second - first)
        prior = self.prior
        c = -w @ (first + second) / 2 + np.log(prior[1] / prior[0])
        return clip_line(w, float(c), (x0, y0), (x1, y1))

    def with_offset(self, sd: float, direction: Floats | None = None) -> GaussianMixture:
        """Exact: the offset adds one column sd u to U."""
        u = np.ones(self.n_features) if direction is None else direction
        factor = np.column_stack([self.factor, sd * u])
        # not `replace`: a subclass may know a boundary that the offset takes away
        return GaussianMixture(self.mean, self.class_of, self.variance, self.weight, factor)

    def marginal(self, features: NDArray[np.intp]) -> GaussianMixture:
        """Exact: the rows of the means and of U."""
        return GaussianMixture(
            self.mean[:, features],
            self.class_of,
            self.variance,
            self.weight,
            self.factor[features],
        )
