"""What the sections of the sidebar have in common: columns, rows, headings and knobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.app.session.session import Session
from explorer.app.widgets import Style, knob_widget, plain, text
from explorer.data import Knob


def more_knobs(n: int) -> str:
    return f"{n} more knob{'s' if n > 1 else ''}"


class Box:
    """A part of the sidebar; it changes the state only through the session."""

    def __init__(self, session: Session, style: Style) -> None:
        self.session, self.style = session, style
        self.state = session.state

    def _column(self, *children: Any, **options: Any) -> pn.Column:
        options.setdefault("margin", 0)
        return pn.Column(
            *children, sizing_mode="stretch_width", stylesheets=[self.style.panes], **options
        )

    def _row(self, *children: Any, **options: Any) -> pn.Row:
        options.setdefault("margin", 0)
        return pn.Row(*children, sizing_mode="stretch_width", **options)

    def _heading(self, words: str, hint: str = "") -> pn.pane.HTML:
        line = f'<p class="hint">{plain(hint)}</p>' if hint else ""
        return text(self.style, f"<h2>{plain(words)}</h2>{line}", margin=(4, 0, 4, 0))

    def _knob(
        self,
        label: str,
        knob: Knob,
        value: Any,
        turned: Callable[[Any], None],
        steps: list[int] | None = None,
    ) -> pn.viewable.Viewable:
        widget = knob_widget(
            self.style,
            label,
            knob,
            value,
            lambda value: self.session.guarded(turned, value),
            self.session.commit,
            f"{knob.doc} {knob.symbol}".strip(),
            steps,
        )
        return widget
