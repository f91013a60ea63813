"""Asks for the maps of a session's state, and announces those that came."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from explorer.app.session.events import (
    BayesTraced,
    Events,
    Failed,
    ForestsGrown,
    MapsDrawn,
    MapsOld,
    ModelWaits,
    ViewMoved,
)
from explorer.app.session.viewport import Viewport
from explorer.app.session.worker import Worker
from explorer.app.state.page_list import has_maps, page_entry
from explorer.app.state.plane_choice import AVERAGED, FIRST, PlaneRecipe, Window
from explorer.app.state.visitor import OWN, PAINT, State
from explorer.app.work.cache_key import cache_key
from explorer.app.work.grow_work import Forests, GrowRequest, forests
from explorer.app.work.map_work import bayes, pictures
from explorer.app.work.prefetch import AROUND
from explorer.app.work.requests import MapRequest, Pictures, load_source, plane_at_first
from explorer.data import Dataset, catalogue
from explorer.sentences import sentence_of

MOST_VALUES = 1_500_000  # feature values of one picture of a truth
NO_POINTS = "No points yet. Paint some, or choose data."
BAYES_WAITS = 250  # ms after the last picture, before a slow Bayes boundary is traced
LATE = 500  # ms after which pictures of other data look old


class Maps:
    """The newest maps of a session, and the way to newer ones.

    n_features: of the data as they are now, None where they cannot be loaded.
    """

    def __init__(self, state: State, worker: Worker, viewport: Viewport, events: Events) -> None:
        self.state, self.worker, self.viewport, self.events = state, worker, viewport, events
        self.latest: Pictures | None = None
        self.grown: Forests | None = None  # of a page without maps
        self.n_features: int | None = None
        self._marked: tuple[int, ...] = ()  # classes that each map has marks for
        self.look_up_features()
        events.subscribe(ViewMoved, lambda event: self.refresh())

    # ---- the data and the plane of the state

    def data_now(self) -> Dataset:
        """The data as they are now."""
        return load_source(self.state.data.recipe(), self.worker.cache).data

    def has_axis(self) -> bool:
        """Whether the features are channels of a spectrum before anything is done to them."""
        try:
            plain = self.state.data.recipe().plain()
            return load_source(plain, self.worker.cache).data.axis is not None
        except ValueError:
            return False

    def look_up_features(self) -> None:
        """Find out how many features the data have now, and which cache is theirs."""
        self.worker.keep_apart(self.state.data.source == OWN)
        try:
            self.n_features = self.data_now().n_features
        except ValueError:
            self.n_features = 2 if self.state.data.shown == PAINT else None

    def plane_now(self) -> PlaneRecipe:
        """The plane that is looked at: the chosen one, or the first one of these data."""
        view = self.state.view
        if view.plane != FIRST:
            return view.recipe()
        if self.state.data.shown == PAINT or self.n_features == 2:
            return PlaneRecipe()
        try:
            return plane_at_first(self.state.data.recipe(), self.worker.cache)
        except ValueError:  # there are no data: pictures will say so
            return PlaneRecipe()

    def lead_knob(self) -> str:
        """The one knob under the lead slider: it turns 2-D data, or stirs what matters most."""
        source = self.state.data.shown
        if source == PAINT:
            return ""
        knobs = catalogue()[source].knobs if source != OWN else {}
        if "angle" in knobs:
            return "angle"
        for name in ("offset", "effect", "separation", "noise"):
            if name in knobs and (self.n_features or 2) > 2:
                return name
        if (self.n_features or 2) > 2 and (source == OWN or self.has_axis()):
            return ""
        return "turn" if self.state.data.transform in ("none", "turn") else ""

    # ---- asking

    def request(self) -> MapRequest:
        """What the state asks for."""
        view = self.state.view
        return MapRequest(
            self.state.data.recipe(),
            tuple(m.spec(self.n_features) for m in self.state.models.models),
            view.trees,
            self.plane_now(),
            self.viewport.window,
            self._affordable_pixels(),
            view.page == "Posterior",
            self.state.selection.tree if "One tree" in view.layers else -1,
        )

    def _affordable_pixels(self) -> tuple[int, int]:
        """A truth of many features is evaluated pixel by pixel: then fewer pixels will do."""
        w, h = self.viewport.pixels
        values = w * h * (self.n_features or 2)
        if self.state.view.plane == "marginal" and (self.n_features or 2) > 2:
            values *= AVERAGED
        if self.state.view.page != "Posterior" or values <= MOST_VALUES:
            return w, h
        shrink = (MOST_VALUES / values) ** 0.5
        return max(40, int(w * shrink)), max(40, int(h * shrink))

    def refresh(self) -> None:
        """Ask for what the open page needs of the state as it is; older requests are dropped."""
        needs = page_entry(self.state.view.page).needs
        for kind in {"maps", "forests"} - {needs}:
            self.worker.stop(kind)
        if needs == "maps":
            self._ask_for_maps()
        elif needs == "forests":
            self._ask_for_forests()

    def _ask_for_forests(self) -> None:
        now, cache = self.request(), self.worker.cache
        request = GrowRequest(now.data, now.specs)
        self.worker.ask(
            "forests",
            lambda cancel: forests(request, cache, cancel, self._tell),
            self._take_forests,
            self._fail,
        )

    def _take_forests(self, found: Forests) -> None:
        now, got = self.request(), found.request
        if got.data.name == now.data.name and len(got.specs) == len(now.specs):
            moved = self.grown is None or self.grown.source is not found.source
            self.grown = found
            self.events.announce(ForestsGrown(found, moved))

    def _ask_for_maps(self) -> None:
        request, cache = self.request(), self.worker.cache
        self.worker.ask(
            "maps",
            lambda cancel: pictures(request, cache, cancel, self._tell),
            self.show,
            self._fail,
            slow=self._other_classes,
        )

    def _other_classes(self, shown: Pictures) -> bool:
        """Whether marks of other classes are to be made, which takes long."""
        before = (2,) * len(shown.records)  # what an empty map is ready for
        if self._marked:
            before = self._marked[: len(before)] + before[len(self._marked) :]
        return any(k != shown.source.data.n_classes for k in before)

    def show_at_once(self) -> bool:
        """Draw now if everything is in the cache already (a link that others opened before)."""
        request, cache = self.request(), self.worker.cache
        needed = has_maps(self.state.view.page)
        if not needed or cache.get(cache_key("shown before", request)) is None:
            self.refresh()
            return False
        for shown in pictures(request, cache, threading.Event()):
            if isinstance(shown, Pictures) and any(r is not None for r in shown.records):
                self.show(shown)
                return True
        return False

    def _tell(self, place: int, sentence: str) -> None:
        self.worker.mailbox.post(
            f"tell {place}", lambda: self.events.announce(ModelWaits(place, sentence))
        )

    # ---- what came

    def show(self, shown: Pictures) -> None:
        """Announce what was made, if it is still what is asked for."""
        if not self._wanted(shown.request):
            return
        latest = self.latest
        if shown.done == 0 and shown.wanted and latest is not None:
            return  # nothing is grown yet: the last picture stays until something is
        moved = latest is None or latest.source is not shown.source or latest.recipe != shown.recipe
        self.latest = shown
        self._marked = (shown.source.data.n_classes,) * len(shown.records)
        if shown.request.window is None:
            self.viewport.place(shown.window)
            if self.state.data.shown == PAINT:
                self.viewport.window = shown.window  # a new point must not move the paper
        self.events.announce(MapsDrawn(shown, moved))
        if shown.finished and shown.judged:
            if shown.recipe.kind != "tour":
                self.worker.cache.put(cache_key("shown before", shown.request), True, 200)
            self._wish(shown)
            if shown.bayes_due:
                self.worker.mailbox.later(lambda: self._ask_for_bayes(shown), BAYES_WAITS)

    def _wanted(self, request: MapRequest) -> bool:
        """Whether maps are of this data set, plane and models, if not of the newest knobs.

        A frame of a drag may be one behind; maps of another data set or plane would be wrong, and
        what is made of an own file must not get into the common cache.
        """
        now = self.request()
        return (
            (request.data.name, request.data.upload) == (now.data.name, now.data.upload)
            and (request.plane == now.plane or request.plane.kind == now.plane.kind == "tour")
            and len(request.specs) == len(now.specs)
        )

    def _wish(self, shown: Pictures) -> None:
        """While the slider rests, have made what it would show next."""
        still = shown.recipe.kind != "tour"
        if self.state.view.page == "Boundaries" and shown.request.window is None and still:
            AROUND.wish(self.worker.key, shown.request, self.lead_knob())

    def _ask_for_bayes(self, shown: Pictures) -> None:
        """Trace a Bayes boundary that takes long, once the slider rests."""
        if self.latest is not shown:
            return

        def take(lines: Any) -> None:
            if self.latest is shown:
                self.events.announce(BayesTraced(lines))

        cache = self.worker.cache
        self.worker.ask(
            "bayes", lambda cancel: bayes(shown, cache), take, lambda error: None, long=True
        )

    def look_old(self) -> None:
        """A page with maps is opened: those of other data than now look old until new ones come."""
        shown, painting = self.latest, self.state.data.shown == PAINT
        if shown is not None and not painting and shown.request.data != self.state.data.recipe():
            self.events.announce(MapsOld())

    def look_old_soon(self, before: Pictures | None) -> None:
        """Pictures of other data were asked for: if they are late, those before look old."""

        def fade() -> None:
            if before is not None and self.latest is before:
                self.events.announce(MapsOld())

        self.worker.mailbox.later(fade, LATE)

    def _fail(self, error: BaseException) -> None:
        """Say what cannot be; the last good picture stays unless data are gone."""
        data = self.state.data
        empty = data.shown == PAINT and not data.points
        begun = data.shown == PAINT and len({k for _, _, k in data.points}) < 2
        if data.shown == PAINT:
            self.latest = None
            if self.viewport.window is None:
                self.viewport.window = self._paper()
                self.viewport.place(self.viewport.window)
        self.events.announce(Failed(NO_POINTS if empty else sentence_of(error), begun))

    def _paper(self) -> Window:
        """The window of a painting without forests: its points, or an empty paper."""
        points = np.array([(x, y) for x, y, _ in self.state.data.points], float)
        reach = 1.3 * float(abs(points).max()) if len(points) else 0.0
        high = max(5.0, reach)
        wide = high * self.viewport.pixels[0] / self.viewport.pixels[1]
        return Window(-wide, wide, -high, high)

    def close(self) -> None:
        """The visitor has gone."""
        AROUND.forget(self.worker.key)
