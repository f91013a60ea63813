"""What the pages on grown forests share: following the forests, requests, progress, errors."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import panel as pn
from numpy.typing import NDArray

from explorer.app.session.events import (
    Failed,
    ForestsGrown,
    MapsDrawn,
    ModelWaits,
    Restyled,
    SamplesSelected,
)
from explorer.app.session.session import Session
from explorer.app.state.page_list import has_maps
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import button, plain, text
from explorer.app.widgets import set_class as set_class
from explorer.app.work.insight_work import ProgressText
from explorer.sentences import sentence_of

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
        self.maps: Any = None  # the forests that are grown, or the maps of them
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
        if has_maps(self.name):
            self.session.subscribe(MapsDrawn, lambda event: self._came(event.maps))
        else:
            self.session.subscribe(ForestsGrown, lambda event: self._came(event.forests))
        self.session.subscribe(Restyled, lambda event: self._restyled())
        self.session.subscribe(Failed, self._failed)
        self.session.subscribe(ModelWaits, self._compiling)
        self.session.subscribe(SamplesSelected, self._chosen)

    # ---- what a page adds

    @abstractmethod
    def follow(self, maps: Any) -> None:
        """The forests are grown, or drawn anew: ask for what is shown of them.

        maps: `Pictures` where the page needs maps, else `Forests`.
        """

    @abstractmethod
    def restyle(self, look: Look) -> None:
        """Another theme, present mode or softness."""

    @abstractmethod
    def fault(self, sentence: str) -> None:
        """Say beside the pictures why there are none."""

    @abstractmethod
    def light_up(self, rows: Rows) -> None:
        """Other samples are selected: show them in full, the rest faded."""

    def growing(self, maps: Any) -> None:
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
        failed = fail or self.fault
        self.session.worker.ask(kind, steps, take, lambda error: failed(sentence_of(error)))

    def say_progress(self, words: str) -> None:
        """What is being done, with a way to stop it; nothing for an empty string."""
        html = f'<p class="progress" role="status">{plain(words)}</p>' if words else ""
        if self.progress.object != html:
            self.progress.object = html
        if self.stop.visible != bool(words):
            self.stop.visible = bool(words)

    def halt(self) -> None:
        """End the work of this page, and the growing of its forests."""
        for kind in ("maps", "forests", *self.works):
            self.session.worker.stop(kind)
        self.say_progress("")
        self.fault("Stopped. Change a setting or open the page again to restart.")

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

    def latest(self) -> Any:
        """The newest forests or maps of the session, whichever this page needs."""
        return self.session.latest if has_maps(self.name) else self.session.grown

    def _restyled(self) -> None:
        latest = self.latest()
        if latest is not None:
            self._came(latest)
        else:
            self.follow_look()

    def follow_look(self) -> None:
        """Draw in another theme, present mode or softness, if that was chosen."""
        if self.seen and self.look != self._wanted():
            self.look = self._wanted()
            self.restyle(self.look)

    def _came(self, maps: Any) -> None:
        if not self.seen:
            return
        self.follow_look()
        if maps.request.specs != self.session.request().specs:
            return  # of models that were just replaced: names and pictures would not match
        if maps.finished:
            self.say_progress("")
            self.maps = maps
            self.follow(maps)
        else:
            self.growing(maps)

    def _chosen(self, event: SamplesSelected) -> None:
        if self.seen:
            self.light_up(event.rows)

    def _failed(self, event: Failed) -> None:
        if self.seen:
            self.say_progress("")
            self.fault(event.sentence)

    def _compiling(self, event: ModelWaits) -> None:
        models, place = self.state.models.models, event.place
        if self.seen and place < len(models) and models[place].has_trees:
            name = f"{LETTERS[place]} {models[place].family}"
            self.say_progress(f"{name} is being compiled, once on this machine: 15 s to a minute")


class LookingBoard(Board):
    """A page whose pictures come from one long look into all forests (work/insight_work.py)."""

    made: Any = None  # what the last look found
    _asked: Any = None  # what it was asked
    _due = False  # whether it is to be drawn again

    @abstractmethod
    def draw(self) -> None:
        """Bring every picture to what was made."""

    def take(self, value: Any) -> None:
        """Progress, or the result."""
        if isinstance(value, ProgressText):
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
