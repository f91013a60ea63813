"""Planes with their descriptions: where a picture is taken, and what to write beside it.

"x7 against x4, the other 8 at their medians": the vertical feature comes first, as in "y against
x".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.discriminant import (
    MOST_VALUES,
    discriminant_axes,
    standardised,
    thinned,
)
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Plane

if TYPE_CHECKING:
    import pandas

MARGIN = 0.05  # of the range of the data, on each side
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class LabelledPlane(Record):
    """A plane through feature space, in the coordinates (x, y) of a picture.

    A point of the picture is base + x * x_axis + y * y_axis.

    kind: "features" (two features, the rest fixed), "components" (two principal components),
        "discriminant" (where classes lie farthest apart) or "marginal" (two features, averaged
        over the others as they are in ``rows``).
    label: the plane in words. x_label, y_label: what stands along the axes.
    x_range, y_range: ends of the picture.
    base, x_axis, y_axis, centre: float64[P]; a sample z lies at ((z - centre) . x_axis, ...).
    rows: intp[r], the samples a marginal map averages over; else None.
    weights: float64[P, 2] with which a sample is projected, if these are not the axes: they
        differ where features are standardised.
    """

    kind: str
    label: str
    x_label: str
    y_label: str
    x_range: Range
    y_range: Range
    base: NDArray[np.float64]
    x_axis: NDArray[np.float64]
    y_axis: NDArray[np.float64]
    centre: NDArray[np.float64]
    rows: NDArray[np.intp] | None = None
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, (low, high) in (("across", self.x_range), ("up", self.y_range)):
            if not (np.isfinite([low, high]).all() and low < high):
                raise ValueError(
                    f"A picture needs a range that rises; {name} it runs from {low} to {high}."
                )

    @property
    def plane(self) -> Plane:
        """The plane as the engine draws it."""
        return self._plane_at(self.base)

    def plane_through(self, sample: NDArray[np.float64]) -> Plane:
        """The parallel plane of two features through a sample: a term of a marginal map."""
        base = np.array(sample, np.float64)
        base[(self.x_axis != 0) | (self.y_axis != 0)] = 0.0
        return self._plane_at(base)

    def _plane_at(self, base: NDArray[np.float64]) -> Plane:
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        origin = base + x0 * self.x_axis + y0 * self.y_axis
        return Plane(origin, (x1 - x0) * self.x_axis, (y1 - y0) * self.y_axis)

    def points(self, xy: ArrayLike) -> NDArray[np.float64]:
        """Feature vectors of picture points xy [n, 2], float64[n, P]."""
        xy = np.asarray(xy, np.float64)
        return self.base + xy[:, :1] * self.x_axis + xy[:, 1:] * self.y_axis

    def unit(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(s, t) in [0, 1] of picture points xy [n, 2]."""
        low = np.array([self.x_range[0], self.y_range[0]])
        return (np.asarray(xy, np.float64) - low) / self.size

    @property
    def size(self) -> NDArray[np.float64]:
        """Width and height of the picture in its own units, float64[2]."""
        return np.array([self.x_range[1] - self.x_range[0], self.y_range[1] - self.y_range[0]])

    @property
    def area(self) -> float:
        return float(self.size.prod())

    def project(self, X: ArrayLike) -> NDArray[np.float64]:
        """Where samples X [n, P] lie in the picture, float64[n, 2]."""
        away = np.asarray(X, np.float64) - self.centre
        if self.weights is not None:
            return away @ self.weights
        return np.column_stack([away @ self.x_axis, away @ self.y_axis])

    def pixels(self, width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pixel centres along both axes: x float64[width], y float64[height]."""
        w, h = self.size
        x = self.x_range[0] + (np.arange(width) + 0.5) / width * w
        y = self.y_range[0] + (np.arange(height) + 0.5) / height * h
        return x, y

    def to_frame(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(
            {"base": self.base, "x_axis": self.x_axis, "y_axis": self.y_axis, "centre": self.centre}
        )


def _range(values: NDArray[np.float64], given: Range | None) -> Range:
    if given is not None:
        return (float(given[0]), float(given[1]))
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low) or 0.5
    return low - room, high + room


def _pair(dataset: Dataset, i: int, j: int) -> None:
    P = dataset.n_features
    if P < 2:
        raise ValueError(f"Data set '{dataset.name}' has one feature; a plane needs two.")
    if i == j or not (0 <= i < P and 0 <= j < P):
        raise ValueError(f"Choose two different features out of 0 ... {P - 1}, not {i} and {j}.")


def _others(count: int, where: str) -> str:
    if count == 0:
        return ""
    return f", the other {where}" if count == 1 else f", the other {count} {where}"


def feature_plane(
    dataset: Dataset,
    i: int = 0,
    j: int = 1,
    *,
    at: Any = "median",
    x_range: Range | None = None,
    y_range: Range | None = None,
) -> LabelledPlane:
    """Feature i across, feature j up, and the rest fixed (Menze Fig. 4, Tomita Fig. 2).

    at: where the rest is fixed: "median" or "mean" of the data, the number of a sample, a list
    of P values, or {feature: value} for some and the median for what is left.
    """
    _pair(dataset, i, j)
    P = dataset.n_features
    names = dataset.feature_names
    words = f"{names[j]} against {names[i]}"
    rest = P - 2
    if isinstance(at, str):
        if at not in ("median", "mean"):
            raise ValueError(
                f"at is {at!r}; fix the rest at 'median', 'mean', a sample or values of your own."
            )
        base = np.median(dataset.X, axis=0) if at == "median" else dataset.X.mean(axis=0)
        where = f"at {'their' if rest > 1 else 'its'} {at}{'s' if rest > 1 else ''}"
        words += _others(rest, where)
    elif isinstance(at, Mapping):
        base = np.median(dataset.X, axis=0)
        fixed = {int(f): float(v) for f, v in at.items() if int(f) not in (i, j)}
        for f, value in fixed.items():
            if not 0 <= f < P:
                raise ValueError(f"There is no feature {f}; the data have 0 ... {P - 1}.")
            base[f] = value
            words += f", {names[f]} = {value:g}"
        rest -= len(fixed)
        words += _others(rest, "at their medians" if rest > 1 else "at its median")
    elif np.ndim(at) == 0:
        row = int(at)
        if not 0 <= row < dataset.n_samples:
            raise ValueError(
                f"There is no sample {row}; the data have 0 ... {dataset.n_samples - 1}."
            )
        base = dataset.X[row].copy()
        name = str(row + 1) if dataset.sample_names is None else dataset.sample_names[row]
        words += _others(rest, f"as in sample {name}")
    else:
        base = np.array(at, np.float64)
        if base.shape != (P,) or not np.isfinite(base).all():
            raise ValueError(f"Fix the rest at {P} finite values, one per feature.")
        words += _others(rest, "at chosen values" if rest > 1 else "at a chosen value")
    return _features(dataset, i, j, base, "features", words, x_range, y_range)


def _features(
    dataset: Dataset,
    i: int,
    j: int,
    base: Any,
    kind: Any,
    words: str,
    x_range: Any,
    y_range: Any,
    rows: NDArray[np.intp] | None = None,
) -> LabelledPlane:
    P = dataset.n_features
    x_axis, y_axis = np.zeros(P), np.zeros(P)
    x_axis[i] = y_axis[j] = 1.0
    base = base.copy()
    base[[i, j]] = 0.0
    return LabelledPlane(
        kind,
        words,
        dataset.feature_names[i],
        dataset.feature_names[j],
        _range(dataset.X[:, i], x_range),
        _range(dataset.X[:, j], y_range),
        base,
        x_axis,
        y_axis,
        np.zeros(P),
        rows,
    )


def marginal_plane(
    dataset: Dataset,
    i: int = 0,
    j: int = 1,
    *,
    samples: int | None = 100,
    seed: int = 0,
    x_range: Range | None = None,
    y_range: Range | None = None,
) -> LabelledPlane:
    """Features i and j, averaged over the other features as they are in the data.

    samples: how many samples to average over, drawn without replacement; None for all.
    """
    _pair(dataset, i, j)
    n = dataset.n_samples
    if samples is not None and samples < 1:
        raise ValueError(f"A marginal map averages over at least one sample, not {samples}.")
    rows = np.arange(n)
    if samples is not None and samples < n:
        rows = np.sort(np.random.default_rng(seed).choice(n, samples, replace=False))
    words = f"{dataset.feature_names[j]} against {dataset.feature_names[i]}"
    rest = dataset.n_features - 2
    if rest:
        these = "feature" if rest == 1 else f"{rest} features"
        many = f"all {n}" if rows.size == n else f"{rows.size} of {n}"
        words += f", averaged over the other {these} in {many} samples"
    base = np.median(dataset.X, axis=0)
    return _features(dataset, i, j, base, "marginal", words, x_range, y_range, rows)


def component_plane(
    dataset: Dataset,
    a: int = 0,
    b: int = 1,
    *,
    x_range: Range | None = None,
    y_range: Range | None = None,
) -> LabelledPlane:
    """The plane of two principal components of the data, through their mean.

    Components are those of the covariance matrix (features as they are), each with its largest
    loading positive. Coordinates are the scores.
    """
    most = min(dataset.n_samples, dataset.n_features)
    if a == b or not (0 <= a < most and 0 <= b < most):
        raise ValueError(
            f"Choose two different components out of 0 ... {most - 1}, not {a} and {b}."
        )
    centre = dataset.X.mean(axis=0)
    _, s, V = np.linalg.svd(dataset.X - centre, full_matrices=False)
    total = float((s**2).sum())
    share = s**2 / total if total > 0 else np.zeros_like(s)
    axes = []
    for k in (a, b):
        axis = V[k]
        axes.append(axis * (1.0 if axis[np.abs(axis).argmax()] >= 0 else -1.0))
    scores = (dataset.X - centre) @ np.column_stack(axes)
    words = (
        f"principal components {a + 1} and {b + 1} "
        f"({100 * share[a]:.0f} % and {100 * share[b]:.0f} % of the variance), through the mean"
    )
    return LabelledPlane(
        "components",
        words,
        f"PC {a + 1} ({100 * share[a]:.0f} %)",
        f"PC {b + 1} ({100 * share[b]:.0f} %)",
        _range(scores[:, 0], x_range),
        _range(scores[:, 1], y_range),
        centre,
        axes[0],
        axes[1],
        centre.copy(),
    )


def discriminant_plane(
    dataset: Dataset, *, x_range: Range | None = None, y_range: Range | None = None
) -> LabelledPlane:
    """The plane on which the classes lie farthest apart, through the mean of the data.

    Coordinates are in standard deviations of the samples along each axis. Of two classes the
    second axis shows the most variance that the first one leaves. See analysis/discriminant.py.
    """
    P = dataset.n_features
    if P < 2:
        raise ValueError(f"Data set '{dataset.name}' has one feature; a plane needs two.")
    if dataset.n_classes < 2:
        raise ValueError(f"Data set '{dataset.name}' has one class; a discriminant needs two.")
    rows = thinned(dataset.y, max(60, MOST_VALUES // P))
    Z, mean, scale = standardised(dataset.X[rows])
    axes = discriminant_axes(Z, dataset.y[rows])
    spread = (Z @ axes).std(axis=0)
    axes_of = axes * np.where(spread > 0, spread, 1.0)
    weights = axes / np.where(spread > 0, spread, 1.0) / scale[:, None]
    scores = (dataset.X - mean) @ weights
    two = int(np.count_nonzero(np.bincount(dataset.y))) == 2
    up = "largest variance left" if two else "discriminant 2"
    return LabelledPlane(
        "discriminant",
        f"{up} against discriminant 1, of all {P} features",
        "discriminant 1",
        up,
        _range(scores[:, 0], x_range),
        _range(scores[:, 1], y_range),
        mean,
        scale * axes_of[:, 0],
        scale * axes_of[:, 1],
        mean.copy(),
        None,
        weights,
    )
