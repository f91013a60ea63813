"""Texts of the Importance page about bands, features and errors. Names from data are escaped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.band_importance import BandImportance
from explorer.app.pages.importance_text import swatch
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import plain
from explorer.views.importance_bars import sorted_parts
from explorer.views.number_text import unit_in_words
from explorer.views.plain_figure import MODEL_DASHES
from explorer.views.theme import THEMES

BAND, FEATURE = "Band", "Feature"
MOST_ROWS = 8
SURE = 0.05  # p-values up to here are called more than chance
Models = Sequence[tuple[int, BandImportance]]


def error_table(
    names: Sequence[str], errors: Sequence[float | None], whole: Sequence[float | None], hidden: str
) -> str:
    """Out-of-bag errors now, and before bands were hidden; hidden: what is, in words, or ""."""
    rows = []
    for i, name in enumerate(names):
        now = errors[i] if i < len(errors) else None
        then = whole[i] if i < len(whole) else None
        cells = f"<td><b>{_percent(now)}</b></td>"
        if hidden:
            cells += f"<td>{_percent(then)}</td><td>{_change(now, then)}</td>"
        rows.append(f"<tr><th>{plain(name)}</th>{cells}</tr>")
    head = "<th></th><th>OOB error</th>"
    if hidden:  # four columns: the word that belongs to all of them stands over the names
        head = "<th>OOB error</th><th>now</th><th>all bands</th><th>change</th>"
    note = f'<p class="note">{plain(hidden)}</p>' if hidden else ""
    return (
        '<table class="numbers errors" aria-label="Errors of the models">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"
    )


def _percent(value: float | None) -> str:
    return "not known" if value is None else f"{100 * value:.1f} %"


def _change(now: float | None, then: float | None) -> str:
    if now is None or then is None:
        return ""
    points = 100 * (now - then)
    return "none" if abs(points) < 0.05 else f"{points:+.1f}"


def hidden_words(bands: Sequence[tuple[bool, float, float]]) -> str:
    """Which bands are kept or left out."""
    parts = [f"{'only' if keep else 'without'} {low:g} to {high:g}" for keep, low, high in bands]
    return f"Now: {', '.join(parts)}." if parts else ""


def part_table(models: Models, what: str) -> str:
    """The most important bands or features: votes lost by each model, and whether by chance."""
    if not models:
        return ""
    order = sorted_parts([record for _, record in models])[:MOST_ROWS]
    head = "".join(f"<th>{LETTERS[place]}</th>" for place, _ in models)
    rows = []
    for part in order:
        cells = "".join(f"<td>{_drop(record, part)}</td>" for _, record in models)
        name = models[0][1].names[part]
        named = unit_in_words(name) if what == BAND else name
        rows.append(f"<tr><th>{plain(named[:32])}</th>{cells}</tr>")
    return (
        f'<table class="numbers parts"><thead><tr><th>{plain(what)}</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _drop(record: BandImportance, part: int) -> str:
    drop = f"{100 * record.drop[part]:.1f}"
    p = record.p_value[part]
    if not np.isfinite(p) or p <= SURE:
        return drop
    return f'<span class="quiet" title="no more than by chance">({drop})</span>'


def part_words(models: Models, sure: bool, table: bool) -> str:
    """What the numbers mean, and how many are more than chance."""
    sentences = [
        "Votes for the true class that a forest loses, in points, when the values are shuffled "
        "among the samples; out of bag, with 95 % intervals."
    ]
    if not sure:
        sentences.append("Computing what chance alone gives.")
    elif models:
        for place, record in models:
            n = int((record.p_value <= SURE).sum())
            sentences.append(f"{LETTERS[place]}: {n} of {len(record.names)} are more than chance.")
        sentences.append("Grey: the most that 20 forests on shuffled labels gave.")
    if table and models:
        sentences.append("Correlated features can replace each other: try groups.")
    return " ".join(sentences)


def model_keys(families: Sequence[str], models: Models, theme: str, sure: bool) -> str:
    """Which colour is which forest."""
    look = THEMES[theme]
    keys = [
        f"<span>{swatch(look.models[place], MODEL_DASHES[place])}"
        f"{LETTERS[place]} {plain(families[place])}</span>"
        for place, _ in models
    ]
    if sure:
        keys.append('<span class="quiet">grey: by chance</span>')
    return f'<span class="keys">{"".join(keys)}</span>'
