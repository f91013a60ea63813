"""Owns the page: it puts the parts of a session into the HTML template."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn

from explorer.app.controls import Controls
from explorer.app.evaluate import EvaluatePage
from explorer.app.nodes import NodesPage
from explorer.app.paint import Painter
from explorer.app.posterior import PosteriorPage
from explorer.app.proximity import ProximityPage
from explorer.app.session import Session
from explorer.app.spectra import SpectraPage
from explorer.app.widgets import css
from explorer.views.theme import DARK, LIGHT, css_variables

_HERE = Path(__file__).parent
# pages that look into grown forests; each has a view and a row of controls
MORE: dict[str, Any] = {
    "Nodes": NodesPage,
    "Spectra": SpectraPage,
    "Proximity": ProximityPage,
    "Evaluate": EvaluatePage,
}


@cache
def _html() -> str:
    return (_HERE / "page.html").read_text(encoding="utf-8")


@cache
def _page_css() -> str:
    return (
        css("page")
        .replace("LIGHT_VARIABLES", css_variables(LIGHT))
        .replace("DARK_VARIABLES", css_variables(DARK))
    )


@cache
def _page_js() -> str:
    return (_HERE / "page.js").read_text(encoding="utf-8")


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
    """The page of one visitor."""
    document = pn.state.curdoc
    session = Session(query_of_visit(), document)
    controls = Controls(session)
    pages = Pages(session, controls)
    address = pn.widgets.TextInput(value="", visible=False)

    def write_address(query: str) -> None:
        address.value = ">" + query

    def read_address(event: object) -> None:
        value = str(address.value or "")
        if value.startswith("<"):  # the browser went back or forth
            session.restore(value[1:8001])

    session.on_commit = write_address
    address.param.watch(read_address, "value")

    template = Page(_html())
    template.add_variable("theme", session.state.view.theme)
    template.add_variable("present", session.state.view.present)
    template.add_variable("page_css", _page_css())
    template.add_variable("page_js", _page_js())
    for name, part in {
        "actions": controls.actions,
        "tabs": controls.tabs,
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
