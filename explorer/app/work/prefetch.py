"""Computes positions of the lead slider around the current one before they are requested.

While nobody wants anything, one thread that comes after all others grows and draws what the slider
would show next, nearest first. What it makes goes into the common cache as if somebody had asked.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from explorer.app import gil_yield
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import SHARED, Cache
from explorer.app.work.grow_job import refuse_too_large
from explorer.app.work.map_job import MapJob
from explorer.app.work.requests import MapRequest, load_source
from explorer.app.work.scheduler import scheduler
from explorer.data import catalogue
from explorer.engine.threads import stand_back

log = logging.getLogger("explorer.around")
ANGLES = range(91)  # the places of a slider that turns data
QUIET = 0.7  # seconds in which nobody did anything
LOOK = 0.1  # seconds between two looks whether it is quiet
ROOM = 0.5  # of the cache: what people asked for themselves is not driven out
MOST_DONE = 200


@dataclass(frozen=True)
class Wish:
    """A slider that rests: it turns this knob of these data, or turns them by a transform."""

    request: MapRequest
    knob: str

    def angle(self) -> float:
        data = self.request.data
        if self.knob == "turn":
            return float(dict(data.transform_knobs).get("angle", 0.0))
        return float(dict(data.knobs).get("angle", _default(data)))

    def at(self, angle: float) -> DataRecipe:
        """The data at another place of the slider, as the state would ask for them."""
        data = self.request.data
        if self.knob == "turn":
            return replace(data, transform="turn", transform_knobs=(("angle", angle),))
        knobs = {k: v for k, v in data.knobs if k != "angle"}
        if angle != _default(data):
            knobs["angle"] = angle
        return replace(data, knobs=tuple(sorted(knobs.items())))

    def same(self) -> Hashable:
        """Equal for sliders that differ in their place only."""
        return replace(self.request, data=self.at(0.0)), self.knob

    def requests(self) -> Iterator[MapRequest]:
        """What the slider would ask for, nearest first."""
        here = self.angle()
        for angle in sorted(ANGLES, key=lambda a: abs(a - here)):
            yield replace(self.request, data=self.at(float(angle)))


def _default(data: DataRecipe) -> float:
    return float(catalogue()[data.name].knobs["angle"].default)


class Around:
    """The wishes of all sessions of a process. Nothing is done before `begin`."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.on = False
        self._wishes: dict[Hashable, Wish] = {}
        self._done: dict[Hashable, None] = {}
        self._changed = threading.Condition()

    def begin(self) -> None:
        """Start the thread, once."""
        if not self.on:
            self.on = True
            threading.Thread(target=self._work, name="around", daemon=True).start()

    def wish(self, visitor: Hashable, request: MapRequest, knob: str) -> None:
        """A session's slider rests here; this takes the place of what it wished before."""
        if self.on and knob in ("angle", "turn") and request.data.upload is None:
            with self._changed:
                self._wishes[visitor] = Wish(request, knob)
                self._changed.notify()

    def forget(self, visitor: Hashable) -> None:
        """It has left, or asks for something else now."""
        with self._changed:
            self._wishes.pop(visitor, None)

    @property
    def waiting(self) -> int:
        """Wishes that are not fulfilled."""
        with self._changed:
            return len(self._wishes)

    def _work(self) -> None:
        stand_back()
        while True:
            with self._changed:
                while not self._wishes:
                    self._changed.wait()
                visitor, wish = next(iter(self._wishes.items()))
            if wish.same() not in self._done and not self._fulfil(visitor, wish):
                continue
            with self._changed:
                if self._wishes.get(visitor) is wish:
                    del self._wishes[visitor]
            self._done[wish.same()] = None
            if len(self._done) > MOST_DONE:
                del self._done[next(iter(self._done))]

    def _fulfil(self, visitor: Hashable, wish: Wish) -> bool:
        """Make all places; False if the visitor wishes something else meanwhile."""
        for request in wish.requests():
            while not calm():
                time.sleep(LOOK)
            if self._wishes.get(visitor) is not wish:
                return False
            if self.cache.nbytes > ROOM * self.cache.limit:
                return True
            try:
                if not make(request, self.cache):
                    return True
            except ValueError:  # said in words once somebody asks for it
                return True
            except Exception:
                log.exception("A place of the slider could not be made ahead.")
                return True
        return True


def calm(seconds: float = 0.0) -> bool:
    """Nobody wants anything just now, and did not for some time."""
    quiet = time.monotonic() - gil_yield.heard
    return quiet > max(QUIET, seconds) and not scheduler().waiting()


def make(request: MapRequest, cache: Cache) -> bool:
    """Grow, draw and judge what is not in the cache; False if that is not quick."""
    source = load_source(request.data, cache)
    ask = MapJob(request, source, cache)
    if len(ask.growing.places) < len(request.specs) or not ask.growing.small():
        return False
    ask.look_for_bayes()
    for i in ask.growing.places:
        refuse_too_large(ask.growing.spec(i), source.data)
        ask.quick(i)
        ask.judge(i, 1)
    return True


AROUND = Around(SHARED)
