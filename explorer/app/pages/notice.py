"""A notice over the page that goes away by itself."""

from __future__ import annotations

from explorer.app.session.events import Noted
from explorer.app.session.session import Session
from explorer.app.widgets import plain, text

STAYS = 6000  # ms


class Notice:
    """One sentence at a time."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pane = text(session.style)
        session.subscribe(Noted, self._say)
        for sentence in session.notices[:1]:  # what was wrong with the link
            session.note(sentence)

    def _say(self, event: Noted) -> None:
        self.pane.object = f'<p class="notice" role="status">{plain(event.sentence)}</p>'
        if self.session.mailbox.live:
            self.session.mailbox.later(self._clear, STAYS)

    def _clear(self) -> None:
        self.pane.object = ""
