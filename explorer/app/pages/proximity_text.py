"""Texts and the table of the Proximity page. Names from data are escaped here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.proximity_picture import OUTLYING, PairedPlaces, Places
from explorer.app.export.insight_tables import sample_name
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import plain
from explorer.app.work.insight_work import Nearness
from explorer.data import Dataset
from explorer.views.marker_svg import marker_svg
from explorer.views.number_text import rounded, signed

MOST_ROWS = 40
CROSS = "\N{MULTIPLICATION SIGN}"
NOTHING = "No sample is misclassified or outlying. Lasso some to see them."


def of_map(place: Places, i: int, wrong: int | None, outlying: int | None) -> str:
    """How many samples are marked in a picture, and how much it shows of all distances.

    wrong, outlying: None where these marks are not drawn.
    """
    aligned = ", aligned with A," if i else ""
    share = f"{100 * float(place.explained.sum()):.0f} %"
    marks = [] if wrong is None else [f"○ {wrong} wrong"]
    marks += [] if outlying is None else [f"{CROSS} {outlying} outlying"]
    told = f"{', '.join(marks)}. " if marks else ""
    return f"{told}This plane{aligned} explains {share}."


def of_heat(names: Sequence[str], other: int) -> str:
    if len(names) == 1:
        return f"Strong colour: often in the same leaf of {names[0]}."
    return f"Below: {names[0]}. Above: {names[other]}. Strong colour: often in the same leaf."


def of_bars(names: Sequence[str], places: Sequence[Places]) -> str:
    shares = [
        f"{n} {100 * float(p.bars[:3].sum()):.0f} %" for n, p in zip(names, places, strict=True)
    ]
    return f"First three: {', '.join(shares)}."


def of_pairs(names: Sequence[str], record: PairedPlaces) -> str:
    shares = [
        f"{name} {100 * float(row.sum()):.0f} %"
        for name, row in zip(names, record.explained, strict=True)
    ]
    return (
        f"Every pair of the first three coordinates, in the same units. "
        f"Together they explain: {', '.join(shares)}."
    )


def of_table(made: Nearness, chosen: Sequence[int]) -> str:
    counted = f"Counted: {made.models[0].label}."
    if chosen:
        return f"Votes are for the sample's own class; a margin below 0 is an error. {counted}"
    return f"Lasso samples, or choose a node, to list them. {counted}"


def remarkable(made: Nearness) -> list[int]:
    """Samples that any forest gets wrong or finds outlying, the worst first."""
    margin = np.nanmin([np.nan_to_num(v.margin, nan=1.0) for v in made.votes], axis=0)
    away = np.max([r.outlyingness for r in made.models], axis=0)
    wrong = np.any([v.wrong for v in made.votes], axis=0)
    rows = np.flatnonzero(wrong | (away > OUTLYING))
    ordered: list[int] = rows[np.lexsort((-away[rows], margin[rows]))].tolist()
    return ordered


def sample_table(
    data: Dataset, made: Nearness, chosen: Sequence[int], letters: str = LETTERS
) -> tuple[str, str]:
    """(what is listed, HTML) of the selected samples, or else of those worth a look."""
    rows = list(chosen) or remarkable(made)
    total = len(rows)
    if not rows:
        return "", f'<p class="note">{NOTHING}</p>'
    what = f"{total} selected" if chosen else f"{total} misclassified or outlying, worst first"
    if total > MOST_ROWS:
        what += f"; the first {MOST_ROWS} are listed"
    heads = "".join(
        f'<th scope="col">{letters[i]} votes</th><th scope="col">margin</th>'
        '<th scope="col">outlying</th>'
        for i in range(len(made.models))
    )
    body = "".join(_row(data, made, i) for i in rows[:MOST_ROWS])
    return what, (
        '<table class="numbers samples"><thead><tr><th scope="col">Sample</th>'
        f'<th scope="col" class="kind">Class</th>{heads}</tr></thead><tbody>{body}</tbody></table>'
    )


def _row(data: Dataset, made: Nearness, i: int) -> str:
    k = int(data.y[i])
    cells = [
        f'<th scope="row">{plain(sample_name(data, i)[:40])}</th>',
        f'<td class="kind">{marker_svg(k)}{plain(data.class_names[k][:24])}</td>',
    ]
    for votes, record in zip(made.votes, made.models, strict=True):
        own, margin, away = votes.votes[i, k], votes.margin[i], record.outlyingness[i]
        bad = ' class="bad"' if margin < 0 else ""
        cells.append(f"<td>{_percent(own)}</td>")
        cells.append(f"<td{bad}>{'none' if np.isnan(margin) else f'{signed(float(margin))}'}</td>")
        # the cross of the pictures comes last: before a number it would read as "times"
        mark = f" {CROSS}" if away > OUTLYING else ""
        cells.append(f"<td>{rounded(float(away), 2)}{mark}</td>")
    return f'<tr class="asks" data-why="{int(i) + 1}" tabindex="0">{"".join(cells)}</tr>'


def _percent(share: float) -> str:
    return "none" if np.isnan(share) else f"{100 * share:.0f} %"
