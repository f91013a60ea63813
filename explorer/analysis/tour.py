"""Tours: planes that travel smoothly through the feature space of a data set.

A frame is two orthonormal directions in standardised features, or in the first principal
components of these, standardised too, where there are many. Between two frames the plane moves
along the geodesic and at constant speed (Asimov 1985; Buja, Cook, Asimov & Hurley 2005). A grand
tour goes from one random plane to the next. A guided tour goes to better and better planes: those
where the classes separate (the LDA index of Lee, Cook, Klinke & Lumley 2005), or those where two
forests disagree most. Samples far from the plane may be faded (a slice tour: Laa, Cook & Valencia
2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.discriminant import standardised
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.posterior_map import hellinger
from explorer.data import Dataset
from explorer.engine import Forest

Floats = NDArray[np.float64]
Index = Callable[[Floats], float]
MOST_FEATURES = 20  # more than these travel within principal components
COMPONENTS = 8
SPEED = 0.03  # radians between two frames
TRIES = 30  # planes that are tried before a guided tour calls a plane the best one near it
ENOUGH = 1e-3  # a better index, relative to the last one
REACH = 1.3  # of the farthest sample: half the width of a picture
PIXELS = 20  # of the pictures that two forests are compared on


@dataclass(frozen=True)
class TourSpace:
    """Where a tour travels.

    basis: float64[P, k], orthonormal columns in standardised features; mean, scale: float64[P].
    spread: float64[k], the unit of each axis: one for features, which are standardised already,
    and the standard deviation of the samples along a component.
    components: whether the k axes are principal components, or the features themselves.
    radius: distance from the mean, in standard deviations, that a picture reaches.
    """

    names: tuple[str, ...]
    basis: Floats
    mean: Floats
    scale: Floats
    spread: Floats
    components: bool
    radius: float

    @property
    def size(self) -> int:
        return self.basis.shape[1]

    def coordinates(self, X: Floats) -> Floats:
        """Samples in the axes of the tour, float64[n, k]."""
        return ((X - self.mean) / self.scale) @ (self.basis / self.spread)

    def weights(self, frame: Floats) -> Floats:
        """What each feature, in standard deviations, adds to both directions, float64[P, 2]."""
        return (self.basis / self.spread) @ frame

    def plane(self, frame: Floats, through: Floats | None = None) -> LabelledPlane:
        """The plane of a frame, through the mean of the data or through a sample [P]."""
        axes = self.scale[:, None] * ((self.basis * self.spread) @ frame)
        project = self.weights(frame) / self.scale[:, None]
        base = self.mean
        if through is not None:
            base = through - axes @ ((through - self.mean) @ project)
        reach = (-self.radius, self.radius)
        where = "the mean" if through is None else "a sample"
        return LabelledPlane(
            "tour",
            f"a plane of {self.in_words()}, through {where}",
            "direction 1",
            "direction 2",
            reach,
            reach,
            base,
            axes[:, 0],
            axes[:, 1],
            self.mean,
            None,
            project,
        )

    def depth(self, frame: Floats, X: Floats, through: Floats | None = None) -> Floats:
        """Distance of samples from the plane, in standard deviations, float64[n]."""
        at = self.coordinates(X)
        if through is not None:
            at = at - self.coordinates(through[None, :])
        return np.linalg.norm(at - at @ frame @ frame.T, axis=1)

    def in_words(self) -> str:
        """What the tour travels through."""
        if self.components:
            return f"the first {self.size} principal components of {len(self.names)} features"
        return f"all {self.size} features"


def tour_space(dataset: Dataset) -> TourSpace:
    """The space of a data set's tours: its features in standard deviations, or components."""
    if dataset.n_features < 3:
        raise ValueError(
            f"Data set '{dataset.name}' has {dataset.n_features} features; a tour needs three."
        )
    Z, mean, scale = standardised(dataset.X)
    varies = np.flatnonzero(Z.any(axis=0))
    wide = varies.size > MOST_FEATURES
    if wide:
        _, size, V = np.linalg.svd(Z, full_matrices=False)
        count = min(COMPONENTS, int((size > 1e-6 * size[0]).sum()))
        basis = V[:count].T
        basis = basis * np.where(basis[np.abs(basis).argmax(0), range(basis.shape[1])] < 0, -1, 1)
    else:
        basis = np.eye(dataset.n_features)[:, varies]
    if basis.shape[1] < 3:
        raise ValueError(
            f"Only {basis.shape[1]} features of '{dataset.name}' vary; a tour needs three."
        )
    spread = (Z @ basis).std(axis=0) if wide else np.ones(basis.shape[1])
    far = float(np.quantile(np.linalg.norm(Z @ (basis / spread), axis=1), 0.99))
    radius = REACH * far * (2 / basis.shape[1]) ** 0.5 + 1.0
    return TourSpace(dataset.feature_names, basis, mean, scale, spread, wide, radius)


# ---- frames and the way between them


def orthonormal(directions: Floats) -> Floats:
    """The frame [k, 2] of two directions: the first as it is, the second turned off it."""
    first = directions[:, 0] / np.linalg.norm(directions[:, 0])
    rest = directions[:, 1] - first * (first @ directions[:, 1])
    length = np.linalg.norm(rest)
    if not length > 1e-12:
        raise ValueError("Two directions of a plane must differ.")
    return np.column_stack([first, rest / length])


def random_frame(rng: np.random.Generator, size: int) -> Floats:
    """A frame whose plane is uniform over all planes."""
    return orthonormal(rng.normal(size=(size, 2)))


@dataclass(frozen=True)
class Geodesic:
    """The shortest way from one plane to another; ``at(1)`` spans the second one.

    The way turns the plane and nothing within it, so pictures do not spin: at(1) may show the
    second frame turned within its plane.
    """

    start: Floats  # [k, 2]: principal directions of the first plane
    away: Floats  # [k, 2]: orthonormal to it, towards the second
    angles: Floats  # [2]: principal angles
    turn: Floats  # [2, 2]: from principal directions back to those of the first frame

    @property
    def length(self) -> float:
        """In radians."""
        return float(np.linalg.norm(self.angles))

    def at(self, share: float) -> Floats:
        """The frame [k, 2] after a share of the way, 0 to 1."""
        angles = share * self.angles
        return (self.start * np.cos(angles) + self.away * np.sin(angles)) @ self.turn


def geodesic(a: Floats, b: Floats) -> Geodesic:
    """The way from frame a to the plane of frame b."""
    left, cosines, right = np.linalg.svd(a.T @ b)
    start, end = a @ left, b @ right.T
    angles = np.arccos(np.clip(cosines, -1.0, 1.0))
    away = end - start * cosines
    length = np.linalg.norm(away, axis=0)
    moved = length > 1e-9
    away = np.where(moved, away / np.where(moved, length, 1.0), 0.0)
    return Geodesic(start, away, np.where(moved, angles, 0.0), left.T)


def travel(a: Floats, b: Floats, speed: float = SPEED) -> Iterator[Floats]:
    """Frames from a (not included) to the plane of b (included), ``speed`` radians apart."""
    way = geodesic(a, b)
    steps = max(1, int(np.ceil(way.length / speed)))
    for step in range(1, steps + 1):
        yield way.at(step / steps)


# ---- where to go


def separation(space: TourSpace, dataset: Dataset) -> Index:
    """How well a plane separates the classes, 0 to 1: the LDA index, 1 - |W| / |W + B|.

    W and B are the scatter within and between classes of the samples on the plane (Lee et al.
    2005, eq. 2).
    """
    Z = space.coordinates(dataset.X)
    means = np.stack([Z[dataset.y == k].mean(axis=0) for k in np.unique(dataset.y)])
    _, code = np.unique(dataset.y, return_inverse=True)
    inner = Z - means[code]
    within = inner.T @ inner
    total = (Z - Z.mean(axis=0)).T @ (Z - Z.mean(axis=0))

    def index(frame: Floats) -> float:
        all_of_it = np.linalg.det(frame.T @ total @ frame)
        return float(1.0 - np.linalg.det(frame.T @ within @ frame) / all_of_it)

    return index


def disagreement(
    space: TourSpace, a: Forest, b: Forest, through: Floats | None = None, pixels: int = PIXELS
) -> Index:
    """How far the posteriors of two forests are apart on a plane: their mean Hellinger distance."""

    def index(frame: Floats) -> float:
        plane = space.plane(frame, through).plane
        one, other = (f.posterior_on(plane, pixels, pixels, threads=1) for f in (a, b))
        return float(hellinger(one, other).mean())

    return index


def better_plane(
    frame: Floats, index: Index, rng: np.random.Generator, width: float = 1.0, tries: int = TRIES
) -> tuple[Floats, float] | None:
    """A plane near this one with a larger index, or None if none of ``tries`` is better.

    width: how far the first tries look, in radians; the last ones look at a twentieth of that.
    From the best of all tries the way is followed on as long as the index rises.
    """
    now = index(frame)
    best, at_best = now, frame
    for k in range(tries):
        reach = width * 0.05 ** (k / tries)
        target = orthonormal(frame + np.tan(min(reach, 1.2)) * rng.normal(size=frame.shape) / 2)
        value = index(target)
        if value > best:
            best, at_best = value, target
    if best <= now * (1 + ENOUGH) + 1e-12:
        return None
    way = geodesic(frame, at_best)
    for share in (1.5, 2.0, 3.0):
        further = way.at(share)
        value = index(further)
        if value <= best:
            break
        best, at_best = value, further
    return at_best, best


def grand_tour(
    space: TourSpace, start: Floats | None = None, *, seed: int = 0, speed: float = SPEED
) -> Iterator[Floats]:
    """Frames of a tour without end from one random plane to the next."""
    rng = np.random.default_rng(seed)
    frame = random_frame(rng, space.size) if start is None else start
    while True:
        target = random_frame(rng, space.size)
        for now in travel(frame, target, speed):
            yield now
        frame = now


def guided_tour(
    space: TourSpace,
    index: Index,
    start: Floats | None = None,
    *,
    seed: int = 0,
    speed: float = SPEED,
) -> Iterator[Floats]:
    """Frames of a tour to planes of ever larger index; ends where none near is better."""
    rng = np.random.default_rng(seed)
    frame = random_frame(rng, space.size) if start is None else start
    width = 1.0
    while width > 0.02:
        found = better_plane(frame, index, rng, width)
        if found is None:
            width /= 2  # look nearer by before giving up
            continue
        for now in travel(frame, found[0], speed):
            yield now
        frame = now
