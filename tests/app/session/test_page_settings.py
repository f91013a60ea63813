"""Settings of single pages travel in a link, are checked by their widgets, and come back."""

import pytest
from panel.widgets import CheckButtonGroup, IntSlider, RadioButtonGroup

from app.screen import screen_of
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.session.page_settings import PageSettings
from explorer.app.session.session import Session
from explorer.app.state import link
from explorer.app.state.setting_names import NAMES
from explorer.app.state.visitor import State
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler


class Stub:
    """As much of a session as settings need."""

    def __init__(self, query=""):
        self.state, self.notes, self.commits = State(), [], 0
        self.notices = link.read(query, self.state)

    def note(self, sentence):
        self.notes.append(sentence)

    def commit(self):
        self.commits += 1


def widgets():
    return {
        "levels": IntSlider(start=1, end=12, value=6),
        "marks": CheckButtonGroup(options=["Misclassified", "Outlying"], value=["Outlying"]),
        "judged": RadioButtonGroup(options={"A RF": 0, "B F-RC": 1}, value=0),
    }


def bound(query=""):
    session, made = Stub(query), widgets()
    settings = PageSettings(session.state, session)
    for name, widget in made.items():
        settings.bind(name, widget)
    return session, made, settings


def test_what_is_turned_is_in_the_link_and_comes_back_from_it():
    session, made, _ = bound()
    made["levels"].value = 9
    made["marks"].value = []
    made["judged"].value = 1
    query = link.write(session.state)
    assert sorted(query.split("&")) == ["s.judged=1", "s.levels=9", "s.marks=-"]
    _, again, _ = bound(query)
    assert [w.value for w in again.values()] == [9, [], 1]


def test_a_value_back_at_its_default_leaves_the_link():
    session, made, _ = bound("s.levels=9")
    made["levels"].value = 6
    assert link.write(session.state) == ""


@pytest.mark.parametrize(
    "query", ["s.levels=99", "s.levels=nan", "s.marks=a.b", "s.judged=7", "s.judged=<img>"]
)
def test_a_value_the_widget_does_not_offer_falls_back_with_a_notice(query):
    session, made, _ = bound(query)
    assert {n: w.value for n, w in made.items()} == {n: w.value for n, w in widgets().items()}
    assert session.notes == ["A setting in the link could not be used; its default is shown."]
    assert link.write(session.state) == ""


def test_unknown_or_long_settings_are_not_kept():
    state = State()
    assert link.read("s.nothing=1&s.levels=" + "9" * 100, state) != []
    assert state.view.settings == {}


def test_the_back_button_brings_widgets_back():
    session, made, settings = bound()
    made["levels"].value = 9
    link.read("", session.state)
    settings.restore()
    assert made["levels"].value == 6


def test_every_setting_is_bound_by_some_page():
    scheduler = Scheduler(1)
    session = Session("", None, Cache(), scheduler)
    Pages(screen_of(session), Controls(session))
    for page in ("Nodes", "Importance", "Proximity", "Evaluate", "Unknowns"):
        session.open_page(page)
    assert set(session.settings.bound) == set(NAMES)
    session.close()
    scheduler.close()


def test_pages_open_with_the_settings_of_their_link():
    scheduler = Scheduler(1)
    query = "s.levels=3&s.curve=Calibration&s.pair=1+and+3&s.spectra=Spectra&s.folds=7"
    session = Session(query, None, Cache(), scheduler)
    pages = Pages(screen_of(session), Controls(session))
    for page in ("Nodes", "Importance", "Proximity", "Evaluate", "Unknowns"):
        session.open_page(page)
    more = pages.more
    assert more["Nodes"].levels.value == 3
    assert more["Evaluate"].curve.value == "Calibration"
    assert more["Evaluate"].contest.folds.value == 7
    assert more["Proximity"].pair.value == "1 and 3"
    assert more["Importance"].layers.value == ["Spectra"]
    assert not screen_of(session).notice.pane.object
    session.close()
    scheduler.close()
