"""Owns the Evaluate page."""

from __future__ import annotations

import panel as pn

from explorer.app.session import Session


class EvaluatePage:
    def __init__(self, session: Session) -> None:
        self.row = pn.Row()
        self.view = pn.Column()
