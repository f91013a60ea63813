"""Owns what the pages that look into grown forests share: following, asking, progress, faults."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import panel as pn
from numpy.typing import NDArray

from explorer.app.insight import Step
from explorer.app.picture import sentence_of
from explorer.app.session import Session
from explorer.app.state import LETTERS
from explorer.app.widgets import button, plain, text
from explorer.app.work import Pictures

Rows = NDArray[np.intp]
Look = tuple[str, bool, bool]  # theme, present mode, soft maps


class Board(ABC):
    """A page of pictures with a row of controls; built when its tab is first opened.

    It follows the session's forests while it is seen. A subclass makes its parts, then calls
    `start`; `look` is how its figures are to be drawn at first.
    """

    name: ClassVar[str]
    works: ClassVar[tuple[str, ...]]  # kinds of work that Stop ends
    row: pn.Row
    view: pn.Column

    def __init__(self, session: Session) -> None:
        self.session, self.state = session, session.state
        self.look: Look = self._wanted()
        self.maps: Pictures | None = None  # of the forests that are grown
        self._quiet = False  # while widgets follow the state instead of leading it
        self.progress = text(
            session.style, align="center", margin=(0, 8, 0, 8), css_classes=["shrinks"]
        )
        self.stop = button(
            session.style, "Stop", visible=False, align="center", tags=["tip:Stop computing."]
        )
        self.stop.on_click(lambda event: self.halt())

    def start(self) -> None:
        """All parts stand: follow the session from now on."""
        self.session.listeners.append(self._pictures)
        self.session.fault_listeners.append(self._failed)
        self.session.tell_listeners.append(self._compiling)
        self.session.selected.listeners.append(self._chosen)

    # ---- what a page adds

    @abstractmethod
    def follow(self, maps: Pictures) -> None:
        """The forests are grown, or drawn anew: ask for what is shown of them."""

    @abstractmethod
    def restyle(self, look: Look) -> None:
        """Another theme, present mode or softness."""

    @abstractmethod
    def fault(self, sentence: str) -> None:
        """Say beside the pictures why there are none."""

    @abstractmethod
    def light_up(self, rows: Rows) -> None:
        """Other samples are selected: show them in full, the rest faded."""

    def growing(self, maps: Pictures) -> None:
        """The forests are still growing."""
        self.say_progress(f"{maps.done} of {maps.wanted} trees")

    # ---- what they share

    @property
    def seen(self) -> bool:
        return bool(self.state.view.page == self.name)

    def families(self) -> list[str]:
        return [m.family for m in self.state.models.models if m.has_trees]

    def names(self) -> list[str]:
        """Letter and family of every forest; models without trees are left out."""
        models = enumerate(self.state.models.models)
        return [f"{LETTERS[i]} {m.family}" for i, m in models if m.has_trees]

    def ask(
        self,
        kind: str,
        steps: Callable[[threading.Event], Iterator[Any]],
        take: Callable[[Any], None],
        fail: Callable[[str], None] | None = None,
    ) -> None:
        """Have work done; what it yields is taken on the page, an error as a sentence."""
        post, failed = self.session.mailbox.post, fail or self.fault
        self.session.scheduler.submit(
            self.session.key,
            kind,
            steps,
            lambda value: post(kind, lambda: take(value)),
            lambda error: post(kind, lambda: failed(sentence_of(error))),
        )

    def say_progress(self, words: str) -> None:
        """What is being done, with a way to stop it; nothing for an empty string."""
        html = f'<p class="progress" role="status">{plain(words)}</p>' if words else ""
        if self.progress.object != html:
            self.progress.object = html
        if self.stop.visible != bool(words):
            self.stop.visible = bool(words)

    def halt(self) -> None:
        """End the work of this page, and the growing of its forests."""
        for kind in ("maps", *self.works):
            self.session.scheduler.stop(self.session.key, kind)
        self.say_progress("")
        self.fault("Stopped. Turn a knob, or open the page again, to begin anew.")

    def controls(self, *widgets: Any) -> pn.Row:
        """The row over the pictures; progress and Stop at its end."""
        return pn.Row(
            *widgets,
            self.progress,
            self.stop,
            margin=0,
            css_classes=["controls"],
            stylesheets=[self.session.style.panes],
            sizing_mode="stretch_width",
        )

    def board(self, *parts: Any, kinds: tuple[str, ...] = ()) -> pn.Column:
        """The grid of pictures; kinds: classes that say how it is laid out."""
        return pn.Column(
            *parts,
            css_classes=["board", *kinds],
            stylesheets=[self.session.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )

    # ---- what comes from the session

    def _wanted(self) -> Look:
        view = self.state.view
        return view.theme, view.present, view.soft

    def _pictures(self, maps: Pictures) -> None:
        if not self.seen:
            return
        if self.look != self._wanted():
            self.look = self._wanted()
            self.restyle(self.look)
        if maps.finished:
            self.say_progress("")
            self.maps = maps
            self.follow(maps)
        else:
            self.growing(maps)

    def _chosen(self, rows: Rows) -> None:
        if self.seen:
            self.light_up(rows)

    def _failed(self, sentence: str) -> None:
        if self.seen:
            self.say_progress("")
            self.fault(sentence)

    def _compiling(self, index: int, sentence: str) -> None:
        models = self.state.models.models
        if self.seen and index < len(models) and models[index].has_trees:
            name = f"{LETTERS[index]} {models[index].family}"
            self.say_progress(f"{name} is being compiled, once, about 10 s")


class LookingBoard(Board):
    """A page whose pictures come from one long look into all forests (insight.py)."""

    made: Any = None  # what the last look found
    _asked: Any = None  # what it was asked
    _due = False  # whether it is to be drawn again

    @abstractmethod
    def draw(self) -> None:
        """Bring every picture to what was made."""

    def take(self, value: Any) -> None:
        """Progress, or the result."""
        if isinstance(value, Step):
            self.say_progress(value.words)
            return
        self.say_progress("")
        self.made = value
        self.draw_aside()

    def draw_aside(self) -> None:
        """Draw beside the event loop: samples by the thousand take a third of a second."""
        if not self._due:
            self._due = True
            self.session.aside(self._draw)

    def _draw(self) -> None:
        self._due = False
        self.draw()


def set_class(part: Any, name: str, on: bool) -> None:
    """Give a part a CSS class or take it; layouts with a display of their own hide so."""
    classes = [c for c in part.css_classes if c != name] + ([name] if on else [])
    if part.css_classes != classes:
        part.css_classes = classes
