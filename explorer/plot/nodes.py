"""Trees and nodes: the tree as a drawing, a split along its direction, and its weights."""

from __future__ import annotations

from html import escape
from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import Projection, TreeDrawing, tree_drawing
from explorer.analysis import projection as projection_of
from explorer.plot.bars import level_bars
from explorer.plot.inputs import forest_and_data, is_record
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.style import WIDE, framed, line_colour, load, look_of
from explorer.views.projection_figure import sides
from explorer.views.theme import class_colour

DEPTH = 5  # of a drawn tree, where nothing else is said
TOP = 20  # weights that are drawn


@with_sliders
def tree(
    model: Any,
    data: Any = None,
    *,
    tree: int = 0,
    max_depth: int | None = DEPTH,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """One tree: nodes as large as their samples, coloured by the class that leads.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or TreeDrawing
        A forest, or what grows one (see `boundary`); a finished `TreeDrawing` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    tree : int
        Number of the tree, from 0.
    max_depth : int or None
        Fold everything deeper into its ancestor; None draws the whole tree.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Branches (Segments) and nodes (Points).
    """
    load()
    look = look_of(theme)
    if is_record(model, TreeDrawing):
        record: TreeDrawing = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = tree_drawing(forest, dataset, tree, max_depth=max_depth)
    ends = record.segments.reshape(-1, 4)
    dims = ["x0", "y0", "x1", "y1"]
    branches = hv.Segments(dict(zip(dims, ends.T, strict=True)), kdims=dims).opts(
        color=look.muted, line_width=1.2, backend="bokeh"
    )
    size = 8 + 20 * np.sqrt(record.size / record.size[0])
    shares = [
        escape(
            ", ".join(
                f"{name} {100 * share:.0f} %"
                for name, share in zip(record.class_names, row, strict=True)
                if share > 0
            )
        )
        for row in record.share
    ]
    layers: list[Any] = [branches]
    for k, name in enumerate(record.class_names):
        here = np.flatnonzero(record.winner == k)
        if not here.size:
            continue
        table = {
            "x": record.x[here],
            "y": record.y[here],
            "node": record.number[here],
            "split": [escape(record.text[i]) for i in here],
            "samples": record.size[here],
            "shares": [shares[i] for i in here],
            "size": size[here],
            # pale where no class has a clear majority
            "strength": 0.25 + 0.75 * record.share[here, k],
        }
        vdims = [column for column in table if column not in ("x", "y")]
        nodes = hv.Points(table, kdims=["x", "y"], vdims=vdims, label=name)
        layers.append(
            nodes.opts(
                color=class_colour(k).base,
                fill_alpha=hv.dim("strength"),
                size=hv.dim("size"),
                line_color=look.ink,
                line_width=1,
                tools=["hover"],
                hover_tooltips=[
                    ("node", "@node"),
                    ("split", "@split"),
                    ("samples in the bag", "@samples"),
                    ("shares", "@shares"),
                ],
                backend="bokeh",
            )
        )
    leaves = int(record.is_leaf.sum())
    folded = int(record.folded.sum())
    title = f"Tree {record.tree + 1}: {leaves} leaves" + (
        f", {folded} branches folded" if folded else ""
    )
    depth = max(1.0, float(-record.y.min()))
    width = float(record.x.max())
    return framed(
        hv.Overlay(layers),
        theme,
        title=title,
        xaxis=None,
        yaxis=None,
        xlim=(-0.7, width + 0.7),
        ylim=(-depth - 0.4, 0.4),
        **WIDE,
    )


@with_sliders
def projection(
    model: Any,
    data: Any = None,
    *,
    tree: int = 0,
    node: int = 0,
    bins: int = 30,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """The samples at a node along the direction of its split, and where it cuts.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Projection
        A forest, or what grows one (see `boundary`); a finished `Projection` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    tree, node : int
        Which; node 0 is the root.
    bins : int
        Bins of the histograms.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        A Histogram and a density Curve per class, above or below the axis, and the cut (VLine).
    """
    load()
    look = look_of(theme)
    record: Projection = (
        model if is_record(model, Projection) else _projection(model, data, tree, node, bins, knobs)
    )
    up = sides(record)
    width = record.edges[1] - record.edges[0]
    layers: list[Any] = []
    for k, name in enumerate(record.class_names):
        total = record.histogram[k].sum()
        if not total:
            continue
        bars = hv.Histogram(
            (record.edges, up[k] * record.histogram[k]), kdims="score", vdims="samples", label=name
        )
        layers.append(
            bars.opts(
                fill_color=class_colour(k).base,
                fill_alpha=0.55,
                line_color=look.card,
                line_width=0.5,
                backend="bokeh",
            )
        )
        if np.isfinite(record.density[k]).all():
            curve = hv.Curve(
                (record.grid, up[k] * record.density[k] * total * width), "score", "samples"
            )
            layers.append(curve.opts(color=line_colour(k, theme), line_width=2, backend="bokeh"))
    layers.append(hv.VLine(float(record.cut)).opts(color=look.ink, line_width=2.5, backend="bokeh"))
    title = f"Tree {record.tree + 1}, node {record.node}: {record.label}"
    return framed(
        hv.Overlay(layers), theme, title=title[:90], xlabel="score along the split", **WIDE
    )


def _projection(
    model: Any, data: Any, tree: int, node: int, bins: int, knobs: dict[str, Any]
) -> Projection:
    forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
    return projection_of(forest, dataset, tree, node, bins=bins)


@with_sliders
def weights(
    model: Any,
    data: Any = None,
    *,
    tree: int = 0,
    node: int = 0,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """The weights of one split: which features it mixes, and how.

    Parameters
    ----------
    model, data, tree, node, theme, **knobs
        As for `projection`. The 20 largest weights are drawn, or all of them along the axis of
        a spectrum.

    Returns
    -------
    holoviews.Overlay
        Bars, or a Curve along the spectral axis.
    """
    load()
    look = look_of(theme)
    if is_record(model, Projection):
        record: Projection = model
        axis = None
    else:
        record = _projection(model, data, tree, node, 30, knobs)
        axis = getattr(data, "axis", None)
    if axis is not None and len(record.features) > TOP:
        values = np.full(axis.values.size, np.nan)
        values[record.features] = record.weights
        curve = hv.Scatter((axis.values, values), axis.label, "weight").opts(
            color=look.models[1], size=4, backend="bokeh"
        )
        zero = hv.HLine(0).opts(color=look.hairline, line_width=1, backend="bokeh")
        return framed(zero * curve, theme, title=record.label[:80], invert_xaxis=axis.reversed)
    order = np.argsort(-np.abs(record.weights), kind="stable")[:TOP][::-1]
    names = [record.feature_names[i] for i in order]
    bars = level_bars(names, record.weights[order], "feature", "weight", theme, signed=True)
    return framed(hv.Overlay([bars]), theme, title=record.label[:80])
