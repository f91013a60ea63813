"""Settings of single pages that are part of a link: one line binds a widget to its name.

The state keeps what differs from the widget's first value, as the link has it. A value is checked
by the widget it belongs to, when that widget is there; what it does not offer falls back.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from explorer.app.session.gestures import Gestures
from explorer.app.state.setting_names import NAMES, NOTHING, REFUSED
from explorer.app.state.visitor import State


class PageSettings:
    """The bound widgets of one session."""

    def __init__(self, state: State, gestures: Gestures) -> None:
        self.state, self.gestures = state, gestures
        self.bound: dict[str, tuple[Any, Any]] = {}
        self._quiet = False

    def bind(self, name: str, widget: Any) -> None:
        """Have a widget's value in the link from now on, and bring it to what the link says."""
        if name not in NAMES:
            raise KeyError(f"There is no setting '{name}'; add it to state/setting_names.")
        self.bound[name] = (widget, widget.value)
        self._bring(name)
        widget.param.watch(partial(self._turned, name), "value")
        ends = "value_throttled" if "value_throttled" in widget.param else "value"
        widget.param.watch(lambda event: self._commit(), ends)

    def restore(self) -> None:
        """Bring every bound widget to the state."""
        for name in self.bound:
            self._bring(name)

    def _bring(self, name: str) -> None:
        widget, first = self.bound[name]
        text = self.state.view.settings.get(name)
        value = first if text is None else _read(widget, first, text)
        if value is None:
            self._keep(name, None)
            self.gestures.note(REFUSED)
            value = first
        if widget.value != value:
            self._quiet = True
            widget.value = value
            self._quiet = False

    def _turned(self, name: str, event: Any) -> None:
        if self._quiet:
            return
        widget, first = self.bound[name]
        text = _write(event.new)
        # a client may send what its widget does not offer: that is not kept
        usable = _read(widget, first, text) is not None
        self._keep(name, text if usable and event.new != first else None)

    def _keep(self, name: str, text: str | None) -> None:
        view = self.state.view
        kept = {k: v for k, v in view.settings.items() if k != name}
        view.settings = kept if text is None else {**kept, name: text}

    def _commit(self) -> None:
        if not self._quiet:
            self.gestures.commit()


def _write(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ".".join(map(str, value)) or NOTHING
    return str(value)


def _read(widget: Any, first: Any, text: str) -> Any:
    """A value the widget offers, or None."""
    if hasattr(widget, "start"):
        try:
            number = int(text)
        except ValueError:
            return None
        return number if widget.start <= number <= widget.end else None
    offered = getattr(widget, "values", None) or list(widget.options)
    by_text = {str(value): value for value in offered}
    if isinstance(first, list):
        words = [] if text == NOTHING else text.split(".")
        known = [by_text.get(word) for word in words]
        return None if None in known else known
    return by_text.get(text)
