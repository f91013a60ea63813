"""A page asks for what it shows, and for nothing else."""

import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.session.events import ForestsGrown, MapsDrawn
from explorer.app.state.page_list import ENTRIES
from explorer.app.work import map_record

FEW = "&model=RF~n_tree:5&model=oRF-ridge~n_tree:5"


@pytest.fixture
def opened(new_session):
    def make(query):
        session = new_session(query + FEW)
        session.heard = []
        for kind in (MapsDrawn, ForestsGrown):
            session.subscribe(kind, session.heard.append)
        Pages(screen_of(session), Controls(session))
        session.refresh()
        settle(session)
        return session

    return make


@pytest.mark.parametrize("page", [entry.name for entry in ENTRIES if entry.needs == "forests"])
def test_a_page_without_maps_has_none_drawn(opened, page, monkeypatch):
    monkeypatch.setattr(map_record, "draw", lambda *a, **k: pytest.fail("a map was drawn"))
    session = opened(f"page={page}&data=tecator&d.n=60" if page == "Importance" else f"page={page}")
    assert session.latest is None
    assert session.grown.finished
    assert {type(event) for event in session.heard} == {ForestsGrown}


@pytest.mark.parametrize("page", [entry.name for entry in ENTRIES if entry.needs == "nothing"])
def test_a_page_that_shows_no_forests_has_none_grown(opened, page):
    session = opened(f"page={page}")
    assert session.heard == []
    assert (session.latest, session.grown) == (None, None)


def test_maps_are_drawn_when_a_page_that_shows_them_is_opened(opened):
    session = opened("page=Proximity&data=iris")
    session.data.choose("wine")
    settle(session)
    session.open_page("Boundaries")
    settle(session)
    assert session.latest.request == session.request()
    assert session.latest.source.data.n_samples == 178
    assert screen_of(session).cards[0].map.image.data["image"][0].size > 1000


def test_going_back_and_forth_leaves_samples_selected(opened):
    session = opened("data=iris")
    session.open_page("Proximity")
    settle(session)
    session.selected.choose([3, 120], "lasso")
    session.open_page("Boundaries")
    settle(session)
    assert session.selected.rows.tolist() == [3, 120]
    assert len(session.frame.picked.data["x"]) == 2
    session.open_page("Proximity")
    session.data.choose("wine")
    settle(session)
    assert session.selected.rows.size == 0
    session.selected.choose([177], "lasso")  # more samples than the maps before had
    session.open_page("Boundaries")
    settle(session)
    assert len(session.frame.picked.data["x"]) == 1


def test_the_summary_of_a_page_without_maps_names_the_error_of_each_forest(opened):
    session = opened("page=Evaluate")
    said = screen_of(session).summary.pane.object
    assert "A RF: OOB" in said
    assert "B oRF-ridge: OOB" in said
