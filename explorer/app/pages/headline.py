"""The sentence over the pictures, and below it what a reader must know to read them."""

from __future__ import annotations

from explorer.app.session.events import (
    DataChanged,
    MapsDrawn,
    ModelsChanged,
    PageOpened,
    Restored,
)
from explorer.app.session.session import Session
from explorer.app.state.baselines import left_out
from explorer.app.state.headline_words import headline_words
from explorer.app.state.page_list import has_maps
from explorer.app.state.visitor import LETTERS, PAINT, State
from explorer.app.widgets import plain, text
from explorer.app.work.requests import Pictures

NO_TEST = "No test set: errors are out of bag."
NO_TRUTH = "The true posterior is not known. Choose simulated data to compare with it."


class Headline:
    """The pane of both; it follows the session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pane = text(session.style, sizing_mode="stretch_width")
        for kind in (DataChanged, ModelsChanged, PageOpened, Restored):
            session.subscribe(kind, lambda event: self._write())
        # also of maps whose forests alone have changed
        session.subscribe(MapsDrawn, lambda event: self._write())
        self._write()

    def _write(self) -> None:
        session = self.session
        hint = hint_words(session.state, session.latest, session.n_features)
        html = headline_html(headline_words(session.state), hint)
        if self.pane.object != html:
            self.pane.object = html


def hint_words(state: State, shown: Pictures | None, n_features: int | None) -> str:
    """The plane, models that are left out, and what these data have not; often nothing."""
    page = state.view.page
    if page in ("Nodes", "Importance", "Proximity", "Unknowns", "Images"):
        return left_out(tuple(m.spec(n_features) for m in state.models.models), LETTERS)
    if not has_maps(page) or shown is None or shown.request.data != state.data.recipe():
        return ""
    data = shown.source.data
    told = [f"Seen: {shown.plane.label}."] if data.n_features > 2 else []
    beyond = int((~shown.window.holds(shown.places)).sum())
    if told and beyond and shown.request.window is None:
        told.append(f"{beyond} sample{'s' if beyond > 1 else ''} outside the view.")
    if data.truth is None and page == "Posterior":
        told.append(NO_TRUTH)
    elif data.truth is None and state.data.shown != PAINT:
        told.append(NO_TEST)
    return " ".join(told)


def headline_html(words: str, hint: str) -> str:
    """Both, escaped; a headline with a hint is smaller."""
    if not hint:
        return f'<p class="headline">{plain(words)}</p>'
    return f'<p class="headline short">{plain(words)}</p><p class="hint">{plain(hint)}</p>'
