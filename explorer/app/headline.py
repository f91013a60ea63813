"""Owns the sentence over the pictures, and under it what must be known to read them."""

from __future__ import annotations

from explorer.app.baseline import left_out
from explorer.app.own import Upload
from explorer.app.request import Pictures
from explorer.app.state import LETTERS, OWN, PAINT, UNMAPPED, State
from explorer.app.widgets import plain
from explorer.data import catalogue

PAPERS = "Every figure and table of five papers, run again here, beside what was printed."
FIRST = "Same points, same trees. Left may only cut straight; right may cut at a slant."
NO_TEST = "No test set: errors are out of bag."
NO_TRUTH = "The truth is not known: estimates only. Choose simulated data to compare."


def headline_words(state: State) -> str:
    """What is looked at, in one sentence."""
    source, page = state.data.source, state.view.page
    families = [m.family for m in state.models.models]
    if page == "Papers":
        return PAPERS
    if page == "Boundaries" and source == "clouds" and families == ["RF", "oRF-ridge"]:
        return FIRST
    if source == PAINT:
        return "Your own points: every forest follows while you paint."
    if source == OWN:
        return own_words(state.data.upload)
    return catalogue()[source].description


def hint_words(state: State, shown: Pictures | None, n_features: int | None) -> str:
    """The plane, models that are left out, and what these data have not; often nothing."""
    page = state.view.page
    if page in ("Nodes", "Spectra", "Proximity"):
        return left_out(tuple(m.spec(n_features) for m in state.models.models), LETTERS)
    if page in UNMAPPED or shown is None or shown.request.data != state.data.recipe():
        return ""
    data = shown.source.data
    told = [f"Seen: {shown.plane.label}."] if data.n_features > 2 else []
    beyond = int((~shown.window.holds(shown.places)).sum())
    if told and beyond and shown.request.window is None:
        told.append(f"{beyond} sample{'s' if beyond > 1 else ''} farther out.")
    if data.truth is None and page == "Posterior":
        told.append(NO_TRUTH)
    elif data.truth is None and state.data.source != PAINT:
        told.append(NO_TEST)
    return " ".join(told)


def headline_html(words: str, hint: str) -> str:
    """Both, escaped; a headline with a hint is smaller."""
    if not hint:
        return f'<p class="headline">{plain(words)}</p>'
    return f'<p class="headline short">{plain(words)}</p><p class="hint">{plain(hint)}</p>'


def own_words(upload: Upload | None) -> str:
    """The headline over an own file."""
    if upload is None:
        return "Your own file."
    data = upload.data
    return (
        f"{upload.name[:60]}: {data.n_samples} samples, {data.n_features} features, "
        f"{data.n_classes} classes."
    )
