"""Decision boundaries as polylines, found on a raster and then moved onto the boundary itself.

    o   o | x        labels at pixel centres; where two neighbours differ, the boundary crosses
      +---+          the edge between them. Each crossing is then sought along its edge with the
    o | x   x        classifier itself, so that vertices lie on the boundary, not halfway.

What is exact: every vertex. A forest's crossings are computed (engine/kernels/crossing.py), those
of other functions bisected. Between two vertices (less than a pixel) the line is straight. Where
a boundary is made of steps along the axes (``blocked``), its corners are put in, so that one step
per pixel is followed exactly too. What winds within one pixel is missed, and lines end at the
outermost pixel centres.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.data.trace import zeros

Labels = NDArray[np.intp]
Points = NDArray[np.float64]
LabelAt = Callable[[Points], Labels]
Seek = Callable[[Points, Points], Points]

# edges of a cell: 0 below, 1 right, 2 above, 3 left; corners: 0 lower left, 1 lower right,
# 2 upper right, 3 upper left
_AROUND = {0: (3, 0), 1: (0, 1), 2: (1, 2), 3: (2, 3)}


def bisecting(label_at: LabelAt, steps: int = 24) -> Seek:
    """Seek a crossing with labels alone, to one part in 2**steps of the way."""

    def seek(a: Points, b: Points) -> Points:
        a, b = a.copy(), b.copy()
        label = label_at(a)
        for _ in range(steps):
            middle = 0.5 * (a + b)
            same = label_at(middle) == label
            a[same] = middle[same]
            b[~same] = middle[~same]
        return 0.5 * (a + b)

    return seek


def rooting(posterior_at: Callable[[Points], Points]) -> Seek:
    """Seek a crossing with posteriors [n, K], to the last bits of the way.

    Sought is a zero of how far the class of the start is ahead of the best other one.
    """

    def seek(a: Points, b: Points) -> Points:
        way, label = b - a, posterior_at(a).argmax(axis=1)

        def lead(s: Points, rows: Labels) -> Points:
            found = posterior_at(a[rows] + s[:, None] * way[rows])
            each, own = np.arange(rows.size), label[rows]
            ahead = found[each, own]
            found[each, own] = -1.0
            return ahead - found.max(axis=1)

        return a + zeros(lead, len(a))[:, None] * way

    return seek


def boundaries(
    labels: Labels,
    label_at: LabelAt | None = None,
    seek: Seek | None = None,
    *,
    blocked: bool = False,
) -> tuple[Points, ...]:
    """Polylines [m, 2] between the labels of a raster, in units of it: (x, y) in [0, 1].

    labels: [height, width], of pixel centres, lowest row first. label_at: labels of points
    [n, 2] in [0, 1]. seek(a, b): where, on the way from a to b (both [n, 2]), the label first
    is no longer that of a. Without both, crossings stay halfway between pixel centres
    ("raster").
    """
    height, width = labels.shape
    number = np.arange(height * width).reshape(height, width)
    flat = number[:, :-1][labels[:, :-1] != labels[:, 1:]]
    tall = number[:-1, :][labels[:-1, :] != labels[1:, :]]
    if flat.size + tall.size == 0:
        return ()
    keys = np.concatenate([2 * flat, 2 * tall + 1])
    start = np.concatenate([flat, tall])
    end = np.concatenate([flat + 1, tall + width])
    a, b = _centres(start, labels.shape), _centres(end, labels.shape)
    crossing = 0.5 * (a + b)
    if seek is not None:
        crossing = seek(a, b)
    point = dict(zip(keys.tolist(), crossing, strict=True))
    joins = _joins(labels, label_at, point)
    if blocked and seek is not None and label_at is not None:
        joins = _with_corners(joins, label_at, seek, point, 2 * height * width)
    return tuple(np.array([point[k] for k in line]) for line in _chains(joins))


def _centres(pixels: NDArray[np.intp], shape: tuple[int, int]) -> Points:
    row, column = np.divmod(pixels, shape[1])
    return np.column_stack([(column + 0.5) / shape[1], (row + 0.5) / shape[0]])


def _joins(
    labels: Labels, label_at: LabelAt | None, point: dict[int, Points]
) -> list[tuple[int, int]]:
    """Pairs of crossings (keys of ``point``) that the boundary joins; adds meeting points."""
    height, width = labels.shape
    corner = [labels[:-1, :-1], labels[:-1, 1:], labels[1:, 1:], labels[1:, :-1]]
    crosses = [corner[k] != corner[(k + 1) % 4] for k in range(4)]
    count = sum(c.astype(np.int8) for c in crosses)
    rows, columns = np.nonzero(count)
    joins: list[tuple[int, int]] = []
    odd = 2 * height * width  # keys of points inside cells
    saddles: list[tuple[int, int, list[int]]] = []
    for r, c in zip(rows.tolist(), columns.tolist(), strict=True):
        n = r * width + c
        edge = [2 * n, 2 * (n + 1) + 1, 2 * (n + width), 2 * n + 1]
        met = [edge[k] for k in range(4) if crosses[k][r, c]]
        if len(met) == 2:
            joins.append((met[0], met[1]))
        elif len(met) == 4 and (
            labels[r, c] == labels[r + 1, c + 1] or labels[r, c + 1] == labels[r + 1, c]
        ):
            saddles.append((r, c, edge))
        else:  # three or four classes meet
            point[odd] = np.mean([point[k] for k in met], axis=0)
            joins += [(k, odd) for k in met]
            odd += 1
    if saddles:
        middle = np.array([[(c + 1) / width, (r + 1) / height] for r, c, _ in saddles])
        inside = None if label_at is None else label_at(middle)
        for s, (r, c, edge) in enumerate(saddles):
            low, high = labels[r, c], labels[r, c + 1]
            rising = low == labels[r + 1, c + 1]  # lower left and upper right may be one region
            if rising and high == labels[r + 1, c] and inside is not None:
                rising = inside[s] == low
            for k in (1, 3) if rising else (0, 2):
                p, q = _AROUND[k]
                joins.append((edge[p], edge[q]))
    return joins


def _with_corners(
    joins: list[tuple[int, int]],
    label_at: LabelAt,
    seek: Seek,
    point: dict[int, Points],
    inside: int,
) -> list[tuple[int, int]]:
    """Replace every join that is neither level nor upright by steps along the axes.

    A corner is only put in where it lies on the boundary: with several steps in one pixel the
    join stays as it is.
    """
    out: list[tuple[int, int]] = []
    turns: list[tuple[int, int, list[Points]]] = []
    jogs: list[tuple[int, int, int]] = []
    for p, q in joins:
        a, b = point[p], point[q]
        if max(p, q) >= inside or abs(a - b).min() < 1e-9:  # a meeting point, or a step itself
            out.append((p, q))
        elif p % 2 != q % 2:  # a crossing of a level edge fixes x, one of an upright edge y
            level, upright = (a, b) if p % 2 == 0 else (b, a)
            turns.append((p, q, [np.array([level[0], upright[1]])]))
        else:
            jogs.append((p, q, p % 2))
    if jogs:
        a = np.array([point[p] for p, _, _ in jogs])
        b = np.array([point[q] for _, q, _ in jogs])
        way = np.array([k for _, _, k in jogs])  # the coordinate in which the two ends differ
        each = np.arange(len(jogs))
        start, end = a.copy(), b.copy()
        start[each, way] = end[each, way] = 0.5 * (a + b)[each, way]
        met = seek(start, end)
        for k, (p, q, axis) in enumerate(jogs):
            first, second = met[k].copy(), met[k].copy()
            first[axis], second[axis] = a[k, axis], b[k, axis]
            turns.append((p, q, [first, second]))
    if turns:
        real = iter(_on_boundary(label_at, np.concatenate([corners for _, _, corners in turns])))
        fresh = max(point) + 1
        for p, q, corners in turns:
            way_points = [p]
            hits = [next(real) for _ in corners]
            if all(hits):
                for corner in corners:
                    point[fresh] = corner
                    way_points.append(fresh)
                    fresh += 1
            way_points.append(q)
            out += pairwise(way_points)
    return out


def _on_boundary(label_at: LabelAt, points: Points) -> NDArray[np.bool_]:
    """Whether the labels around a point, in four directions aslant, differ."""
    near = 1e-9 * np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    labels = label_at((points[None] + near[:, None]).reshape(-1, 2)).reshape(4, -1)
    return (labels != labels[0]).any(axis=0)


def _chains(joins: list[tuple[int, int]]) -> list[list[int]]:
    """Joins as paths: from end to end, from meeting point to meeting point, and closed rings."""
    near: dict[int, list[int]] = {}
    for p, q in joins:
        near.setdefault(p, []).append(q)
        near.setdefault(q, []).append(p)
    chains = []
    starts = {k for k, others in near.items() if len(others) != 2}  # ends and meeting points
    for first in [*sorted(starts), *near]:
        while near[first]:
            chain = [first]
            while near[chain[-1]]:
                here = chain[-1]
                onward = near[here].pop()
                near[onward].remove(here)
                chain.append(onward)
                if onward in starts:
                    break
            chains.append(chain)
    return chains
