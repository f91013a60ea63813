"""Owns painting: clicks and drags on any map become points of a class, and can be undone."""

from __future__ import annotations

import math
import random
from typing import Any

import panel as pn

from explorer.app.session import Session
from explorer.app.state import MOST_POINTS, PAINT, Point
from explorer.app.widgets import button, text
from explorer.app.work import load_source
from explorer.views.theme import CLASSES

REACH = 30.0  # painted coordinates; a link keeps three decimals of them
APART = 0.03  # of the window's height, between two points of one stroke
BRUSH = 0.05  # of the window's height
MOST_UNDO = 50
SHAPES = {"● blue": 0, "▲ orange": 1, "■ sky": 2, "◆ brick": 3}


class Painter:
    """The painting of one session: its tools, its strokes, its way back."""

    def __init__(self, session: Session) -> None:
        self.session, self.data = session, session.state.data
        self.selection = session.state.selection
        self.before: list[list[Point]] = []
        self.last: tuple[float, float] | None = None
        style = session.style
        self.colour = pn.widgets.RadioButtonGroup(
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
        self.count = text(style, width=190, align="center")
        self.row = pn.Row(
            self.colour,
            self.tool,
            self.undo,
            self.clear,
            self.count,
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )
        session.touched = self.touched
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
            self.last = None
        done = not (ends and not begins) and self._put(event)
        if done or ends:
            self._changed(ends)

    def _remember(self) -> None:
        self.before = [*self.before[-MOST_UNDO:], list(self.data.points)]

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
        if tool == "Erase":
            kept = [p for p in points if math.hypot(p[0] - x, p[1] - y) > BRUSH * height]
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
