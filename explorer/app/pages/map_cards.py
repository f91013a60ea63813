"""The cards of all models side by side, as the pages Boundaries and Paint show them."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
from bokeh.events import Pan, PanEnd, PanStart, Tap

from explorer.app.pages.model_card import Card
from explorer.app.session.events import (
    BayesTraced,
    Covered,
    Failed,
    MapEnlarged,
    MapsDrawn,
    MapsOld,
    ModelsChanged,
    ModelTurned,
    ModelWaits,
    PageOpened,
    Restored,
    Restyled,
    SamplesSelected,
    WhyAsked,
)
from explorer.app.session.session import Session
from explorer.app.state.visitor import PAINT

NO_POINTS: tuple[tuple[float, ...], ...] = ((), (), ())


class MapCards:
    """As many cards as there are models; they share one frame, with its points and window."""

    def __init__(self, session: Session) -> None:
        self.session, self.frame = session, session.frame
        self.cards: list[Card] = []
        self.view = pn.Column(
            css_classes=["cards"],
            stylesheets=[session.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )
        self._make()
        session.subscribe(MapsDrawn, self._draw)
        session.subscribe(BayesTraced, lambda event: self.frame.set_bayes(event.lines))
        session.subscribe(Failed, self._fail)
        session.subscribe(ModelWaits, self._wait)
        session.subscribe(MapsOld, self._age)
        session.subscribe(ModelsChanged, lambda event: self._make())
        session.subscribe(ModelTurned, lambda event: self._name())
        session.subscribe(Restored, lambda event: self._make())
        session.subscribe(Restyled, lambda event: self._restyle())
        session.subscribe(PageOpened, lambda event: self._name_classes())
        session.subscribe(Covered, lambda event: self._cover())
        session.subscribe(MapEnlarged, lambda event: self._widen())
        session.subscribe(SamplesSelected, lambda event: self._fade())
        session.subscribe(WhyAsked, lambda event: self._mark_asked())

    def _make(self) -> None:
        """As many cards as models; cards that are there stay."""
        wanted = len(self.session.state.models.models)
        before = len(self.cards)
        del self.cards[wanted:]
        for index in range(len(self.cards), wanted):
            self.cards.append(self._card(index))
        self._name()
        for card in self.cards:
            crowd = ["few"] if wanted == 3 else ["many"] if wanted > 3 else []
            card.map.bare(wanted > 3)
            if card.numbers.css_classes != crowd:
                card.numbers.css_classes = crowd
        if wanted != before:
            gone = [c for c in self.view.css_classes if c == "gone"]
            self.view.css_classes = ["cards", f"n{wanted}", *gone]
            self.view[:] = [card.view for card in self.cards]

    def _card(self, index: int) -> Card:
        session = self.session
        card = Card(index, self.frame, session.state.view, session.style)
        card.say("Growing.")
        if index in session.covered:
            card.cover()
        figure, touched = card.map.figure, session.painting.touched
        figure.on_event(Tap, partial(self._tapped, index))
        figure.on_event(PanStart, lambda event: touched(event, True, False))
        figure.on_event(Pan, lambda event: touched(event, False, False))
        figure.on_event(PanEnd, lambda event: touched(event, False, True))
        if index == 0:  # all have its size
            for side in ("inner_width", "inner_height"):
                figure.on_change(side, lambda attr, old, new: self._measure(card))
        return card

    def _measure(self, card: Card) -> None:
        self.session.viewport.measured("", card.map.pixels)

    def _tapped(self, card: int, event: Any) -> None:
        if self.session.state.view.page == "Paint":
            self.session.painting.touched(event, True, True)
        else:
            self.session.guarded(self.session.plane.clicked, card, event)

    def _name(self) -> None:
        for card in self.cards:
            card.name(self.session.state.models.models, self.session.n_features)

    # ---- pictures

    def _draw(self, event: MapsDrawn) -> None:
        shown = event.maps
        if len(shown.records) != len(self.cards):
            return
        data, places = shown.source.data, shown.places
        if event.moved:
            drawn = self.frame.set_points(
                places[:, 0], places[:, 1], data.y, data.n_classes, shown.near
            )
            for card in self.cards:
                card.map.follow_slice()
            self._name_classes()
            if drawn < data.n_samples:
                self.session.note(f"{drawn} of {data.n_samples} points are drawn.")
        self.frame.set_bayes(shown.bayes)
        for card in self.cards:
            if card.index in self.session.covered:
                card.cover()
            else:
                card.update(shown)
            if event.moved:
                card.name(self.session.state.models.models, data.n_features)
        if event.moved:
            self._mark_asked()
        self._fade()

    def _fade(self) -> None:
        """While samples are selected, all others are pale."""
        if self.session.latest is not None:
            some = self.session.selected.rows.size > 0
            for card in self.cards:
                card.map.fade(some)

    def _mark_asked(self) -> None:
        """Ring the sample that is explained."""
        shown, row = self.session.latest, self.session.state.selection.why
        if shown is not None:
            self.frame.set_asked(shown.places[row] if 0 <= row < len(shown.places) else None)
            for card in self.cards:
                card.map.mark_asked()

    def _wait(self, event: ModelWaits) -> None:
        if event.place < len(self.cards):
            self.cards[event.place].say(event.sentence, busy=True)

    def _age(self, event: MapsOld) -> None:
        for card in self.cards:
            card.wait()

    def _fail(self, event: Failed) -> None:
        if self.session.state.data.shown == PAINT:
            self._show_painting()
        for card in self.cards:
            card.fault(event.sentence, event.nothing_yet)
        if "gone" in self.view.css_classes:
            self.session.note(event.sentence)  # the cards are not seen on this page

    def _show_painting(self) -> None:
        """Points too few for a forest are still seen."""
        points = self.session.state.data.points
        x, y, codes = tuple(zip(*points, strict=True)) if points else NO_POINTS
        for card in self.cards:
            card.blank()
            card.map.describe("x1", "x2")
        self.frame.set_points(x, y, codes, max(2, *(int(k) + 1 for k in codes), 2))
        self.frame.set_bayes(None)

    def _cover(self) -> None:
        """Keep the results of some cards unseen, and show those of all others."""
        shown = self.session.latest
        for card in self.cards:
            if card.index in self.session.covered:
                card.cover()
            elif shown is not None and len(shown.records) == len(self.cards):
                card.update(shown)

    # ---- how they look

    def _restyle(self) -> None:
        """Palettes and marks only."""
        view = self.session.state.view
        for card in self.cards:
            card.map.restyle(view.theme, view.soft, view.layers, view.present)

    def _widen(self) -> None:
        """On a phone one card may be wide."""
        for card in self.cards:
            card.widen(card.index == self.session.state.selection.card)

    def _name_classes(self) -> None:
        """What hovering tells apart; nothing while painting, where it would be in the way."""
        latest, page = self.session.latest, self.session.state.view.page
        known = latest is not None and page != "Paint"
        self.frame.probe.name(latest.source.data.class_names if known and latest else ())
        for card in self.cards:  # its tools would lie over the paper
            card.map.figure.toolbar.visible = page != "Paint"
            if page == "Paint":
                card.map.show_pen()
        if page != "Paint" and len(self.frame.pen.data["x"]):
            self.frame.pen.data = {"x": [], "y": [], "act": []}
