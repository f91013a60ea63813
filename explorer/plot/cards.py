"""Cards: what a data set, a forest or a record shows in a notebook, as plain HTML.

A picture and a few numbers, without scripts, so that it is seen in Jupyter, VS Code, on a web
page of documentation and in a notebook that was saved. Names from files are escaped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

from explorer.analysis.posterior_index import posterior_index
from explorer.plot import small_svg as small
from explorer.plot.inputs import family_of
from explorer.views.number_text import rounded
from explorer.views.png import data_url, indexed_png
from explorer.views.theme import class_colour, posterior_palette

MOST_NUMBERS = 8
Numbers = dict[str, Any]
Picture = tuple[str, Numbers]  # an SVG, and what stands beside it


def card(thing: Any) -> str:
    """The HTML of an object; one without a card of its own shows its plain numbers."""
    kind = type(thing).__name__
    picture, numbers = CARDS.get(kind, _plain)(thing)
    return html(kind, picture, numbers)


def html(title: str, picture: str, numbers: Numbers) -> str:
    """A picture at the left, a title and rows of numbers at the right."""
    rows = "".join(
        f'<tr><td style="text-align:left;padding:1px 14px 1px 0;opacity:.7;border:0">'
        f'{escape(name)}</td><td style="text-align:left;padding:1px 0;border:0">'
        f"{escape(_text(value))}</td></tr>"
        for name, value in numbers.items()
    )
    return (
        '<div style="display:flex;gap:20px;align-items:flex-start;flex-wrap:wrap;'
        'font:13px/1.45 system-ui,sans-serif;color:inherit">'
        f'<div style="color:inherit">{picture}</div>'
        f'<div><div style="font-weight:600;font-size:14px">{escape(title)}</div>'
        f'<table style="border:0;border-collapse:collapse;color:inherit">{rows}</table></div></div>'
    )


def _text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return rounded(float(value)) if np.isfinite(value) else "–"
    return str(value)


def _percent(share: Any) -> str:
    return "–" if share is None or not np.isfinite(share) else f"{100 * float(share):.1f} %"


def _classes(names: tuple[str, ...], counts: Any = None) -> str:
    shown = [
        name if counts is None else f"{name} ({int(counts[k])})" for k, name in enumerate(names[:6])
    ]
    more = f", and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(shown) + more


def _plain(thing: Any) -> Picture:
    """Single numbers and texts of a dataclass."""
    fields = dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()
    values = {f.name.replace("_", " "): getattr(thing, f.name) for f in fields}
    short = {k: v for k, v in values.items() if isinstance(v, (str, int, float, np.generic))}
    return "", dict(list(short.items())[:MOST_NUMBERS])


def _dataset(data: Any) -> Picture:
    numbers: Numbers = {
        "title": data.title,
        "samples": data.n_samples,
        "features": data.n_features,
        "classes": _classes(data.class_names, data.class_counts),
    }
    if data.axis is not None:
        values = data.axis.values
        numbers["axis"] = f"{values.min():g} to {values.max():g} {data.axis.unit}".strip()
        means = [data.X[data.y == k].mean(axis=0) for k in range(data.n_classes)]
        curves = [(values, mean, class_colour(k).base) for k, mean in enumerate(means)]
        picture = small.lines_svg(curves, "class means", falling=data.axis.reversed)
    else:
        xy = data.X[:, :2] if data.n_features > 1 else np.column_stack([data.X[:, 0], data.y])
        picture = small.points_svg(xy, data.y, "samples on the first two features")
    if data.groups is not None:
        numbers["groups"] = len(np.unique(data.groups))
    if data.gaps is not None:
        numbers["missing values"] = int(data.gaps.sum())
    numbers["truth"] = "known" if data.truth is not None else "not known"
    return picture, numbers


def _forest(forest: Any) -> Picture:
    from explorer.analysis.scores import tree_depths

    nodes = np.diff(forest.node_at)
    numbers: Numbers = {
        "family": family_of(forest.spec),
        "trees": forest.n_tree,
        "samples x features": f"{forest.training.codes.size} x {forest.n_features}",
        "classes": ", ".join(str(c) for c in forest.classes[:6].tolist()),
        "nodes per tree": round(float(nodes.mean()), 1),
        "depth": round(float(np.mean(tree_depths(forest))), 1),
    }
    picture = ""
    if forest.has_oob:
        error = np.asarray(forest.oob_error)
        numbers["out-of-bag error"] = _percent(error[-1])
        known = np.flatnonzero(np.isfinite(error))
        if known.size > 1:
            curve = (known + 1, error[known], "#D6336C")
            top = max(float(error[known].max()), 0.01)
            picture = small.lines_svg(
                [curve], "out-of-bag error by number of trees", y_range=(0.0, top)
            )
    size = forest.nbytes
    numbers["size"] = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    return picture, numbers


def _map(record: Any) -> Picture:
    index = posterior_index(record.posterior)
    palette = posterior_palette(len(record.class_names), "light", True)
    numbers: Numbers = {"plane": record.plane.label, "classes": _classes(record.class_names)}
    if getattr(record, "n_tree", None) is not None:
        numbers["trees"] = record.n_tree
    if getattr(record, "mean_hellinger", None) is not None:
        numbers["Hellinger distance from the truth"] = record.mean_hellinger
    picture = small.image_svg(
        data_url(indexed_png(index[::2, ::2], palette)), f"posterior, {record.plane.label}"
    )
    return picture, numbers


def _partition(record: Any) -> Picture:
    (x0, x1), (y0, y1) = record.plane.x_range, record.plane.y_range
    parts = []
    for shape, k in zip(record.polygons, record.winner.tolist(), strict=True):
        x = (shape[:, 0] - x0) / (x1 - x0) * small.WIDE
        y = small.HIGH - (shape[:, 1] - y0) / (y1 - y0) * small.HIGH
        corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        parts.append(
            f'<polygon points="{corners}" fill="{class_colour(k).base}" fill-opacity=".45" '
            'stroke="currentColor" stroke-width=".7"/>'
        )
    numbers = {
        "tree": record.tree + 1,
        "cells": len(record.polygons),
        "plane": record.plane.label,
        "depth": int(record.depth.max()) if record.depth.size else 0,
    }
    return small.svg("".join(parts), "cells of a tree"), numbers


def _projection(record: Any) -> Picture:
    curves = [
        (record.grid, record.density[k] * record.histogram[k].sum(), class_colour(k).base)
        for k in range(len(record.class_names))
        if np.isfinite(record.density[k]).all()
    ]
    picture = small.lines_svg(curves, "density of scores by class") if curves else ""
    return picture, {
        "tree, node": f"{record.tree + 1}, {record.node}",
        "split": record.label,
        "samples": record.rows.size,
        "decrease of impurity": record.best_decrease,
    }


def _tree(record: Any) -> Picture:
    return small.tree_svg(record, "tree"), {
        "tree": record.tree + 1,
        "nodes drawn": record.x.size,
        "leaves": int(record.is_leaf.sum()),
        "first split": record.text[0],
    }


def _importance(record: Any) -> Picture:
    measures = ("permutation", "gini", "anova", "weight", "t")
    name = next(m for m in measures if getattr(record, m) is not None)
    values = np.asarray(getattr(record, name))
    order = np.argsort(-np.abs(values), kind="stable")
    if record.axis is not None:
        picture = small.lines_svg([(record.axis, values, "#5C7A8A")], name)
    else:
        picture = small.bars_svg([record.feature_names[j] for j in order[:6]], values[order], name)
    return picture, {
        "measure": name,
        "features": values.size,
        "trees": record.n_tree,
        "largest": f"{record.feature_names[order[0]]} ({rounded(float(values[order[0]]))})",
    }


def _bands(record: Any) -> Picture:
    order = record.order
    names = [record.names[b] for b in order]
    picture = small.bars_svg(names, record.drop[order], "loss of votes by band")
    return picture, {
        "data": record.dataset,
        "bands": len(record.names),
        "most important": names[0],
        "its p-value": float(record.p_value[order[0]]),
    }


def _attribution(record: Any) -> Picture:
    k, order = record.predicted, record.order
    names = [record.names[b] for b in order]
    return small.bars_svg(names, record.values[order, k], "what each part adds"), {
        "predicted": record.class_names[k],
        "posterior": _percent(record.posterior[k]),
        "before": _percent(record.base[k]),
        "strongest": names[0],
    }


def _proximity(record: Any) -> Picture:
    xy = np.zeros((record.y.size, 2))
    c = min(2, record.coordinates.shape[1])
    xy[:, :c] = record.coordinates[:, :c]
    return small.points_svg(xy, record.y, "samples by proximity"), {
        "samples": record.y.size,
        "explained by two coordinates": _percent(float(record.explained[:2].sum())),
        "outliers": int((record.outlyingness > 10).sum()),
        "put into another class": record.misclassified.size,
    }


def _evaluation(record: Any) -> Picture:
    total = record.confusion.sum(axis=1, keepdims=True)
    shares = record.confusion / np.where(total > 0, total, 1)
    interval = f" ({_percent(record.error_low)} to {_percent(record.error_high)})"
    return small.grid_svg(shares, "confusion of classes"), {
        "model": record.model,
        "data": record.dataset,
        "protocol": record.protocol,
        "error": _percent(record.error) + (interval if np.isfinite(record.error_low) else ""),
        "AUC": record.auc,
        "seconds per fit": float(np.mean(record.fit_seconds)),
    }


def _unit_curve(x: Any, y: Any, words: str, chance: bool) -> str:
    return small.lines_svg(
        [(x, y, "#D6336C")], words, x_range=(0.0, 1.0), y_range=(0.0, 1.0), chance=chance
    )


def _roc(record: Any) -> Picture:
    return _unit_curve(record.false_positive, record.true_positive, "ROC", True), {
        "model": record.model,
        "positive class": record.positive,
        "curves": record.n_curves,
        "AUC": record.auc,
    }


def _precision_recall(record: Any) -> Picture:
    return _unit_curve(record.recall, record.precision, "precision by recall", False), {
        "model": record.model,
        "positive class": record.positive,
        "average precision": record.average,
        "share of the class": _percent(record.share),
    }


def _calibration(record: Any) -> Picture:
    return _unit_curve(record.predicted, record.observed, "observed by predicted", True), {
        "model": record.model,
        "positive class": record.positive,
        "mean gap": record.gap,
        "Brier score": record.brier,
    }


def _sweep(record: Any) -> Picture:
    x = np.arange(len(record.values))
    curves = [
        (x, record.low, "#9AA5AE"),
        (x, record.high, "#9AA5AE"),
        (x, record.error, "#D6336C"),
    ]
    best = int(record.error.argmin())
    return small.lines_svg(curves, f"error by {record.knob}"), {
        "model": record.model,
        "data": record.dataset,
        "knob": record.knob,
        "best value": str(record.values[best]),
        "error there": _percent(record.error[best]),
    }


def _verdict(record: Any) -> Picture:
    picture = small.intervals_svg(
        record.models, record.error, record.error_low, record.error_high, "test errors"
    )
    numbers: Numbers = {"data": record.dataset, "winner": record.winner or "none beyond chance"}
    numbers |= {
        name: _percent(error) for name, error in zip(record.models, record.error, strict=True)
    }
    numbers["in words"] = record.sentence
    return picture, numbers


def _spectra(record: Any) -> Picture:
    curves = [
        (record.axis, record.mean[k], class_colour(k).base)
        for k in np.flatnonzero(record.counts).tolist()
    ]
    return small.lines_svg(curves, "class means", falling=record.falling), {
        "samples": record.n_samples,
        "channels": record.axis.size,
        "axis": record.label,
        "classes": _classes(record.class_names, record.counts),
    }


def _unknowns(record: Any) -> Picture:
    return small.grid_svg(record.posterior[:12], "votes by sample and class"), {
        "samples": len(record.names),
        "like no class": int(record.unlike.sum()),
        "one class": int((record.class_set.sum(axis=1) == 1).sum()),
        "confidence": _percent(record.confidence),
        "classes": _classes(record.class_names),
    }


def _comparison(record: Any) -> Picture:
    order = np.argsort(record.mean_rank, kind="stable")
    names = [record.models[m] for m in order]
    return small.bars_svg(names, record.mean_rank[order], "mean rank"), {
        "models": len(record.models),
        "data sets": len(record.datasets),
        "measure": record.measure,
        "best mean rank": f"{names[0]} ({rounded(float(record.mean_rank[order[0]]))})",
        "reference": record.reference,
    }


def _directions(record: Any) -> Picture:
    return small.grid_svg(np.abs(record.unit), "weights by direction"), {
        "directions": ", ".join(record.label[:6]),
        "features": len(record.feature_names),
        "groups": " against ".join(record.groups),
    }


def _bias_variance(record: Any) -> Picture:
    values = [record.mean_bias2, record.mean_variance]
    return small.bars_svg(["bias²", "variance"], values, "bias and variance"), {
        "model": record.model,
        "data": record.dataset,
        "squared error": record.mean_squared_error,
        "noise": "not known" if record.noise is None else record.noise,
    }


def _strength(record: Any) -> Picture:
    values = [record.strength, record.correlation]
    return small.bars_svg(["strength", "correlation"], values, "strength and correlation"), {
        "data": record.dataset,
        "samples judged": int(np.isfinite(record.margin).sum()),
        "bound on the error": record.bound,
    }


CARDS: dict[str, Callable[[Any], Picture]] = {
    "Attribution": _attribution,
    "AveragedRoc": _roc,
    "BandImportance": _bands,
    "BiasVariance": _bias_variance,
    "Calibration": _calibration,
    "ClassSpectra": _spectra,
    "Comparison": _comparison,
    "Dataset": _dataset,
    "Directions": _directions,
    "Evaluation": _evaluation,
    "Forest": _forest,
    "Importance": _importance,
    "Partition": _partition,
    "PosteriorMap": _map,
    "PrecisionRecall": _precision_recall,
    "Projection": _projection,
    "Proximity": _proximity,
    "Strength": _strength,
    "Sweep": _sweep,
    "TreeDrawing": _tree,
    "TruePosterior": _map,
    "Unknowns": _unknowns,
    "Verdict": _verdict,
}
