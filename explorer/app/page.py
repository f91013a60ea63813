"""Owns the page: it puts the parts of a session into the HTML template."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn
from panel.io.resources import _env

from explorer.app import visits
from explorer.app.controls import Controls
from explorer.app.doors import new_nonce, page_policy
from explorer.app.evaluate import EvaluatePage
from explorer.app.guide import Guide
from explorer.app.lesson_shelf import shelf
from explorer.app.lesson_state import opened
from explorer.app.nodes import NodesPage
from explorer.app.paint import Painter
from explorer.app.papers import PapersPage
from explorer.app.plain_page import plain_page
from explorer.app.posterior import PosteriorPage
from explorer.app.proximity import ProximityPage
from explorer.app.session import Session
from explorer.app.spectra import SpectraPage
from explorer.app.state import UNMAPPED
from explorer.app.widgets import css
from explorer.views.theme import DARK, LIGHT, css_variables

log = logging.getLogger("explorer.page")
SORRY = "This page could not be opened with that link. Open it without one."
_HERE = Path(__file__).parent
SCRIPTS = ("saving.js", "upload.js", "page.js", "guide.js", "wire.js")
# pages that look into grown forests; each has a view and a row of controls
MORE: dict[str, Any] = {
    "Nodes": NodesPage,
    "Spectra": SpectraPage,
    "Proximity": ProximityPage,
    "Evaluate": EvaluatePage,
    "Papers": PapersPage,
}


@cache
def _html() -> Any:
    """The page's template, compiled once: Panel would do so for every page."""
    return _env.from_string((_HERE / "page.html").read_text(encoding="utf-8"))


@cache
def _page_css() -> str:
    return (
        (css("page") + css("guide"))
        .replace("LIGHT_VARIABLES", css_variables(LIGHT))
        .replace("DARK_VARIABLES", css_variables(DARK))
    )


@cache
def _page_js() -> str:
    return ";\n".join((_HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)


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

    def __init__(self, session: Session, controls: Controls) -> None:
        self.session, self.row, self.layers = session, controls.row, controls.layers
        self.controls = pn.Column(self.row, margin=0, sizing_mode="stretch_width")
        self.painter: Painter | None = None
        self.posterior: PosteriorPage | None = None
        self.more: dict[str, Any] = {}
        session.page_changed = self.change
        if session.state.view.page != "Boundaries":
            self.change()

    def change(self) -> None:
        """Bring the stage to the page of the state."""
        page = self.session.state.view.page
        row: Any = self.row
        if page == "Paint":
            if self.painter is None:
                self.painter = Painter(self.session)
            self.painter.start()
            row = self.painter.row
        if page == "Posterior" and self.posterior is None:
            self.posterior = PosteriorPage(self.session)
            self.session.stage.append(self.posterior.view)
        if page in MORE:
            if page not in self.more:
                self.more[page] = MORE[page](self.session)
                self.session.stage.append(self.more[page].view)
            row = self.more[page].row
        if self.controls[0] is not row:
            self.controls[0] = row
        self.session.sidebar.plane.view.visible = page not in UNMAPPED
        self.session.lead_changed()
        seen = page == "Posterior" or page in MORE
        _show(self.session.card_box, not seen)
        _show(self.layers, not seen)
        if self.posterior is not None:
            _show(self.posterior.view, page == "Posterior")
        for name, one in self.more.items():
            _show(one.view, name == page)


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


def _build() -> pn.Template:
    document = pn.state.curdoc
    query, before = visits.split(query_of_visit())
    lessons = shelf()
    came = opened(query, lessons.lessons)
    session = Session(came.query, document, upload=visits.own_file_of(before))
    visit = visits.enter(document, session)
    controls = Controls(session)
    pages = Pages(session, controls)
    guide = Guide(session, controls, lessons, came)
    address = pn.widgets.TextInput(value="", visible=False)

    def write_address(query: str) -> None:
        address.value = ">" + query

    def read_address(event: object) -> None:
        value = str(address.value or "")
        if value.startswith("<"):  # the browser went back or forth
            guide.come(value[1:8001])

    session.on_commit = write_address
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
        "picked": session.selected.view,
        "sidebar": session.sidebar.view,
        "notice": session.notice,
        "headline": session.headline,
        "lead": controls.lead,
        "controls": pages.controls,
        "maps": session.stage,
        "summary": session.summary,
        "address": address,
    }.items():
        template.add_panel(name, part)
    session.show_at_once()
    pn.state.on_session_destroyed(lambda context: session.close())
    return template
