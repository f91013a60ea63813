import pytest

from app.settling import settle
from explorer.app.session.model_actions import OFFERED_NEXT
from explorer.app.state.visitor import MOST_MODELS
from explorer.engine import FAMILIES


@pytest.fixture
def session(new_session):
    made = new_session("data=moons&d.n=40&page=Papers&model=RF~n_tree:3&model=oRF-ridge~n_tree:3")
    yield made
    settle(made)


def families(session):
    return [m.family for m in session.state.models.models]


def test_a_model_is_added_duplicated_and_removed(session):
    session.models.add()
    assert families(session)[2] == OFFERED_NEXT[0]
    assert OFFERED_NEXT[0] in FAMILIES
    session.models.duplicate(0)
    assert families(session)[3] == "RF"
    assert session.state.models.models[3].knobs == session.state.models.models[0].knobs
    session.models.remove(0)
    assert families(session)[0] == "oRF-ridge"


def test_there_are_never_more_models_than_places_and_never_none(session):
    for _ in range(MOST_MODELS + 2):
        session.models.add()
    assert len(families(session)) == MOST_MODELS
    for _ in range(MOST_MODELS + 2):
        session.models.remove(0)
    assert len(families(session)) == 1


def test_a_knob_of_linked_models_is_turned_for_all(session):
    session.models.link(True)
    session.models.turn(0, "n_tree", 5)
    assert [m.knobs["n_tree"] for m in session.state.models.models] == [5, 5]
    session.models.link(False)
    session.models.turn(1, "n_tree", 7)
    assert [m.knobs["n_tree"] for m in session.state.models.models] == [5, 7]


def test_another_family_keeps_the_number_of_trees(session):
    session.models.choose_family(0, "F-RC")
    assert families(session)[0] == "F-RC"
    assert session.state.models.models[0].knobs["n_tree"] == 3


def test_all_trees_are_shown_at_the_end_of_the_slider(session):
    session.models.show_trees(2)
    assert session.state.view.trees == 2
    session.models.show_trees(3)
    assert session.state.view.trees == 0
