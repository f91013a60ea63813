"""The summary for screen readers: the cards in one sentence each, once a gesture has ended.

It stands in a polite live region. During a drag it is empty, so that nothing is read out; what it
says is always what the cards show.
"""

from __future__ import annotations

from typing import Any

from explorer.app.pages.map_cards import MapCards
from explorer.app.pages.model_card import Card
from explorer.app.session.events import (
    Covered,
    Failed,
    ForestsGrown,
    GestureEnded,
    MapsDrawn,
    ReadOut,
)
from explorer.app.session.session import Session
from explorer.app.state.page_list import has_maps
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import plain, text
from explorer.views.number_text import percent


class Summary:
    """The words of one session's live region."""

    def __init__(self, session: Session, maps: MapCards) -> None:
        self.session, self.maps = session, maps
        self.pane = text(session.style)
        self._due = True  # the first pictures are read out, too
        self._said: Any = None  # the request whose pictures were read out
        session.subscribe(MapsDrawn, lambda event: self.follow())
        session.subscribe(ForestsGrown, self._forests_grown)
        session.subscribe(Covered, lambda event: self.follow())
        session.subscribe(Failed, self._fault)
        session.subscribe(GestureEnded, lambda event: session.mailbox.later(self.ask))
        session.subscribe(ReadOut, self._read_out)

    def ask(self) -> None:
        """A gesture has ended: read out its pictures, or those that are still to come."""
        self._due = True
        self.follow()

    def follow(self) -> None:
        """The cards have changed: say it, or say nothing while more is to come."""
        if not has_maps(self.session.state.view.page):
            return  # the cards are not seen: the region tells of forests or studies there
        latest = self.session.latest
        words = ". ".join(_of_card(card) for card in self.maps.cards if card.record is not None)
        html = f"<p>{plain(words)}.</p>" if words else ""
        settled = (
            latest is not None
            and latest.finished
            and all(record is None or record.judged for record in latest.records)
        )
        if settled and self._due and latest is not None:
            self._due = latest.request != self.session.request()
            self._said = None if self._due else latest.request
        if not settled or latest is None or latest.request != self._said:
            html = html if self.pane.object == html else ""
        if self.pane.object != html:
            self.pane.object = html

    def _forests_grown(self, event: ForestsGrown) -> None:
        """On a page without maps: the error of every forest, once all are grown."""
        words = ""
        if event.forests.finished:
            models = self.session.state.models.models
            words = ". ".join(
                f"{LETTERS[i]} {models[i].family}: OOB {percent(error)}"
                for i, error in enumerate(event.forests.oob_errors())
                if error is not None and i < len(models)
            )
        html = f"<p>{plain(words)}.</p>" if words else ""
        if self.pane.object != html:
            self.pane.object = html

    def _fault(self, event: Failed) -> None:
        """The cards say why there are no pictures."""
        self._said = None
        self.pane.object = f"<p>{plain(event.sentence)}</p>"

    def _read_out(self, event: ReadOut) -> None:
        self.pane.object = f"<p>{plain(event.sentence)}</p>"


def _of_card(card: Card) -> str:
    assert card.record is not None
    said = card.sentence().rstrip(".")
    shape = f"{said[:1].lower()}{said[1:]}, " if said else ""
    error = f"OOB {percent(card.record.oob_error)}" if card.record.n_tree else "no trees"
    return f"{LETTERS[card.index]} {card.model_name}: {shape}{error}"
