"""Samples: where they lie, which ones a forest keeps together, spectra, and unknown ones."""

from __future__ import annotations

from html import escape
from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import LabelledPlane, Proximity, Unknowns, judge_unknowns
from explorer.analysis import proximity as proximity_of
from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.analysis.proximity_picture import sorted_proximity
from explorer.plot.inputs import as_dataset, forest_and_data, is_record, plane_of
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.points import sample_points
from explorer.plot.style import BARRED, SQUARE, framed, line_colour, load, look_of
from explorer.views.theme import amount_palette, class_colour


def samples(data: Any, *, plane: LabelledPlane | None = None, theme: str = "light") -> hv.Overlay:
    """The samples of a data set on a plane, colour and marker by class.

    Parameters
    ----------
    data : Dataset or (X, y)
        The samples.
    plane : LabelledPlane, optional
        From `feature_plane`, `component_plane` or `discriminant_plane`; by default the plane that
        the app shows first.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    holoviews.Overlay
        One `Points` per class.
    """
    load()
    dataset = as_dataset(data)
    where = plane_of(dataset) if plane is None else plane
    dims = [where.x_label, where.y_label]
    marks = sample_points(where.project(dataset.X), dataset, dims, theme=theme)
    limits: dict[str, Any] = {"xlim": where.x_range, "ylim": where.y_range, "shared_axes": True}
    return framed(hv.Overlay(marks), theme, title=dataset.title, **limits, **SQUARE)


@with_sliders
def proximity(
    model: Any,
    data: Any = None,
    *,
    scaling: str = "mds",
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """Samples that share leaves lie close: the proximities of a forest as a picture.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Proximity
        A forest, or what grows one (see `boundary`); a finished `Proximity` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    scaling : {"mds", "pca"}
        Principal coordinates, or the PCA of the distances (Menze s.5).
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        One `Points` per class, with the column "sample" to link by.
    """
    load()
    if is_record(model, Proximity):
        record: Proximity = model
        dataset = None if data is None else as_dataset(data)
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = proximity_of(forest, dataset, scaling=scaling)
    xy = np.zeros((record.y.size, 2))
    c = min(2, record.coordinates.shape[1])
    xy[:, :c] = record.coordinates[:, :c]
    share = [*(100 * record.explained[:2]), 0.0, 0.0][:2]
    dims = ["coordinate 1", "coordinate 2"]
    marks = sample_points(
        xy,
        dataset,
        dims,
        class_names=record.class_names,
        y=record.y,
        theme=theme,
        more={"outlyingness": record.outlyingness, "votes against": record.wrong},
    )
    return framed(
        hv.Overlay(marks),
        theme,
        xlabel=f"coordinate 1 ({share[0]:.0f} %)",
        ylabel=f"coordinate 2 ({share[1]:.0f} %)",
        **SQUARE,
    )


@with_sliders
def proximity_matrix(
    model: Any, data: Any = None, *, theme: str = "light", **knobs: Any
) -> hv.Overlay:
    """The matrix of proximities, samples sorted by class.

    Parameters
    ----------
    model, data, theme, **knobs
        As for `proximity`.

    Returns
    -------
    holoviews.Overlay
        An Image from 0 (never in one leaf) to 1, with lines between classes.
    """
    load()
    look = look_of(theme)
    if is_record(model, Proximity):
        record: Proximity = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = proximity_of(forest, dataset)
    table = sorted_proximity(record)
    n = table.n
    dims = ["sample, by class", "sample, by class (up)"]
    image = hv.Image(table.cells[::-1], kdims=dims, vdims="proximity", bounds=(0, 0, n, n)).opts(
        cmap=list(amount_palette(theme)),
        clim=(0, 1),
        colorbar=True,
        tools=["hover"],
        backend="bokeh",
    )
    layers: list[Any] = [image]
    for edge in table.edges[1:-1].tolist():
        layers.append(hv.VLine(edge).opts(color=look.ink, line_width=1, backend="bokeh"))
        layers.append(hv.HLine(edge).opts(color=look.ink, line_width=1, backend="bokeh"))
    return framed(hv.Overlay(layers), theme, ylabel=dims[0], **BARRED)


def spectra(
    data: Any, *, single: bool = False, band: bool = True, theme: str = "light"
) -> hv.Overlay:
    """Spectra: the mean of each class, and the middle 80 % of its samples.

    Parameters
    ----------
    data : Dataset or ClassSpectra
        Data with a spectral axis.
    single : bool
        Draw single spectra, too, at most 200.
    band : bool
        Draw the band from the 10 % to the 90 % quantile of each class.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    holoviews.Overlay
        Curves and Areas, labelled with the classes.
    """
    load()
    record: ClassSpectra = (
        data if is_record(data, ClassSpectra) else class_spectra(as_dataset(data))
    )
    layers: list[Any] = []
    axis, gaps = record.axis, record.breaks + 1
    if single:
        for spectrum, k in zip(record.spectra, record.y.tolist(), strict=True):
            layers.append(
                hv.Curve((axis, _with_gaps(spectrum, gaps)), record.label, "signal").opts(
                    color=line_colour(k, theme), line_width=0.6, alpha=0.35, backend="bokeh"
                )
            )
    for k in np.flatnonzero(record.counts).tolist():
        if band:
            edges = (axis, record.low[k], record.high[k])
            layers.append(
                hv.Area(edges, record.label, ["low", "high"]).opts(
                    color=line_colour(k, theme), alpha=0.2, line_color=None, backend="bokeh"
                )
            )
        curve = hv.Curve(
            (axis, _with_gaps(record.mean[k], gaps)),
            record.label,
            "signal",
            label=record.class_names[k],
        )
        layers.append(
            curve.opts(color=line_colour(k, theme), line_width=2, tools=["hover"], backend="bokeh")
        )
    return framed(
        hv.Overlay(layers), theme, ylabel="signal", xlabel=record.label, invert_xaxis=record.falling
    )


def _with_gaps(values: Any, gaps: Any) -> Any:
    """Values with NaN where the axis jumps, so that no line is drawn across."""
    out = np.array(values, np.float64)
    out[[g for g in np.asarray(gaps).tolist() if g < out.size]] = np.nan
    return out


@with_sliders
def unknowns(
    model: Any,
    data: Any = None,
    *,
    X: Any = None,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """What a forest says of new samples: votes per class, unlike samples marked.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Unknowns
        A forest, or what grows one (see `boundary`); a finished `Unknowns` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    X : array, shape (n, n_features)
        The new samples.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Stacked Bars of votes, and a cross under samples that are like no class.
    """
    load()
    look = look_of(theme)
    if is_record(model, Unknowns):
        record: Unknowns = model
    else:
        if X is None:
            raise ValueError("Give the new samples as X=..., one row per sample.")
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = judge_unknowns(forest, dataset, X)
    table = [
        (escape(name), class_name, float(record.posterior[i, k]))
        for i, name in enumerate(record.names)
        for k, class_name in enumerate(record.class_names)
    ]
    colours = {name: class_colour(k).base for k, name in enumerate(record.class_names)}
    bars = hv.Bars(table, ["sample", "class"], "share of votes").opts(
        stacked=True,
        cmap=colours,
        line_color=look.card,
        xrotation=45,
        tools=["hover"],
        backend="bokeh",
    )
    layers: list[Any] = [bars]
    unlike = [escape(record.names[i]) for i in np.flatnonzero(record.unlike)]
    if unlike:
        marks = hv.Scatter([(name, 1.05) for name in unlike], "sample", "share of votes")
        layers.append(
            marks.opts(color=look.error, marker="x", size=10, line_width=2, backend="bokeh")
        )
    return framed(hv.Overlay(layers), theme, ylim=(0, 1.12))
