import pytest

from explorer.app.session.events import GestureEnded, LinkChanged, Noted


@pytest.fixture
def session(new_session):
    return new_session("model=RF~n_tree:2")


@pytest.fixture
def heard(session):
    found = []
    for kind in (Noted, LinkChanged, GestureEnded):
        session.subscribe(kind, found.append)
    return found


def refuse():
    raise ValueError("Raised by a test.")


def test_a_sentence_of_ours_becomes_a_notice(session, heard):
    session.guarded(session.state.data.choose, "no such data")
    (note,) = heard
    assert "no such data" in note.sentence


def test_another_error_is_logged_and_said_without_its_text(session, heard, caplog):
    session.guarded(refuse)
    (note,) = heard
    assert "Raised by a test" not in note.sentence
    assert "Raised by a test" in caplog.text


def test_a_gesture_that_changed_the_state_writes_its_link_once(session, heard):
    session.state.data.choose("moons")
    session.commit()
    session.commit()
    assert [type(event) for event in heard] == [LinkChanged, GestureEnded, GestureEnded]
    assert "data=moons" in heard[0].query


def test_a_fault_beside_the_loop_is_counted_and_does_not_escape(session, caplog):
    session.aside(refuse)
    assert "Raised by a test" in caplog.text
