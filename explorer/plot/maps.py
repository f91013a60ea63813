"""Maps: what a model predicts on a plane of the data, with boundary, samples and cells."""

from __future__ import annotations

from html import escape
from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import Partition, PosteriorMap, TruePosterior, posterior_map
from explorer.analysis import partition as partition_of
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.posterior_index import posterior_index
from explorer.engine import ForestSpec
from explorer.plot.inputs import (
    as_dataset,
    as_model,
    family_of,
    forest_and_data,
    is_record,
    plane_of,
    spec_of,
)
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.points import sample_points
from explorer.plot.style import BARRED, SQUARE, framed, line_colour, load, look_of
from explorer.views.theme import amount_palette, posterior_palette, signed_palette

PIXELS = 240
MOST_HOVERED = 6  # classes whose shares are shown under the pointer
MEASURES = ("estimate", "truth", "difference", "hellinger")


def _record(model: Any, data: Any, plane: Any, trees: Any, pixels: int, knobs: Any) -> PosteriorMap:
    if is_record(model, PosteriorMap):
        record: PosteriorMap = model
        return record
    dataset = as_dataset(data)
    fitted = as_model(model, dataset, **split_knobs(model, knobs))
    where = plane_of(dataset, fitted) if plane is None else plane
    return posterior_map(fitted, dataset, where, pixels, pixels, trees=trees)


def _dims(plane: LabelledPlane) -> list[str]:
    return [plane.x_label, plane.y_label]


def _image(values: Any, plane: LabelledPlane, shares: dict[str, Any], name: str) -> hv.Image:
    (x0, x1), (y0, y1) = plane.x_range, plane.y_range
    # HoloViews' images begin with the highest row
    layers = [np.asarray(values)[::-1], *(np.asarray(v)[::-1] for v in shares.values())]
    stack = layers[0] if len(layers) == 1 else np.dstack(layers)
    return hv.Image(
        stack, kdims=_dims(plane), vdims=[name, *shares], bounds=(x0, y0, x1, y1), label=""
    )


def _size(plane: LabelledPlane) -> dict[str, Any]:
    (x0, x1), (y0, y1) = plane.x_range, plane.y_range
    return {"xlim": (x0, x1), "ylim": (y0, y1), "shared_axes": True, **SQUARE}


def winner_image(record: Any, *, soft: bool, theme: str) -> hv.Image:
    """The map itself: hue is the class that wins, strength by how much."""
    names = record.class_names
    share = {
        f"share{k}": np.rint(100 * record.posterior[:, :, k]).astype(np.uint8)
        for k in range(min(len(names), MOST_HOVERED))
    }
    tips = [(escape(name), f"@share{k} %") for k, name in enumerate(names[:MOST_HOVERED])]
    image = _image(posterior_index(record.posterior), record.plane, share, "winner and margin")
    return image.opts(
        cmap=list(posterior_palette(len(names), theme, soft)),
        clim=(0, 255),
        colorbar=False,
        tools=["hover"],
        hover_tooltips=tips,
        backend="bokeh",
    )


def lines(shapes: Any, plane: LabelledPlane, **looks: Any) -> hv.Path:
    """Polylines on a plane."""
    shapes = [np.asarray(shape) for shape in shapes]
    return hv.Path(shapes, kdims=_dims(plane)).opts(**looks, backend="bokeh")


@with_sliders
def boundary(
    model: Any,
    data: Any = None,
    *,
    plane: LabelledPlane | None = None,
    trees: int | None = None,
    points: bool = True,
    bayes: bool = True,
    soft: bool = True,
    theme: str = "light",
    pixels: int = PIXELS,
    **knobs: Any,
) -> hv.Overlay:
    """The posterior of a model on a plane, its decision boundary and the samples.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or PosteriorMap
        A forest or a fitted estimator; the name of a family or a spec is grown on the data first.
        A finished `PosteriorMap` is drawn as it is.
    data : Dataset or (X, y)
        The samples; not needed with a `PosteriorMap`, which then is drawn without samples.
    plane : LabelledPlane, optional
        From `feature_plane`, `component_plane`, `discriminant_plane` or `marginal_plane`; by
        default the plane that the app shows first.
    trees : int, optional
        How many trees vote, from the first.
    points : bool
        Draw the samples, colour and marker by class.
    bayes : bool
        Draw the best possible boundary, dashed, where the truth is known.
    soft : bool
        Pale where the votes are divided; False gives the winner everywhere.
    theme : {"light", "dark"}
        Colours.
    pixels : int
        Width and height of the map in pixels.
    **knobs
        Knobs of the spec (n_tree, m_try, seed, ...) for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        The map (Image), the boundary (Path) and the samples (Points).
    """
    load()
    look = look_of(theme)
    record = _record(model, data, plane, trees, pixels, knobs)
    layers = [winner_image(record, soft=soft, theme=theme)]
    if record.boundary:
        layers.append(lines(record.boundary, record.plane, color=look.card, line_width=4))
        layers.append(lines(record.boundary, record.plane, color=look.ink, line_width=2))
    if bayes and record.bayes_boundary:
        layers.append(
            lines(record.bayes_boundary, record.plane, color=look.ink, line_dash="dashed")
        )
    if points and data is not None:
        dataset = as_dataset(data)
        places = record.plane.project(dataset.X)
        layers += sample_points(places, dataset, _dims(record.plane), theme=theme)
    return framed(hv.Overlay(layers), theme, title=_title(model, record), **_size(record.plane))


def _title(model: Any, record: PosteriorMap) -> str:
    """The family and its number of trees; empty for a record, which does not know its model."""
    spec = spec_of(model) or getattr(getattr(model, "forest_", model), "spec", None)
    if not isinstance(spec, ForestSpec):
        return ""
    return f"{family_of(spec)}, {record.n_tree} trees"


@with_sliders
def posterior(
    model: Any,
    data: Any = None,
    *,
    of: str = "estimate",
    target: int | str | None = None,
    plane: LabelledPlane | None = None,
    trees: int | None = None,
    theme: str = "light",
    pixels: int = PIXELS,
    **knobs: Any,
) -> hv.Overlay:
    """The probability of one class on a plane: estimated, true, or their difference.

    Parameters
    ----------
    model, data, plane, trees, theme, pixels, **knobs
        As for `boundary`; a finished `PosteriorMap` or `TruePosterior` is drawn as it is.
    of : {"estimate", "truth", "difference", "hellinger"}
        What is shown; all but "estimate" need data whose truth is known. "hellinger" is the
        distance of estimate and truth over all classes, 0 to 1.
    target : int or str, optional
        The class, by code or name; the last by default.

    Returns
    -------
    holoviews.Overlay
        The map and, where known, the Bayes boundary.
    """
    load()
    look = look_of(theme)
    if of not in MEASURES:
        raise ValueError(f"of is {of!r}; choose one of {', '.join(MEASURES)}.")
    if is_record(model, PosteriorMap, TruePosterior) and isinstance(model, TruePosterior):
        record: Any = model
        truth, estimate, bayes, of = model.posterior, model.posterior, model.boundary, "truth"
    else:
        record = _record(model, data, plane, trees, pixels, knobs)
        truth, estimate, bayes = record.true_posterior, record.posterior, record.bayes_boundary
    if of != "estimate" and truth is None:
        raise ValueError(
            f"'{of}' needs data whose true posterior is known; draw of='estimate' instead."
        )
    k = _class_code(record.class_names, target)
    values = {
        "estimate": lambda: estimate[:, :, k],
        "truth": lambda: truth[:, :, k],
        "difference": lambda: estimate[:, :, k] - truth[:, :, k],
        "hellinger": lambda: record.hellinger,
    }[of]()
    name = {
        "estimate": f"P({record.class_names[k]})",
        "truth": f"true P({record.class_names[k]})",
        "difference": f"P({record.class_names[k]}), estimate minus truth",
        "hellinger": "Hellinger distance",
    }[of]
    signed = of == "difference"
    image = _image(np.asarray(values, np.float32), record.plane, {}, "value").opts(
        cmap=list(signed_palette(theme) if signed else amount_palette(theme)),
        clim=(-1, 1) if signed else (0, 1),
        colorbar=True,
        tools=["hover"],
        hover_tooltips=[(escape(name), "@value{0.00}")],
        backend="bokeh",
    )
    layers = [image]
    if bayes:
        layers.append(lines(bayes, record.plane, color=look.ink, line_dash="dashed"))
    return framed(hv.Overlay(layers), theme, title=name, **(_size(record.plane) | BARRED))


def _class_code(names: tuple[str, ...], target: int | str | None) -> int:
    if target is None:
        return len(names) - 1
    if isinstance(target, str):
        if target not in names:
            raise ValueError(f"There is no class {target!r}; there are: {', '.join(names)}.")
        return names.index(target)
    if not 0 <= int(target) < len(names):
        raise ValueError(f"There is no class {target}; there are 0 ... {len(names) - 1}.")
    return int(target)


@with_sliders
def partition(
    model: Any,
    data: Any = None,
    *,
    tree: int = 0,
    plane: LabelledPlane | None = None,
    points: bool = True,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """The cells of one tree on a plane, and its split lines.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Partition
        As for `boundary`; a finished `Partition` is drawn as it is.
    data, plane, points, theme, **knobs
        As for `boundary`.
    tree : int
        Number of the tree, from 0.

    Returns
    -------
    holoviews.Overlay
        Cells (Polygons), split lines (Path, thinner with depth) and samples (Points).
    """
    load()
    look = look_of(theme)
    if is_record(model, Partition):
        record: Partition = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = partition_of(forest, dataset, tree, plane or plane_of(dataset, forest))
    dims = _dims(record.plane)
    cells = [
        {
            dims[0]: shape[:, 0],
            dims[1]: shape[:, 1],
            "class": record.class_names[k],
            "leaf": int(leaf),
            "colour": line_colour(int(k), theme),
        }
        for shape, k, leaf in zip(record.polygons, record.winner, record.leaf, strict=True)
    ]
    polygons = hv.Polygons(cells, kdims=dims, vdims=["class", "leaf", "colour"]).opts(
        color="colour",
        fill_alpha=0.45,
        line_color=look.card,
        line_width=0.5,
        tools=["hover"],
        hover_tooltips=[("class", "@class"), ("leaf", "@leaf")],
        show_legend=False,
        backend="bokeh",
    )
    cuts = hv.Path(
        [
            {dims[0]: line[:, 0], dims[1]: line[:, 1], "width": max(0.7, 3.0 - 0.6 * depth)}
            for line, depth in zip(record.lines, record.line_depth.tolist(), strict=True)
        ],
        kdims=dims,
        vdims="width",
    ).opts(color=look.ink, line_width="width", backend="bokeh")
    layers = [polygons, cuts]
    if points and data is not None:
        dataset = as_dataset(data)
        layers += sample_points(record.plane.project(dataset.X), dataset, dims, theme=theme)
    title = f"Tree {record.tree + 1}: {len(record.polygons)} cells"
    return framed(hv.Overlay(layers), theme, title=title, **_size(record.plane))
