"""Scores: confusion of classes, the verdict on a data set, comparisons, bias and variance."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np

from explorer.analysis import BiasVariance, Comparison, Evaluation, Strength, Verdict
from explorer.analysis import strength as strength_of
from explorer.analysis import verdict as verdict_of
from explorer.plot.curves import evaluation_of
from explorer.plot.inputs import as_dataset, forest_and_data, is_record
from explorer.plot.interactive import split_knobs, with_sliders
from explorer.plot.style import SQUARE, framed, load, look_of, rows_size
from explorer.views.theme import amount_palette


@with_sliders
def confusion(model: Any, data: Any = None, *, theme: str = "light", **knobs: Any) -> hv.Overlay:
    """Which classes are taken for which: true class by predicted class.

    Parameters
    ----------
    model, data, theme, **knobs
        As for `roc`.

    Returns
    -------
    holoviews.Overlay
        A HeatMap of shares of each true class, with the counts as Labels.
    """
    load()
    record: Evaluation = evaluation_of(model, data, **knobs)
    total = record.confusion.sum(axis=1, keepdims=True)
    share = record.confusion / np.where(total > 0, total, 1)
    cells = [
        (predicted, true, float(share[i, j]), int(record.confusion[i, j]))
        for i, true in enumerate(record.class_names)
        for j, predicted in enumerate(record.class_names)
    ]
    heat = hv.HeatMap(cells, ["predicted", "true"], ["share", "samples"]).opts(
        cmap=list(amount_palette(theme)),
        clim=(0, 1),
        tools=["hover"],
        invert_yaxis=True,
        xrotation=45 if len(record.class_names) > 3 else 0,
        backend="bokeh",
    )
    look = look_of(theme)
    layers: list[Any] = [heat]
    # ink on pale cells, the card's colour on strong ones
    for strong, colour in ((False, look.ink), (True, look.card)):
        texts = [(p, t, str(n)) for p, t, s, n in cells if (s > 0.55) == strong]
        layers.append(
            hv.Labels(texts, ["predicted", "true"], "count").opts(
                text_color=colour, text_font_size="10pt", backend="bokeh"
            )
        )
    title = f"{record.model}: error {100 * record.error:.1f} %"
    return framed(hv.Overlay(layers), theme, title=title, **SQUARE)


def verdict(record: Any, *, theme: str = "light", **options: Any) -> hv.Overlay:
    """RF against oblique forests: the error of each with its 95 % interval.

    Parameters
    ----------
    record : Verdict, Dataset or (X, y)
        A finished `Verdict`, or data on which forests are tried out.
    theme : {"light", "dark"}
        Colours.
    **options
        Options of `explorer.analysis.verdict`, such as ``n_tree`` and ``protocol``.

    Returns
    -------
    holoviews.Overlay
        Dots with intervals, the winner in the accent colour.
    """
    load()
    look = look_of(theme)
    made: Verdict = (
        record if is_record(record, Verdict) else verdict_of(as_dataset(record), **options)
    )
    names = list(made.models)[::-1]
    order = np.arange(len(names))[::-1]
    error, low, high = made.error[order], made.error_low[order], made.error_high[order]
    bars = hv.ErrorBars(
        (names, error, np.nan_to_num(error - low), np.nan_to_num(high - error)),
        "model",
        ["test error", "below", "above"],
    ).opts(invert_axes=True, color=look.muted, line_width=2, backend="bokeh")
    tones = [look.models[1] if name == made.winner else look.ink for name in names]
    dots = hv.Scatter((names, error, tones), "model", ["test error", "colour"]).opts(
        invert_axes=True,
        color="colour",
        size=11,
        tools=["hover"],
        line_color=look.card,
        hover_tooltips=[("model", "@model"), ("test error", "@test_error{0.0 %}")],
        backend="bokeh",
    )
    top = float(np.nanmax([*high, *error]))
    return framed(
        bars * dots,
        theme,
        title=f"{made.dataset}: {made.winner} does better" if made.winner else made.dataset,
        percent="x",
        ylim=(0, 1.08 * top or 0.1),
        ylabel="test error, 95 % interval",
        xlabel="",
        **rows_size(2 * len(names)),
    )


def comparison(record: Comparison, *, theme: str = "light") -> hv.Overlay:
    """Several models on several data sets: the rank of each, 1 is best.

    Parameters
    ----------
    record : Comparison
        From `explorer.analysis.compare`.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    holoviews.Overlay
        A HeatMap of ranks with the values as Labels.
    """
    load()
    is_record(record, Comparison)
    look = look_of(theme)
    cells = [
        (dataset, model, float(record.rank[m, d]), float(record.value[m, d]))
        for m, model in enumerate(record.models)
        for d, dataset in enumerate(record.datasets)
    ]
    heat = hv.HeatMap(cells, ["data set", "model"], ["rank", record.measure]).opts(
        cmap=list(amount_palette(theme))[:150],
        clim=(1, max(2, len(record.models))),
        colorbar=True,
        tools=["hover"],
        invert_yaxis=True,
        xrotation=45,
        backend="bokeh",
    )
    texts = hv.Labels(
        [(d, m, f"{v:.3f}") for d, m, _, v in cells], ["data set", "model"], "text"
    ).opts(text_color=look.ink, text_font_size="9pt", backend="bokeh")
    size = rows_size(len(record.models), 130)
    return framed(heat * texts, theme, title="rank by data set", **size)


def bias_variance(record: Any, *, theme: str = "light") -> hv.Overlay:
    """Squared error of the votes, divided into bias and variance (Menze Fig. 5).

    Parameters
    ----------
    record : BiasVariance or sequence of BiasVariance
        From `explorer.analysis.bias_variance`, one per model.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    holoviews.Overlay
        Stacked Bars.
    """
    load()
    look = look_of(theme)
    several: list[BiasVariance] = [record] if is_record(record, BiasVariance) else list(record)
    table = [
        row
        for one in several
        for row in (
            (one.model, "bias²", one.mean_bias2),
            (one.model, "variance", one.mean_variance),
        )
    ]
    bars = hv.Bars(table, ["model", "part"], "mean squared error").opts(
        stacked=True,
        cmap={"bias²": look.accent, "variance": look.models[1]},
        line_color=None,
        tools=["hover"],
        backend="bokeh",
    )
    return framed(hv.Overlay([bars]), theme, **SQUARE)


@with_sliders
def margins(model: Any, data: Any = None, *, theme: str = "light", **knobs: Any) -> hv.Overlay:
    """How clearly out-of-bag trees vote for the true class of each sample (Breiman's margins).

    Parameters
    ----------
    model : Forest, estimator, str, ForestSpec or Strength
        A forest, or what grows one (see `boundary`); a finished `Strength` is drawn as it is.
    data : Dataset or (X, y)
        The samples the forest was grown on.
    theme : {"light", "dark"}
        Colours.
    **knobs
        Knobs of the spec for a model that is grown here.

    Returns
    -------
    holoviews.Overlay
        A Histogram of margins; left of zero the forest is wrong. The dashed line is their mean, the
        strength of the forest.
    """
    load()
    look = look_of(theme)
    if is_record(model, Strength):
        record: Strength = model
    else:
        forest, dataset = forest_and_data(model, data, **split_knobs(model, knobs))
        record = strength_of(forest, dataset)
    known = record.margin[np.isfinite(record.margin)]
    counts, edges = np.histogram(known, bins=np.linspace(-1.0, 1.0, 21))
    bars = hv.Histogram((edges, counts), kdims="margin", vdims="samples").opts(
        fill_color=look.accent, line_color=look.card, line_width=0.5, backend="bokeh"
    )
    zero = hv.VLine(0).opts(color=look.ink, line_width=1.5, backend="bokeh")
    mean = hv.VLine(float(record.strength)).opts(
        color=look.models[1], line_width=2, line_dash="dashed", backend="bokeh"
    )
    title = f"strength {record.strength:.2f}, correlation {record.correlation:.2f}"
    return framed(bars * zero * mean, theme, title=title, xlim=(-1, 1))
