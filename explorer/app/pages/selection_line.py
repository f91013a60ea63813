"""The line that says what is selected, with a way to undo it."""

from __future__ import annotations

import panel as pn

from explorer.app.session.events import SamplesSelected
from explorer.app.session.session import Session
from explorer.app.widgets import button, plain, text


class SelectionLine:
    """Words and a button in the header; empty while nothing is selected."""

    def __init__(self, session: Session) -> None:
        self.selected = session.selected
        self.words = text(session.style, css_classes=["picked"], align="center")
        self.undo = button(
            session.style,
            "Clear",
            align="center",
            visible=False,
            tags=["label:Clear the selection", "tip:Clear the selection; all samples are shown."],
        )
        self.undo.on_click(lambda event: self.selected.clear())
        self.view = pn.Row(
            self.words,
            self.undo,
            css_classes=["picked"],
            stylesheets=[session.style.panes],
            margin=0,
        )
        session.subscribe(SamplesSelected, lambda event: self._say())

    def _say(self) -> None:
        words = self.selected.in_words()
        html = f'<p class="note" role="status">{plain(words)}</p>' if words else ""
        if self.words.object != html:
            self.words.object = html
        if self.undo.visible != bool(words):
            self.undo.visible = bool(words)
