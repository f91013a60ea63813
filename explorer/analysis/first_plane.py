"""Which plane of a data set to look at first: one that shows its classes.

With few features these are the two whose classes lie farthest apart, with many the plane of two
principal components or of two discriminant axes. Two features of many would not do: with all
others held at their medians, one class often wins everywhere. Planes are compared on samples that
were held out when their axes were found, so that a plane through more features than samples is
not taken for a good one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.discriminant import (
    discriminant_axes,
    principal_axes,
    standardised,
    thinned,
)
from explorer.data import Dataset

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
FEW_FEATURES = 4  # up to which two features are shown as they are
MOST_ROWS = 300  # samples that planes are compared on
FOLDS = 5
FLAT = 0.05  # variance along the second component, of that along the first
NEIGHBOURS = 7
SAME = 0.98  # correlation from which two features tell the same
AS_GOOD = 1.5  # standard errors; where the discriminant gains less, components are kept


@dataclass(frozen=True)
class FirstPlane:
    """kind: "features", "components" or "discriminant"; across, up: its two axes, by number."""

    kind: str
    across: int
    up: int


def class_separation(dataset: Dataset) -> Floats:
    """Variance between class means over that within classes, float64[P], as ANOVA compares them.

    0 for a feature that does not vary.
    """
    Z, _, _ = standardised(dataset.X)
    between = np.zeros(dataset.n_features)
    for k in range(dataset.n_classes):
        rows = Z[dataset.y == k]
        if len(rows):
            between += len(rows) * rows.mean(axis=0) ** 2
    total = (Z**2).sum(axis=0)
    within = np.maximum(total - between, 1e-9 * np.maximum(total, 1.0))
    return between / within


def best_pair(dataset: Dataset) -> tuple[int, int]:
    """The two features whose classes lie farthest apart, in the order of the data.

    A feature that tells the same as the first one, such as the next channel of a spectrum, is
    passed over while there are others; one that does not vary is never taken while two do.
    """
    separation = class_separation(dataset)
    order = np.argsort(-separation, kind="stable")
    first = int(order[0])
    Z, _, _ = standardised(dataset.X)
    alike = np.abs(Z.T @ Z[:, first]) / len(Z) > SAME
    varies = np.abs(Z).max(axis=0) > 0
    others = [int(f) for f in order[1:]]
    for wanted in (varies & ~alike, varies, np.ones_like(varies)):
        second = next((f for f in others if wanted[f]), None)
        if second is not None:
            return min(first, second), max(first, second)
    raise ValueError(f"Data set '{dataset.name}' has one feature; a plane needs two.")


def first_plane(dataset: Dataset) -> FirstPlane:
    """The plane a data set is first seen on; the same for the same data, within milliseconds."""
    P = dataset.n_features
    if P <= 2:
        return FirstPlane("features", 0, min(1, P - 1))
    if P <= FEW_FEATURES:
        return FirstPlane("features", *best_pair(dataset))
    rows = thinned(dataset.y, max(60, min(MOST_ROWS, 1_000_000 // P)))
    X, y = dataset.X[rows], dataset.y[rows]
    right = {kind: _right(X, y, kind) for kind in ("components", "discriminant")}
    chance = np.bincount(y).max() / y.size
    doubt = 2.0 * np.sqrt(chance * (1.0 - chance) / y.size)
    if max(right.values()) <= chance + doubt:  # no straight line parts these classes
        varying = [int(f) for f in np.flatnonzero(np.ptp(dataset.X, axis=0))]
        pair = [*varying, *(f for f in range(P) if f not in varying)][:2]
        return FirstPlane("features", *sorted(pair))
    kind = "discriminant"
    left = X - X.mean(axis=0)
    variance = ((left @ principal_axes(left, 2)) ** 2).sum(axis=0)
    plain = right["components"]
    gain = right["discriminant"] - plain
    as_good = gain <= AS_GOOD * np.sqrt(plain * (1.0 - plain) / y.size)
    if as_good and variance[1] > FLAT * variance[0]:  # else all samples lie on a line
        kind = "components"
    return FirstPlane(kind, 0, 1)


def _right(X: Floats, y: Ints, kind: str) -> float:
    """The share of held-out samples whose neighbours on a plane are of their own class."""
    place = np.empty(y.size, np.intp)  # folds of equal shares of every class
    place[np.argsort(y, kind="stable")] = np.arange(y.size) % FOLDS
    hits = 0
    for fold in range(FOLDS):
        test = place == fold
        known, wanted = _on_plane(X[~test], y[~test], X[test], kind)
        gaps = ((wanted[:, None, :] - known[None, :, :]) ** 2).sum(axis=2)
        near = np.argsort(gaps, axis=1, kind="stable")[:, :NEIGHBOURS]
        votes = np.zeros((len(wanted), int(y.max()) + 1))
        np.add.at(votes, (np.arange(len(wanted))[:, None], y[~test][near]), 1.0)
        hits += int((votes.argmax(axis=1) == y[test]).sum())
    return hits / y.size


def _on_plane(train: Floats, y: Ints, test: Floats, kind: str) -> tuple[Floats, Floats]:
    """Places [n, 2] of two sets of samples on a plane found on the first, by its spread."""
    if kind == "discriminant":
        Z, mean, scale = standardised(train)
        axes = discriminant_axes(Z, y) / scale[:, None]
    else:
        mean = train.mean(axis=0)
        axes = principal_axes(train - mean, 2)
    known, wanted = (train - mean) @ axes, (test - mean) @ axes
    spread = known.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return known / spread, wanted / spread
