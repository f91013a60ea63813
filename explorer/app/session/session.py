"""One visitor's session: what was chosen, the work it needs, and the delivery of results.

It is composed of parts: the state, a worker, a mailbox, and actions on data, models and plane.
What happens is announced as typed events (session/events.py); whoever shows it subscribes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import panel as pn
from bokeh.document import Document

from explorer.app.session.data_actions import DataActions
from explorer.app.session.events import Covered, DataChanged, Events, Restored, Restyled
from explorer.app.session.gestures import Gestures
from explorer.app.session.mailbox import Mailbox
from explorer.app.session.maps import Maps
from explorer.app.session.model_actions import ModelActions
from explorer.app.session.navigation import Navigation
from explorer.app.session.page_settings import PageSettings
from explorer.app.session.painting import Painting
from explorer.app.session.plane_actions import PlaneActions
from explorer.app.session.selection import Selected
from explorer.app.session.tour import Tour
from explorer.app.session.viewport import Viewport
from explorer.app.session.why import WhyActions
from explorer.app.session.worker import Worker
from explorer.app.state import link
from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import State
from explorer.app.widgets import Style
from explorer.app.work.cache import SHARED, Cache
from explorer.app.work.grow_work import Forests
from explorer.app.work.requests import MapRequest, Pictures
from explorer.app.work.scheduler import Scheduler, scheduler
from explorer.data import Dataset
from explorer.views.map_figure import SharedFrame

E = TypeVar("E")


class Session:
    """State, work and delivery of one document.

    state: what was chosen; link: its projection. worker: has work done, newest first. mailbox:
    brings results to the document. viewport: where all maps look. data, models, plane, tour,
    painting, selected, settings: actions on each.
    """

    def __init__(
        self,
        query: str = "",
        document: Document | None = None,
        cache: Cache = SHARED,
        work: Scheduler | None = None,
        upload: Upload | None = None,
    ) -> None:
        self.began = time.monotonic()
        self.style = Style()
        self.state = State()
        self.state.data.upload = upload
        self.notices = link.read(query, self.state) if query else []
        self.events = Events()
        self.mailbox = Mailbox(document)
        if self.mailbox.live:
            pn.state.onload(self.mailbox.open)
        self.worker = Worker(work or scheduler(), cache, self.mailbox)
        self.viewport = Viewport(self.state, self.events)
        self.maps = Maps(self.state, self.worker, self.viewport, self.events)
        self.gestures = Gestures(self.state, self.events, self.mailbox)
        self.navigation = Navigation(self.maps, self.gestures)
        self.painting = Painting(self.maps, self.gestures, self.navigation)
        self.data = DataActions(self.maps, self.gestures, self.painting)
        self.models = ModelActions(self.maps, self.gestures)
        self.why = WhyActions(self.maps, self.gestures)
        self.plane = PlaneActions(self.maps, self.gestures, self.why)
        self.tour = Tour(self.maps, self.gestures)
        self.selected = Selected(self.maps, self.gestures)
        self.settings = PageSettings(self.state, self.gestures)
        self.covered: frozenset[int] = frozenset()  # cards whose result is to be predicted first

    # ---- events

    def subscribe(self, kind: type[E], listen: Callable[[E], None]) -> None:
        """Have ``listen`` called with every event of a kind (session/events.py)."""
        self.events.subscribe(kind, listen)

    def announce(self, event: object) -> None:
        """Tell all who subscribed to events of this kind."""
        self.events.announce(event)

    # ---- what pages use most, from the parts

    @property
    def cache(self) -> Cache:
        """The cache of what is made of these data: common to all, or of an own file alone."""
        return self.worker.cache

    @property
    def frame(self) -> SharedFrame:
        return self.viewport.frame

    @property
    def latest(self) -> Pictures | None:
        """The maps that are shown."""
        return self.maps.latest

    @property
    def grown(self) -> Forests | None:
        """The forests of a page without maps."""
        return self.maps.grown

    @property
    def n_features(self) -> int | None:
        return self.maps.n_features

    def data_now(self) -> Dataset:
        return self.maps.data_now()

    def plane_now(self) -> PlaneRecipe:
        return self.maps.plane_now()

    def request(self) -> MapRequest:
        return self.maps.request()

    def refresh(self) -> None:
        """Ask for the pictures of the state as it is now."""
        self.maps.refresh()

    def guarded(self, act: Callable[..., Any], *args: Any) -> None:
        """Do what a client asks; what the state refuses becomes a notice."""
        self.gestures.guarded(act, *args)

    def note(self, sentence: str) -> None:
        """A notice over the page that goes by itself."""
        self.gestures.note(sentence)

    def commit(self) -> None:
        """A gesture ended."""
        self.gestures.commit()

    def aside(self, act: Callable[[], None]) -> None:
        """Do what takes long beside the event loop."""
        self.gestures.aside(act)

    # ---- the whole

    def open_page(self, page: str) -> None:
        """Another tab."""
        self.navigation.open(page)

    def restyle(self) -> None:
        """Theme, softness, layers or present mode changed."""
        self.announce(Restyled())

    def cover(self, cards: frozenset[int]) -> None:
        """Keep the results of some cards unseen, and show those of all others."""
        self.covered = cards
        self.announce(Covered(cards))

    def restore(self, query: str) -> None:
        """Bring everything to a query: the browser went back."""
        for sentence in link.read(query, self.state)[:1]:
            self.note(sentence)
        self.gestures.settle_link()
        self.viewport.window = None
        self.maps.look_up_features()
        self.announce(DataChanged())
        self.announce(Restored())
        self.settings.restore()
        self.navigation.enter()
        self.selected.light_up()
        self.restyle()
        self.refresh()

    def close(self) -> None:
        """The visitor has gone: stop the work, drop the mail."""
        self.mailbox.close()
        self.worker.close()
        self.maps.close()
        self.state.data.upload = None
