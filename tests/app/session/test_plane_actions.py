import pytest

from app.settling import settle
from explorer.app.session.events import PlaneChanged


@pytest.fixture
def session(new_session):
    made = new_session("data=iris&page=Papers&model=RF~n_tree:2")
    yield made
    settle(made)


def test_two_features_are_looked_at_with_the_rest_as_it_is(session):
    session.plane.look_at(2, 0, "features")
    now = session.plane_now()
    assert (now.kind, now.across, now.up) == ("features", 2, 0)


@pytest.mark.parametrize(("across", "up"), [(1, 1), (0, 99)])
def test_a_plane_that_cannot_be_is_refused_in_a_sentence(session, across, up):
    with pytest.raises(ValueError, match=r"two different features|have 4 features"):
        session.plane.look_at(across, up)


@pytest.mark.parametrize("kind", ["features", "marginal", "components", "discriminant"])
def test_every_kind_of_plane_can_be_chosen(session, kind):
    changed = []
    session.subscribe(PlaneChanged, changed.append)
    session.plane.choose(kind)
    assert session.plane_now().kind == kind
    assert len(changed) == 1


def test_the_features_that_are_not_seen_are_held_at_values_or_at_a_sample(session):
    session.plane.look_at(0, 1, "features")
    session.plane.choose_rest("values")
    assert {f for f, _ in session.state.view.fixed} == {2, 3}
    session.plane.hold_sample(7)
    assert session.plane_now().sample == 7
    with pytest.raises(ValueError, match="There is no sample 1001"):
        session.plane.hold_sample(1000)
