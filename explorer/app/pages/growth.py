"""Growth cut by cut on the Nodes page: the plane and the tree in step, with play and scrub."""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.export.download import table
from explorer.app.pages.board import Board
from explorer.app.pages.node_text import of_growth
from explorer.app.pages.picture import Picture
from explorer.app.widgets import LiveIntSlider, Style, icon
from explorer.app.work.growth_work import GrowthFound, growing_tree
from explorer.app.work.node_work import NodeRequest
from explorer.views.growth_map import GrowthMap
from explorer.views.tree_figure import TreeFigure

PERIOD = 700  # ms between two cuts, less where there are many
LONGEST = 12_000  # ms of a whole tree


class Growth:
    """Two cards: the cells of a tree on the plane, and the tree, after the same number of cuts."""

    def __init__(self, style: Style, look: tuple[str, bool, bool]) -> None:
        theme, present, soft = look
        self.found: GrowthFound | None = None
        self._quiet = False
        self._player: Any = None
        self.map = GrowthMap(theme, soft, present)
        self.tree = TreeFigure(theme, present)
        self.play = pn.widgets.Toggle(
            label="",
            icon=icon("play"),
            icon_size="18px",
            tags=["play growth", "label:Play: cut by cut"],
            css_classes=["icon"],
            stylesheets=[style.button],
            align="center",
            margin=(0, 8, 0, 0),
        )
        self.play.param.watch(self._played, "value")
        self.cuts: Any = LiveIntSlider(
            label="Cuts made",
            tags=["cuts made", "tip:How many cuts of the tree are shown; drag to go back."],
            start=0,
            end=1,
            value=0,
            stylesheets=[style.slider],
            margin=0,
            sizing_mode="stretch_width",
            align="center",
        )
        self.cuts.param.watch(lambda event: self._moved(), "value")
        scrub = pn.Row(self.play, self.cuts, margin=(4, 0), sizing_mode="stretch_width")
        self.map_card = Picture(
            style,
            "The plane, cut by cut",
            "growth-plane",
            self.map.figure,
            lambda: table(None if self.found is None else self.found.growth.partition),
            classes=("tall", "half"),
            extra=(scrub,),
            lines=2,
        )
        self.tree_card = Picture(
            style,
            "The tree, in step",
            "growth-tree",
            self.tree.figure,
            lambda: table(None if self.found is None else self.found.growth.drawing),
            classes=("tall", "half"),
            lines=2,
        )
        self.cards = (self.map_card, self.tree_card)
        self.views = tuple(card.view for card in self.cards)
        for card in self.cards:
            card.say("Growing the forests.")

    def ask(self, board: Board, request: NodeRequest) -> None:
        """Another tree or plane."""
        cache = board.session.cache
        board.ask("growth", lambda cancel: growing_tree(request, cache, cancel), self.show)

    def show(self, found: GrowthFound) -> None:
        """Show a tree; the number of cuts stays as far as it has them, at first a few."""
        first = self.found is None
        self.found = found
        cuts = found.growth.cuts
        self.map.update(found.growth, found.places, found.request.source.data.y)
        self._quiet = True
        value = min(3, cuts) if first else min(int(self.cuts.value or 0), cuts)
        self.cuts.param.update(end=max(1, cuts), value=value)
        self._quiet = False
        self._moved()

    def _moved(self) -> None:
        if self._quiet or self.found is None:
            return
        growth = self.found.growth
        k = min(max(int(self.cuts.value or 0), 0), growth.cuts)
        self.map.show(k)
        self.tree.update(growth.drawing_after(k), growth.cut_at(k) if k else 0, growth.drawing)
        self.map_card.say(of_growth(growth, k))
        self.tree_card.say(f"{k} of {growth.cuts} cuts. Ringed: the node that was cut last.")

    def _played(self, event: Any) -> None:
        self.play.icon = icon("pause" if event.new else "play")
        self.halt()
        if not event.new or self.found is None:
            return
        cuts = self.found.growth.cuts
        if (self.cuts.value or 0) >= cuts:
            self.cuts.value = 0

        def frame() -> None:
            if self.found is None or (self.cuts.value or 0) >= self.found.growth.cuts:
                self.play.value = False
            else:
                self.cuts.value += 1

        period = int(max(60, min(PERIOD, LONGEST / max(1, cuts))))
        self._player = pn.state.add_periodic_callback(frame, period=period)

    def halt(self) -> None:
        """Play no more."""
        if self._player is not None:
            self._player.stop()
            self._player = None

    def fault(self, sentence: str) -> None:
        for card in self.cards:
            card.fault(sentence)

    def restyle(self, theme: str, present: bool, soft: bool) -> None:
        self.map.restyle(theme, soft, present)
        self.tree.restyle(theme, present)
