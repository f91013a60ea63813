"""`BoundaryShape`: a learned boundary as a person would describe it, and only what is certain.

Whether a boundary is made of level and upright lines follows from the forest: if every cut looks
at one feature, and the picture runs along features, it can be made of nothing else. How many
pieces there are and whether they are straight is read off the traced lines, in units of the
region, so that it does not depend on how many pixels a window has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.contours import Range, separate, winner_lines
from explorer.analysis.planes import LabelledPlane
from explorer.engine import Forest

Floats = NDArray[np.float64]
SHORTEST = 0.04  # length of the shortest line that counts, in sides of the region
ISLAND = 0.04  # the same for the longer side of a closed line: a smaller one is hardly seen
STRAIGHT = 0.008  # how far a straight line may be from its chord, in sides of the region
CHORD = 0.025  # length over which the slope of a line is taken
WAY = 0.1  # and over which it is taken again: a rough upright line is still an upright line
LEVEL = 0.12  # slope up to which a chord counts as level or upright
SMALLEST = 0.002  # share of the region a class must win to be counted


@dataclass(frozen=True)
class BoundaryShape:
    """What a boundary looks like. None: not certain, so nothing is said.

    winners: classes that win somewhere. pieces: lines between two classes; None for more classes
    (there lines meet). straight: every line is straight. stairs: a line turns by right angles to
    one side, to the other and back, or more often; right_angled: there are only level and upright
    lines. slanted: most of the length is neither level nor upright, near by and on the whole.
    """

    winners: int
    pieces: int | None = None
    straight: bool = False
    right_angled: bool = False
    stairs: bool = False
    slanted: bool = False

    def in_words(self, where: str = "") -> str:
        """One phrase without a full stop; empty where nothing is certain.

        where: what the numbers are about, if that is not all that is seen ("near the samples").
        """
        place = f" {where}" if where else ""
        if self.winners < 2:
            return f"one class wins everywhere{place}"
        if self.pieces == 0:
            return ""
        if self.pieces is None:
            what = (
                "a boundary" if self.winners == 2 else f"boundaries between {self.winners} classes"
            )
        elif self.pieces == 1:
            what = "one straight boundary" if self.straight else "one boundary"
        else:
            kind = "straight pieces" if self.straight else "pieces"
            what = f"a boundary in {self.pieces} {kind}{place}"
        if self.straight and self.pieces is not None:
            return what
        if self.stairs:
            return f"{what}, in stairs"
        if self.right_angled:
            return f"{what}, of level and upright lines"
        return f"{what}, curved or slanted" if self.slanted else what


def cuts_along_axes(model: Any) -> bool | None:
    """Whether every cut of a model looks at one feature; None if the model does not say.

    Of a forest the cuts themselves are looked at: an oblique family that may use one feature per
    node cuts along the axes too.
    """
    if not isinstance(model, Forest):
        found: bool | None = getattr(model, "cuts_along_axes", None)
        return found
    if model.begin.size == 0:
        return True
    return bool(((model.end - model.begin) <= 1).all())


def runs_along_features(plane: LabelledPlane) -> bool:
    """Whether both axes of a picture are single features."""
    return np.count_nonzero(plane.x_axis) == 1 and np.count_nonzero(plane.y_axis) == 1


def boundary_shape(
    posterior: NDArray[np.float32], *, along_axes: bool | None = None, count: bool = True
) -> BoundaryShape:
    """The shape of the boundary in a region, from posteriors [h, w, K] at its pixel centres.

    along_axes: whether it can only run along the axes of the region. count: False leaves out the
    number of pieces, which on another raster may be another one.
    """
    h, w, K = posterior.shape
    shares = np.bincount(posterior.argmax(axis=-1).ravel(), minlength=K) / (h * w)
    winners = max(1, int((shares >= SMALLEST).sum()))
    unit: Range = (0.0, 1.0)
    lines = separate(winner_lines(posterior, unit, unit))
    lines = [line for line in lines if _is_seen(line)]
    if winners < 2:
        only = np.count_nonzero(shares) == 1
        return BoundaryShape(1) if only else BoundaryShape(2, pieces=0)
    if not lines:
        return BoundaryShape(winners, pieces=0)
    pieces = len(lines) if winners == 2 and (count or len(lines) == 1) else None
    if along_axes:
        flat = max(STRAIGHT, 1.5 / min(h, w))
        straight = all(np.ptp(line, axis=0).min() <= flat for line in lines)
        stairs = any(_steps(line, 2.0 / min(h, w)) > 2 for line in lines)
        return BoundaryShape(winners, pieces, straight, True, stairs and not straight)
    straight = all(_off_chord(line) <= STRAIGHT for line in lines)
    aligned = max(_aligned(lines, CHORD), _aligned(lines, WAY))
    return BoundaryShape(winners, pieces, straight, slanted=aligned < 0.5)


def _is_seen(line: Floats) -> bool:
    """Whether a line is long enough to count; a closed one must also be wide or high enough."""
    if _length(line) < SHORTEST:
        return False
    closed = bool((line[0] == line[-1]).all())
    return not closed or float(np.ptp(line, axis=0).max()) >= ISLAND


def _length(line: Floats) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _paced(line: Floats, step: float) -> Floats:
    """The line with a point after every step of its way."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0.0, way[-1], max(2, 1 + round(way[-1] / step)))
    return np.column_stack([np.interp(at, way, line[:, 0]), np.interp(at, way, line[:, 1])])


def _off_chord(line: Floats) -> float:
    """The largest distance of a line from the straight line nearest to it."""
    points = _paced(line, 0.2 * CHORD)
    away = points - points.mean(axis=0)
    normal = np.linalg.svd(away, full_matrices=False)[2][1]
    return float(np.abs(away @ normal).max())


def _steps(line: Floats, corner: float) -> int:
    """The most turns in a row that change sides: 3 or more are stairs; a frame has 1.

    corner: runs up to this length may be a corner that the raster cut off. Where most of the
    length is neither level nor upright, the steps are finer than that, and there are as many as
    fit.
    """
    step = np.diff(line, axis=0)
    size = np.abs(step)
    length = size.max(axis=1)
    runs = (length > corner) & (size.min(axis=1) < 0.5 * corner)
    if length[runs].sum() < 0.5 * length.sum():
        return round(length.sum() / corner)
    way = np.sign(np.where(size[runs] == length[runs, None], step[runs], 0.0))
    turn = way[:-1, 0] * way[1:, 1] - way[:-1, 1] * way[1:, 0]
    most = row = 0
    last = 0.0
    for side in turn[turn != 0]:
        row = row + 1 if side == -last else 1
        last, most = side, max(most, row)
    return most


def _aligned(lines: list[Floats], chord: float) -> float:
    """The share of the length of lines that is level or upright, over chords of this length."""
    paced = [_paced(line, 0.2 * chord) for line in lines]
    chords = np.concatenate([p[5:] - p[:-5] if len(p) > 5 else p[-1:] - p[:1] for p in paced])
    size = np.abs(chords)
    return float((size.min(axis=1) < LEVEL * size.max(axis=1)).mean())
