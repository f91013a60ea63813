"""The page: puts the parts of a session into the HTML template."""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn
from panel.io.resources import _env

from explorer.app.export.download import forget
from explorer.app.layout.plain_page import plain_page
from explorer.app.layout.policy import new_nonce, page_policy
from explorer.app.layout.screen import Screen
from explorer.app.lessons.library import shelf
from explorer.app.lessons.place import opened
from explorer.app.lessons.player import Guide
from explorer.app.pages.controls import Controls
from explorer.app.session import registry
from explorer.app.session.events import LinkChanged, PageOpened
from explorer.app.session.session import Session
from explorer.app.state.page_list import page_entry
from explorer.app.state.visitor import PAGES
from explorer.app.widgets import css
from explorer.views.theme import DARK, LIGHT, css_variables

log = logging.getLogger("explorer.page")
SORRY = "This page could not be opened with that link. Open it without one."
_ASSETS = Path(__file__).parents[1] / "assets"
SCRIPTS = (
    "frame.js",
    "saving.js",
    "upload.js",
    "page.js",
    "steps.js",
    "guide.js",
    "why.js",
    "wire.js",
)


@cache
def _html() -> Any:
    """The page's template, compiled once: Panel would do so for every page."""
    return _env.from_string((_ASSETS / "page.html").read_text(encoding="utf-8"))


@cache
def _page_css() -> str:
    return (
        (css("page") + css("guide"))
        .replace("LIGHT_VARIABLES", css_variables(LIGHT))
        .replace("DARK_VARIABLES", css_variables(DARK))
    )


@cache
def _page_js() -> str:
    return ";\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)


def query_of_visit() -> str:
    """The query this session was opened with; whatever cannot be decoded is left out."""
    arguments = pn.state.session_args or {}
    pairs = [
        (name, value.decode("utf-8", "replace"))
        for name, values in arguments.items()
        for value in values
    ]
    return urlencode(pairs[:400])


class Page(pn.Template):
    """A template that opens in half the time: thirty students may open it at once."""

    def __repr__(self, depth: int = 0) -> str:
        return "Page"  # Panel writes out every part again whenever one is added

    def _init_doc(self, doc: Any = None, *args: Any, **options: Any) -> Any:
        # Bokeh walks all models again after each one that is added, unless it is told to wait
        document: Any = doc or pn.state.curdoc
        with document.models.freeze():
            return super()._init_doc(doc, *args, **options)


class Pages:
    """Shows the parts of the open tab; a page is built when it is first opened."""

    def __init__(self, screen: Screen, controls: Controls) -> None:
        self.screen, self.session, self.of_maps = screen, screen.session, controls
        controls.row.insert(3, screen.tour.toggle)
        self.controls = pn.Column(
            controls.row, screen.tour.row, margin=0, sizing_mode="stretch_width"
        )
        self.more: dict[str, Any] = {}  # pages that are built, by name
        self.session.subscribe(PageOpened, lambda event: self.change(event.page))
        if self.session.state.view.page != PAGES[0]:
            self.session.navigation.enter()

    def change(self, page: str) -> None:
        """Bring the stage to a page."""
        if page not in self.more and (made_by := page_entry(page).made_by):
            module, _, name = made_by.partition(":")
            made = getattr(import_module(module), name)(self.session)
            self.more[page] = made
            if hasattr(made, "view"):
                self.screen.stage.append(made.view)
        row = getattr(self.more.get(page), "row", self.of_maps.row)
        if self.controls[0] is not row:
            self.controls[0] = row
        views = {name: made.view for name, made in self.more.items() if hasattr(made, "view")}
        _show(self.screen.maps.view, page not in views)
        _show(self.of_maps.layers, page not in views)
        for name, view in views.items():
            _show(view, name == page)


def _show(part: Any, seen: bool) -> None:
    """Hide by a class: our layouts set their own display, which outweighs `visible`."""
    classes = [c for c in part.css_classes if c != "gone"] + ([] if seen else ["gone"])
    if part.css_classes != classes:
        part.css_classes = classes


def build() -> pn.Template:
    """The page of one visitor; a fault of ours gives a page that says so, never a traceback."""
    try:
        return _build()
    except Exception:
        log.exception("A page could not be built.")
        return pn.Template(plain_page("Forest Explorer", SORRY, '<a href="./">Open</a>'))


def _leave(screen: Screen, controls: Controls, document: Any) -> None:
    """The visitor has gone: end all that is made for the page."""
    controls.exports.gone.set()
    forget(document)
    screen.close()


def _build() -> pn.Template:
    document = pn.state.curdoc
    query, before = registry.split(query_of_visit())
    lessons = shelf()
    came = opened(query, lessons.lessons)
    session = Session(came.query, document, upload=registry.own_file_of(before))
    visit = registry.enter(document, session)
    screen = Screen(session)
    controls = Controls(session)
    pages = Pages(screen, controls)
    guide = Guide(
        session,
        controls,
        screen.sidebar,
        screen.stage,
        lessons,
        came,
        lambda: [pages.controls, screen.stage],
    )
    address = pn.widgets.TextInput(value="", visible=False)

    def write_address(event: LinkChanged) -> None:
        address.value = ">" + event.query

    def read_address(event: object) -> None:
        value = str(address.value or "")
        if value.startswith("<"):  # the browser went back or forth
            guide.come(value[1:8001])

    session.subscribe(LinkChanged, write_address)
    address.param.watch(read_address, "value")

    template = Page(_html())
    nonce = new_nonce()
    template.add_variable("nonce", nonce)
    template.add_variable("visit", visit)
    template.add_variable("policy", page_policy(nonce))
    template.add_variable("page", session.state.view.page)
    template.add_variable("theme", session.state.view.theme)
    template.add_variable("present", session.state.view.present)
    template.add_variable("lesson", guide.place is not None)
    template.add_variable("page_css", _page_css())
    template.add_variable("page_js", _page_js())
    for name, part in {
        "actions": controls.actions,
        "picker": guide.open_list,
        "list": guide.list,
        "lesson": guide.view,
        "plate": guide.plate,
        "guide": guide.signal,
        "tabs": controls.tabs,
        "picked": screen.selection.view,
        "sidebar": screen.sidebar.view,
        "notice": screen.notice.pane,
        "folder": screen.folder.over,
        "headline": screen.headline.pane,
        "lead": controls.lead,
        "controls": pages.controls,
        "maps": screen.stage,
        "summary": screen.summary.pane,
        "address": address,
    }.items():
        template.add_panel(name, part)
    session.maps.show_at_once()
    pn.state.on_session_destroyed(lambda context: _leave(screen, controls, document))
    return template
