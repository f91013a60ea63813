"""Features: how much each one matters, alone or in bands, and for one sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import Attribution, BandImportance, Directions, Importance, band_importance
from explorer.analysis import attribution as attribution_of
from explorer.analysis import directions as directions_of
from explorer.analysis import importance as importance_of
from explorer.analysis.importance import MEASURES
from explorer.plot.bars import level_bars, whiskers
from explorer.plot.inputs import as_dataset, forest_and_data, is_record
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.style import framed, load, look_of, rows_size
from explorer.views.theme import signed_palette

TOP = 20
WORDS = {
    "gini": "decrease of impurity",
    "permutation": "growth of the out-of-bag error",
    "anova": "share of splits with a significant weight",
    "t": "t statistic",
    "weight": "mean weight",
}


@with_sliders
def importance(
    model: Any,
    data: Any = None,
    *,
    measure: str | None = None,
    top: int = TOP,
    against: Any = None,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """How much each feature matters to a forest.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Importance
        A forest, or what grows one (see `boundary`); a finished `Importance` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    measure : {"gini", "permutation", "anova", "t", "weight"}, optional
        Permutation importance by default, or the first measure that a finished record has.
    top : int
        Draw so many features; spectra are drawn whole, along their axis.
    against : Forest, optional
        An axis forest of the same data: bands that only the oblique forest uses are marked.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Bars with intervals, or a Curve with a band along the spectral axis.
    """
    load()
    if measure is not None and measure not in MEASURES:
        raise ValueError(f"measure is {measure!r}; choose one of {', '.join(MEASURES)}.")
    if is_record(model, Importance):
        record: Importance = model
        taken = [name for name in MEASURES if getattr(record, name) is not None]
        chosen = measure or ("permutation" if "permutation" in taken else taken[0])
        if chosen not in taken:
            raise ValueError(f"This record has no {chosen}; it has {', '.join(taken)}.")
        axis = None
    else:
        chosen = measure or "permutation"
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = importance_of(forest, dataset, (chosen,), against=against)
        axis = dataset.axis
    values = np.asarray(getattr(record, chosen), np.float64)
    low, high = getattr(record, f"{chosen}_low", None), getattr(record, f"{chosen}_high", None)
    if record.axis is not None:
        label = "axis" if axis is None else axis.label
        falling = bool(axis is not None and axis.reversed)
        return _along_axis(record, values, low, high, chosen, label, falling, theme)
    order = np.argsort(-np.abs(values), kind="stable")[:top][::-1]
    names = [record.feature_names[j] for j in order]
    signed = chosen == "weight"
    layers: list[Any] = [
        level_bars(names, values[order], "feature", WORDS[chosen], theme, signed=signed)
    ]
    if low is not None:
        ends = (np.asarray(low)[order], np.asarray(high)[order])
        layers.append(whiskers(names, values[order], *ends, "feature", WORDS[chosen], theme))
    return framed(hv.Overlay(layers), theme, xlabel="", **rows_size(len(names)))


def _along_axis(
    record: Importance,
    values: Any,
    low: Any,
    high: Any,
    measure: str,
    label: str,
    falling: bool,
    theme: str,
) -> hv.Overlay:
    look = look_of(theme)
    axis = np.asarray(record.axis)
    layers: list[Any] = []
    if record.only_oblique is not None and record.only_oblique.any():
        step = float(np.median(np.abs(np.diff(axis)))) / 2
        strips = [(axis[j] - step, axis[j] + step) for j in np.flatnonzero(record.only_oblique)]
        layers.append(
            hv.VSpans(strips, label="only oblique").opts(
                color="#2E7D32", alpha=0.25, line_color=None, backend="bokeh"
            )
        )
    if low is not None:
        layers.append(
            hv.Area((axis, low, high), label, ["low", "high"]).opts(
                color=look.accent, alpha=0.25, line_color=None, backend="bokeh"
            )
        )
    layers.append(
        hv.Curve((axis, values), label, WORDS[measure]).opts(
            color=look.accent, line_width=2, tools=["hover"], backend="bokeh"
        )
    )
    return framed(
        hv.Overlay(layers), theme, invert_xaxis=falling, ylabel=WORDS[measure], xlabel=label
    )


@with_sliders
def bands(
    model: Any,
    data: Any = None,
    *,
    groups: Sequence[tuple[str, Any]] | None = None,
    repeats: int = 5,
    nulls: int = 0,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """How much each band or group of features matters, permuted together.

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or BandImportance
        A forest, or what grows one (see `boundary`); a finished `BandImportance` is drawn as is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    groups : sequence of (name, columns), optional
        Bands of equal width for spectra, single features otherwise.
    repeats : int
        Permutations per band.
    nulls : int
        Forests on permuted labels, for what chance alone would give; they take time.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Bars with 95 % intervals, and a tick for the largest value of chance.
    """
    load()
    look = look_of(theme)
    if is_record(model, BandImportance):
        record: BandImportance = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = band_importance(forest, dataset, groups, repeats=repeats, nulls=nulls)
    order = record.order[:TOP][::-1]
    names = [record.names[b] for b in order]
    measure = "loss of votes for the true class"
    layers: list[Any] = [
        level_bars(names, record.drop[order], "band", measure, theme),
        whiskers(
            names, record.drop[order], record.low[order], record.high[order], "band", measure, theme
        ),
    ]
    if record.null.size:
        chance = hv.Scatter(
            {"band": names, measure: record.null_high[order]}, "band", measure, label="chance"
        )
        layers.append(
            chance.opts(
                invert_axes=True,
                color=look.error,
                marker="dash",
                size=12,
                angle=90,
                line_width=2,
                backend="bokeh",
            )
        )
    return framed(hv.Overlay(layers), theme, xlabel="", **rows_size(len(names)))


@with_sliders
def attribution(
    model: Any,
    data: Any = None,
    *,
    sample: Any = 0,
    groups: Sequence[tuple[str, Any]] | None = None,
    target: int | None = None,
    theme: str = "light",
    **knobs: Any,
) -> hv.Overlay:
    """What each feature or band adds to the posterior of one sample (Shapley values).

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Attribution
        A forest, or what grows one (see `boundary`); a finished `Attribution` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on: the background.
    sample : int or array
        Row of the data, or a new sample.
    groups : sequence of (name, columns), optional
        Features that count together.
    target : int, optional
        Class code; the predicted class by default.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        Signed bars with standard errors.
    """
    load()
    if is_record(model, Attribution):
        record: Attribution = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = attribution_of(forest, dataset, sample, groups)
    k = record.predicted if target is None else int(target)
    order = record.order[:TOP][::-1]
    names = [record.names[b] for b in order]
    values, error = record.values[order, k], record.error[order, k]
    measure = "added to the posterior"
    layers = [
        level_bars(names, values, "part", measure, theme, signed=True),
        whiskers(names, values, values - error, values + error, "part", measure, theme),
    ]
    title = (
        f"{record.class_names[k]}: {100 * record.base[k]:.0f} % before, "
        f"{100 * record.posterior[k]:.0f} % for this sample"
    )
    return framed(hv.Overlay(layers), theme, title=title, xlabel="", **rows_size(len(names)))


def directions(record: Any, *, theme: str = "light") -> hv.Overlay:
    """The weights of several node models on the same samples (Menze Fig. 2).

    Parameters
    ----------
    record : Directions, Dataset or (X, y)
        A finished `Directions`, or data from which it is computed.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    holoviews.Overlay
        A HeatMap: direction by feature, green negative, violet positive.
    """
    load()
    made: Directions = (
        record if is_record(record, Directions) else directions_of(as_dataset(record))
    )
    cells = [
        (feature, label, float(made.unit[d, j]))
        for d, label in enumerate(made.label)
        for j, feature in enumerate(made.feature_names)
    ]
    most = float(np.abs(made.unit).max()) or 1.0
    heat = hv.HeatMap(cells, ["feature", "direction"], "weight").opts(
        cmap=list(signed_palette(theme)),
        clim=(-most, most),
        colorbar=True,
        tools=["hover"],
        invert_yaxis=True,
        xrotation=45,
        backend="bokeh",
    )
    return framed(hv.Overlay([heat]), theme, **rows_size(len(made.label), 130))
