"""Delivers results to one session's document: in order, under one hold, as one message."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from bokeh.document import Document
from bokeh.protocol import Protocol
from panel.io.state import set_curdoc

from explorer.app.server.patches.model_walks import one_walk
from explorer.app.session.frame_message import frame_message
from explorer.app.session.page_thread import beside, here

log = logging.getLogger("explorer.mailbox")


def unhold_together(document: Document) -> None:
    """End a hold and send what was held as one message.

    Bokeh's own unhold sends each change by itself, and the browser may paint after each. The
    session's private door for changes is shadowed meanwhile; without it, Bokeh's way is taken.
    """
    events = _unheld(document)
    if events:
        _send_to_all(document, lambda: _message(events))


def _unheld(document: Document) -> list[Any]:
    """End a hold; the changes that are still to be sent."""
    session: Any = getattr(document.session_context, "session", None)
    events: list[Any] = []
    if getattr(session, "_pending_writes", None) is None:
        document.unhold()
        return events
    session._document_patched = events.append
    try:
        document.unhold()
    finally:
        del session._document_patched
    return events


def _message(events: list[Any]) -> Any:
    made = frame_message(events) or Protocol().create("PATCH-DOC", events)
    _ = made.content_json  # kept by the message
    return made


def _send_to_all(document: Document, make: Callable[[], Any]) -> None:
    """Send a message once those that Bokeh has to send before are gone."""
    session: Any = document.session_context.session  # type: ignore[union-attr]
    # those who come meanwhile get the page as it is by then
    for connection in getattr(session, "with_page", session._subscribed_connections):
        session._pending_writes.append(_send(connection, make))


async def _send(connection: Any, make: Callable[[], Any]) -> None:
    await connection._socket.send_message(make())


class Mailbox:
    """Brings results to one session's document: the newest per slot, several under one hold.

    What a document is told before a browser asks for it is part of what the browser gets, and
    what it is told once the page stands arrives. In between, changes are lost: Panel drops them
    as part of a document that is still to be sent, and Bokeh's client stumbles over models it
    knows already. So nothing is delivered between the two.
    """

    def __init__(self, document: Document | None) -> None:
        self._document = document
        self._lock = threading.Lock()
        self._slots: dict[str, Callable[[], None]] = {}
        self._late: list[Callable[[], None]] = []
        self._waiting = False
        self._stands = self._lived = False
        self.closed = False

    def post(self, slot: str, apply: Callable[[], None]) -> None:
        """Have ``apply`` called with the document locked, unless a newer one takes its slot."""
        with self._lock:
            if self.closed or self._gone():
                return
            self._slots[slot] = apply
            if self._waiting:
                return
            self._waiting = True
        if self._document is None or not self.live:
            self._deliver()  # no server: a test, or the page is still being built
        else:
            self._document.add_next_tick_callback(self._deliver)

    def _gone(self) -> bool:
        """Whether a server held the document and does so no more: its models are empty shells."""
        live = self.live
        self._lived = self._lived or live
        return self._lived and not live

    @property
    def live(self) -> bool:
        """Whether a server holds the document; in tests and while building none does."""
        return self._document is not None and self._document.session_context is not None

    @property
    def opening(self) -> bool:
        """Whether a browser has taken the page and has not yet said that it stands."""
        if self._stands or self._document is None or not self.live:
            return False
        session = getattr(self._document.session_context, "session", None)
        return session is not None and session.connection_count > 0

    @property
    def alone(self) -> bool:
        """Whether the page stood in a browser and none holds it now: closed, or cut off."""
        if not self._stands or self._document is None or not self.live:
            return False
        session = getattr(self._document.session_context, "session", None)
        return session is not None and session.connection_count == 0

    def open(self) -> None:
        """The page stands in the browser: bring what has waited for it."""
        self._stands = True
        if self._document is not None and not self.closed:
            self._document.add_next_tick_callback(self._deliver)

    def later(self, act: Callable[[], None], milliseconds: int = 500) -> None:
        """Do something on the page after a while."""
        if self._document is not None and self.live and not self.closed:
            self._document.add_timeout_callback(lambda: self._when_it_stands(act), milliseconds)
        else:
            act()

    def aside(self, act: Callable[[], None]) -> None:
        """Do what takes long beside the event loop; all its changes are sent as one message."""
        document = self._document
        if self._gone():
            return
        if document is None or not self.live or here():
            act()
            return

        async def go() -> None:
            if self.closed:
                return
            if self.opening:
                self._late.append(partial(self.aside, act))
                return
            document.hold("combine")
            message = await beside(document, partial(self._changed_by, act))
            if message is not None:
                _send_to_all(document, lambda: message)

        document.add_next_tick_callback(go)  # type: ignore[arg-type] # Bokeh awaits it, too

    def _changed_by(self, act: Callable[[], None]) -> Any:
        """Do it; the message to be sent, written out here because that takes long, too."""
        document = self._document
        assert document is not None
        try:
            with document.models.freeze():  # or Bokeh walks all models after each list that changes
                act()
        except Exception:
            log.exception("That could not be done.")
        finally:
            events = _unheld(document)
        return _message(events) if events else None

    def _when_it_stands(self, act: Callable[[], None]) -> None:
        if self.opening:
            self._late.append(act)
        else:
            act()

    def _deliver(self) -> None:
        if self.closed or self._gone() or self.opening:  # `open` comes back to it
            return
        with self._lock:
            applies = [*self._late, *self._slots.values()]
            self._late, self._slots = [], {}
            self._waiting = False
        document = self._document
        # Bokeh's own hold: Panel's loses what is sent before the page has said it is ready
        held = document is None or document.callbacks.hold_value is not None
        if document is not None and not held:
            document.hold("combine")
        try:
            # Panel keeps style sheets per document; Bokeh's own current one may be that of a page
            # which a thread builds at the same time
            with set_curdoc(document), one_walk(document):
                for apply in applies:
                    try:
                        apply()
                    except Exception:  # one picture must not take the others with it
                        log.exception("A result could not be drawn.")
        finally:
            if document is not None and not held:
                unhold_together(document)

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._slots.clear()
            self._late.clear()
