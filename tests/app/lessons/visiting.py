"""A visitor in a lesson, without a browser."""

import re

import panel as pn

from app.screen import screen_of
from explorer.app.layout.page import Pages
from explorer.app.lessons.library import Shelf
from explorer.app.lessons.place import opened
from explorer.app.lessons.player import Guide
from explorer.app.pages.controls import Controls
from explorer.app.session.events import LinkChanged


def open_lesson(new_session, query="", folder=None):
    """The guide of a visitor who opened this link; what it asks for may still be computed."""
    shelf = Shelf(folder)
    came = opened(query, shelf.lessons)
    session = new_session(came.query)
    controls = Controls(session)
    pages = Pages(screen_of(session), controls)
    screen = screen_of(session)
    guide = Guide(
        session,
        controls,
        screen.sidebar,
        screen.stage,
        shelf,
        came,
        lambda: [pages.controls, screen.stage],
    )
    guide.pages = pages
    guide.addresses = []
    session.subscribe(LinkChanged, lambda event: guide.addresses.append(event.query))
    session.refresh()
    return guide


def errors_seen(guide):
    """Every error text on the page of the guide's step, and every notice."""
    session = guide.session
    panes = [p for part in parts_seen(guide) for p in part.select(pn.pane.HTML)]
    found = [p.object for p in panes if re.search(r'class="[^"]*\bfault\b', p.object or "")]
    notice = screen_of(session).notice.pane.object or ""
    return found + ([notice] if "notice" in notice else [])


def parts_seen(guide):
    """The parts of the stage that are on the page, with its row of controls."""
    stage = [p for p in screen_of(guide.session).stage if "gone" not in p.css_classes]
    return [*stage, guide.pages.controls]
