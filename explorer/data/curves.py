"""Truths whose classes lie along curves with Gaussian noise around them: spirals and moons.

A class density is the integral of a Gaussian along its curve, p(x | k) = ∫ N(x; c_k(t), σ² I) dt
over t in [0, 1]. It has no closed form, but the integrand is smooth, and composite Gauss-Legendre
panels no longer than σ give it to about 1e-10 near the curves, where odds are within reach.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from explorer.data.lasting import lasting_property
from explorer.data.truth import Floats, Truth, balanced_labels

_POINTS_PER_PANEL = 8
_REACH = 6.0  # standard deviations; both densities beyond it are below e^-18 of their height
_CELLS_PER_SD = 6.0


class NoisyCurves(Truth):
    """Two classes of equal prior, each a curve c_k(t), t uniform on [0, 1], plus noise N(0, σ² I).

    Subclasses are frozen dataclasses with `noise` (σ > 0) and `curve`.
    """

    noise: float

    @abstractmethod
    def curve(self, k: int, t: Floats) -> Floats:
        """Points [m, 2] of class k's curve at t [m]."""

    @property
    def n_features(self) -> int:
        return 2

    @property
    def n_classes(self) -> int:
        return 2

    @lasting_property
    def _rule(self) -> tuple[Floats, Floats, float]:
        """Nodes [panels, 8] and log weights [8] on [0, 1], and half the longest panel's chord.

        Panels are at most σ long on either curve.
        """
        t = np.linspace(0.0, 1.0, 4001)
        speed = max(
            float(np.linalg.norm(np.diff(self.curve(k, t), axis=0), axis=1).max()) * 4000
            for k in (0, 1)
        )
        panels = max(8, int(np.ceil(speed / self.noise)))
        x, w = np.polynomial.legendre.leggauss(_POINTS_PER_PANEL)
        left = np.arange(panels)[:, None] / panels
        nodes = left + (x + 1.0) / (2 * panels)
        return nodes, np.log(w / (2 * panels)), 0.5 * speed / panels

    def log_joint(self, X: ArrayLike) -> Floats:
        X = self.check(X)
        nodes, log_weight, half = self._rule
        panels = len(nodes)
        joint = np.empty((len(X), 2))
        scale = 1.0 / (2.0 * self.noise**2)
        rows = max(1, 2_000_000 // panels)
        for k in (0, 1):
            c = self.curve(k, nodes.ravel()).reshape(panels, _POINTS_PER_PANEL, 2)
            middle = c.mean(axis=1)
            for start in range(0, len(X), rows):
                part = X[start : start + rows]
                square = np.square(part[:, :1] - middle[:, 0])
                square += np.square(part[:, 1:] - middle[:, 1])
                # A panel counts if its nearest point could be within e^-37 of the best one.
                best = np.sqrt(square.min(axis=1, keepdims=True)) + half
                farthest = np.sqrt(np.square(best) + 37.0 / scale) + half
                row, panel = np.nonzero(square <= np.square(farthest))
                e = np.square(part[row, :1] - c[panel, :, 0])
                e += np.square(part[row, 1:] - c[panel, :, 1])
                e *= -scale
                e += log_weight
                first = np.flatnonzero(np.diff(row, prepend=-1))
                top = np.maximum.reduceat(e.max(axis=1), first)
                np.exp(e - top[row][:, None], out=e)
                total = np.add.reduceat(e.sum(axis=1), first)
                joint[start : start + rows, k] = top + np.log(total)
        return joint + np.log(scale / np.pi) - np.log(2.0)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        y = balanced_labels(n, 2, rng)
        t = rng.random(n)
        X = np.where((y == 0)[:, None], self.curve(0, t), self.curve(1, t))
        return X + self.noise * rng.standard_normal((n, 2)), y

    @cached_property
    def _computed_error(self) -> float:
        # ∫ min(p0, p1): only where both curves are within reach, and that can be a small part
        curves = [self.curve(k, np.linspace(0.0, 1.0, 4001)) for k in (0, 1)]
        reach = _REACH * self.noise
        lo = np.maximum(*(c.min(axis=0) for c in curves)) - reach
        hi = np.minimum(*(c.max(axis=0) for c in curves)) + reach
        if not (lo < hi).all():
            return 0.0
        cells = np.ceil((hi - lo) / self.noise * _CELLS_PER_SD).astype(int)
        h = (hi - lo) / cells
        xs, ys = (lo[i] + h[i] * (np.arange(cells[i]) + 0.5) for i in (0, 1))
        near = [cKDTree(c) for c in curves]
        total = 0.0
        rows = max(1, 100_000 // xs.size)
        for start in range(0, ys.size, rows):
            gx, gy = np.meshgrid(xs, ys[start : start + rows])
            points = np.column_stack([gx.ravel(), gy.ravel()])
            for tree in near:
                distance, _ = tree.query(points, distance_upper_bound=reach)
                points = points[np.isfinite(distance)]
            if len(points):
                total += float(np.exp(self.log_joint(points).min(axis=1)).sum())
        return total * float(h.prod())

    @property
    def bayes_error(self) -> float:
        """By a midpoint rule with six cells per σ (about 1e-5); computed when first asked for."""
        return self._computed_error
