import pytest

from app.settling import settle
from explorer.app.sidebar.section import Box, more_knobs
from explorer.data import catalogue


@pytest.fixture
def box(new_session):
    session = new_session("data=moons&d.n=40&page=Papers&model=RF~n_tree:2")
    yield Box(session, session.style)
    settle(session)


def test_one_knob_is_not_many():
    assert more_knobs(1) == "1 more knob"
    assert more_knobs(3) == "3 more knobs"


def test_headings_escape_their_words(box):
    html = box._heading("<b>Data</b>", "a & b").object
    assert "<b>" not in html
    assert "a &amp; b" in html


def test_a_knob_that_the_state_refuses_becomes_a_notice(box):
    from explorer.app.session.events import Noted

    noted = []
    box.session.subscribe(Noted, noted.append)

    def refuse(value):
        box.state.data.choose("no such data")

    knob = catalogue()["moons"].knobs["noise"]
    widget = box._knob("noise", knob, knob.default, refuse)
    widget.value = knob.high
    assert len(noted) == 1
