"""What ends a visitor's gesture, and what is said to the visitor: the link and the notices."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from explorer.app.session.events import Events, GestureEnded, LinkChanged, Noted
from explorer.app.session.mailbox import Mailbox
from explorer.app.session.registry import on_exception
from explorer.app.state import link
from explorer.app.state.link import StepLink
from explorer.app.state.visitor import State
from explorer.sentences import is_sentence

log = logging.getLogger("explorer.actions")


class Gestures:
    """Checks what a client asks for, and writes the link when a gesture has ended."""

    def __init__(self, state: State, events: Events, mailbox: Mailbox) -> None:
        self.state, self.events, self.mailbox = state, events, mailbox
        self.step: StepLink | None = None  # the step of a lesson that is open
        self._written = self.link()

    def guarded(self, act: Callable[..., Any], *args: Any) -> None:
        """Do what a client asks; what the state refuses becomes a notice."""
        try:
            act(*args)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            if is_sentence(error):
                self.note(str(error))
            else:
                log.warning("A client sent a value that cannot be: %s", str(error)[:300])
                self.note("That value cannot be used here.")

    def aside(self, act: Callable[[], None]) -> None:
        """Do what takes long beside the event loop; a fault of ours becomes a notice."""

        def safely() -> None:
            try:
                act()
            except Exception as error:
                on_exception(error)

        self.mailbox.aside(safely)

    def note(self, sentence: str) -> None:
        """A notice over the page that goes by itself."""
        self.events.announce(Noted(sentence))

    # ---- the link

    def link(self) -> str:
        """The query of what is seen; within a lesson it names the step."""
        query = link.write(self.state)
        return query if self.step is None else self.step.joined_with(query)

    def commit(self) -> None:
        """A gesture ended: write the link, and tell those who wait for it."""
        if self.link() != self._written:
            self.write_link()
        self.events.announce(GestureEnded())

    def write_link(self) -> None:
        """Have the browser's address show the link of what is seen."""
        self.settle_link()
        self.events.announce(LinkChanged(self._written))

    def settle_link(self) -> None:
        """The browser's address shows what is seen already."""
        self._written = self.link()
