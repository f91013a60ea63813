"""The route of a tour that is played: where it starts, its next leg, turns by hand, the slice.

A tour that is played can be paused, scrubbed back and turned by hand, so it is made leg by leg: a
leg is the geodesic to the next plane (tour.py). The same seed gives the same legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.discriminant import discriminant_axes
from explorer.analysis.record import Record
from explorer.analysis.tour import (
    Geodesic,
    Index,
    TourSpace,
    better_plane,
    geodesic,
    orthonormal,
    random_frame,
)
from explorer.data import Dataset

Floats = NDArray[np.float64]
NARROWEST = 0.02  # radians; where no plane this near is better, a guided tour has arrived
FAINTEST = 0.12  # how strong samples are that lie far from the slice
SOFT_EDGE = 0.35  # of the depth of a slice: how fast samples fade beyond it
DIGITS = 4  # of the numbers of a frame, as a link holds them


@dataclass(frozen=True, eq=False)
class TourAxes(Record):
    """The two directions of a plane, to be read.

    names: of the k axes of the tour (features or components). frame: float64[k, 2], where the
    unit vector of each axis is seen. weights: float64[P, 2], of all features in standard
    deviations. words: what the tour travels through.
    """

    names: tuple[str, ...]
    frame: Floats
    weights: Floats
    words: str


def tour_axes(space: TourSpace, frame: Floats) -> TourAxes:
    """The directions of a frame with the names of what they are made of."""
    names = axis_names(space)
    return TourAxes(names, frame, space.weights(frame), space.in_words())


def axis_names(space: TourSpace) -> tuple[str, ...]:
    """Names of the k axes of a tour: features, or principal components."""
    if space.components:
        return tuple(f"PC {i + 1}" for i in range(space.size))
    return tuple(space.names[int(f)] for f in space.basis.argmax(axis=0))


def first_frame(space: TourSpace, dataset: Dataset) -> Floats:
    """Where a tour starts: the plane of the discriminant axes within its space, float64[k, 2]."""
    Z = space.coordinates(dataset.X)
    return rounded(discriminant_axes(Z - Z.mean(axis=0), dataset.y))


def rounded(frame: Floats) -> Floats:
    """An orthonormal frame near this one that a few digits describe.

    ``from_numbers(space, to_numbers(f))`` gives the same bits again for a rounded frame.
    """
    return orthonormal(np.round(frame, DIGITS))


def to_numbers(frame: Floats) -> tuple[float, ...]:
    """A frame as 2k short numbers: the first direction, then the second."""
    return tuple(float(v) for v in np.round(frame, DIGITS).T.ravel())


def from_numbers(space: TourSpace, numbers: ArrayLike) -> Floats | None:
    """The frame of 2k numbers; None if they are not a frame of this space."""
    flat = np.asarray(numbers, np.float64).ravel()
    if flat.size != 2 * space.size or not np.isfinite(flat).all():
        return None
    if not flat[: space.size].any():
        return None
    try:
        return orthonormal(flat.reshape(2, -1).T)
    except ValueError:
        return None


@dataclass(frozen=True)
class Leg:
    """The way to the next plane, and its index where the tour is guided.

    way: None where a guided tour has arrived: no plane near is better.
    """

    way: Geodesic | None
    index: float | None


def next_leg(space: TourSpace, frame: Floats, index: Index | None = None, *, seed: int = 0) -> Leg:
    """From a frame to a random plane, or to one near with a larger index."""
    rng = np.random.default_rng(seed)
    if index is None:
        return Leg(geodesic(frame, random_frame(rng, space.size)), None)
    width = 1.0
    while width > NARROWEST:
        found = better_plane(frame, index, rng, width)
        if found is not None:
            return Leg(geodesic(frame, found[0]), found[1])
        width /= 2  # look nearer by before giving up
    return Leg(None, index(frame))


def turned_by_hand(frame: Floats, axis: int, to: ArrayLike) -> Floats:
    """The frame with one axis moved to a place on the plane (manual tour, Cook & Buja 1997).

    to: where the unit vector of the axis is to be seen, float64[2]; a place outside the unit
    circle is taken as the nearest one on it. All other axes keep their arrangement as far as an
    orthonormal frame allows: their rows R become R G^(-1/2) (I - r r')^(1/2), G = R'R.
    """
    place = np.asarray(to, np.float64)
    place = place / max(1.0, float(np.linalg.norm(place)))
    rest = np.delete(frame, axis, axis=0)
    k = rest.shape[0]
    if k < 2:
        raise ValueError("A plane is turned by hand in three or more dimensions.")
    # where the others span less than a plane, they open up in a fixed direction
    turn = 2 * np.pi * np.arange(k) / k
    rest = rest + 1e-6 * np.column_stack([np.cos(turn), np.sin(2 * turn + 1.0)])
    inverse = _power(rest.T @ rest, -0.5)
    rest = rest @ inverse @ _power(np.eye(2) - np.outer(place, place), 0.5)
    return np.insert(rest, axis, place, axis=0)


def _power(matrix: Floats, power: float) -> Floats:
    """A power of a symmetric matrix without negative eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    low = 1e-300 if power < 0 else 0.0
    found: Floats = (vectors * np.maximum(values, low) ** power) @ vectors.T
    return found


def nearness(
    space: TourSpace, frame: Floats, X: Floats, depth: float, through: Floats | None = None
) -> Floats:
    """How strongly samples are drawn, float64[n]: 1 within the slice, less the farther from it.

    depth: half the thickness of the slice in standard deviations; 0 or less for no slice.
    """
    if depth <= 0:
        return np.ones(len(X))
    beyond = np.maximum(space.depth(frame, X, through) - depth, 0.0) / (SOFT_EDGE * depth)
    return FAINTEST + (1.0 - FAINTEST) * np.exp(-0.5 * beyond**2)
