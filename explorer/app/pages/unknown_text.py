"""Texts of the Unknowns page. Names from files and data are escaped here."""

from __future__ import annotations

import numpy as np

from explorer.app.widgets import plain
from explorer.app.work.unknown_work import Judged
from explorer.views.marker_svg import marker_svg

MOST_ROWS = 300
MOST_LISTED = 50


def answers(judged: Judged) -> str:
    """One row per spectrum: class, votes, class set, nearest training samples, and the flag."""
    found = judged.unknowns
    rows = []
    for i in range(min(MOST_ROWS, found.predicted.size)):
        k = int(found.predicted[i])
        flag = '<td class="bad">unlike anything seen</td>' if found.unlike[i] else "<td></td>"
        near = ", ".join(
            f"{found.training_names[int(j)][:24]} {100 * share:.0f} %"
            for j, share in zip(found.nearest[i][:3], found.nearness[i][:3], strict=True)
        )
        rows.append(
            f'<tr class="asks" data-why="u{i}" tabindex="0">'
            f"<th title='{plain(found.names[i])}'>{plain(_end(found.names[i]))}</th>"
            f'<td class="kind">{marker_svg(k)}{plain(found.class_names[k][:24])}</td>'
            f"<td>{100 * found.posterior[i, k]:.0f} %</td>"
            f'<td class="kind">{plain(found.set_words(i)[:60])}</td>{flag}'
            f'<td class="kind">{plain(near)}</td></tr>'
        )
    more = found.predicted.size - MOST_ROWS
    rest = f'<p class="hint">and {more} more, in the CSV file.</p>' if more > 0 else ""
    head = (
        f'<th>Spectrum</th><th class="kind">Class</th><th>Votes</th>'
        f'<th class="kind">At {100 * found.confidence:g} %</th><th></th>'
        '<th class="kind">Nearest training samples</th>'
    )
    return (
        f'<table class="numbers samples"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>{rest}{_left_out(judged)}"
    )


def _left_out(judged: Judged) -> str:
    lines = judged.left_out[:MOST_LISTED]
    if not lines:
        return ""
    rows = "".join(
        f"<tr><th>{plain(one.file[-60:])}</th><td>{plain(one.reason[:400])}</td></tr>"
        for one in lines
    )
    count = len(judged.left_out)
    head = f"{count} {'file or spectrum' if count == 1 else 'files or spectra'} not judged"
    return f'<h2 class="apart">{head}</h2><table class="reasons"><tbody>{rows}</tbody></table>'


def summary(judged: Judged, model: str) -> str:
    """How many are of each class, how many are undecided or unlike anything seen."""
    found = judged.unknowns
    n = found.predicted.size
    counts = np.bincount(found.predicted, minlength=len(found.class_names))
    kinds = [f"{c} {found.class_names[k]}" for k, c in enumerate(counts) if c][:6]
    several = int((found.class_set.sum(axis=1) > 1).sum())
    none = int((found.class_set.sum(axis=1) == 0).sum())
    strange = int(found.unlike.sum())
    sentences = [f"{model} says of {n} {'spectrum' if n == 1 else 'spectra'}: {', '.join(kinds)}."]
    if several:
        sentences.append(f"For {several} it cannot exclude a second class.")
    if none:
        sentences.append(f"{none} fit no class.")
    if strange:
        sentences.append(
            f"{strange} {'is' if strange == 1 else 'are'} unlike anything seen: do not trust the "
            "class."
        )
    sentences.append(
        f"A class set contains the true class of {100 * found.confidence:g} % of the samples of "
        "every class, if they are measured as the training samples were."
    )
    few = int(judged.spectra.counts[judged.spectra.counts > 0].min())
    if 1.0 / (few + 1.0) > 1.0 - found.confidence:
        sentences.append(
            f"A class with {few} samples cannot be excluded at this confidence: choose a lower one."
        )
    return " ".join(sentences)


def _end(name: str) -> str:
    """The last part of a name, where it differs from others; a file's name is said once."""
    file, _, own = name.partition(": ")
    if own and file.rsplit("/", 1)[-1].rsplit(".", 1)[0] == own:
        name = file
    return name if len(name) <= 34 else f"...{name[-31:]}"
