from types import SimpleNamespace

import pytest

from app.settling import settle
from explorer.app.state.visitor import PAINT


@pytest.fixture
def session(new_session):
    made = new_session("page=Paint&points=&model=RF~n_tree:2")
    made.refresh()
    settle(made)
    yield made
    settle(made)


def touch(session, x, y):
    session.painting.touched(SimpleNamespace(x=x, y=y, modifiers=None), True, True)


def test_a_touch_puts_a_point_and_a_step_back_takes_it_away(session):
    touch(session, 1.0, 1.0)
    assert len(session.state.data.points) >= 1
    session.painting.step_back()
    assert session.state.data.points == []


def test_wiping_leaves_an_empty_paper_that_can_be_brought_back(session):
    touch(session, 1.0, 1.0)
    before = list(session.state.data.points)
    session.painting.wipe()
    assert session.state.data.points == []
    session.painting.step_back()
    assert session.state.data.points == before


@pytest.mark.parametrize("place", [(None, 1.0), (float("nan"), 0.0), ("x", 2.0), (1e300, 0.0)])
def test_a_touch_that_is_no_place_is_ignored(session, place):
    touch(session, *place)
    assert session.state.data.points == []


def test_another_data_set_is_put_on_the_paper(session):
    assert session.state.data.shown == PAINT
    session.data.choose("moons")
    assert len(session.state.data.points) > 10
    assert {k for _, _, k in session.state.data.points} == {0, 1}
