"""Texts of the card that explains a sample. Names from data are escaped here."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.app.export.insight_tables import sample_name
from explorer.app.widgets import plain
from explorer.data import Dataset
from explorer.views.marker_svg import marker_svg
from explorer.views.why_figure import votes_svg


def subject_html(name: str, made: Any, data: Dataset) -> str:
    """Who is explained, and its class where that is known."""
    first = next(e for e in made.explained if e is not None)
    said = name or sample_name(data, first.sample)
    truth = ""
    if first.truth >= 0:
        mark = marker_svg(first.truth)
        truth = f'<p class="kind">{mark} {plain(data.class_names[first.truth][:40])}</p>'
    return f"<p><b>{plain(said[:60])}</b></p>{truth}"


def votes_html(letter: str, family: str, found: Any) -> str:
    """The votes of one forest: in numbers, then tree by tree."""
    votes = np.bincount(found.votes, minlength=len(found.class_names))
    most = [int(k) for k in np.argsort(-votes)[:4] if votes[k]]
    parts = ", ".join(f"{int(votes[k])} {plain(found.class_names[k][:24])}" for k in most)
    fresh = ""
    if found.sample >= 0 and found.fresh.any():
        own = int((found.votes[found.fresh] == found.truth).sum())
        fresh = (
            f'<p class="hint">{int(found.fresh.sum())} trees never saw it (full colour); '
            f"{own} of them vote for its class.</p>"
        )
    return (
        f'<p class="of"><span class="letter">{letter}</span> <b>{plain(family)}</b>: {parts}</p>'
        f"{votes_svg(found.votes, found.fresh)}{fresh}"
    )


def shares_html(found: Any, k: int, spectral: bool) -> str:
    """What the bars mean, and how sure they are."""
    name = plain(found.class_names[k][:24])
    start, end = 100 * float(found.base[k]), 100 * float(found.posterior[k])
    error = 100 * float(found.error[:, k].max())
    exact = "exact" if not found.rounds else f"standard error at most {error:.2f} points"
    what = "Bands" if spectral else "Features"
    return (
        f'<p class="hint">{what} move the votes for {name} from {start:.0f} % (the mean of '
        f"{found.background.size} training samples) to {end:.0f} %: violet for it, green against "
        f"it. Shapley values, {exact}.</p>"
    )


def nearest_html(found: Any, data: Dataset) -> str:
    """The training samples that end in the same leaves most often."""
    rows = "".join(
        f'<tr class="asks" data-why="{int(i) + 1}" tabindex="0"><th scope="row">'
        f"{plain(sample_name(data, int(i))[:28])}</th>"
        f'<td class="kind">{_class_html(data, int(data.y[i]))}</td>'
        f"<td>{100 * float(share):.0f} %</td></tr>"
        for i, share in zip(found.nearest, found.nearness, strict=True)
    )
    return (
        '<p class="of"><b>Most alike</b> '
        '<span class="hint">share of trees with both in one leaf</span></p>'
        f'<table class="numbers"><tbody>{rows}</tbody></table>'
    )


def _class_html(data: Dataset, k: int) -> str:
    return f"{marker_svg(k)}{plain(data.class_names[k][:18])}"
