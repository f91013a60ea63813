import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.pages.nodes import NodesPage
from explorer.app.state import link
from explorer.app.state.visitor import State

SMALL = "&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"


@pytest.fixture
def open_session(new_session):
    def make(query="data=moons" + SMALL):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def faded(session):
    return {r.glyph.fill_alpha for card in screen_of(session).cards for r in card.map._scatter}


def test_selected_samples_stand_out_on_every_map_until_they_are_cleared(open_session):
    session = open_session()
    session.selected.choose([5, 3, 3, 10**9, -1], "lasso")
    assert session.state.selection.rows == [3, 5]
    data = session.latest.source.data
    assert np.allclose(session.frame.picked.data["x"], data.X[[3, 5], 0])
    assert faded(session) == {0.25}
    assert "2 samples selected, by lasso" in screen_of(session).selection.words.object
    assert screen_of(session).selection.undo.visible
    session.selected.clear()
    assert len(session.frame.picked.data["x"]) == 0
    assert faded(session) == {1.0}
    assert screen_of(session).selection.words.object == ""


def test_turned_data_keep_the_selection_and_other_data_drop_it(open_session):
    session = open_session()
    session.selected.choose([3, 5], "lasso")
    session.data.turn_lead(30.0)
    settle(session)
    assert session.state.selection.rows == [3, 5]
    assert np.allclose(session.frame.picked.data["x"], session.latest.source.data.X[[3, 5], 0])
    session.data.turn("seed", 77)
    settle(session)
    assert session.state.selection.rows == []
    assert faded(session) == {1.0}


def test_a_cards_map_that_comes_later_fades_too(open_session):
    session = open_session()
    session.selected.choose([3, 5], "lasso")
    session.models.add()
    settle(session)
    assert len(screen_of(session).cards) == 3
    assert faded(session) == {0.25}


def test_the_link_brings_the_selection_back(open_session):
    session = open_session()
    session.selected.choose(range(0, 100, 7), "lasso")
    again = State()
    assert link.read(link.write(session.state), again) == []
    assert again.selection.rows == list(range(0, 100, 7))
    assert again.selection.how == "lasso"


@pytest.mark.parametrize("text", ["lasso.%%%", "lasso.AAAA", "x.eJxjYAAAAAIAAQ", "lasso", "."])
def test_a_selection_that_cannot_be_read_is_none(text):
    state = State()
    link.read(f"picked={text}", state)
    assert state.selection.rows == []
    assert state.selection.how in ("", "lasso")


def test_a_large_selection_stays_out_of_the_link():
    state = State()
    rows = np.flatnonzero(np.random.default_rng(0).random(100_000) < 0.5).tolist()
    state.selection.param.update(rows=rows, how="lasso")
    assert "picked" not in link.write(state)


def test_a_chosen_node_selects_its_samples_and_the_root_none(open_session):
    session = open_session("page=Nodes&data=moons" + SMALL)
    page = NodesPage(session)
    session.refresh()
    settle(session)
    assert session.state.selection.rows == []
    page._choose(node=1)
    settle(session)
    assert session.state.selection.rows == sorted(page.shown.rows.tolist())
    assert "node 1 of tree 1, A RF" in session.selected.in_words()
    assert "picked=node." in link.write(session.state)
    page._choose(node=0)
    settle(session)
    assert session.state.selection.rows == []


def test_lassoed_samples_stay_until_a_node_is_chosen(open_session):
    session = open_session("page=Nodes&data=moons&node=0,0,1" + SMALL)
    session.selected.choose([1, 2], "lasso")
    page = NodesPage(session)
    session.refresh()
    settle(session)
    assert session.state.selection.rows == [1, 2]
    assert page.map.map._faded
    page._choose(node=2)
    settle(session)
    assert session.state.selection.how == "node"
