"""`Partition`: the cells that one tree cuts a plane into, as exact polygons.

On a plane every split is a line, so a node's region is a convex polygon, and cutting it by the
node's line gives its children's. A forest scaled by ranks (Tomita s.2.5) has lines in ranks, not
in the features; its cells are cut in ranks, block by block, and their edges bent back at every
knot of the scaling:

    below all samples | between samples | above all      rank 0 | piecewise linear | rank n + 1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.model import check_features, class_columns, spread
from explorer.analysis.planes import LabelledPlane, feature_plane
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest
from explorer.engine.flat import FlatForest, flatten

if TYPE_CHECKING:
    import pandas

Polygon = NDArray[np.float64]
Corners = list[tuple[float, float]]
Bend = Callable[[Corners, bool], Polygon]


@dataclass(frozen=True, eq=False)
class Partition(Record):
    """The cells of one tree on a plane (Menze Figs. 1 and 4), in the picture's coordinates.

    tree: its number. polygons: C arrays [m, 2], counter-clockwise, not closed; a leaf that the
        plane does not meet has none, and under rank scaling a leaf may have several.
    leaf, depth, winner: int[C] of each polygon. counts: float64[C, K], in-bag weight of each
        class in the whole leaf, on and off the plane. area: float64[C].
    lines: L polylines [m, 2], each the part of a split's line inside its own node's region;
    line_node, line_depth: int[L].
    """

    plane: LabelledPlane
    class_names: tuple[str, ...]
    tree: int
    polygons: tuple[Polygon, ...]
    leaf: NDArray[np.intp]
    depth: NDArray[np.intp]
    winner: NDArray[np.intp]
    counts: NDArray[np.float64]
    area: NDArray[np.float64]
    lines: tuple[Polygon, ...]
    line_node: NDArray[np.intp]
    line_depth: NDArray[np.intp]

    def to_frame(self) -> pandas.DataFrame:
        """One row per corner of a polygon."""
        import pandas

        sizes = [len(p) for p in self.polygons]
        corners = np.concatenate(self.polygons) if sizes else np.empty((0, 2))
        cell = np.repeat(np.arange(len(sizes)), sizes)
        table = {
            "cell": cell,
            "x": corners[:, 0],
            "y": corners[:, 1],
            "leaf": self.leaf[cell],
            "depth": self.depth[cell],
            "class": [self.class_names[k] for k in self.winner[cell]],
        }
        for k, name in enumerate(self.class_names):
            table[f"weight({name})"] = self.counts[cell, k]
        return pandas.DataFrame(table)


@dataclass(frozen=True)
class _Block:
    """A rectangle of (p, q) on which splits are lines, and the way back to (s, t).

    A coordinate that is constant in the forest's eyes (beyond all ranks) keeps its own length in
    the rectangle but moves no score: its form goes into ``constant``.
    """

    corners: Corners
    constant: tuple[float | None, float | None]
    bend: Bend


def partition(
    forest: Forest, dataset: Dataset, tree: int = 0, plane: LabelledPlane | None = None
) -> Partition:
    """Cells and split lines of one tree on a plane (see planes.py; not a marginal one)."""
    check_features(forest, dataset)
    plane = feature_plane(dataset) if plane is None else plane
    if plane.rows is not None:
        raise ValueError("A marginal map is an average over planes and has no cells.")
    if not isinstance(forest, Forest):
        raise ValueError(f"A {type(forest).__name__} has no trees, so it has no cells.")
    if not 0 <= tree < forest.n_tree:
        raise ValueError(
            f"There is no tree {tree}; this forest has trees 0 ... {forest.n_tree - 1}."
        )
    flat = flatten(forest, plane.plane, tree + 1)
    if flat is None:
        raise ValueError(
            "Splits of a forest scaled by ranks are not lines on this plane; choose two features."
        )
    cells: list[tuple[int, int, Polygon]] = []
    lines: list[tuple[int, int, Polygon]] = []
    for block in _blocks(flat):
        _cut(flat, tree, block, cells, lines)
    low, size = np.array([plane.x_range[0], plane.y_range[0]]), plane.size
    polygons = tuple(low + shape * size for _, _, shape in cells)
    leaf = np.array([number for number, _, _ in cells], np.intp)
    at = forest.leaf_at[tree] + leaf
    columns = class_columns(forest, dataset)
    return Partition(
        plane,
        dataset.class_names,
        tree,
        polygons,
        leaf,
        np.array([depth for _, depth, _ in cells], np.intp),
        columns[forest.winner[at]],
        spread(forest.counts[at], columns, dataset.n_classes),
        np.array([polygon_area(p) for p in polygons]),
        tuple(low + line * size for _, _, line in lines),
        np.array([node for node, _, _ in lines], np.intp),
        np.array([depth for _, depth, _ in lines], np.intp),
    )


def polygon_area(polygon: Polygon) -> float:
    """Area of a simple polygon [m, 2], by the shoelace formula about its first corner."""
    x, y = (polygon - polygon[0]).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2.0)


def _cut(flat: FlatForest, tree: int, block: _Block, cells: list[Any], lines: list[Any]) -> None:
    forest = flat.forest
    base = int(forest.node_at[tree])
    stack: list[tuple[int, int, Corners]] = [(0, 0, block.corners)]
    while stack:
        node, depth, shape = stack.pop()
        at = base + node
        left = int(forest.left[at])
        if forest.feature[at] == -1:
            outline = block.bend(shape, True)
            if polygon_area(outline) > 0.0:
                cells.append((left, depth, outline))
            continue
        c, p, q = flat.forms[at]
        c -= forest.cut[at]
        if block.constant[0] is not None:
            c, p = c + p * block.constant[0], 0.0
        if block.constant[1] is not None:
            c, q = c + q * block.constant[1], 0.0
        below, above, line = _divide(shape, float(c), float(p), float(q))
        if len(line) == 2:
            lines.append((node, depth, block.bend(line, False)))
        if above:
            stack.append((left + 1, depth + 1, above))
        if below:
            stack.append((left, depth + 1, below))


def _divide(shape: Corners, c: float, p: float, q: float) -> tuple[Corners, Corners, Corners]:
    """Parts of a convex polygon with c + p x + q y <= 0 and > 0, and the line between them."""
    score = [c + p * x + q * y for x, y in shape]
    if max(score) <= 0.0:
        return shape, [], []
    if min(score) > 0.0:
        return [], shape, []
    below: Corners = []
    above: Corners = []
    line: Corners = []
    for k, (x, y) in enumerate(shape):
        here, before = score[k], score[k - 1]
        if (here <= 0.0) != (before <= 0.0):
            a, b = shape[k - 1]
            way = before / (before - here)
            met = (a + way * (x - a), b + way * (y - b))
            below.append(met)
            above.append(met)
            line.append(met)
        (below if here <= 0.0 else above).append((x, y))
    return below, above, line


def _blocks(flat: FlatForest) -> list[_Block]:
    if not flat.ranked:
        square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        return [_Block(square, (None, None), lambda shape, _: np.array(shape))]
    pair = flat.plane.pair
    assert pair is not None  # flatten gives ranks on two features only
    across = _pieces(flat, pair[0], flat.plane.u)
    up = _pieces(flat, pair[1], flat.plane.v)
    blocks = []
    for p0, p1, p_constant, p_knots, p_back in across:
        for q0, q1, q_constant, q_knots, q_back in up:
            corners = [(p0, q0), (p1, q0), (p1, q1), (p0, q1)]

            def bend(
                shape: Corners,
                closed: bool,
                knots: tuple[Any, ...] = (p_knots, q_knots),
                back: tuple[Any, ...] = (p_back, q_back),
            ) -> Polygon:
                return _bent(shape, closed, knots, back)

            blocks.append(_Block(corners, (p_constant, q_constant), bend))
    return blocks


def _pieces(flat: FlatForest, f: int, along: NDArray[np.float64]) -> list[tuple[Any, ...]]:
    """Pieces of one side of the plane: ends, constant rank or None, knots and the way back."""
    scaling, plane = flat.forest.scaling, flat.plane
    knots = slice(scaling.at[f], scaling.at[f + 1])
    values = (scaling.values[knots] - plane.origin[f]) / along[f]
    ranks = scaling.ranks[knots]
    none = np.empty(0)
    pieces: list[tuple[Any, ...]] = []
    low, high = max(values[0], 0.0), min(values[-1], 1.0)
    if values[0] > 0.0:
        pieces.append((0.0, min(values[0], 1.0), 0.0, none, None))
    if low < high:
        a, b = np.interp([low, high], values, ranks)
        inner = ranks[(ranks > a) & (ranks < b)]

        def back(p: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.clip(np.interp(p, ranks, values), 0.0, 1.0)

        pieces.append((float(a), float(b), None, inner, back))
    if values[-1] < 1.0:
        pieces.append((max(values[-1], 0.0), 1.0, scaling.n + 1.0, none, None))
    return pieces


def _bent(shape: Corners, closed: bool, knots: tuple[Any, ...], back: tuple[Any, ...]) -> Polygon:
    """Corners in ranks as corners in (s, t), with new ones where an edge passes a knot."""
    points = np.array(shape)
    ends = np.vstack([points[1:], points[:1]]) if closed else points[1:]
    out = []
    for a, b in zip(points, ends, strict=False):
        ways = [0.0]
        for axis in (0, 1):
            if a[axis] != b[axis]:
                passed = (knots[axis] - a[axis]) / (b[axis] - a[axis])
                ways.extend(passed[(passed > 0.0) & (passed < 1.0)].tolist())
        out.append(a + np.sort(ways)[:, None] * (b - a))
    if not closed:
        out.append(points[-1:])
    bent = np.concatenate(out)
    for axis in (0, 1):
        if back[axis] is not None:
            bent[:, axis] = back[axis](bent[:, axis])
    return bent
