"""`PosteriorMap`: what a model, and the truth, predict at every point of a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.boundary import LabelAt, Seek, bisecting, boundaries, rooting
from explorer.analysis.contours import Line, winner_lines
from explorer.analysis.model import (
    Progress,
    check_features,
    class_columns,
    spread,
    stop_if,
)
from explorer.analysis.planes import LabelledPlane, feature_plane
from explorer.analysis.posterior_index import posterior_index
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.data.truth import Truth
from explorer.engine import Forest, Plane
from explorer.engine.flat import flatten

if TYPE_CHECKING:
    import pandas

Lines = tuple[NDArray[np.float64], ...]
_VALUES = 4_000_000  # feature values held at once while the truth is evaluated


def hellinger(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """Hellinger distance sqrt(1 - sum_k sqrt(p_k q_k)) of posteriors [..., K], in [0, 1].

    Computed as |sqrt(p) - sqrt(q)| / sqrt(2), which is the same and loses nothing near zero.
    """
    away = np.sqrt(np.asarray(p, np.float64)) - np.sqrt(np.asarray(q, np.float64))
    return np.minimum(np.sqrt((away * away).sum(axis=-1) / 2.0), 1.0)


@dataclass(frozen=True, eq=False)
class TruePosterior(Record):
    """The exact posterior on a plane, to be compared with many models.

    posterior: float32[height, width, K]. boundary: the Bayes boundary as polylines [m, 2] in the
    picture's coordinates; vertices lie on the boundary to 1e-6 of a pixel.
    """

    plane: LabelledPlane
    class_names: tuple[str, ...]
    posterior: NDArray[np.float32]
    boundary: Lines

    def to_frame(self) -> pandas.DataFrame:
        return _map_frame(self.plane, self.class_names, {"true": self.posterior}, {})


@dataclass(frozen=True, eq=False)
class PosteriorMap(Record):
    """The posterior of a model on a plane (Menze Fig. 4, Tomita Fig. 2).

    plane: where, with its words. class_names: K. n_tree: trees that voted, None for a baseline.
    posterior: float32[height, width, K] at pixel centres; row 0 is the lowest.
    boundary: the decision boundary as polylines [m, 2] in the picture's coordinates;
        boundary_kind says how they were found: "exact" (every vertex lies on the boundary, see
        analysis/boundary.py), "raster" (halfway between pixel centres) or "none".
    true_posterior: float32[height, width, K]; hellinger: float32[height, width], the pointwise
        Hellinger distance from it; mean_hellinger: its mean (Tomita s.3.1); bayes_boundary:
        polylines. All four None where the truth is not known.
    """

    plane: LabelledPlane
    class_names: tuple[str, ...]
    n_tree: int | None
    posterior: NDArray[np.float32]
    boundary: Lines
    boundary_kind: str
    true_posterior: NDArray[np.float32] | None = None
    hellinger: NDArray[np.float32] | None = None
    mean_hellinger: float | None = None
    bayes_boundary: Lines | None = None

    @property
    def label(self) -> str:
        return self.plane.label

    @property
    def winner(self) -> NDArray[np.intp]:
        """The class of the largest posterior at every pixel (the first of equals)."""
        return self.posterior.argmax(axis=2)

    @property
    def contour(self) -> Line:
        """The boundary in a millisecond, for moving pictures: a contour between pixel centres.

        x and y, NaN between lines (`analysis/contours.py`).
        """
        return winner_lines(self.posterior, self.plane.x_range, self.plane.y_range)

    @property
    def index(self) -> NDArray[np.uint8]:
        """The posterior as one byte per pixel, uint8[height, width] (`posterior_index`)."""
        return posterior_index(self.posterior)

    @property
    def difference(self) -> NDArray[np.float32] | None:
        """Estimate minus truth, float32[height, width, K]."""
        if self.true_posterior is None:
            return None
        return self.posterior - self.true_posterior

    def to_frame(self) -> pandas.DataFrame:
        """One row per pixel: x, y, posteriors, and truth and distance where known."""
        maps = {"P": self.posterior}
        extra = {}
        if self.true_posterior is not None:
            maps["true"] = self.true_posterior
            extra["hellinger"] = self.hellinger
        return _map_frame(self.plane, self.class_names, maps, extra)


def _map_frame(
    plane: LabelledPlane,
    class_names: tuple[str, ...],
    maps: dict[str, NDArray[np.float32]],
    extra: dict[str, Any],
) -> pandas.DataFrame:
    import pandas

    height, width, _ = next(iter(maps.values())).shape
    x, y = plane.pixels(width, height)
    table: dict[str, Any] = {"x": np.tile(x, height), "y": np.repeat(y, width)}
    for word, values in maps.items():
        for k, name in enumerate(class_names):
            table[f"{word}({name})"] = values[:, :, k].ravel()
    table |= {name: values.ravel() for name, values in extra.items()}
    return pandas.DataFrame(table)


def true_posterior(
    dataset: Dataset,
    plane: LabelledPlane | None = None,
    width: int = 300,
    height: int = 300,
    *,
    boundary: bool = True,
    progress: Progress | None = None,
    cancel: Any = None,
) -> TruePosterior:
    """The truth of a data set on a plane; an error if it is not known.

    On a marginal plane: the truth averaged over the same samples as the model's map.
    """
    truth = dataset.truth
    if truth is None:
        raise ValueError(f"The truth behind data set '{dataset.name}' is not known.")
    plane = feature_plane(dataset) if plane is None else plane
    _check_size(width, height)
    K = dataset.n_classes
    if plane.rows is None:
        posterior = _truth_on(truth, plane.plane, width, height, K, cancel)
    else:
        total = np.zeros((height, width, K))
        for k, row in enumerate(plane.rows):
            stop_if(cancel)
            total += _truth_on(truth, plane.plane_through(dataset.X[row]), width, height, K, cancel)
            if progress is not None:
                progress(k + 1, plane.rows.size, "truth")
        posterior = total / plane.rows.size
    lines: Lines = ()
    if boundary:
        label_at = seek = None
        if plane.rows is None:
            base = plane.plane

            def posterior_at(st: NDArray[np.float64]) -> NDArray[np.float64]:
                points = base.origin + st[:, :1] * base.u + st[:, 1:] * base.v
                return truth.posterior(points)

            def label_at(st: NDArray[np.float64]) -> NDArray[np.intp]:
                return posterior_at(st).argmax(axis=1)

            seek = rooting(posterior_at)
        lines = _in_picture(boundaries(posterior.argmax(axis=2), label_at, seek), plane)
    return TruePosterior(plane, dataset.class_names, posterior.astype(np.float32), lines)


def _truth_on(
    truth: Truth, plane: Plane, width: int, height: int, K: int, cancel: Any
) -> NDArray[np.float64]:
    out = np.empty((height, width, K))
    rows = max(1, _VALUES // (width * plane.origin.size))
    s = (np.arange(width) + 0.5) / width
    for a in range(0, height, rows):
        stop_if(cancel)
        b = min(a + rows, height)
        t = (np.arange(a, b) + 0.5) / height
        points = plane.origin + s[None, :, None] * plane.u + t[:, None, None] * plane.v
        out[a:b] = truth.posterior(points.reshape(-1, plane.origin.size)).reshape(b - a, width, K)
    return out


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise ValueError(f"A picture of {width} x {height} pixels has none; use at least 1 x 1.")


def _in_picture(lines: Lines, plane: LabelledPlane) -> Lines:
    low = np.array([plane.x_range[0], plane.y_range[0]])
    return tuple(low + line * plane.size for line in lines)


def model_posterior(
    model: Any,
    dataset: Dataset,
    plane: LabelledPlane,
    width: int,
    height: int,
    *,
    progress: Progress | None = None,
    cancel: Any = None,
    **options: Any,
) -> NDArray[np.float32]:
    """Posterior of a model at pixel centres, float32[height, width, K], K classes of the data.

    A class without samples has posterior 0. On a marginal plane: the mean over its samples.
    options go to the model's ``posterior_on``.
    """
    columns = class_columns(model, dataset)
    if plane.rows is None:
        found = model.posterior_on(plane.plane, width, height, **options)
    else:
        total = np.zeros((height, width, columns.size))
        for k, row in enumerate(plane.rows):
            stop_if(cancel)
            through = plane.plane_through(dataset.X[row])
            total += model.posterior_on(through, width, height, **options)
            if progress is not None:
                progress(k + 1, plane.rows.size, "averaging")
        found = (total / plane.rows.size).astype(np.float32)
    posterior: NDArray[np.float32] = spread(found, columns, dataset.n_classes)
    return posterior


def signed_difference(
    estimate: NDArray[np.float32], truth: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Estimate minus truth, [h, w]: of the second of two classes, else of the true winner."""
    if truth.shape[-1] == 2:
        gap: NDArray[np.float32] = estimate[..., 1] - truth[..., 1]
        return gap
    winner = truth.argmax(axis=-1)[..., None]
    e, t = (np.take_along_axis(a, winner, axis=-1)[..., 0] for a in (estimate, truth))
    lead: NDArray[np.float32] = e - t
    return lead


def posterior_map(
    model: Any,
    dataset: Dataset,
    plane: LabelledPlane | None = None,
    width: int = 300,
    height: int = 300,
    *,
    trees: int | None = None,
    truth: TruePosterior | bool = True,
    boundary: str = "exact",
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> PosteriorMap:
    """The posterior of a model on a plane of the data.

    model: a forest or a baseline. plane: from feature_plane (the default: features 0 and 1, the
    rest at their medians), marginal_plane or component_plane. trees: the first so many of a
    forest. truth: True to compute it where it is known, a TruePosterior to use again, or False.
    boundary: "exact", "raster" or "none"; on a marginal plane "exact" becomes "raster".
    """
    check_features(model, dataset)
    plane = feature_plane(dataset) if plane is None else plane
    _check_size(width, height)
    if boundary not in ("exact", "raster", "none"):
        raise ValueError(f"boundary is {boundary!r}; choose 'exact', 'raster' or 'none'.")
    options: dict[str, Any] = {"threads": threads}
    if isinstance(model, Forest):
        options["trees"] = trees
    elif trees is not None:
        raise ValueError(f"A {type(model).__name__} has no trees to take the first {trees} of.")
    posterior = model_posterior(
        model, dataset, plane, width, height, progress=progress, cancel=cancel, **options
    )
    columns = class_columns(model, dataset)
    stop_if(cancel)
    kind = "raster" if boundary == "exact" and plane.rows is not None else boundary
    lines: Lines = ()
    if kind != "none":
        label_at, seek, blocked = None, None, False
        if kind == "exact":
            label_at, seek, blocked = _finder(model, plane, columns, trees, threads)
        found = boundaries(posterior.argmax(axis=2), label_at, seek, blocked=blocked)
        lines = _in_picture(found, plane)
    stop_if(cancel)
    known = _truth(truth, dataset, plane, width, height, progress, cancel)
    extra: dict[str, Any] = {}
    if known is not None:
        distance = hellinger(posterior, known.posterior).astype(np.float32)
        extra = {
            "true_posterior": known.posterior,
            "hellinger": distance,
            "mean_hellinger": float(distance.mean(dtype=np.float64)),
            "bayes_boundary": known.boundary,
        }
    n_tree = (trees or model.n_tree) if isinstance(model, Forest) else None
    return PosteriorMap(plane, dataset.class_names, n_tree, posterior, lines, kind, **extra)


def _finder(
    model: Any,
    plane: LabelledPlane,
    columns: NDArray[np.intp],
    trees: int | None,
    threads: int | None,
) -> tuple[LabelAt, Seek, bool]:
    """(label_at, seek, blocked): the model's class at points (s, t), where it changes on the way
    from one to another, and whether boundaries run along the axes."""
    base = plane.plane
    flat = flatten(model, base, trees) if isinstance(model, Forest) else None

    def label_at(st: NDArray[np.float64]) -> NDArray[np.intp]:
        if flat is not None:
            posterior = flat.predict_proba(st, threads=threads)
        else:
            options = {"trees": trees} if isinstance(model, Forest) else {}
            points = base.origin + st[:, :1] * base.u + st[:, 1:] * base.v
            posterior = model.predict_proba(points, **options)
        # as the raster has them, so that both break ties alike
        return columns[posterior.astype(np.float32).argmax(axis=1)]

    blocked = isinstance(model, Forest) and model.begin.size == 0 and base.pair is not None
    if flat is None:
        return label_at, bisecting(label_at), blocked
    return label_at, lambda a, b: flat.cross(a, b, threads=threads), blocked


def _truth(
    truth: TruePosterior | bool,
    dataset: Dataset,
    plane: LabelledPlane,
    width: int,
    height: int,
    progress: Progress | None,
    cancel: Any,
) -> TruePosterior | None:
    if truth is False or (truth is True and dataset.truth is None):
        return None
    if truth is True:
        return true_posterior(dataset, plane, width, height, progress=progress, cancel=cancel)
    if truth.posterior.shape != (height, width, dataset.n_classes):
        raise ValueError(
            f"The truth was taken at {truth.posterior.shape[1]} x {truth.posterior.shape[0]} "
            f"pixels, the map at {width} x {height}; take both alike."
        )
    same = all(
        np.array_equal(getattr(truth.plane, name), getattr(plane, name))
        for name in ("base", "x_axis", "y_axis", "x_range", "y_range")
    )
    if not same:
        raise ValueError("The truth was taken on another plane than the map; take both alike.")
    return truth
