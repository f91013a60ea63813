"""Owns the words and the table of the Proximity page. Names from data are escaped here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.proximity_picture import OUTLYING, Places
from explorer.app.insight import Nearness
from explorer.app.sidebar import marker_svg
from explorer.app.state import LETTERS
from explorer.app.widgets import plain
from explorer.data import Dataset
from explorer.views.theme import THEMES

MOST_ROWS = 40
CROSS = "\N{MULTIPLICATION SIGN}"
NOTHING = "No sample is misclassified or outlying. Lasso some to see them."


def sample_name(data: Dataset, i: int) -> str:
    """The name of a sample, or its number."""
    return data.sample_names[i] if data.sample_names is not None else f"sample {i + 1}"


def model_key(i: int, family: str, wrong: int, outlying: int, theme: str) -> str:
    """Whose picture it is, and how many samples are marked in it."""
    bar = (
        '<svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">'
        f'<path d="M1 1h10v10H1z" fill="{THEMES[theme].models[i]}"/></svg>'
    )
    return (
        f'<div class="keys one"><span>{bar}<b>{LETTERS[i]} {plain(family)}</b></span>'
        f'<span class="quiet">{wrong} wrong ○</span>'
        f'<span class="quiet">{outlying} outlying {CROSS}</span></div>'
    )


def summary(made: Nearness, families: Sequence[str], places: Sequence[Places]) -> str:
    """What is seen, for those who do not see it."""
    parts = []
    for i, (votes, place) in enumerate(zip(made.votes, places, strict=True)):
        share = 100 * float(place.explained.sum())
        parts.append(
            f"{LETTERS[i]} {families[i]}: this plane explains {share:.0f} %, "
            f"{int(votes.wrong.sum())} of {votes.y.size} misclassified out of bag."
        )
    note = f"Counted: {made.models[0].label}."
    if len(places) > 1:
        note = f"Axes from A; others are turned onto it. {note}"
    return f'<p class="words">{plain(" ".join([*parts, note]))}</p>'


def remarkable(made: Nearness) -> list[int]:
    """Samples that any forest gets wrong or finds outlying, the worst first."""
    margin = np.nanmin([np.nan_to_num(v.margin, nan=1.0) for v in made.votes], axis=0)
    away = np.max([r.outlyingness for r in made.models], axis=0)
    wrong = np.any([v.wrong for v in made.votes], axis=0)
    rows = np.flatnonzero(wrong | (away > OUTLYING))
    ordered: list[int] = rows[np.lexsort((-away[rows], margin[rows]))].tolist()
    return ordered


def sample_table(
    data: Dataset, made: Nearness, families: Sequence[str], chosen: Sequence[int]
) -> str:
    """The selected samples, or else those worth a look."""
    rows = list(chosen) or remarkable(made)
    total = len(rows)
    if not rows:
        return f'<p class="words">{NOTHING}</p>'
    what = f"{total} selected" if chosen else f"{total} misclassified or outlying, worst first"
    if total > MOST_ROWS:
        what += f"; the first {MOST_ROWS} are listed"
    heads = "".join(
        f'<th class="n">{LETTERS[i]} votes</th><th class="n">margin</th><th class="n">outlying</th>'
        for i in range(len(families))
    )
    body = "".join(_row(data, made, i) for i in rows[:MOST_ROWS])
    return (
        f"<table><caption>{plain(what)}</caption>"
        f"<thead><tr><th>sample</th><th>class</th>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(data: Dataset, made: Nearness, i: int) -> str:
    k = int(data.y[i])
    cells = [
        f"<td>{plain(sample_name(data, i)[:40])}</td>",
        f"<td>{marker_svg(k)}{plain(data.class_names[k][:24])}</td>",
    ]
    for votes, record in zip(made.votes, made.models, strict=True):
        own, margin, away = votes.votes[i, k], votes.margin[i], record.outlyingness[i]
        bad = ' class="n bad"' if margin < 0 else ' class="n"'
        cells.append(f'<td class="n">{_percent(own)}</td>')
        cells.append(f"<td{bad}>{'none' if np.isnan(margin) else f'{margin:+.2f}'}</td>")
        mark = f" {CROSS}" if away > OUTLYING else ""
        cells.append(f'<td class="n">{away:.1f}{mark}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _percent(share: float) -> str:
    return "none" if np.isnan(share) else f"{100 * share:.0f} %"
