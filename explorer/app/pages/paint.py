"""The page Paint: its tools. Clicks and drags on any map become points of a class."""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.session.events import PageOpened, PaintingChanged
from explorer.app.session.session import Session
from explorer.app.state.visitor import PAINT
from explorer.app.widgets import ButtonRow, button, in_browser, text

USE, USED = "Use on all pages", "Used on all pages"
SHAPES = {"● blue": 0, "▲ orange": 1, "■ sky": 2, "◆ brick": 3}


class Painter:
    """The row of tools over the maps; the strokes themselves are the session's painting."""

    def __init__(self, session: Session) -> None:
        self.session, self.data = session, session.state.data
        self.selection, self.painting = session.state.selection, session.painting
        style = session.style
        self.colour = ButtonRow(
            tags=["paint class"],
            options=SHAPES,
            value=0,
            stylesheets=[style.button],
            margin=(0, 10, 0, 0),
            align="center",
        )
        self.colour.param.watch(self._choose, "value")
        self.tool = ButtonRow(
            options=list(self.selection.param.tool.objects),
            value=self.selection.tool,
            stylesheets=[style.button],
            margin=(0, 10, 0, 0),
            align="center",
        )
        self.tool.param.watch(self._choose, "value")
        self.undo = button(style, "Undo", align="center", margin=(0, 6, 0, 0), disabled=True)
        self.undo.on_click(lambda event: self.painting.step_back())
        self.clear = button(style, "Clear", align="center", margin=(0, 10, 0, 0))
        self.clear.on_click(lambda event: self.painting.wipe())
        self.keys = button(
            style,
            "By keys",
            tags=[
                "paint",
                "tip:Arrow keys move a cross over the maps; Enter does there what the tool does; "
                "1 to 4 choose the class.",
            ],
            align="center",
            margin=(0, 10, 0, 0),
        )
        in_browser(self.keys, "window.fx_pen()")
        self.everywhere = button(
            style,
            USE,
            tags=["tip:Other pages keep their own data until you press this."],
            align="center",
            margin=(0, 10, 0, 0),
        )
        self.everywhere.on_click(lambda event: self.painting.use())
        self.count = text(style, align="center", css_classes=["shrinks"])
        self.row = pn.Row(
            self.colour,
            self.tool,
            self.undo,
            self.clear,
            self.keys,
            self.everywhere,
            self.count,
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )
        session.subscribe(PaintingChanged, lambda event: self._say())
        session.subscribe(PageOpened, lambda event: self._say())
        self._say()

    def _choose(self, event: Any) -> None:
        def act() -> None:
            self.selection.param.update(paint_class=int(self.colour.value), tool=self.tool.value)

        self.session.guarded(act)

    def _say(self) -> None:
        n = len(self.data.points)
        words = f"{n} point{'s' if n != 1 else ''}" if n else "No points"
        self.count.object = f'<p class="progress">{words}</p>'
        used = self.data.source == PAINT
        if self.everywhere.disabled != used:
            self.everywhere.param.update(label=USED if used else USE, disabled=used)
        if self.undo.disabled == bool(self.painting.before):
            self.undo.disabled = not self.painting.before
