"""The lesson player: the list of lessons, the panel beside the pictures, the cover.

See, predict, reveal, explain, your turn. While a prediction is due, its result is not drawn at
all: covered cards get no picture and no numbers, other pages lie under a plate. Leaving brings
back what the visitor had before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from explorer.app.lessons.lesson import MODEL_POINTS
from explorer.app.lessons.library import Shelf
from explorer.app.lessons.place import Opened, Place, opened, step_link
from explorer.app.lessons.player_html import list_html, progress_html, step_html, told_html
from explorer.app.pages.controls import Controls
from explorer.app.session.events import GestureEnded
from explorer.app.session.session import Session
from explorer.app.sidebar.sidebar import Sidebar
from explorer.app.state import link
from explorer.app.state.link import apart, with_mine
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import Words, button, css, icon, in_browser, plain, text

MOST_CHOICES = 4
# controls of single pages that a step may point at, by their tag
PAGE_TAGS = {
    "penalty": "lambda",
    "leave out": "leave out",
    "band": "band from",
    "select": "select marked",
    "tour": "tour ways",
}
NO_CARDS: frozenset[int] = frozenset()
MAPPED = ("Boundaries", "Paint")  # pages that show the cards


class Guide:
    """Lessons for one visitor. place is None outside of a lesson."""

    def __init__(
        self,
        session: Session,
        controls: Controls,
        sidebar: Sidebar,
        stage: pn.Column,
        shelf: Shelf,
        came: Opened,
        page_parts: Callable[[], list[Any]] = list,
    ) -> None:
        self.session, self.shelf = session, shelf
        self.place: Place | None = came.place
        self.guesses: dict[tuple[str, int], int] = {}  # chosen, from 0
        self.revealed: set[tuple[str, int]] = set()
        self.done: set[tuple[str, int]] = set()
        self._before: str | None = None  # the visitor's own state, to come back to
        self._wanted: Any = None
        self._controls, self._sidebar, self._stage = controls, sidebar, stage
        self._page_parts = page_parts  # what is on the page that is open: its row and its stage
        self._make_panel()
        self._settle_link()
        session.subscribe(GestureEnded, lambda event: self._turned())
        session.state.view.param.watch(lambda event: self._lay_plate(), "page")
        for sentence in came.notices[:1]:
            session.note(sentence)
        self._follow()

    def _settle_link(self) -> None:
        """Links name the step from now on; the browser's address does already."""
        self.session.gestures.step = step_link(self.place)
        self.session.gestures.settle_link()

    # ---- parts

    def _make_panel(self) -> None:
        style = self.session.style
        sheets = [style.panes, css("lesson")]
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}
        self.signal = pn.widgets.TextInput(value="", visible=False)
        self.open_list = button(
            style,
            "Lessons",
            icon=icon("book", 16),
            icon_size="16px",
            css_classes=["picker"],
            align="center",
        )
        self.open_list.on_click(lambda event: self.show_list())
        in_browser(self.open_list, "window.fx_lessons()")
        self.list = Words("", stylesheets=sheets, **wide)
        self.title = Words("", stylesheets=sheets, **wide)
        self.progress = Words("", stylesheets=sheets, align="center", **wide)
        self.words = Words("", stylesheets=sheets, **wide)
        self.told = Words("", stylesheets=sheets, **wide)
        small: dict[str, Any] = {"align": "center", "margin": 0}
        self.close = button(
            style,
            icon=icon("close", 16),
            icon_size="16px",
            tags=["label:Leave the lesson"],
            css_classes=["quiet", "icon"],
            **small,
        )
        self.close.on_click(lambda event: self._do(self.leave))
        self.back = button(style, "Back", tags=["lesson-back"], **small)
        self.back.on_click(lambda event: self._do(self.go, -1))
        self.next = button(style, "Next", tags=["lesson-next"], **small)
        self.next.on_click(lambda event: self._do(self.go, 1))
        self.choices = [
            button(
                style,
                css_classes=["choice"],
                visible=False,
                sizing_mode="stretch_width",
                margin=(4, 0, 0, 0),
            )
            for _ in range(MOST_CHOICES)
        ]
        for i, choice in enumerate(self.choices):
            choice.on_click(partial(self._chosen, i))
        self.reveal_button = button(
            style,
            "Reveal",
            tags=["lesson-reveal", "tip:Show what happens. The key R does so without a choice."],
            css_classes=["first", "reveal"],  # always in sight, however small the sheet is
            visible=False,
            sizing_mode="stretch_width",
            margin=(4, 0, 0, 0),
        )
        self.reveal_button.on_click(lambda event: self._do(self.reveal))
        # pressed by the key R only: a teacher who polls by hand has no choice to click
        self.reveal_key = button(style, "Reveal", tags=["lesson-reveal-key"], visible=False)
        self.reveal_key.on_click(lambda event: self._do(self.reveal_for_all))
        fold = button(
            style,
            icon=icon("fold", 16),
            icon_size="16px",
            tags=["label:Fold or unfold the lesson"],
            css_classes=["quiet", "icon", "fold"],
            **small,
        )
        in_browser(fold, "window.fx_fold()")
        top = pn.Column(
            pn.Row(self.title, fold, self.close, **wide),
            pn.Row(self.back, self.progress, self.next, **wide),
            css_classes=["top"],
            stylesheets=sheets,
            **wide,
        )
        # filled when a lesson begins: a visitor without one pays nothing for it
        self._parts = [
            top,
            self.words,
            *self.choices,
            self.reveal_button,
            self.reveal_key,
            self.told,
        ]
        self.view = pn.Column(
            css_classes=["lesson"],
            stylesheets=sheets,
            **wide,
        )
        self.plate = text(
            style,
            '<p class="plate">Covered until you have predicted.</p>',
            visible=False,
            sizing_mode="stretch_width",
        )
        self.show_list()

    def show_list(self) -> None:
        """Look at the shelf again: a teacher may have dropped a file into the folder."""
        self.shelf.look()
        here = None if self.place is None else self.place.lesson.name
        html = list_html(self.shelf, here)
        if self.list.object != html:
            self.list.object = html

    def _do(self, act: Callable[..., None], *args: Any) -> None:
        """Do what was clicked so that the browser gets it as one message: nothing flickers."""
        self.session.aside(partial(act, *args))

    # ---- the way

    def come(self, query: str) -> None:
        """The browser's address changed."""
        self._do(self.restore, query)

    def restore(self, query: str) -> None:
        """Bring everything to a link: the browser went back, or a lesson was chosen."""
        self.shelf.look()
        came = opened(query, self.shelf.lessons)
        if self.place is None and came.place is not None:
            self._before = link.write(self.session.state)
        self.place = came.place
        state = came.query
        if came.place is not None:
            state = with_mine(apart(state)[0], link.write(self.session.state))
        self._bring(state)
        for sentence in came.notices[:1]:
            self.session.note(sentence)

    def go(self, by: int) -> None:
        """Some steps on or back; past the last one the lesson ends."""
        place = self.place
        if place is None:
            return
        if by > 0 and place.now.kind in ("see", "explain"):
            self.done.add(place.key)
        step = place.step + by
        if step >= len(place.lesson.steps):
            self.leave()
        elif step >= 0:
            self.place = Place(place.lesson, step)
            self._bring(with_mine(self.place.now.query, link.write(self.session.state)))
            self.session.gestures.write_link()

    def leave(self) -> None:
        """End the lesson; the visitor's own state comes back."""
        if self.place is None:
            return
        now = link.write(self.session.state)
        mine = self._before if self._before is not None else now
        self.place, self._before = None, None
        self._bring(with_mine(apart(mine)[0], now))
        self.session.gestures.write_link()

    def _bring(self, query: str) -> None:
        """The app to a state, the panel to the place; what is there already stays."""
        self._follow()
        self._settle_link()
        if link.write(self.session.state) != query:
            self.session.restore(query)
        self._point_at("" if self.place is None else self.place.now.point)  # it is there only now

    # ---- predicting

    def _chosen(self, i: int, event: Any) -> None:
        self._do(self.choose, i)

    def choose(self, i: int) -> None:
        """A guess; another one may be made until the reveal."""
        place = self.place
        if place is None or place.key in self.revealed or i >= len(place.now.choices):
            return
        self.guesses[place.key] = i
        self._follow()

    def reveal(self) -> None:
        """Guess and truth together; only after a guess."""
        if self.place is not None and self.place.key in self.guesses:
            self.reveal_for_all()

    def reveal_for_all(self) -> None:
        """The truth, with or without a guess: a class may have voted by show of hands."""
        place = self.place
        if place is None or not self._due():
            return
        self.revealed.add(place.key)
        self.done.add(place.key)
        self._follow()

    def _due(self) -> bool:
        """Whether a prediction is still to be made."""
        place = self.place
        return place is not None and place.now.kind == "predict" and place.key not in self.revealed

    def _turned(self) -> None:
        """A gesture ended: in 'your turn' the first one ticks the step."""
        place = self.place
        if place is None or place.now.kind != "turn" or place.key in self.done:
            return
        if apart(link.write(self.session.state))[0] != place.now.query:
            self.done.add(place.key)
            self._follow()

    # ---- drawing the panel

    def _follow(self) -> None:
        """Bring the panel and the cover to the place."""
        place = self.place
        self._lay_cover()
        if place is None:
            self._point_at("")
            self._tell("")
            return
        step, due = place.now, self._due()
        guess = self.guesses.get(place.key)
        _set(self.title, f"<h2>{plain(place.lesson.title)}</h2>")
        _set(self.progress, progress_html(place, self.done))
        _set(self.words, step_html(place, due))
        self.back.disabled = place.step == 0
        last = place.step + 1 == len(place.lesson.steps)
        self.next.label = "Skip" if due else "Done" if last else "Next"
        for i, widget in enumerate(self.choices):
            seen = due and i < len(step.choices)
            widget.param.update(
                visible=seen,
                label=step.choices[i].say if seen else "",
                css_classes=["choice", *(["chosen"] if i == guess else [])],
            )
        self.reveal_button.param.update(visible=due, disabled=guess is None)
        _set(self.told, told_html(place, guess, due))
        if not len(self.view):
            self.view[:] = self._parts
        self._point_at(step.point)
        self._tell(f"{place.query()}&point={step.point}&covered={int(due)}")

    def _lay_cover(self) -> None:
        place = self.place
        cards = place.now.cover if place is not None and self._due() else NO_CARDS
        if cards != self.session.covered:
            self.session.cover(cards)
        self._lay_plate()

    def _lay_plate(self) -> None:
        """Pages other than the maps are covered as a whole."""
        due = self._due() and self.session.state.view.page not in MAPPED
        stage = self._stage
        classes = [c for c in stage.css_classes if c != "covered"] + (["covered"] if due else [])
        if stage.css_classes != classes:
            stage.css_classes = classes
        if self.plate.visible != due:
            self.plate.visible = due

    def _tell(self, words: str) -> None:
        """Tell the browser where we are: it shows the panel and scrolls to what is pointed at."""
        if self.signal.value != words:
            self.signal.value = words

    def _point_at(self, name: str) -> None:
        controls, sidebar = self._controls, self._sidebar
        wanted: Any = {
            "lead": controls.lead,
            "trees": controls.trees,
            "play": controls.play,
            "layers": controls.layers,
            "tabs": controls.tabs,
            "data": sidebar.data_box,
            "knobs": sidebar.knob_box,
            "transform": sidebar.transforms.view,
            "models": sidebar.models.view,
        }.get(name)
        if name in PAGE_TAGS:
            wanted = self._on_page(PAGE_TAGS[name])
        elif name.startswith(("model ", "all knobs of ")):
            wanted = sidebar.models.card(LETTERS.index(name[-1]), name.startswith("all"))
        elif name[:-5] in MODEL_POINTS:  # such as "scaling of B"
            knob = MODEL_POINTS[name[:-5]]
            wanted = sidebar.models.knob(LETTERS.index(name[-1]), knob)
        for part, on in ((self._wanted, False), (wanted, True)):
            if part is not None:
                rest = [c for c in part.css_classes if c != "wanted"]
                part.css_classes = [*rest, "wanted"] if on else rest
        self._wanted = wanted

    def _on_page(self, tag: str) -> Any:
        """A control of the page that is open; None while the page has none such."""
        for part in self._page_parts():
            for found in part.select(lambda one: tag in (getattr(one, "tags", None) or [])):
                return found
        return None


def _set(pane: pn.pane.HTML, html: str) -> None:
    if pane.object != html:
        pane.object = html
