"""Which plane through feature space is shown: its recipe, description and first window."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analysis import class_separation
from explorer.analysis.planes import (
    LabelledPlane,
    component_plane,
    discriminant_plane,
    feature_plane,
    marginal_plane,
)
from explorer.analysis.tour import TourSpace, tour_space
from explorer.analysis.tour_route import first_frame, from_numbers, nearness
from explorer.data import Dataset

KINDS = ("features", "marginal", "components", "discriminant", "tour")
FIRST = "first"  # the plane on which a data set is first seen (analysis/first_plane.py)
AT = ("median", "mean", "sample", "values")
MOST_FIXED = 4  # features with a slider of their own
MOST_DIRECTIONS = 2 * 20  # numbers of a frame of a tour
AVERAGED = 50  # samples a marginal map runs through
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """The part of a plane that is seen, in data units."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    def holds(self, xy: Floats) -> NDArray[np.bool_]:
        """Which places, float64[n, 2], are inside."""
        low, high = np.array([self.x0, self.y0]), np.array([self.x1, self.y1])
        inside: NDArray[np.bool_] = np.all((xy >= low) & (xy <= high), axis=1)
        return inside


@dataclass(frozen=True)
class PlaneRecipe:
    """What is asked for; hashable, so it is a cache's key.

    kind: two features with the rest fixed, two features averaged over the rest, two principal
    components, the discriminant axes, of which there are two, or a plane of a tour. at: where
    the rest is fixed; sample: its number; fixed: (feature, value) pairs. Of a tour: frame, the
    numbers of its two directions (none for the first plane), and depth, half the thickness of
    its slice in standard deviations, 0 for no slice.
    """

    kind: str = "features"
    across: int = 0
    up: int = 1
    at: str = "median"
    sample: int = 0
    fixed: tuple[tuple[int, float], ...] = ()
    frame: tuple[float, ...] = ()
    depth: float = 0.0

    def within(self, data: Dataset) -> PlaneRecipe:
        """The recipe as far as these data allow it, with nothing in it that does not count."""
        P, n = data.n_features, data.n_samples
        kind, at = self.kind, self.at
        if P == 2 and kind != "components":
            kind, at = "features", "median"
        if kind == "discriminant":
            return PlaneRecipe(kind)
        if kind == "tour" and P > 2:
            held = at == "sample" and self.sample < n
            rest = ("sample", self.sample) if held else ("mean", 0)
            return PlaneRecipe(kind, 0, 1, *rest, frame=self.frame, depth=self.depth)
        if kind != "features" or (at == "sample" and self.sample >= n):
            at = "median"
        most = min(n, P) if kind == "components" else P
        pair = (self.across, self.up)
        if max(pair) >= most or pair[0] == pair[1]:
            pair = (0, min(1, most - 1))
        fixed = tuple((f, v) for f, v in self.fixed if f < P and f not in pair)
        return PlaneRecipe(
            kind,
            *pair,
            at,
            self.sample if at == "sample" else 0,
            fixed if at == "values" else (),
        )

    def labelled(self, data: Dataset, space: TourSpace | None = None) -> LabelledPlane:
        """The plane with its words; its ranges are those of the data.

        space: where a tour of these data travels, if it is known already.
        """
        pair = (self.across, self.up)
        if self.kind == "tour":
            space = space or tour_space(data)
            return space.plane(self.directions(data, space), self.through(data))
        if self.kind == "discriminant":
            return discriminant_plane(data)
        if self.kind == "components":
            return component_plane(data, *pair)
        if self.kind == "marginal":
            return marginal_plane(data, *pair, samples=AVERAGED)
        at = {"sample": self.sample, "values": dict(self.fixed)}.get(self.at, self.at)
        return feature_plane(data, *pair, at=at)

    def directions(self, data: Dataset, space: TourSpace) -> Floats:
        """The frame of a tour's plane, float64[k, 2]."""
        frame = from_numbers(space, self.frame)
        return first_frame(space, data) if frame is None else frame

    def through(self, data: Dataset) -> Floats | None:
        """The sample that a tour's plane goes through; None for the mean."""
        return data.X[self.sample] if self.at == "sample" else None

    def near(self, data: Dataset, space: TourSpace) -> Floats | None:
        """How strongly each sample is drawn on a slice; None where there is no slice."""
        if self.kind != "tour" or not self.depth:
            return None
        frame = self.directions(data, space)
        return nearness(space, frame, data.X, self.depth, self.through(data))


def seen(plane: LabelledPlane, window: Window) -> LabelledPlane:
    """The plane with the window as its ranges."""
    return replace(plane, x_range=(window.x0, window.x1), y_range=(window.y0, window.y1))


def told(data: Dataset, most: int = MOST_FIXED, but: tuple[int, int] = (0, 1)) -> tuple[int, ...]:
    """The features that get a slider: those whose class means lie farthest apart, in order.

    Farthest in units of the spread within classes, as ANOVA compares them.
    """
    ratio = class_separation(data)
    order = [int(f) for f in np.argsort(-ratio, kind="stable") if int(f) not in but]
    return tuple(sorted(order[:most]))


def home_window(data: Dataset, xy: Floats, aspect: float, equal: bool = True) -> Window:
    """The window that shows the samples (at xy [n, 2]), the same however they are turned.

    Equal units, unless the spreads along the two axes differ more than thirty times, or the axes
    are not to be compared (equal is False): then each axis is as long as its samples need.
    """
    x, y = xy[:, 0], xy[:, 1]
    cx, cy = float(np.median(x)), float(np.median(y))
    distance = np.hypot(x, y)
    r = float(min(1.08 * distance.max(), 1.28 * np.quantile(distance, 0.9)))
    if data.n_features == 2 and np.hypot(cx, cy) < 0.35 * r:
        cx = cy = 0.0
    else:
        distance = np.hypot(x - cx, y - cy)
        near = 2.5 * np.quantile(distance, 0.9)  # a few far ones must not make all others small
        r = float(min(1.08 * distance.max(), near or np.inf))
    sx, sy = float(np.ptp(x)) or 1.0, float(np.ptp(y)) or 1.0
    apart = max(sx, sy) / min(sx, sy) > 30 and data.n_features > 2
    if apart or not equal:
        return Window(*_padded(x, sx), *_padded(y, sy))
    r = _rounded_up(r) or 1.0
    wide, high = (r * aspect, r) if aspect >= 1 else (r, r / aspect)
    return Window(cx - wide, cx + wide, cy - high, cy + high)


def window_around(plane: LabelledPlane, aspect: float) -> Window:
    """The window of a tour: it stays where it is while the plane turns, in equal units."""
    r = plane.x_range[1]
    wide, high = (r * aspect, r) if aspect >= 1 else (r, r / aspect)
    return Window(-wide, wide, -high, high)


def _rounded_up(r: float) -> float:
    """To three digits: data turned about the origin keep their window to the last bit."""
    unit = 10.0 ** (np.floor(np.log10(r)) - 2) if r > 0 else 1.0
    return float(np.ceil(r / unit - 1e-6) * unit)


def _padded(values: Floats, spread: float) -> tuple[float, float]:
    return float(values.min()) - 0.08 * spread, float(values.max()) + 0.08 * spread
