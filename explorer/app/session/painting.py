"""The painting of one session: strokes, their way back, and when its points are shown.

The painting is apart from the data of the other pages until the visitor asks to use it there.
"""

from __future__ import annotations

import math
import random
from types import SimpleNamespace
from typing import Any

from explorer.app.session.events import DataChanged, PageOpened, PaintingChanged
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.session.navigation import Navigation
from explorer.app.state.plane_choice import Window
from explorer.app.state.visitor import MOST_POINTS, PAGES, PAINT, DataRecipe, Point, painted
from explorer.app.work.requests import load_source
from explorer.data import catalogue
from explorer.views.theme import CLASSES

REACH = 30.0  # painted coordinates; a link keeps three decimals of them
APART = 0.03  # of the window's height, between two points of one stroke
BRUSH = 0.05  # of the window's height
MOST_UNDO = 50
MOST_COPIED = 300  # points of another data set
NONE_NEAR = "There is no point near the cross."


class Painting:
    """Points that are painted on any map, and what can be undone."""

    def __init__(self, maps: Maps, gestures: Gestures, navigation: Navigation) -> None:
        self.maps, self.gestures, self.navigation = maps, gestures, navigation
        self.events, self.viewport = maps.events, maps.viewport
        self.data, self.selection = maps.state.data, maps.state.selection
        self.before: list[list[Point]] = []
        self.last: tuple[float, float] | None = None
        self.held: int | None = None  # the point that is being moved
        self._open = False
        self._keyed = 0
        self.events.subscribe(PageOpened, self._page_opened)
        self.viewport.frame.pen.on_change("data", self._key_pressed)

    # ---- coming and going

    def _page_opened(self, event: PageOpened) -> None:
        if event.page == "Paint":
            self._start()
        elif self._open:
            self._open = False
            self.viewport.window = None
            self.maps.look_up_features()
            self._show()

    def _start(self) -> None:
        """The painting as it was left, or a first one from the points that are seen."""
        if self._open:
            return
        self._open = True
        window: Window | None = None
        if not self.data.begun:
            points = self._points_of(self.data.chosen_recipe())
            if points:  # nothing jumps: they stay where they are
                window = self.viewport.window or self.viewport.home
            self.data.param.update(points=points, begun=True)
        self.viewport.window = window  # the part of the paper that is seen, None for all
        self.maps.n_features = 2
        self._show()

    def _show(self) -> None:
        """Bring the page to its data: those that are painted, or its own again."""

        def follow() -> None:
            self.events.announce(DataChanged())
            self.maps.refresh()

        self.gestures.aside(follow)

    def _points_of(self, recipe: DataRecipe) -> list[Point]:
        """The samples of data with two features as points; none for other data."""
        try:
            data = load_source(recipe, self.maps.worker.cache).data
        except ValueError:
            return []
        if data.n_features != 2:
            return []
        scale = min(1.0, REACH / (float(abs(data.X).max()) or 1.0))
        rows = range(data.n_samples)
        if data.n_samples > MOST_COPIED:
            rows = random.Random(0).sample(rows, MOST_COPIED)  # type: ignore[assignment]
        return [
            (
                round(float(data.X[i, 0]) * scale, 3),
                round(float(data.X[i, 1]) * scale, 3),
                int(data.y[i]),
            )
            for i in rows
            if data.y[i] < len(CLASSES)
        ]

    def put(self, name: str) -> bool:
        """Put the points of another data set on the paper; Undo takes them back.

        Data of more features cannot be painted: they are shown on the first page instead.
        """
        points = self._points_of(DataRecipe(name)) if name in catalogue() else []
        if not points:
            self.navigation.leave_for(PAGES[0])
            self.gestures.note("Only data with two features can be painted; they are shown here.")
            return False
        self._remember()
        self.data.points = points
        self.viewport.window = None  # the paper takes the size of what is on it
        self._changed(True)
        self.events.announce(DataChanged())
        return True

    def use(self) -> None:
        """Show the painted points on the other pages, too, from now on."""

        def act() -> None:
            painted(tuple(self.data.points))  # refused in words where no forest can grow
            self.data.choose(PAINT)
            self.maps.state.view.look_at_first()
            self.maps.worker.keep_apart(False)
            self.events.announce(DataChanged())
            self.gestures.commit()

        self.gestures.guarded(act)
        self.events.announce(PaintingChanged())

    # ---- strokes

    def touched(self, event: Any, begins: bool, ends: bool) -> None:
        """A click, or a drag from its begin to its end."""
        if not self.data.painting:
            return
        if begins:
            self._remember()
            self.last = self.held = None
        done = self._put(event)
        if ends:
            self.held = None
            self._forget()
        if done or ends:
            self._changed(ends)

    def _key_pressed(self, attr: str, old: Any, new: Any) -> None:
        """Enter was pressed where the cross is; a point is moved by one to take, one to drop."""
        try:
            x, y, count = (new[name][0] for name in ("x", "y", "act"))
        except (KeyError, IndexError, TypeError):
            self._keyed = 0  # the cross has gone; it counts anew when it comes back
            return
        if not isinstance(count, int) or count == self._keyed or not self.data.painting:
            return
        self._keyed = count
        event = SimpleNamespace(x=x, y=y)
        if self.selection.tool != "Move":
            self.touched(event, True, True)
        elif self.held is None:
            self._remember()
            self._put(event)
            taken = "Picked up: move the cross and press Enter to drop it."
            self.gestures.note(taken if self.held is not None else NONE_NEAR)
        else:
            self._put(event)
            self.held = None
            self._forget()
            self._changed(True)

    def _remember(self) -> None:
        self.before = [*self.before[-MOST_UNDO:], list(self.data.points)]

    def _forget(self) -> None:
        """A gesture that did nothing is nothing to undo."""
        if self.before and self.before[-1] == self.data.points:
            self.before.pop()

    def _height(self) -> float:
        y = self.viewport.frame.y_range
        return abs(float(y.end) - float(y.start)) or 1.0

    def _put(self, event: Any) -> bool:
        """Do what the tool does at the place of an event; False if nothing was done."""
        x, y = getattr(event, "x", None), getattr(event, "y", None)
        if not isinstance(x, (int, float)) or not isinstance(y, (int, float)):
            return False
        if not (math.isfinite(x) and math.isfinite(y)) or max(abs(x), abs(y)) > REACH:
            return False
        height = self._height()
        tool = self.selection.tool
        points = list(self.data.points)
        if tool == "Move":
            return self._move(points, x, y, height)
        if tool == "Erase":
            start, self.last = self.last or (x, y), (x, y)
            kept = [p for p in points if _away(p, start, (x, y)) > BRUSH * height]
            if len(kept) == len(points):
                return False
            self.data.points = kept
            return True
        if self.last is not None:
            apart = math.hypot(x - self.last[0], y - self.last[1])
            if apart < APART * height:
                return False
        self.last = (x, y)
        k = self.selection.paint_class
        new = [(x, y)]
        if tool == "Spray":
            new = [
                (random.gauss(x, BRUSH * height), random.gauss(y, BRUSH * height)) for _ in range(3)
            ]
        room = MOST_POINTS - len(points)
        if room <= 0:
            self.gestures.note(f"At most {MOST_POINTS} points can be painted; erase or clear some.")
            return False
        self.data.points = points + [
            (round(px, 3), round(py, 3), k)
            for px, py in new[:room]
            if max(abs(px), abs(py)) <= REACH
        ]
        return True

    def _move(self, points: list[Point], x: float, y: float, height: float) -> bool:
        """Take the nearest point, then bring it along."""
        if self.held is None:
            away = [math.hypot(p[0] - x, p[1] - y) for p in points]
            if away and min(away) <= BRUSH * height:
                self.held = away.index(min(away))
            return False
        if self.held >= len(points):
            return False
        points[self.held] = (round(x, 3), round(y, 3), points[self.held][2])
        self.data.points = points
        return True

    def _changed(self, end: bool) -> None:
        self.events.announce(PaintingChanged())
        self.maps.refresh()
        if end:
            self.gestures.commit()

    def step_back(self) -> None:
        """Undo the last stroke."""
        if self.before:
            self.data.points = self.before.pop()
            self._changed(True)

    def wipe(self) -> None:
        """Erase everything; it can be undone."""
        self._remember()
        self.data.points = []
        self._changed(True)


def _away(point: Point, start: tuple[float, float], end: tuple[float, float]) -> float:
    """How far a point is from the way between two places: a quick stroke leaves out none."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = across * across + up * up
    share = 0.0
    if length > 0:
        share = ((point[0] - start[0]) * across + (point[1] - start[1]) * up) / length
        share = min(1.0, max(0.0, share))
    return math.hypot(point[0] - start[0] - share * across, point[1] - start[1] - share * up)
