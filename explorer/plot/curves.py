"""Curves of how good models are: ROC, precision and recall, calibration, trees, knobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import (
    AveragedRoc,
    Calibration,
    Evaluation,
    PrecisionRecall,
    Sweep,
    averaged_roc,
    evaluate,
    out_of_bag,
)
from explorer.analysis import calibration as calibration_of
from explorer.analysis import precision_recall as precision_recall_of
from explorer.analysis import sweep as sweep_of
from explorer.engine import Forest
from explorer.plot.inputs import as_dataset, as_model, is_record, spec_of
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.style import MODEL_DASHES, SQUARE, WIDE, framed, load, look_of

UNIT: dict[str, Any] = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01)}


def evaluation_of(model: Any, data: Any, **knobs: Any) -> Evaluation:
    """An evaluation: as it is; out of bag of a grown forest; cross-validated of a recipe."""
    if is_record(model, Evaluation):
        done: Evaluation = model
        return done
    dataset = as_dataset(data)
    if spec_of(model) is None and isinstance(as_model(model, dataset), Forest):
        return out_of_bag(as_model(model, dataset), dataset)
    recipe = spec_of(model)
    if recipe is None:
        recipe = model
    elif knobs:
        recipe = recipe.replace(**split_knobs(model, knobs))
    return evaluate(recipe, dataset)


def _each(model: Any, draw: Any, theme: str) -> hv.Overlay:
    """One curve per model: of a mapping from names to models, or of one alone."""
    several = model if isinstance(model, Mapping) else {None: model}
    layers: list[Any] = []
    for place, (name, one) in enumerate(several.items()):
        layers += draw(one, name, place)
    return hv.Overlay(layers)


def _curve(
    x: Any, y: Any, low: Any, high: Any, dims: tuple[str, str], label: str, place: int, theme: str
) -> list[Any]:
    """A line with its band, in the colour and dashes of the model at a place."""
    look = look_of(theme)
    colour = look.models[place % len(look.models)]
    layers: list[Any] = []
    known = np.isfinite(np.asarray(low, float)) & np.isfinite(np.asarray(high, float))
    if known.any():
        edges = (np.asarray(x)[known], np.asarray(low)[known], np.asarray(high)[known])
        layers.append(
            hv.Area(edges, dims[0], ["low", "high"]).opts(
                color=colour, alpha=0.15, line_color=None, backend="bokeh"
            )
        )
    layers.append(
        hv.Curve((x, y), *dims, label=label).opts(
            color=colour,
            line_width=2,
            line_dash=MODEL_DASHES[place % len(MODEL_DASHES)],
            tools=["hover"],
            backend="bokeh",
        )
    )
    return layers


def _chance(theme: str, up: bool = True) -> hv.Curve:
    ends = [(0, 0), (1, 1)] if up else [(0, 1), (1, 0)]
    return hv.Curve(ends).opts(
        color=look_of(theme).muted, line_dash="dashed", line_width=1.2, backend="bokeh"
    )


@with_sliders
def roc(
    model: Any,
    data: Any = None,
    *,
    positive: int | None = None,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """The ROC curve, averaged over runs, with its 95 % band.

    Parameters
    ----------
    model : Evaluation, AveragedRoc, Forest, estimator, str, ForestSpec or dict
        A forest is judged by its out-of-bag votes; a family's name, a spec or a baseline by
        ten-fold cross-validation. A dict of names to these draws several.
    data : Dataset or (X, y)
        Not needed with an `Evaluation` or `AveragedRoc`.
    positive : int, optional
        Class code; the last class by default.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Curves with Areas, and the line of chance.
    """
    load()

    def draw(one: Any, name: str | None, place: int) -> list[Any]:
        record: AveragedRoc = (
            one
            if isinstance(one, AveragedRoc)
            else averaged_roc(evaluation_of(one, data, **knobs), positive)
        )
        label = f"{name or record.model}, AUC {record.auc:.3f}"
        return _curve(
            record.false_positive,
            record.true_positive,
            record.true_positive_low,
            record.true_positive_high,
            ("false positive rate", "true positive rate"),
            label,
            place,
            theme,
        )

    return framed(
        _chance(theme) * _each(model, draw, theme),
        theme,
        xlabel="false positive rate",
        ylabel="true positive rate",
        **UNIT,
        **SQUARE,
    )


@with_sliders
def precision_recall(
    model: Any,
    data: Any = None,
    *,
    positive: int | None = None,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """Precision against recall, averaged over runs, with its 95 % band.

    Parameters
    ----------
    model, data, positive, theme, **knobs
        As for `roc`; a finished `PrecisionRecall` is drawn as it is.

    Returns
    -------
    holoviews.Overlay
        Curves with Areas.
    """
    load()

    def draw(one: Any, name: str | None, place: int) -> list[Any]:
        record: PrecisionRecall = (
            one
            if isinstance(one, PrecisionRecall)
            else precision_recall_of(evaluation_of(one, data, **knobs), positive)
        )
        label = f"{name or record.model}, average {record.average:.3f}"
        edges = (record.precision_low, record.precision_high)
        dims = ("recall", "precision")
        return _curve(record.recall, record.precision, *edges, dims, label, place, theme)

    return framed(_each(model, draw, theme), theme, **UNIT, **SQUARE)


@with_sliders
def calibration(
    model: Any,
    data: Any = None,
    *,
    positive: int | None = None,
    bins: int = 10,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """How often what a model says comes true: a reliability diagram.

    Parameters
    ----------
    model, data, positive, theme, **knobs
        As for `roc`; a finished `Calibration` is drawn as it is.
    bins : int
        Bins of equal width.

    Returns
    -------
    holoviews.Overlay
        Curves with 95 % intervals, and the line of perfect calibration.
    """
    load()

    def draw(one: Any, name: str | None, place: int) -> list[Any]:
        record: Calibration = (
            one
            if isinstance(one, Calibration)
            else calibration_of(evaluation_of(one, data, **knobs), positive, bins=bins)
        )
        label = f"{name or record.model}, gap {record.gap:.3f}"
        dims = ("predicted share", "observed share")
        return _curve(
            record.predicted, record.observed, record.low, record.high, dims, label, place, theme
        )

    return framed(
        _chance(theme) * _each(model, draw, theme),
        theme,
        xlabel="predicted share",
        ylabel="observed share",
        **UNIT,
        **SQUARE,
    )


@with_sliders
def error_by_trees(
    model: Any, data: Any = None, *, theme: str = "light", **knobs: Any
) -> hv.Overlay:
    """The error after 1, 2, ... trees.

    Parameters
    ----------
    model : Forest, estimator, Evaluation, str, ForestSpec or dict
        Of a forest the out-of-bag error; of an `Evaluation` the test error, mean over runs. A
        dict of names to these draws several.
    data : Dataset or (X, y)
        Not needed for a grown forest or an `Evaluation`.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        One Curve per model.
    """
    load()

    def draw(one: Any, name: str | None, place: int) -> list[Any]:
        if isinstance(one, Evaluation):
            if one.by_trees is None:
                raise ValueError(f"{one.model} has no trees.")
            error, called = one.by_trees.mean(axis=0), one.model
        else:
            forest = as_model(one, as_dataset(data), **knobs) if spec_of(one) is not None else one
            forest = getattr(forest, "forest_", forest)
            if not isinstance(forest, Forest) or not forest.has_oob:
                raise ValueError(
                    "Only a forest with a bootstrap has an out-of-bag error; hand over an "
                    "Evaluation instead."
                )
            error, called = np.asarray(forest.oob_error), str(name or "out of bag")
        known = np.flatnonzero(np.isfinite(error))
        label = f"{name or called}, {100 * error[known[-1]]:.1f} %"
        nothing = np.full(known.size, np.nan)
        return _curve(
            known + 1, error[known], nothing, nothing, ("trees", "error"), label, place, theme
        )

    return framed(_each(model, draw, theme), theme, percent="y", **WIDE)


@with_sliders
def sweep(
    model: Any,
    data: Any = None,
    *,
    knob: str = "m_try",
    values: Any = (),
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """The error by the value of one knob, with its 95 % interval.

    Parameters
    ----------
    model : Sweep, str or ForestSpec
        A finished `Sweep`, or a recipe that is evaluated at every value.
    data : Dataset or (X, y)
        Not needed with a `Sweep`.
    knob : str
        Name of the knob, such as "m_try".
    values : sequence
        Its values.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Other knobs of the spec.

    Returns
    -------
    holoviews.Overlay
        A Curve with its Area.
    """
    load()
    if is_record(model, Sweep):
        record: Sweep = model
    else:
        spec = spec_of(model)
        if spec is None:
            raise ValueError("A sweep grows forests: hand over a family's name or a ForestSpec.")
        changed = split_knobs(model, knobs)
        record = sweep_of(
            spec.replace(**changed) if changed else spec, as_dataset(data), knob, values
        )
    numbers = all(isinstance(v, (int, float)) for v in record.values)
    x = list(record.values) if numbers else [str(v) for v in record.values]
    if numbers:
        layers = _curve(
            np.array(x, float),
            record.error,
            record.low,
            record.high,
            (record.knob, "error"),
            record.model,
            0,
            theme,
        )
    else:
        look = look_of(theme)
        layers = [
            hv.ErrorBars(
                (x, record.error, record.error - record.low, record.high - record.error),
                record.knob,
                ["error", "below", "above"],
            ).opts(color=look.muted, backend="bokeh"),
            hv.Scatter((x, record.error), record.knob, "error", label=record.model).opts(
                color=look.models[0], size=9, tools=["hover"], backend="bokeh"
            ),
        ]
    top = float(np.nanmax([record.error, record.high]))
    limits: dict[str, Any] = {"ylim": (0, 1.05 * top or 0.1), "ylabel": "error"}
    return framed(hv.Overlay(layers), theme, percent="y", **limits, **WIDE)
