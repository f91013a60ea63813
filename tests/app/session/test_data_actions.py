import pytest

from app.settling import settle
from explorer.app.session.events import DataChanged, FeaturesChanged, TransformChanged


@pytest.fixture
def session(new_session):
    made = new_session("data=moons&d.n=40&page=Papers&model=RF~n_tree:2")
    yield made
    settle(made)


def heard(session, *kinds):
    found = []
    for kind in kinds:
        session.subscribe(kind, lambda event: found.append(type(event)))
    return found


def test_other_data_are_announced_and_written_into_the_link(session):
    found = heard(session, DataChanged)
    session.data.choose("trunk")
    assert found == [DataChanged]
    assert session.state.data.source == "trunk"
    assert "data=trunk" in session.gestures.link()


def test_unknown_data_leave_everything_as_it_is(session):
    session.data.choose("no such data")
    assert session.state.data.source == "moons"


def test_another_number_of_features_has_the_controls_follow(session):
    session.data.choose("trunk")
    found = heard(session, FeaturesChanged)
    session.data.turn("p", 3)
    assert session.n_features == 3
    assert found == [FeaturesChanged]
    session.data.turn("n", 60)
    assert found == [FeaturesChanged]


def test_the_lead_slider_turns_two_dimensional_data(session):
    found = heard(session, TransformChanged)
    session.data.turn_lead(30.0)
    assert session.state.data.transform == "turn"
    assert session.data_now().X.shape == (40, 2)
    assert found == [TransformChanged]


def test_drawing_again_changes_the_samples(session):
    before = session.data_now().digest()
    session.data.draw_again()
    assert session.data_now().digest() != before
