"""A cut made by hand on the Nodes page: turn it, drag it, and see what it is worth."""

from __future__ import annotations

from typing import Any

import pandas
import panel as pn
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import PrintfTickFormatter

from explorer.analysis.hand_cut import HandCut, hand_cut
from explorer.app.export.download import table
from explorer.app.pages.board import Board
from explorer.app.pages.node_text import of_hand_cut, of_search
from explorer.app.pages.picture import Picture
from explorer.app.widgets import LiveFloatSlider, LiveIntSlider, Style, button
from explorer.app.work.hand_cut_work import CutFound, search_cuts
from explorer.app.work.node_work import NodeRequest
from explorer.views.hand_cut_figure import CutPlane, GainCurve

WAITING = "Growing the forests."


class CutByHand:
    """Three cards: the cut on the plane, what cuts along it gain, what every angle gains."""

    def __init__(self, style: Style, look: tuple[str, bool]) -> None:
        self.found: CutFound | None = None
        self._quiet = False
        self.plane = CutPlane(*look)
        self.along = GainCurve("score", *look)
        self.turned = GainCurve("angle, degrees", *look)
        slider: dict[str, Any] = {
            "stylesheets": [style.slider],
            "margin": (0, 12, 0, 0),
            "sizing_mode": "stretch_width",
        }
        self.angle: Any = LiveIntSlider(
            label="Turn",
            tags=["hand angle", "tip:0 cuts the first feature alone, 90 the second alone."],
            start=-90,
            end=90,
            value=0,
            format=PrintfTickFormatter(format="%d°"),
            **slider,
        )
        self.cut: Any = LiveFloatSlider(
            label="Cut",
            tags=["hand cut", "tip:Where along the direction the node is cut."],
            start=-3,
            end=3,
            step=0.01,
            value=0,
            **slider,
        )
        for widget in (self.angle, self.cut):
            widget.param.watch(lambda event: self._moved(), "value")
        self.straight = button(style, "Best straight", align="center", margin=(0, 4, 0, 0))
        self.slanted = button(style, "Best slanted", align="center")
        self.straight.on_click(lambda event: self._go("straight"))
        self.slanted.on_click(lambda event: self._go("slanted"))
        turn = pn.Row(self.angle, self.cut, margin=(4, 0), sizing_mode="stretch_width")
        best = pn.Row(self.straight, self.slanted, margin=(4, 0), sizing_mode="stretch_width")
        self.plane_card = Picture(
            style,
            "Your cut",
            "cut-by-hand",
            self.plane.figure,
            self._sides_csv,
            classes=("span2", "tall"),
            extra=(turn,),
            lines=3,
        )
        self.along_card = Picture(
            style, "Gained along the score", "gain-by-cut", self.along.figure, self._gains_csv
        )
        self.turned_card = Picture(
            style,
            "Best gain at every angle",
            "gain-by-angle",
            self.turned.figure,
            lambda: table(None if self.found is None else self.found.search),
            extra=(best,),
        )
        for kind in (PanStart, Pan, Tap):
            self.along.figure.on_event(kind, lambda event: self._dragged(self.cut, event))
            self.turned.figure.on_event(kind, lambda event: self._dragged(self.angle, event))
        self.cards = (self.plane_card, self.along_card, self.turned_card)
        self.views = tuple(card.view for card in self.cards)
        self.made: HandCut | None = None
        for card in self.cards:
            card.say(WAITING)

    # ---- asking

    def ask(self, board: Board, request: NodeRequest) -> None:
        """Search the cuts of a node."""
        cache = board.session.cache
        board.ask("hand cut", lambda cancel: search_cuts(request, cache, cancel), self.show)

    def show(self, found: CutFound) -> None:
        """Another node or plane: the slant and the place of the cut stay as they are."""
        self.found = found
        self.plane.update(found.search)
        reach = 1.5 * float(abs(found.search.z).max() or 1.0)
        self._quiet = True
        value = min(max(float(self.cut.value), -reach), reach)
        self.cut.param.update(start=-reach, end=reach, value=value)
        self._quiet = False
        search = found.search
        places = (search.straight, search.slanted)
        self.turned.mark(
            [search.angles[i] for i in places], [search.best[i] for i in places], ("square", "star")
        )
        self.turned_card.say(of_search(search))
        self._moved()

    # ---- by hand

    def _dragged(self, widget: Any, event: Any) -> None:
        if isinstance(event.x, (int, float)):
            whole = widget is self.angle
            place = min(max(float(event.x), widget.start), widget.end)
            widget.value = round(place) if whole else round(place, 3)

    def _go(self, which: str) -> None:
        if self.found is None:
            return
        search = self.found.search
        place = getattr(search, which)
        self._quiet = True
        self.angle.value = round(float(search.angles[place]))
        self.cut.value = float(search.best_cut[place])
        self._quiet = False
        self._moved()

    def _moved(self) -> None:
        if self._quiet or self.found is None:
            return
        search = self.found.search
        made = self.made = hand_cut(search, float(self.angle.value), float(self.cut.value))
        most = float(search.best.max())
        self.plane.turn(made)
        self.along.update(made.cuts, made.gains, made.cut, search.chosen, most)
        self.turned.update(search.angles, search.best, made.angle, search.chosen, most)
        self.plane_card.say(of_hand_cut(search, made))
        self.along_card.say("Drag the cut. Dashed: what the forest's own cut gains here.")

    # ---- the rest

    def _sides_csv(self) -> str:
        if self.made is None or self.found is None:
            return table(None)
        names = self.found.search.class_names
        sides = {"left": self.made.counts[0], "right": self.made.counts[1]}
        return table(pandas.DataFrame({"class": names, **sides}))

    def _gains_csv(self) -> str:
        if self.made is None:
            return table(None)
        return table(pandas.DataFrame({"cut": self.made.cuts, "gain": self.made.gains}))

    def fault(self, sentence: str) -> None:
        for card in self.cards:
            card.fault(sentence)

    def restyle(self, theme: str, present: bool) -> None:
        for part in (self.plane, self.along, self.turned):
            part.restyle(theme, present)
