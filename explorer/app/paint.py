"""Owns painting: clicks and drags on any map become points of a class, and can be undone."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace
from typing import Any

import panel as pn

from explorer.app.session import Session
from explorer.app.state import MOST_POINTS, PAINT, Point
from explorer.app.widgets import button, in_browser, text
from explorer.app.work import load_source
from explorer.views.theme import CLASSES

REACH = 30.0  # painted coordinates; a link keeps three decimals of them
APART = 0.03  # of the window's height, between two points of one stroke
BRUSH = 0.05  # of the window's height
MOST_UNDO = 50
NONE_NEAR = "There is no point near the cross."
SHAPES = {"● blue": 0, "▲ orange": 1, "■ sky": 2, "◆ brick": 3}


class Painter:
    """The painting of one session: its tools, its strokes, its way back."""

    def __init__(self, session: Session) -> None:
        self.session, self.data = session, session.state.data
        self.selection = session.state.selection
        self.before: list[list[Point]] = []
        self.last: tuple[float, float] | None = None
        self.held: int | None = None  # the point that is being moved
        self._keyed = 0
        style = session.style
        self.colour = pn.widgets.RadioButtonGroup(
            tags=["paint class"],
            options=SHAPES,
            value=0,
            stylesheets=[style.button],
            margin=(0, 16, 0, 0),
            align="center",
        )
        self.colour.param.watch(self._choose, "value")
        self.tool = pn.widgets.RadioButtonGroup(
            options=list(self.selection.param.tool.objects),
            value=self.selection.tool,
            stylesheets=[style.button],
            margin=(0, 16, 0, 0),
            align="center",
        )
        self.tool.param.watch(self._choose, "value")
        self.undo = button(style, "Undo", align="center", margin=(0, 6, 0, 0), disabled=True)
        self.undo.on_click(lambda event: self.step_back())
        self.clear = button(style, "Clear", align="center", margin=(0, 16, 0, 0))
        self.clear.on_click(lambda event: self.wipe())
        self.keys = button(
            style,
            "By keys",
            tags=[
                "paint",
                "tip:Arrow keys move a cross over the maps; Enter does there what the tool does; "
                "1 to 4 choose the class.",
            ],
            align="center",
            margin=(0, 16, 0, 0),
        )
        in_browser(self.keys, "window.fx_pen()")
        self.count = text(style, width=170, align="center")
        self.row = pn.Row(
            self.colour,
            self.tool,
            self.undo,
            self.clear,
            self.keys,
            self.count,
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )
        session.touched = self.touched
        session.frame.pen.on_change("data", self._key_pressed)
        self._say()

    def _choose(self, event: Any) -> None:
        def act() -> None:
            self.selection.param.update(paint_class=int(self.colour.value), tool=self.tool.value)

        self.session.guarded(act)

    # ---- entering the page

    def start(self) -> None:
        """Go on with the points that are seen; nothing jumps."""
        if self.data.source != PAINT:
            self.data.param.update(
                source=PAINT, points=self._from_picture(), knobs={}, transform="none"
            )
            self.session.data_painted()
        self._say()

    def _from_picture(self) -> list[Point]:
        try:
            data = load_source(self.data.recipe(), self.session.cache).data
        except ValueError:
            return []
        if data.n_features != 2:
            return []
        scale = min(1.0, REACH / float(abs(data.X).max()))
        rows = range(data.n_samples)
        if data.n_samples > 300:
            rows = random.Random(0).sample(rows, 300)  # type: ignore[assignment]
        return [
            (
                round(float(data.X[i, 0]) * scale, 3),
                round(float(data.X[i, 1]) * scale, 3),
                int(data.y[i]),
            )
            for i in rows
            if data.y[i] < len(CLASSES)
        ]

    # ---- strokes

    def _painting(self) -> bool:
        return self.session.state.view.page == "Paint" and self.data.source == PAINT

    def touched(self, event: Any, begins: bool, ends: bool) -> None:
        """A click, or a drag from its begin to its end."""
        if not self._painting():
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
        if not isinstance(count, int) or count == self._keyed or not self._painting():
            return
        self._keyed = count
        event = SimpleNamespace(x=x, y=y)
        if self.selection.tool != "Move":
            self.touched(event, True, True)
        elif self.held is None:
            self._remember()
            self._put(event)
            taken = "Taken: move the cross, Enter drops it."
            self.session.note(taken if self.held is not None else NONE_NEAR)
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
        y = self.session.frame.y_range
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
            self.session.note(f"{MOST_POINTS} points are the most; erase or clear some.")
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
        self._say()
        self.session.refresh()
        if end:
            self.session.commit()

    def step_back(self) -> None:
        if self.before:
            self.data.points = self.before.pop()
            self._changed(True)

    def wipe(self) -> None:
        self._remember()
        self.data.points = []
        self._changed(True)

    def _say(self) -> None:
        n = len(self.data.points)
        words = f"{n} point{'s' if n != 1 else ''}" if n else "Click or drag on a map"
        self.count.object = f'<p class="progress">{words}</p>'
        if self.undo.disabled == bool(self.before):
            self.undo.disabled = not self.before


def _away(point: Point, start: tuple[float, float], end: tuple[float, float]) -> float:
    """How far a point is from the way between two places: a quick stroke leaves out none."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = across * across + up * up
    share = 0.0
    if length > 0:
        share = ((point[0] - start[0]) * across + (point[1] - start[1]) * up) / length
        share = min(1.0, max(0.0, share))
    return math.hypot(point[0] - start[0] - share * across, point[1] - start[1] - share * up)
