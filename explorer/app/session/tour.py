"""The tour of a session: a plane that travels through feature space, forth and back.

The route is a row of legs (analysis/tour_route.py), and a position on it in radians. The browser
asks for every frame once the last one is there; the position moves by speed times the time that
has passed, so the plane turns at constant speed however fast pictures come. The next leg is looked
for ahead of its time, on the scheduler.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.analysis.tour import Geodesic, TourSpace
from explorer.analysis.tour_route import from_numbers, rounded, to_numbers, turned_by_hand
from explorer.app.session.events import DataChanged, MapsDrawn, PlaneChanged, Restored, TourMoved
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.state.plane_choice import FIRST, PlaneRecipe
from explorer.app.work.requests import Pictures, load_source, space_of_tours
from explorer.app.work.tour_work import FoundLeg, LegRequest, tour_leg
from explorer.sentences import sentence_of

WAYS = {
    "Grand": "grand",
    "Classes apart": "classes",
    "A against B": "forests",
    "By hand": "hand",
}
AHEAD = 0.35  # radians before the end of the route at which its next leg is looked for
STEP = 0.1  # radians of one step
LONGEST_FRAME = 0.25  # seconds; a page that slept does not jump
LONGEST_ROUTE = 400  # legs; older ones are forgotten
ARRIVED = {
    "classes": "No plane nearby separates the classes better.",
    "forests": "No plane nearby shows A and B farther apart.",
}


class Tour:
    """The route so far and the position on it.

    way: what the next leg looks for. waits: a frame is owed until the next leg is found. arrived:
    a guided tour has found no better plane.
    """

    def __init__(self, maps: Maps, gestures: Gestures) -> None:
        self.state, self.events, self.maps = maps.state, maps.events, maps
        self.gestures = gestures
        self.way = "grand"
        self.index: float | None = None
        self._forget()
        for kind in (DataChanged, Restored):
            self.events.subscribe(kind, lambda event: self._forget())

    def _forget(self) -> None:
        """No route: it begins again from the plane that is seen."""
        self.legs: list[Geodesic] = []
        self.at = self.length = 0.0
        self.waits = self.arrived = self._asked = False
        self.index = None
        self._owed = 0.0
        self._number = 0
        self.maps.worker.stop("tour")

    # ---- in and out

    @property
    def on(self) -> bool:
        """Whether a plane of a tour is seen."""
        return bool(self.maps.plane_now().kind == "tour" and (self.maps.n_features or 2) > 2)

    def begin(self) -> None:
        """Look at the first plane of a tour."""
        if (self.maps.n_features or 2) < 3:
            raise ValueError("A tour needs data of three features or more. Choose other data.")
        self._forget()
        self.state.view.param.update(plane="tour", frame=[], across=0, up=1, at="median", fixed=[])
        self._changed()

    def leave(self) -> None:
        """Back to the plane on which these data are first seen."""
        self._forget()
        self.state.view.param.update(plane=FIRST, frame=[], at="median", sample=0)
        self._changed()

    def _changed(self) -> None:
        self.maps.viewport.window = None
        self.events.announce(PlaneChanged())
        self.maps.refresh()
        self.gestures.commit()

    # ---- along the route

    def choose(self, way: str) -> None:
        """Another kind of tour; it goes on from the plane that is seen."""
        if way not in WAYS.values():
            raise ValueError("There is no such tour.")
        if way != self.way:
            self.way = way
            self._cut_here()

    def _cut_here(self) -> None:
        """What lay ahead is forgotten; what lies behind can still be scrubbed to."""
        if self.legs:
            kept, length = [], 0.0
            for leg in self.legs:
                left = self.at - length
                if left <= 1e-9:
                    break
                share = min(1.0, left / leg.length)
                kept.append(Geodesic(leg.start, leg.away, share * leg.angles, leg.turn))
                length += kept[-1].length
            self.legs, self.length = kept, length
            self.at = min(self.at, length)
        self.waits = self.arrived = self._asked = False
        self.index, self._owed = None, 0.0
        self.maps.worker.stop("tour")

    def advance(self, radians: float) -> None:
        """On along the route; where it ends, its next leg is looked for first."""
        if self.way == "hand":
            self._drawn_again()
            return
        wanted = self.at + radians
        if wanted > self.length - AHEAD and not self.arrived:
            self._ask()
        if wanted > self.length and not self.arrived:
            self._owed, self.waits = wanted - self.length, True
            if self.length <= self.at:
                return
        self.seek(min(wanted, self.length))

    def frame_asked(self, seconds: float, speed: float) -> None:
        """The browser has painted a frame and asks for the next one."""
        seconds = seconds if np.isfinite(seconds) else 0.0
        self.advance(speed * min(max(seconds, 0.0), LONGEST_FRAME))

    def pause(self) -> None:
        """Stay where it is: a leg that is found later moves nothing."""
        self.waits, self._owed = False, 0.0

    def seek(self, at: float) -> None:
        """Show a place of the route, in radians from its start."""
        at = min(max(float(at), 0.0), self.length)
        behind = 0.0
        for leg in self.legs:
            if at <= behind + leg.length or leg is self.legs[-1]:
                share = (at - behind) / leg.length if leg.length else 1.0
                self.at = at
                self._show(leg.at(min(1.0, share)))
                return
            behind += leg.length
        self._drawn_again()

    def _show(self, frame: Any) -> None:
        self.state.view.param.update(plane="tour", frame=list(to_numbers(frame)))
        self.maps.refresh()

    def _drawn_again(self) -> None:
        self.maps.refresh()

    # ---- legs

    def _end(self) -> PlaneRecipe:
        """The plane at the end of the route: where the next leg begins."""
        view = self.state.view
        now = self.maps.plane_now()
        frame = to_numbers(self.legs[-1].at(1.0)) if self.legs else tuple(map(float, view.frame))
        return PlaneRecipe("tour", 0, 1, now.at, now.sample, frame=frame)

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked = True
        maps = self.maps
        specs = tuple(m.spec(maps.n_features) for m in self.state.models.models)
        request = LegRequest(self.state.data.recipe(), specs, self._end(), self.way, self._number)
        cache = maps.worker.cache
        maps.worker.ask(
            "tour", lambda cancel: tour_leg(request, cache, cancel), self._take, self._fail
        )

    def _take(self, found: FoundLeg) -> None:
        if found.request.way != self.way or found.request.number != self._number:
            return
        self._asked = False
        self._number += 1
        self.index = found.leg.index
        if found.leg.way is None:
            self.arrived = True
            self.waits = False
            self.gestures.note(ARRIVED[self.way])
            self._moved()
            return
        if found.leg.way.length > 1e-9:
            self.legs.append(found.leg.way)
            self.length += found.leg.way.length
        if len(self.legs) > LONGEST_ROUTE:
            gone = self.legs.pop(0).length
            self.length, self.at = self.length - gone, max(0.0, self.at - gone)
        if self.waits:
            self.waits = False
            self.advance(min(self._owed, STEP))

    def _fail(self, error: BaseException) -> None:
        self._asked = self.waits = False
        self.arrived = True  # nowhere to go: play stops
        self.gestures.note(sentence_of(error))
        self._moved()

    def _moved(self) -> None:
        self.events.announce(TourMoved())

    # ---- by hand

    def space(self) -> TourSpace:
        """Where tours of the data that are seen travel."""
        cache = self.maps.worker.cache
        return space_of_tours(load_source(self.state.data.recipe(), cache), cache)

    def turn_axis(self, axis: int, to: Any) -> None:
        """Turn one axis in or out: it is seen at a place within the unit circle."""
        space = self.space()
        if not (0 <= axis < space.size and np.isfinite(to).all()):
            raise ValueError("An axis is turned to a place on the wheel.")
        frame = from_numbers(space, self.state.view.frame)
        if frame is None:
            frame = (
                self.maps.plane_now()
                .within(self.maps.data_now())
                .directions(self.maps.data_now(), space)
            )
        self._cut_here()
        self.legs, self.at, self.length = [], 0.0, 0.0
        self._show(rounded(turned_by_hand(frame, axis, to)))

    # ---- the slice

    def cut(self, depth: float) -> None:
        """Fade samples farther from the plane than so many standard deviations; 0 fades none."""
        self.state.view.depth = float(depth)
        self.maps.refresh()


def is_whole(event: MapsDrawn) -> bool:
    """Whether pictures of all models are there: the browser may ask for the next frame."""
    shown: Pictures = event.maps
    return shown.recipe.kind == "tour" and all(r is not None for r in shown.records)
