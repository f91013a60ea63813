"""Owns one visitor's session: it joins state, scheduler and pictures, and nothing else does.

Widgets call its methods; each checks by the state, asks the scheduler for pictures, and at the
end of a gesture commits: the link is written and a summary is read out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.events import Pan, PanEnd, PanStart, Tap

from explorer.app import link
from explorer.app.around import AROUND
from explorer.app.cache import SHARED, Cache
from explorer.app.cards import Card, percent
from explorer.app.deeds import Deeds
from explorer.app.headline import headline_html, headline_words, hint_words
from explorer.app.mailbox import Mailbox
from explorer.app.own import Upload
from explorer.app.page_settings import PageSettings
from explorer.app.plane import AVERAGED, Window
from explorer.app.request import MapRequest, Pictures
from explorer.app.scheduler import Scheduler, scheduler
from explorer.app.selected import Selected
from explorer.app.sidebar import Sidebar
from explorer.app.state import LETTERS, PAINT, State
from explorer.app.telling import Visitor
from explorer.app.visits import on_exception
from explorer.app.widgets import Style, plain, text
from explorer.app.work import bayes, pictures

MOST_VALUES = 1_500_000  # feature values of one picture of a truth
BAYES_WAITS = 250  # ms after the last picture, before a slow Bayes boundary is traced


class Session(Deeds):
    """State, pictures and widgets of one document."""

    def __init__(
        self,
        query: str = "",
        document: Document | None = None,
        cache: Cache = SHARED,
        work: Scheduler | None = None,
        upload: Upload | None = None,
    ) -> None:
        super().__init__()
        self.state = State()
        self.state.data.upload = upload
        self.notices = link.read(query, self.state) if query else []
        self.cache = self._common = cache
        self.scheduler = work or scheduler()
        self.key = Visitor()
        self.mailbox = Mailbox(document)
        if self.mailbox.live:
            pn.state.onload(self.mailbox.open)
        self.style = Style()
        self.latest: Pictures | None = None
        self.listeners: list[Callable[[Pictures], None]] = []
        self.fault_listeners: list[Callable[[str], None]] = []
        # the place of a model that has to be compiled first, and a sentence about it
        self.tell_listeners: list[Callable[[int, str], None]] = []
        self.write_link: Callable[[], str] = lambda: link.write(self.state)
        self.committed: list[Callable[[], None]] = []  # told when a gesture has ended
        self._committed = self.write_link()
        self.covered: frozenset[int] = frozenset()  # cards whose result is to be predicted first
        self.n_features: int | None = None
        self._look_up_features()

        self.headline = text(self.style, sizing_mode="stretch_width")
        self.notice = text(self.style)
        self.summary = text(self.style)
        self.progress = text(self.style, align="center", css_classes=["shrinks"])
        self.cards: list[Card] = []
        self.card_box = pn.Column(
            css_classes=["cards"],
            stylesheets=[self.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )
        self.stage = pn.Column(
            self.card_box,
            css_classes=["stage"],
            stylesheets=[self.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )
        self.sidebar = Sidebar(self, self.style)
        self.lead_changed: Callable[[], None] = lambda: None
        self.trees_changed: Callable[[], None] = lambda: None
        self.restored: Callable[[], None] = lambda: None
        self.page_changed: Callable[[], None] = lambda: None
        self.on_commit: Callable[[str], None] = lambda query: None
        # a click or drag on a map: the event, whether it begins and whether it ends a gesture
        self.touched: Callable[[Any, bool, bool], None] = lambda event, begins, ends: None
        self.selected = Selected(self)
        self.settings = PageSettings(self)
        self._make_cards()
        for sentence in self.notices[:1]:
            self.note(sentence)

    # ---- asking for pictures

    def request(self) -> MapRequest:
        view = self.state.view
        return MapRequest(
            self.state.data.recipe(),
            tuple(m.spec(self.n_features) for m in self.state.models.models),
            view.trees,
            view.recipe(),
            self.window,
            self._affordable_pixels(),
            view.page == "Posterior",
            self.state.selection.tree if "One tree" in view.layers else -1,
        )

    def _affordable_pixels(self) -> tuple[int, int]:
        """A truth of many features is evaluated pixel by pixel: then fewer pixels will do."""
        w, h = self.pixels
        values = w * h * (self.n_features or 2)
        if self.state.view.plane == "marginal" and (self.n_features or 2) > 2:
            values *= AVERAGED
        if self.state.view.page != "Posterior" or values <= MOST_VALUES:
            return w, h
        shrink = (MOST_VALUES / values) ** 0.5
        return max(40, int(w * shrink)), max(40, int(h * shrink))

    def refresh(self) -> None:
        """Ask for the pictures of the state as it is now; older requests are dropped."""
        request = self.request()
        self.scheduler.submit(
            self.key,
            "maps",
            lambda cancel: pictures(request, self.cache, cancel, self._tell),
            self._bring,
            lambda error: self.mailbox.post("maps", lambda: self.fault(error)),
        )

    def _bring(self, shown: Pictures) -> None:
        """Have pictures drawn; beside the loop, where marks of other classes are to be made."""
        classes = shown.source.data.n_classes
        if any(card.map.n_classes != classes for card in self.cards):
            self.mailbox.aside(lambda: self.show(shown))
        else:
            self.mailbox.post("maps", lambda: self.show(shown))

    def show_at_once(self) -> bool:
        """Draw now if everything is in the cache already (a link that others opened before)."""
        request = self.request()
        if self.cache.get(("first", request)) is None:
            self.refresh()
            return False
        for shown in pictures(request, self.cache, threading.Event()):
            if isinstance(shown, Pictures):
                self.show(shown)
                return True
        return False

    def _tell(self, index: int, sentence: str) -> None:
        def say() -> None:
            if index < len(self.cards):
                self.cards[index].say(sentence)
            for listen in self.tell_listeners:
                listen(index, sentence)

        self.mailbox.post(f"tell {index}", say)

    def show(self, shown: Pictures) -> None:
        """Draw what was made, if it is still what is asked for."""
        if len(shown.records) != len(self.cards):
            return
        if shown.request.data.upload != self.state.data.recipe().upload:
            return  # what is made of an own file must not get into the common cache
        data, places = shown.source.data, shown.places
        moved = (
            self.latest is None
            or self.latest.source is not shown.source
            or self.latest.recipe != shown.recipe
        )
        self.latest = shown
        if shown.request.window is None:
            self.place(shown.window)
            if self.state.data.source == PAINT:
                self.window = shown.window  # a new point must not move the paper
        drawn = data.n_samples
        if moved:
            drawn = self.frame.set_points(places[:, 0], places[:, 1], data.y, data.n_classes)
            self.sidebar.show_legend(data.class_names, data.class_counts)
            self._name_classes()
            self._write_headline()
        self.frame.set_bayes(shown.bayes)
        for card in self.cards:
            if card.index in self.covered:
                card.cover()
            else:
                card.update(shown)
            if moved:
                card.name(self.state.models.models[card.index], data.n_features)
        if drawn < data.n_samples and moved:
            self.note(f"{drawn} of {data.n_samples} points are drawn.")
        self._say_progress(shown)
        for listen in self.listeners:
            listen(shown)
        if shown.finished and shown.judged:
            self.cache.put(("first", shown.request), True, 200)
            self._wish(shown)
            if shown.bayes_due:
                self.mailbox.later(lambda: self._ask_for_bayes(shown), BAYES_WAITS)

    def _wish(self, shown: Pictures) -> None:
        """While the slider rests, have made what it would show next."""
        if self.state.view.page == "Boundaries" and shown.request.window is None:
            AROUND.wish(self.key, shown.request, self.lead_knob())

    def cover(self, cards: frozenset[int]) -> None:
        """Keep the results of some cards unseen, and show those of all others."""
        self.covered = cards
        shown = self.latest
        for card in self.cards:
            if card.index in cards:
                card.cover()
            elif shown is not None and len(shown.records) == len(self.cards):
                card.update(shown)

    def _ask_for_bayes(self, shown: Pictures) -> None:
        """Trace a Bayes boundary that takes long, once the slider rests."""
        if self.latest is not shown:
            return

        def draw(lines: Any) -> None:
            if self.latest is shown:
                self.frame.set_bayes(lines)

        self.scheduler.submit(
            self.key,
            "bayes",
            lambda cancel: bayes(shown, self.cache),
            lambda lines: self.mailbox.post("bayes", lambda: draw(lines)),
            lambda error: None,
            long=True,
        )

    def _say_progress(self, shown: Pictures) -> None:
        words = "" if shown.finished else f"{shown.done} of {shown.wanted} trees"
        html = f'<p class="progress">{words}</p>'
        if self.progress.object != html:
            self.progress.object = html

    def fault(self, error: BaseException) -> None:
        """Say what cannot be, beside the maps; the last good picture stays unless data are gone."""
        empty = self.state.data.source == PAINT and not self.state.data.points
        if empty:
            error = ValueError("No points yet. Paint some, or choose data on the left.")
        sentence = (
            str(error)
            if isinstance(error, ValueError)
            else ("This could not be computed; the last picture is kept. Try another setting.")
        )
        if self.state.data.source == PAINT:
            self._show_painting()
        for card in self.cards:
            card.fault(sentence, empty)
        for listen in self.fault_listeners:
            listen(sentence)
        if "gone" in self.card_box.css_classes:
            self.note(sentence)  # the cards are not seen on this page

    def _show_painting(self) -> None:
        """Points too few for a forest are still seen."""
        points = self.state.data.points
        columns = list(zip(*points, strict=True)) if points else [(), (), ()]
        classes = max((k for _, _, k in points), default=1) + 1
        for card in self.cards:
            card.map.clear()
        if self.home is None:
            self.place(Window(-6.0, 6.0, -5.0, 5.0))
        self.frame.set_points(columns[0], columns[1], columns[2], max(2, classes))
        self.frame.set_bayes(None)
        self.latest = None

    def page(self) -> str:
        return str(self.state.view.page)

    def pinned(self) -> bool:
        return self.state.data.source == PAINT and self.home is not None

    # ---- cards and pages

    def aside(self, act: Callable[[], None]) -> None:
        """Do what takes long beside the event loop; a fault of ours becomes a notice."""

        def safely() -> None:
            try:
                act()
            except Exception as error:
                on_exception(error)

        self.mailbox.aside(safely)

    def open_page(self, page: str) -> None:
        """Another tab."""
        self.guarded(lambda: self.state.view.param.update(page=page))
        self.page_changed()
        self._write_headline()
        self._name_classes()
        self.resized("page", None, page)
        self.refresh()
        self.commit()

    def _make_cards(self) -> None:
        """As many cards as models; cards that are there stay."""
        wanted = len(self.state.models.models)
        before = len(self.cards)
        del self.cards[wanted:]
        for index in range(len(self.cards), wanted):
            card = Card(index, self.frame, self.state.view, self.style)
            card.say("Growing.")
            if index in self.covered:
                card.cover()
            self.cards.append(card)
            card.map.figure.on_event(Tap, partial(self._tapped, index))
            card.map.figure.on_event(PanStart, lambda event: self.touched(event, True, False))
            card.map.figure.on_event(Pan, lambda event: self.touched(event, False, False))
            card.map.figure.on_event(PanEnd, lambda event: self.touched(event, False, True))
            if index == 0:
                self.rulers[""] = lambda: self.cards[0].map.pixels
                card.map.figure.on_change("inner_width", self.resized)
                card.map.figure.on_change("inner_height", self.resized)
        for card in self.cards:
            card.name(self.state.models.models[card.index], self.n_features)
            crowd = ["few"] if wanted == 3 else ["many"] if wanted > 3 else []
            card.map.bare(wanted > 3)
            if card.numbers.css_classes != crowd:
                card.numbers.css_classes = crowd
        if wanted != before:
            gone = [c for c in self.card_box.css_classes if c == "gone"]
            self.card_box.css_classes = ["cards", f"n{wanted}", *gone]
            self.card_box[:] = [card.view for card in self.cards]
        self._write_headline()

    def _tapped(self, card: int, event: Any) -> None:
        if self.state.view.page == "Paint":
            self.touched(event, True, True)
        else:
            self.guarded(self.clicked, card, event)

    def restyle(self) -> None:
        """Theme, softness, layers or present mode changed: palettes and marks only."""
        view = self.state.view
        for card in self.cards:
            card.map.restyle(view.theme, view.soft, view.layers, view.present)
        if self.latest is not None:
            for listen in self.listeners:
                listen(self.latest)

    def plane_changed(self) -> None:
        self.sidebar.plane.build()

    def enlarged(self) -> None:
        """On a phone one card may be wide."""
        for card in self.cards:
            card.widen(card.index == self.state.selection.card)

    def _name_classes(self) -> None:
        """What hovering tells apart; nothing while painting, where it would be in the way."""
        known = self.latest is not None and self.state.view.page != "Paint"
        names = self.latest.source.data.class_names if known and self.latest else ()
        self.frame.probe.name(names)
        for card in self.cards:  # its tools would lie over the paper
            card.map.figure.toolbar.visible = self.state.view.page != "Paint"
        if self.state.view.page != "Paint" and len(self.frame.pen.data["x"]):
            self.frame.pen.data = {"x": [], "y": [], "act": []}

    # ---- words and links

    def headline_words(self) -> str:
        """What is looked at, in one sentence."""
        return headline_words(self.state)

    def _write_headline(self) -> None:
        hint = hint_words(self.state, self.latest, self.n_features)
        html = headline_html(self.headline_words(), hint)
        if self.headline.object != html:
            self.headline.object = html

    def note(self, sentence: str) -> None:
        """A notice over the page that goes by itself."""
        self.notice.object = f'<p class="notice" role="status">{plain(sentence)}</p>'
        if self.mailbox.live:
            self.mailbox.later(self._unnote, 6000)

    def _unnote(self) -> None:
        self.notice.object = ""

    def commit(self) -> None:
        """A gesture ended: write the link, read out the summary."""
        query = self.write_link()
        if query != self._committed:
            self._committed = query
            self.on_commit(query)
        for listen in self.committed:
            listen()
        self.mailbox.later(self._read_out)

    def settle_link(self) -> None:
        """What is seen now has its link already."""
        self._committed = self.write_link()

    def _read_out(self) -> None:
        if self.latest is None:
            return
        parts = [
            f"{LETTERS[c.index]} {c.model_name}: {c.sentence().rstrip('.').lower()}, "
            + (f"OOB {percent(c.record.oob_error)}" if c.record.n_tree else "no trees")
            for c in self.cards
            if c.record is not None
        ]
        self.summary.object = f"<p>{plain('. '.join(parts))}.</p>"

    def restore(self, query: str) -> None:
        """Bring everything to a query: the browser went back."""
        for sentence in link.read(query, self.state)[:1]:
            self.note(sentence)
        self.settle_link()
        self.window = None
        self._look_up_features()
        self._make_cards()
        self.sidebar.rebuild()
        self.restored()
        self.settings.restore()
        self.page_changed()
        self.selected.light_up()
        self.restyle()
        self.refresh()

    def close(self) -> None:
        """The visitor has gone: stop the work, drop the mail."""
        self.mailbox.close()
        self.scheduler.stop(self.key)
        AROUND.forget(self.key)
        self.sidebar.own.close()
        self.state.data.upload = None
        self.cache = self._common
