"""What is known about the distribution behind a data set: posterior, Bayes error, boundary.

A `Truth` is a small frozen record with methods, so it pickles, can be sent to a worker and can be
pushed through an invertible map without loss (`Mapped`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.trace import trace

Floats = NDArray[np.float64]
Polyline = Floats  # [m, 2], vertices in drawing order

_LOG_ODDS_CEILING = 700.0  # exp(700) is the last round number below overflow in float64


class Truth(ABC):
    """The joint distribution of (x, y): p features, K classes.

    Subclasses give `log_joint` and `sample`; the rest follows. `bayes_error` and `boundary` are
    overridden where a closed form exists.
    """

    @property
    @abstractmethod
    def n_features(self) -> int: ...

    @property
    @abstractmethod
    def n_classes(self) -> int: ...

    @abstractmethod
    def log_joint(self, X: ArrayLike) -> Floats:
        """log p(x, y = k), float64 [n, K], for X [n, p]; a term common to all k may be missing."""

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        """n fresh rows: X float64 [n, p] and y intp [n]."""

    def posterior(self, X: ArrayLike) -> Floats:
        """P(y = k | x), float64 [n, K], rows sum to 1 (Tomita s.2.7)."""
        joint = self.log_joint(X)
        joint = np.exp(joint - joint.max(axis=1, keepdims=True))
        return joint / joint.sum(axis=1, keepdims=True)

    def bayes_class(self, X: ArrayLike) -> NDArray[np.intp]:
        """The Bayes classifier g*(x) = argmax_k P(y = k | x), intp [n] (Tomita s.2.7)."""
        return np.argmax(self.log_joint(X), axis=1)

    def level(self, X: ArrayLike) -> Floats:
        """A function, float64 [n], that is zero exactly on the Bayes boundary.

        K = 2: log P(1 | x) - log P(0 | x), clipped to ±700; K > 2: the log odds of the best class
        against the second best, never negative.
        """
        joint = self.log_joint(X)
        if self.n_classes == 2:
            odds = joint[:, 1] - joint[:, 0]
        else:
            best = np.sort(joint, axis=1)
            odds = best[:, -1] - best[:, -2]
        return np.clip(odds, -_LOG_ODDS_CEILING, _LOG_ODDS_CEILING)

    @property
    def bayes_error(self) -> float | None:
        """P(g*(x) != y), the error no classifier can beat; None where it is not known."""
        return None

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        """The Bayes boundary within the box lo [2] .. hi [2], for two features.

        Polylines [m, 2] whose vertices lie on the boundary. Where the boundary has a closed form
        they are that; else, for two classes, `level` is traced on a 200 x 200 grid and every
        vertex is moved onto its zero. None for other than two features, or K > 2 without a
        closed form.
        """
        if self.n_features != 2 or self.n_classes != 2:
            return None
        return trace(self.level, *_box(lo, hi))

    @property
    def traced(self) -> bool:
        """Whether `boundary` has no closed form, so that it takes a while."""
        return type(self).boundary is Truth.boundary

    def with_offset(self, sd: float, direction: Floats | None = None) -> Truth | None:
        """The distribution of x + sd s u, s ~ N(0, 1), one scalar per sample (Menze s.4).

        direction: u, float64 [p]; all ones by default. None where there is no closed form.
        """
        return None

    def marginal(self, features: NDArray[np.intp]) -> Truth | None:
        """The distribution of some features; None where it has no closed form."""
        return None

    @property
    def scale_free(self) -> bool:
        """True if multiplying entries of x by positive numbers leaves P(y | x) as it is."""
        return False

    def check(self, X: ArrayLike) -> Floats:
        """X as float64 [n, p], or a sentence on what is wrong with it."""
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(
                f"This truth is about {self.n_features} features; the points have shape {X.shape}, "
                f"and should have (n, {self.n_features})."
            )
        return X


class Rule(Truth):
    """A truth in which x decides the label but for a share `flip` of labels set to another class.

    Subclasses give `label`, the rule, and `draw`, the distribution of x. The posterior is
    1 - flip for the rule's class and flip / (K - 1) for the others; the Bayes error is flip, as
    long as flip stays below (K - 1) / K.
    """

    flip: float

    @abstractmethod
    def label(self, X: Floats) -> NDArray[np.intp]:
        """The class of the rule, intp [n]."""

    @abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """n rows of x, float64 [n, p]."""

    def log_joint(self, X: ArrayLike) -> Floats:
        X = self.check(X)
        joint = np.full((len(X), self.n_classes), self.flip / (self.n_classes - 1))
        joint[np.arange(len(X)), self.label(X)] = 1.0 - self.flip
        with np.errstate(divide="ignore"):  # log 0 = -inf is the right answer at flip = 0
            return np.log(joint)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        X = self.draw(n, rng)
        y = self.label(X)
        other = (y + rng.integers(1, self.n_classes, size=n)) % self.n_classes
        return X, np.where(rng.random(n) < self.flip, other, y)

    @property
    def bayes_error(self) -> float:
        return min(self.flip, (self.n_classes - 1) / self.n_classes)


@dataclass(frozen=True, eq=False)
class AffineMap:
    """x' = A x + b and its inverse, for rows: X' = X Aᵀ + b.

    matrix: float64 [p, p]; inverse_matrix: its inverse, given rather than computed where it is
    known exactly (a rotation's transpose, a scaling's reciprocals).
    """

    matrix: Floats
    inverse_matrix: Floats
    offset: Floats

    @property
    def turns(self) -> bool:
        """Whether it is a rotation or a reflection about a point."""
        return bool(np.allclose(self.matrix @ self.matrix.T, np.eye(len(self.matrix)), atol=1e-9))

    def forward(self, X: ArrayLike) -> Floats:
        return np.asarray(X, np.float64) @ self.matrix.T + self.offset

    def inverse(self, X: ArrayLike) -> Floats:
        return (np.asarray(X, np.float64) - self.offset) @ self.inverse_matrix.T


@dataclass(frozen=True, eq=False)
class Mapped(Truth):
    """The truth of A x + b where that of x is known: P(y | x') = P(y | A⁻¹(x' - b)), exactly.

    The Jacobian is common to all classes and the Bayes error does not change.
    """

    source: Truth
    map: AffineMap

    @property
    def n_features(self) -> int:
        return self.source.n_features

    @property
    def n_classes(self) -> int:
        return self.source.n_classes

    def log_joint(self, X: ArrayLike) -> Floats:
        return self.source.log_joint(self.map.inverse(self.check(X)))

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp]]:
        X, y = self.source.sample(n, rng)
        return self.map.forward(X), y

    @property
    def bayes_error(self) -> float | None:
        return self.source.bayes_error

    def boundary(self, lo: ArrayLike, hi: ArrayLike) -> tuple[Polyline, ...] | None:
        if self.n_features != 2:
            return None
        low, high = _box(lo, hi)
        (x0, y0), (x1, y1) = low, high
        corners = self.map.inverse(np.array([[x0, y0], [x1, y0], [x0, y1], [x1, y1]]))
        if not self.map.turns or not self.source.traced:
            lines = self.source.boundary(corners.min(axis=0), corners.max(axis=0))
            return None if lines is None else tuple(self.map.forward(line) for line in lines)
        # however data are turned, the box stays in one circle: its lines are traced once
        centre = corners.mean(axis=0)
        centre, reach = _few_digits(centre, np.hypot(*(high - low)) / 2)
        lines = _kept_boundary(self.source, tuple(centre - reach), tuple(centre + reach))
        if lines is None:
            return None
        return tuple(
            piece for line in lines for piece in _inside(self.map.forward(line), low, high)
        )

    def with_offset(self, sd: float, direction: Floats | None = None) -> Truth | None:
        u = np.ones(self.n_features) if direction is None else direction
        source = self.source.with_offset(sd, self.map.inverse_matrix @ u)
        return None if source is None else Mapped(source, self.map)


def integrate_bayes_error(truth: Truth, lo: ArrayLike, hi: ArrayLike, cells: int) -> float:
    """1 - ∫ max_k p(x, k) dx over a box of the plane that holds all but nothing of the mass.

    Midpoint rule on cells x cells points; it converges as the cell area times the kink of the
    maximum along the boundary. `truth.log_joint` must be normalised.
    """
    (x0, y0), (x1, y1) = _box(lo, hi)
    hx, hy = (x1 - x0) / cells, (y1 - y0) / cells
    xs = x0 + hx * (np.arange(cells) + 0.5)
    ys = y0 + hy * (np.arange(cells) + 0.5)
    right = 0.0
    rows = max(1, 60_000 // cells)
    for start in range(0, cells, rows):
        gx, gy = np.meshgrid(xs, ys[start : start + rows])
        joint = truth.log_joint(np.column_stack([gx.ravel(), gy.ravel()]))
        right += float(np.exp(joint.max(axis=1)).sum())
    return 1.0 - right * hx * hy


def balanced_labels(n: int, n_classes: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """n labels, classes as equal in number as n allows, in random order."""
    return rng.permutation(np.arange(n) % n_classes).astype(np.intp)


@lru_cache(maxsize=32)
def _kept_boundary(
    truth: Truth, lo: tuple[float, float], hi: tuple[float, float]
) -> tuple[Polyline, ...] | None:
    return truth.boundary(lo, hi)


def _few_digits(centre: Floats, reach: float) -> tuple[Floats, float]:
    """A square of about this centre and reach, and not smaller, that rounding does not change."""
    unit = 10.0 ** (np.floor(np.log10(reach)) - 2)
    return np.round(centre / unit) * unit, float((np.ceil(reach / unit) + 2) * unit)


def _inside(line: Polyline, lo: Floats, hi: Floats) -> list[Polyline]:
    """The pieces of a line within a box, each with the vertex before it enters and after it
    leaves, so that what is drawn reaches the edge."""
    seen: NDArray[np.bool_] = np.all((line >= lo) & (line <= hi), axis=1)
    keep = seen.copy()
    keep[:-1] |= seen[1:]
    keep[1:] |= seen[:-1]
    ends = np.flatnonzero(np.diff(keep.astype(np.int8))) + 1
    parts = np.split(line, ends)
    return [part for part, first in zip(parts, np.r_[0, ends], strict=True) if keep[first]]


def _box(lo: ArrayLike, hi: ArrayLike) -> tuple[Floats, Floats]:
    low, high = np.asarray(lo, np.float64), np.asarray(hi, np.float64)
    if low.shape != (2,) or high.shape != (2,) or not (low < high).all():
        raise ValueError(f"The box must have two lower ends below two upper ends: {low}, {high}.")
    return low, high
