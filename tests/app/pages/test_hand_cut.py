"""Cuts by hand and growth on the Nodes page: sliders, drags, buttons, words."""

import pytest

from app.settling import settle
from explorer.app.pages.nodes import NodesPage

CLOUDS = "page=Nodes&data=clouds&model=RF~n_tree:5&model=oRF-ridge~n_tree:5"


@pytest.fixture
def open_page(new_session):
    def make(query):
        session = new_session(query)
        page = NodesPage(session)
        session.refresh()
        settle(session)
        return session, page

    return make


class Drag:
    def __init__(self, x):
        self.x = x


def shown(views):
    return ["hidden" not in view.css_classes for view in views]


def test_a_dragged_cut_says_live_what_it_gains(open_page):
    _, page = open_page(CLOUDS + "&s.nodes=By+hand")
    hand = page.hand
    assert shown(hand.views) == [True] * 3
    assert shown([page.tree_card.view, *page.growth.views]) == [False] * 3
    before = hand.plane_card.words.object
    hand._dragged(hand.cut, Drag(0.5))
    assert hand.made.cut == 0.5
    assert hand.along.here.location == 0.5
    assert hand.plane_card.words.object != before
    assert f"{hand.made.gained:.3f} gained" in hand.plane_card.words.object
    hand._dragged(hand.angle, Drag(1e9))  # a client may send anything
    assert hand.made.angle == 90


def test_the_best_slanted_cut_beats_the_best_straight_one(open_page):
    _, page = open_page(CLOUDS + "&s.nodes=By+hand")
    gained = {}
    for name in ("straight", "slanted"):
        page.hand._go(name)
        gained[name] = page.hand.made.gained
    assert gained["slanted"] > 2 * gained["straight"]
    assert "% more" in page.hand.turned_card.words.object


def test_plane_and_tree_grow_in_step_and_can_be_scrubbed_back(open_page):
    session, page = open_page(CLOUDS + "&s.nodes=Growth")
    growth = page.growth
    assert shown(growth.views) == [True] * 2
    for k in (growth.cuts.end, 1, 0):
        growth.cuts.value = k
        assert len(growth.tree.record.number) == 2 * k + 1
        lines = len(growth.map.lines.data["xs"]) + len(growth.map.last.data["xs"])
        assert lines == len(growth.found.growth.lines_after(k))
    assert len(set(growth.map.cells.data["colour"])) == 1
    growth.cuts.value = 2
    page.mode.value = "One node"
    settle(session)
    assert shown(growth.views) == [False] * 2
