"""Texts and legends of the Importance page. Names from data are escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.analysis.class_spectra import ClassSpectra
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import plain
from explorer.app.work.insight_work import Importances
from explorer.data import Dataset
from explorer.views.importance_lane import ONLY_OBLIQUE, runs
from explorer.views.number_text import unit_in_words
from explorer.views.plain_figure import DASHES, MODEL_DASHES
from explorer.views.spectra_figure import LAYERS
from explorer.views.theme import THEMES, class_colour

UNITS = {
    "anova": "share of splits",
    "gini": "Gini share",
    "permutation": "error growth",
    "t": "|t|",
    "weight": "mean weight",
}
MEANING = {
    "anova": "Share of a forest's splits in which the feature matters, p ≤ .01.",
    "gini": "Share of a forest's gain in purity that the feature brings.",
    "permutation": "Growth of the out-of-bag error when the feature's values are shuffled.",
    "t": "Distance between the class means of each feature; no forest is used.",
    "weight": "Mean weight in the splits; above 0, larger values favour",
}


_STROKES = {
    "solid": "",
    "dashed": "6 3",
    "dotted": "2 3",
    "dotdash": "2 3 6 3",
    "dashdot": "6 3 2 3",
}  # others are what SVG reads already


def swatch(colour: str, dash: str) -> str:
    """A short piece of line, as it is drawn."""
    stroke = _STROKES.get(dash, dash)
    return (
        '<svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true"><path d="M1 4h26" '
        f'stroke="{colour}" stroke-width="2.5" stroke-dasharray="{stroke}"/></svg>'
    )


def class_keys(
    record: ClassSpectra, theme: str, chosen: str = "", layers: Sequence[str] = LAYERS
) -> str:
    """Which line is which class; chosen: how many spectra are selected, in words.

    layers: those that are drawn; of the others nothing is said.
    """
    look = THEMES[theme]
    keys = [
        f"<span>{swatch(class_colour(int(k)).line(look), DASHES[k % 5])}"
        f"{plain(record.class_names[k][:28])}</span>"
        for k in np.flatnonzero(record.counts)[:10]
    ]
    if chosen or "Means" in layers:
        keys.append(f'<span class="quiet">{chosen or "band: 10 to 90 %"}</span>')
    if record.rows.size < record.n_samples and not chosen and "Spectra" in layers:
        keys.append(
            f'<span class="quiet">{record.rows.size} of {record.n_samples} spectra drawn</span>'
        )
    return f'<span class="keys">{"".join(keys)}</span>'


def model_keys(
    families: Sequence[str], traces: Sequence[Any], only: Any, data: Dataset, theme: str
) -> str:
    """Which line of the lane is which forest, and what the marks mean."""
    look = THEMES[theme]
    keys = []
    for trace in traces:
        if trace.model < 0:
            keys.append(f"<span>{swatch(look.muted, MODEL_DASHES[-1])}the data</span>")
        else:
            line = swatch(look.models[trace.model], MODEL_DASHES[trace.model])
            keys.append(f"<span>{line}{LETTERS[trace.model]} {plain(families[trace.model])}</span>")
    if only is not None and only.any():
        keys.append(f"<span>{swatch(ONLY_OBLIQUE[theme], 'solid')}only oblique</span>")
    if data.informative is not None and data.informative.size:
        keys.append('<span class="quiet">shaded: truly informative</span>')
    return f'<span class="keys">{"".join(keys)}</span>'


def class_line(data: Dataset) -> str:
    """How many channels and spectra, and what became of the others."""
    kept = f"{data.n_features} channels, {data.n_samples} spectra"
    last = data.notes[-1] if data.notes else ""
    return f"{kept}. {last.rstrip('.')}" if "hannels from" in last else kept


def of_spectra(record: ClassSpectra, selected: int) -> str:
    """The picture of spectra in words."""
    seen = [record.class_names[k] for k in np.flatnonzero(record.counts)[:10]]
    axis = record.axis
    drawn = f" {selected} selected spectra stand out." if selected else ""
    return (
        f"Means and bands of {', '.join(seen)} along {record.label}, "
        f"from {axis.min():.0f} to {axis.max():.0f}.{drawn}"
    )


def summary(
    made: Importances, measure: str, families: Sequence[str], names: Sequence[str], unit: str
) -> str:
    """What is seen, for those who do not see it; names: of the features, unit: theirs."""
    unit = unit_in_words(unit)
    sentences = []
    if measure == "t":
        t: Any = made.models[0].t
        t = np.nan_to_num(t, posinf=0.0)
        where = f"{names[int(t.argmax())]} {unit}".strip()
        sentences.append(f"The classes' means lie farthest apart at {where}.")
    else:
        for i, record in enumerate(made.models):
            values = getattr(record, measure)
            if values is None:
                sentences.append(
                    f"{LETTERS[i]} {families[i]} has no out-of-bag samples to permute."
                )
                continue
            where = f"{names[int(np.abs(values).argmax())]} {unit}".strip()
            sentences.append(f"{LETTERS[i]} {families[i]} looks most at {where}.")
    sentences.append(_only(made, families, names, unit))
    return " ".join(sentences)


def meaning(made: Importances, measure: str) -> str:
    """What the measure asks."""
    words = MEANING[measure]
    return f"{words} {made.models[0].towards}." if measure == "weight" else words


def _only(made: Importances, families: Sequence[str], names: Sequence[str], unit: str) -> str:
    if made.slanted is None:
        return "Add an oblique forest to see what only slanted cuts can use."
    if made.straight is None:
        return "Add RF to see what only an oblique forest uses."
    record = made.models[made.slanted]
    name = families[made.slanted]
    if record.only_oblique is None or not record.only_oblique.any():
        return f"No feature is significant only for {name}."
    places = []
    for first, last in runs(record.only_oblique):
        ends = [names[first], names[last]]
        places.append(ends[0] if first == last else " to ".join(ends))
    left = len(places) - 3
    more = f", and {left} more {'place' if left == 1 else 'places'}" if left > 0 else ""
    count = int(record.only_oblique.sum())
    features = "feature is" if count == 1 else "features are"
    where = f"{', '.join(places[:3])} {unit}".strip()
    return f"{count} {features} significant only for {name}: {where}{more}."


def image_words(
    made: Importances, measure: str, families: Sequence[str], shape: tuple[int, int]
) -> str:
    """The summary of images of importance: where each forest looks most, and what colours say."""
    sentences = []
    pixels = shape[0] * shape[1]
    for i, record in enumerate(made.models[:1] if measure == "t" else made.models):
        values = getattr(record, measure)
        if values is None:
            continue
        row, column = divmod(int(np.abs(values[:pixels]).argmax()), shape[1])
        who = "The data differ" if measure == "t" else f"{LETTERS[i]} {families[i]} looks"
        sentences.append(f"{who} most at row {row + 1}, column {column + 1}.")
    sentences.append(meaning(made, measure))
    sentences.append(
        "Violet: in favour; green: against."
        if measure == "weight"
        else "Stronger colour: more important."
    )
    return " ".join(sentences)
