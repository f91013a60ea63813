"""The posterior of a forest on a plane, pixel by pixel and exactly (kernels/scanline.py)."""

from typing import TYPE_CHECKING

import numpy as np

from . import check
from .kernels import scanline
from .kernels.jit import call
from .plane import Plane
from .threads import over_rows

if TYPE_CHECKING:
    from .forest import Forest


def posterior_on(
    forest: "Forest", plane: Plane, width: int, height: int, k: int, threads: int | None
) -> np.ndarray:
    """Posterior of the first k trees, float32[height, width, K]; see ``Forest.posterior_on``."""
    if plane.origin.size != forest.n_features:
        raise ValueError(
            f"The plane has {plane.origin.size} features, but the forest was grown on "
            f"{forest.n_features}."
        )
    if width < 1 or height < 1:
        raise ValueError(f"A picture of {width} x {height} pixels has none; use at least 1 x 1.")
    if not forest.scaling.affine and plane.pair is None:
        return _walk_pixels(forest, plane, width, height, k, threads)
    picture = _picture(forest, plane, width, height)
    N = int(forest.node_at[k])
    lines = scanline.Lines(
        np.empty((N, 3)), np.empty(0 if forest.scaling.affine else N), np.empty(N, np.int64)
    )
    call(scanline.prepare, "pictures", None, forest._trees, 0, k, picture, lines)
    vote, weights = forest._vote(k)
    total = weights[:k].sum()
    out = np.empty((height, width, forest.n_classes), np.float32)
    args = (forest._trees, 0, k, picture, lines, vote, weights)
    call(scanline.paint, "pictures", None, *args, 0, 0, total, out)
    over_rows(height, threads, 32, lambda a, b: scanline.paint(*args, a, b, total, out))
    return out


def _picture(forest: "Forest", plane: Plane, width: int, height: int) -> scanline.Picture:
    none = check.read_only(np.empty(0))
    across, down, fixed, fx, fy = none, none, none, 0, 0
    if not forest.scaling.affine:
        assert plane.pair is not None
        fx, fy = plane.pair
        s = (np.arange(width) + 0.5) / width
        t = (np.arange(height) + 0.5) / height
        across = forest.scaling.column(fx, plane.origin[fx] + s * plane.u[fx])
        down = forest.scaling.column(fy, plane.origin[fy] + t * plane.v[fy])
        fixed = forest.scaling.transform(plane.origin[None, :])[0]
        across, down, fixed = map(check.read_only, (across, down, fixed))
    return scanline.Picture(
        plane.origin,
        plane.u,
        plane.v,
        forest.scaling.shift,
        forest.scaling.scale,
        across,
        down,
        fixed,
        fx,
        fy,
        width,
        height,
    )


def _walk_pixels(
    forest: "Forest", plane: Plane, width: int, height: int, k: int, threads: int | None
) -> np.ndarray:
    """Ranks along a slanted line may cross a split twice: walk every pixel."""
    out = np.empty((height, width, forest.n_classes), np.float32)
    rows = max(1, 4_000_000 // (width * forest.n_features))
    points = plane.points(width, height) if rows >= height else None
    for a in range(0, height, rows):
        b = min(a + rows, height)
        if points is not None:
            piece = points
        else:
            s = (np.arange(width) + 0.5) / width
            t = (np.arange(a, b) + 0.5) / height
            piece = plane.origin + s[None, :, None] * plane.u + t[:, None, None] * plane.v
        Z = check.read_only(forest.scaling.transform(piece.reshape(-1, forest.n_features)))
        out[a:b] = forest._proba(Z, k, threads).reshape(b - a, width, -1)
    return out
