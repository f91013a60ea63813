"""Traces the zero set of a function on the plane, with every vertex on the zero itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Corners of a cell and the edges between them:
#
#     c3 --e2-- c2        key of an edge = the index of its lower-left corner, times two,
#     |          |        plus one if it runs upwards
#     e3        e1
#     |          |
#     c0 --e0-- c1
#
# The pairs of edges that the zero set joins, for each pattern of positive corners (bit i = corner
# i). Patterns 5 and 10 are saddles, told apart by the value in the middle of the cell.
_JOINS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 6: ((0, 2),), 7: ((3, 2),),
    8: ((2, 3),), 9: ((2, 0),), 11: ((2, 1),), 12: ((1, 3),), 13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip
_SADDLES = {
    (5, True): ((0, 1), (2, 3)),
    (5, False): ((3, 0), (1, 2)),
    (10, True): ((3, 0), (1, 2)),
    (10, False): ((0, 1), (2, 3)),
}


def trace(
    level: Callable[[Floats], Floats], lo: Floats, hi: Floats, cells: int = 200
) -> tuple[Floats, ...]:
    """Polylines [m, 2] along level = 0 in the box lo [2] .. hi [2]; closed ones repeat the start.

    level: [n, 2] -> [n]. Its sign is taken on a grid of cells x cells; where it changes along an
    edge of the grid the crossing is sought to the last bits of float64, so vertices lie on the
    zero set (or on the jump, if level jumps). What winds within one cell is missed.
    """
    side = cells + 1
    xs, ys = np.linspace(lo[0], hi[0], side), np.linspace(lo[1], hi[1], side)
    gx, gy = np.meshgrid(xs, ys)
    grid = np.column_stack([gx.ravel(), gy.ravel()])
    positive = (level(grid) > 0).reshape(side, side)

    node = np.arange(side * side).reshape(side, side)
    flat = np.flatnonzero(positive[:, :-1] != positive[:, 1:])
    across = node[:, :-1].ravel()[flat]
    rising = node[:-1, :].ravel()[np.flatnonzero(positive[:-1, :] != positive[1:, :])]
    start = np.concatenate([across, rising])
    if start.size == 0:
        return ()
    end = np.concatenate([across + 1, rising + side])
    key = np.concatenate([2 * across, 2 * rising + 1])
    vertex = dict(zip(key.tolist(), _crossings(level, grid[start], grid[end]), strict=True))

    bits = (
        positive[:-1, :-1] * 1
        + positive[:-1, 1:] * 2
        + positive[1:, 1:] * 4
        + positive[1:, :-1] * 8
    )
    neighbours: dict[int, list[int]] = {}
    for row, column in zip(*np.nonzero((bits > 0) & (bits < 15)), strict=True):
        pattern = int(bits[row, column])
        corner = int(node[row, column])
        edges = (2 * corner, 2 * (corner + 1) + 1, 2 * (corner + side), 2 * corner + 1)
        joins = _JOINS.get(pattern)
        if joins is None:
            middle = np.array([[xs[column] + xs[column + 1], ys[row] + ys[row + 1]]]) / 2
            joins = _SADDLES[pattern, bool(level(middle)[0] > 0)]
        for a, b in joins:
            neighbours.setdefault(edges[a], []).append(edges[b])
            neighbours.setdefault(edges[b], []).append(edges[a])
    return tuple(np.array([vertex[k] for k in line]) for line in _chains(neighbours))


def clip_line(
    w: Floats, c: float, lo: tuple[float, float], hi: tuple[float, float]
) -> tuple[Floats, ...]:
    """The part of the line w·x + c = 0 in the box, as one polyline [2, 2], or nothing."""
    size = float(w @ w)
    if size == 0.0:
        return ()
    point, along = -c * w / size, np.array([-w[1], w[0]]) / np.sqrt(size)
    start, end = -np.inf, np.inf
    for i in (0, 1):
        if along[i] == 0.0:
            if not lo[i] <= point[i] <= hi[i]:
                return ()
            continue
        a, b = sorted(((lo[i] - point[i]) / along[i], (hi[i] - point[i]) / along[i]))
        start, end = max(start, a), min(end, b)
    return (np.array([point + start * along, point + end * along]),) if start < end else ()


def _crossings(level: Callable[[Floats], Floats], a: Floats, b: Floats) -> Floats:
    """The sign changes of level between the points a [m, 2] and b [m, 2], to float64's end."""

    def on_way(s: Floats, rows: NDArray[np.intp]) -> Floats:
        return level(a[rows] + s[:, None] * (b - a)[rows])

    return a + zeros(on_way, len(a))[:, None] * (b - a)


def zeros(value: Callable[[Floats, NDArray[np.intp]], Floats], n: int) -> Floats:
    """Where n functions change their sign between 0 and 1, [n]; 0.5 for one that does not.

    value: places s [m] and which functions [m] -> [m]. Chandrupatla's method: where a function is
    smooth it takes a fifth of the steps of a bisection, at a jump as many.
    """
    from scipy.optimize import elementwise

    find: Any = elementwise.find_root  # its types leave out what is handed on to the function
    fine = {"xatol": 2.0**-52, "xrtol": 2.0**-52, "fatol": 0.0, "frtol": 0.0}
    ends = np.zeros(n), np.ones(n)
    found = find(value, ends, args=(np.arange(n),), tolerances=fine, maxiter=200)
    return np.where(found.success, found.x, 0.5)


def _chains(neighbours: dict[int, list[int]]) -> list[list[int]]:
    """The paths of a graph in which every node has one or two neighbours."""
    chains: list[list[int]] = []
    ends = [k for k, near in neighbours.items() if len(near) == 1]
    left = set(neighbours)
    for first in [*ends, *neighbours]:
        if first not in left:
            continue
        chain = [first]
        left.remove(first)
        while True:
            onward = next((k for k in neighbours[chain[-1]] if k in left), None)
            if onward is None:
                break
            chain.append(onward)
            left.remove(onward)
        if len(chain) > 2 and first in neighbours[chain[-1]]:
            chain.append(first)
        chains.append(chain)
    return chains
