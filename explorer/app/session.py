"""Owns one visitor's session: it joins state, scheduler and pictures, and nothing else does.

Widgets call its methods; each checks by the state, asks the scheduler for pictures, and at the
end of a gesture commits: the link is written and a summary is read out.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.events import Pan, PanEnd, PanStart, Tap

from explorer.app import link
from explorer.app.cache import SHARED, Cache
from explorer.app.cards import Card, percent
from explorer.app.measure import Window, plane_in_words
from explorer.app.scheduler import Mailbox, Scheduler, scheduler
from explorer.app.sidebar import Sidebar
from explorer.app.state import LETTERS, PAINT, State
from explorer.app.viewport import Viewport
from explorer.app.widgets import Style, plain, text
from explorer.app.work import MapRequest, Pictures, bayes, load_source, pictures
from explorer.data import catalogue

MOST_VALUES = 1_500_000  # feature values of one picture of a truth
BAYES_WAITS = 250  # ms after the last picture, before a slow Bayes boundary is traced
FIRST_HEADLINE = "Same points, same trees. Left may only cut straight; right may cut at a slant."


class Session(Viewport):
    """State, pictures and widgets of one document."""

    def __init__(
        self,
        query: str = "",
        document: Document | None = None,
        cache: Cache = SHARED,
        work: Scheduler | None = None,
    ) -> None:
        super().__init__()
        self.state = State()
        self.notices = link.read(query, self.state) if query else []
        self.cache = cache
        self.scheduler = work or scheduler()
        self.key = object()
        self.mailbox = Mailbox(document)
        self.style = Style()
        self.latest: Pictures | None = None
        self.listeners: list[Callable[[Pictures], None]] = []
        self.fault_listeners: list[Callable[[str], None]] = []
        self._committed = link.write(self.state)
        self.n_features: int | None = None
        self._look_up_features()

        self.headline = text(self.style, sizing_mode="stretch_width")
        self.notice = text(self.style)
        self.summary = text(self.style)
        self.progress = text(self.style, width=130, align="center")
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
            (view.across, view.up),
            self.window,
            self._affordable_pixels(),
            view.page == "Posterior",
        )

    def _affordable_pixels(self) -> tuple[int, int]:
        """A truth of many features is evaluated pixel by pixel: then fewer pixels will do."""
        w, h = self.pixels
        values = w * h * (self.n_features or 2)
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
            lambda shown: self.mailbox.post("maps", lambda: self.show(shown)),
            lambda error: self.mailbox.post("maps", lambda: self.fault(error)),
        )

    def show_at_once(self) -> bool:
        """Draw now if everything is in the cache already (a link that others opened before)."""
        request = self.request()
        if self.cache.get(("first", request)) is None:
            self.refresh()
            return False
        for shown in pictures(request, self.cache, threading.Event()):
            if shown is not None:
                self.show(shown)
                return True
        return False

    def _tell(self, index: int, sentence: str) -> None:
        def say() -> None:
            if index < len(self.cards):
                self.cards[index].say(sentence)

        self.mailbox.post(f"tell {index}", say)

    def show(self, shown: Pictures) -> None:
        """Draw what was made, if it is still what is asked for."""
        if len(shown.records) != len(self.cards):
            return
        data = shown.source.data
        across, up = shown.axes
        moved = (
            self.latest is None
            or self.latest.source is not shown.source
            or self.latest.axes != shown.axes
        )
        self.latest = shown
        if shown.request.window is None:
            self.place(shown.window)
            if self.state.data.source == PAINT:
                self.window = shown.window  # a new point must not move the paper
        drawn = data.n_samples
        if moved:
            drawn = self.frame.set_points(data.X[:, across], data.X[:, up], data.y, data.n_classes)
            self.sidebar.show_legend(data.class_names, data.class_counts)
            self._write_headline()
        self.frame.set_bayes(shown.bayes)
        for card in self.cards:
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
            if shown.bayes_due:
                self.mailbox.later(lambda: self._ask_for_bayes(shown), BAYES_WAITS)

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
        )

    def _say_progress(self, shown: Pictures) -> None:
        words = "" if shown.finished else f"{shown.done} of {shown.wanted} trees"
        html = f'<p class="progress">{words}</p>'
        if self.progress.object != html:
            self.progress.object = html

    def fault(self, error: BaseException) -> None:
        """Say what cannot be, beside the maps; the last good picture stays unless data are gone."""
        if self.state.data.source == PAINT and not self.state.data.points:
            error = ValueError("No points yet. Paint some, or choose data on the left.")
        sentence = (
            str(error)
            if isinstance(error, ValueError)
            else ("This could not be computed; the last picture is kept. Try another setting.")
        )
        if self.state.data.source == PAINT:
            self._show_painting()
        for card in self.cards:
            card.fault(sentence)
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

    # ---- what can be done

    def guarded(self, act: Callable[..., Any], *args: Any) -> None:
        """Do what a client asks; what the state refuses becomes a notice."""
        try:
            act(*args)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            words = (
                str(error) if isinstance(error, ValueError) else "That value cannot be used here."
            )
            self.note(words)

    def lead_knob(self) -> str:
        """The one knob under the lead slider: it turns 2-D data, or stirs what matters most."""
        source = self.state.data.source
        if source == PAINT:
            return ""
        knobs = catalogue()[source].knobs
        if "angle" in knobs:
            return "angle"
        for name in ("offset", "effect", "separation", "noise"):
            if name in knobs and (self.n_features or 2) > 2:
                return name
        return "turn" if self.state.data.transform in ("none", "turn") else ""

    def _look_up_features(self) -> None:
        try:
            source = load_source(self.state.data.recipe(), self.cache)
            self.n_features = source.data.n_features
        except ValueError:
            self.n_features = 2 if self.state.data.source == PAINT else None

    def choose_data(self, name: str) -> None:
        self.guarded(self.state.data.choose, name)
        self.state.view.param.update(across=0, up=1)
        self._new_data()

    def choose_band(self, keep: bool, low: float, high: float) -> None:
        """Keep only a band of the spectral axis, or leave it out; everything is grown again."""
        self.state.data.add_band(keep, low, high)
        self.state.view.param.update(across=0, up=1)
        self._new_data()

    def undo_band(self) -> None:
        """Take back the last band."""
        self.state.data.bands = self.state.data.bands[:-1]
        self.state.view.param.update(across=0, up=1)
        self._new_data()

    def data_painted(self) -> None:
        """The data are painted points from now on; what is seen stays where it is."""
        self.window = self.window or self.home
        self.n_features = 2
        self.state.view.param.update(across=0, up=1)
        self.sidebar.rebuild()
        self.lead_changed()
        self._write_headline()
        self.refresh()

    def open_page(self, page: str) -> None:
        """Another tab."""
        self.guarded(lambda: self.state.view.param.update(page=page))
        self.page_changed()
        self._write_headline()
        self.resized("page", None, page)
        self.refresh()
        self.commit()

    def _new_data(self) -> None:
        self.window = None
        self._look_up_features()
        self.sidebar.rebuild()
        self.lead_changed()
        self._write_headline()
        self.refresh()
        self.commit()

    def turn_data(self, name: str, value: Any) -> None:
        self.state.data.turn_knob(name, value)
        if name in ("p", "k"):
            before = self.n_features
            self._look_up_features()
            if before != self.n_features:
                self.state.view.param.update(across=0, up=1)
                self.mailbox.later(self.sidebar.rebuild, 50)
                self.lead_changed()
        self.refresh()

    def turn_lead(self, value: float) -> None:
        """The lead slider moved."""
        lead = self.lead_knob()
        if lead == "turn":
            if self.state.data.transform != "turn":
                self.state.data.param.update(transform="turn", transform_knobs={})
                self.sidebar.rebuild()
            self.turn_transform("angle", value)
        elif lead:
            self.turn_data(lead, value)

    def draw_again(self) -> None:
        self.guarded(self.state.data.turn_knob, "seed", random.randrange(1, 10_000))
        self.refresh()
        self.commit()

    def choose_transform(self, name: str) -> None:
        def act() -> None:
            self.state.data.param.update(transform=name, transform_knobs={})

        self.guarded(act)
        self._new_data()

    def turn_transform(self, name: str, value: Any) -> None:
        self.state.data.turn_transform_knob(name, value)
        self.refresh()

    def turn_model(self, index: int, name: str, value: Any) -> None:
        self.state.models.turn_knob(index, name, value)
        if self.state.models.linked:
            self.sidebar.build_models()
        self._models_turned()

    def _models_turned(self) -> None:
        self.trees_changed()
        for card in self.cards:
            card.name(self.state.models.models[card.index], self.n_features)
        self.refresh()

    def choose_family(self, index: int, family: str) -> None:
        self.guarded(lambda: self.state.models.models[index].choose(family))
        self._models_changed()

    def link_models(self, linked: bool) -> None:
        self.guarded(lambda: self.state.models.param.update(linked=bool(linked)))
        self.commit()

    def add_model(self) -> None:
        used = {m.family for m in self.state.models.models}
        fresh = [f for f in ("F-RC", "oRF-rnd", "RF-ODT", "oRF-lda", "RR-RF") if f not in used]
        self.guarded(self.state.models.add, fresh[0] if fresh else "F-RC")
        self._models_changed()

    def duplicate_model(self, index: int) -> None:
        model = self.state.models.models[index]
        self.guarded(self.state.models.add, model.family, model.knobs)
        self._models_changed()

    def remove_model(self, index: int) -> None:
        self.guarded(self.state.models.remove, index)
        self._models_changed()

    def _models_changed(self) -> None:
        self.sidebar.build_models()
        self._make_cards()
        self.trees_changed()
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
            self.cards.append(card)
            card.map.figure.on_event(Tap, lambda event: self.touched(event, True, True))
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
            if card.numbers.css_classes != crowd:
                card.numbers.css_classes = crowd
        if wanted != before:
            gone = [c for c in self.card_box.css_classes if c == "gone"]
            self.card_box.css_classes = ["cards", f"n{wanted}", *gone]
            self.card_box[:] = [card.view for card in self.cards]
        self._write_headline()

    def restyle(self) -> None:
        """Theme, softness, layers or present mode changed: palettes and marks only."""
        view = self.state.view
        for card in self.cards:
            card.map.restyle(view.theme, view.soft, view.layers, view.present)
        if self.latest is not None:
            for listen in self.listeners:
                listen(self.latest)

    def look_at(self, across: int, up: int) -> None:
        """Another plane: two features, the rest at their medians."""
        if across == up:
            raise ValueError("A map needs two different features.")
        if max(across, up) >= (self.n_features or 2):
            raise ValueError(f"These data have {self.n_features} features.")
        self.state.view.param.update(across=across, up=up)
        self.window = None
        self.refresh()

    def feature_names(self) -> tuple[str, ...]:
        """Names of the features of the data as they are now."""
        return load_source(self.state.data.recipe(), self.cache).data.feature_names

    def show_trees(self, trees: int) -> None:
        """Show the first so many trees; all of them at the slider's end."""
        self.state.view.trees = 0 if trees >= self.state.models.most_trees() else max(1, trees)
        self.refresh()

    # ---- words and links

    def _write_headline(self) -> None:
        source = self.state.data.source
        families = [m.family for m in self.state.models.models]
        if source == "clouds" and families == ["RF", "oRF-ridge"]:
            words = FIRST_HEADLINE
        elif source == PAINT:
            words = "Your own points: every forest follows while you paint."
        else:
            words = catalogue()[source].description
        mapped = self.state.view.page not in ("Spectra", "Proximity")
        if mapped and self.latest is not None and (self.n_features or 2) > 2:
            plane = plane_in_words(self.latest.source.data, *self.latest.axes)
            html = (
                f'<p class="headline short">{plain(words)}</p>'
                f'<p class="hint">Seen: {plain(plane)}.</p>'
            )
        else:
            html = f'<p class="headline">{plain(words)}</p>'
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
        query = link.write(self.state)
        if query != self._committed:
            self._committed = query
            self.on_commit(query)
        self.mailbox.later(self._read_out)

    def _read_out(self) -> None:
        if self.latest is None:
            return
        parts = [
            f"{LETTERS[c.index]} {c.model_name}: {c.sentence().rstrip('.').lower()}, "
            f"OOB {percent(c.record.oob_error)}"
            for c in self.cards
            if c.record is not None
        ]
        self.summary.object = f"<p>{plain('. '.join(parts))}.</p>"

    def restore(self, query: str) -> None:
        """Bring everything to a query: the browser went back."""
        for sentence in link.read(query, self.state)[:1]:
            self.note(sentence)
        self._committed = link.write(self.state)
        self.window = None
        self._look_up_features()
        self._make_cards()
        self.sidebar.rebuild()
        self.restored()
        self.page_changed()
        self.restyle()
        self.refresh()

    def close(self) -> None:
        """The visitor has gone: stop the work, drop the mail."""
        self.mailbox.close()
        self.scheduler.stop(self.key)
