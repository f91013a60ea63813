"""FlatForest: a forest as it is on one plane, in two coordinates."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .check import read_only
from .kernels import walk
from .kernels.contour import zero_lines as zero_lines_kernel
from .kernels.crossing import crossings
from .kernels.flat import flatten as flatten_kernel
from .kernels.jit import call
from .plane import Plane
from .threads import over_rows

if TYPE_CHECKING:
    from .forest import Forest


@dataclass(frozen=True)
class FlatForest:
    """Splits of the first ``n_tree`` trees on a plane: forms[i] . (1, p, q) <= cut[i] goes left.

    (p, q) are the plane's own coordinates s, t in [0, 1]; for a forest scaled by ranks they are
    the ranks of the plane's two features (``ranked``). ``chart`` maps (s, t), float64[n, 2], to
    (p, q). Nodes are counted over all trees, as in the forest.
    """

    forest: "Forest"
    plane: Plane
    n_tree: int
    ranked: bool
    forms: np.ndarray  # float64[N, 3]
    chart: Callable[[np.ndarray], np.ndarray]

    def predict_proba(self, st: np.ndarray, *, threads: int | None = None) -> np.ndarray:
        """Posterior at points (s, t) of the plane, float64[n, K]."""
        forest, k = self.forest, self.n_tree
        points = read_only(np.ascontiguousarray(self.chart(np.asarray(st, np.float64))))
        out = np.zeros((len(points), forest.n_classes))
        trees = self._trees()
        vote, weights = forest._vote(k)
        call(walk.votes, "voting", None, trees, points[:0], 0, 0, vote, weights, out[:0])
        over_rows(
            len(points),
            threads,
            max(1, 20_000 // k),
            lambda a, b: walk.votes(trees, points[a:b], 0, k, vote, weights, out[a:b]),
        )
        out /= weights[:k].sum()
        return np.clip(out, 0.0, 1.0, out=out)

    def cross(self, a: np.ndarray, b: np.ndarray, *, threads: int | None = None) -> np.ndarray:
        """Points (s, t), float64[n, 2], at which the winner changes on the way from a to b.

        a, b: float64[n, 2]. The way runs along one axis if the forest is ranked. Halfway where
        the winner does not change.
        """
        forest = self.forest
        start, end = self.chart(a), self.chart(b)
        vote, weights = forest._vote(self.n_tree)
        out = np.empty(len(start))
        p, q = (read_only(np.ascontiguousarray(x)) for x in (start, end))
        args = (forest._trees, self.forms, self.n_tree, vote, weights)
        call(crossings, "boundaries", None, *args, p[:0], q[:0], out[:0])
        over_rows(len(p), threads, 64, lambda i, j: crossings(*args, p[i:j], q[i:j], out[i:j]))
        if not self.ranked:
            return a + out[:, None] * (b - a)
        met = start + out[:, None] * (end - start)
        found = a.copy()
        scaling, plane = forest.scaling, self.plane
        for axis, f in enumerate(plane.pair or ()):
            along = (plane.u, plane.v)[axis][f]
            knots = slice(scaling.at[f], scaling.at[f + 1])
            raw = np.interp(met[:, axis], scaling.ranks[knots], scaling.values[knots])
            unit = (raw - plane.origin[f]) / along
            low, high = np.minimum(a, b)[:, axis], np.maximum(a, b)[:, axis]
            found[:, axis] = np.clip(unit, low, high)
        return found

    def _trees(self) -> walk.Trees:
        forest = self.forest
        N = int(forest.node_at[self.n_tree])
        node_at = forest.node_at[: self.n_tree + 1]
        local = np.arange(N) - np.repeat(node_at[:-1], np.diff(node_at))
        feature = np.where(forest.feature[:N] == -1, -1, -2).astype(np.int32)
        arrays = (
            feature,
            forest.left[:N],
            forest.cut[:N] - self.forms[:, 0],
            (2 * local).astype(np.int32),
            (2 * local + 2).astype(np.int32),
            np.tile(np.array([0, 1], np.int32), N),
            np.ascontiguousarray(self.forms[:, 1:]).ravel(),
            forest.counts,
            forest.winner,
            node_at,
            2 * node_at,
            forest.leaf_at,
        )
        return walk.Trees(*(read_only(a) for a in arrays))


def flatten(forest: "Forest", plane: Plane, trees: int | None = None) -> FlatForest | None:
    """The forest on a plane, or None where its splits are not lines there.

    They are lines on every plane for a forest that is not scaled by ranks. Ranks bend a plane
    unless it is spanned by two single features; then they are lines in the ranks.
    """
    k = forest._first(trees)
    scaling = forest.scaling
    if plane.origin.size != forest.n_features:
        raise ValueError(
            f"The plane has {plane.origin.size} features, but the forest was grown on "
            f"{forest.n_features}."
        )
    chart: Callable[[np.ndarray], np.ndarray]
    if scaling.affine:
        origin = (plane.origin - scaling.shift) / scaling.scale
        u, v = plane.u / scaling.scale, plane.v / scaling.scale

        def chart(st: np.ndarray) -> np.ndarray:
            return st
    else:
        if plane.pair is None:
            return None
        i, j = plane.pair
        origin = scaling.transform(plane.origin[None, :])[0].copy()
        u, v = np.zeros(plane.origin.size), np.zeros(plane.origin.size)
        origin[[i, j]] = 0.0
        u[i] = v[j] = 1.0

        def chart(st: np.ndarray) -> np.ndarray:
            x = scaling.column(i, plane.origin[i] + st[:, 0] * plane.u[i])
            y = scaling.column(j, plane.origin[j] + st[:, 1] * plane.v[j])
            return np.column_stack([x, y])

    forms = np.zeros((int(forest.node_at[k]), 3))
    arrays = (read_only(np.ascontiguousarray(a)) for a in (origin, u, v))
    call(flatten_kernel, "pictures", None, forest._trees, 0, k, *arrays, forms)
    return FlatForest(forest, plane, k, not scaling.affine, read_only(forms), chart)


def zero_lines(level: np.ndarray, masked: np.ndarray | None = None) -> np.ndarray:
    """Lines along which a picture (float[h, w]) changes its sign, in pixels.

    float64[m, 2]: x and y of the vertices, NaN rows between lines, none in the middle of a
    straight run. Cells with a masked corner (bool[h, w]) have no line.
    """
    level = np.ascontiguousarray(level, np.float32)
    masked = np.zeros(level.shape, bool) if masked is None else np.ascontiguousarray(masked, bool)
    found: np.ndarray = call(zero_lines_kernel, "boundaries", None, level, masked)
    return found
