import threading

import numpy as np
import pytest

from explorer.analysis import marginal_plane, posterior_map, true_posterior
from explorer.app.state import link
from explorer.app.state.plane_choice import PlaneRecipe, home_window, seen, told
from explorer.app.state.visitor import DataState, ModelState, State
from explorer.app.work.cache import Cache
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest, Pictures
from explorer.data import load
from explorer.engine import grow


@pytest.fixture(scope="module")
def trunk():
    return load("trunk", p=6, n=80)


def shown_on(plane, family="RF", **more):
    state = DataState()
    state.choose("trunk")
    state.turn_knob("p", 6)
    state.turn_knob("n", 80)
    spec = ModelState(family=family, knobs={"n_tree": 5}).spec(6)
    request = MapRequest(state.recipe(), (spec,), plane=plane, pixels=(24, 18), **more)
    *_, last = (p for p in pictures(request, Cache(), threading.Event()) if isinstance(p, Pictures))
    return last


@pytest.mark.parametrize(
    "plane",
    [
        PlaneRecipe(across=2, up=4),
        PlaneRecipe(at="mean"),
        PlaneRecipe(at="sample", sample=7),
        PlaneRecipe(at="values", fixed=((3, 0.5), (5, -1.0))),
        PlaneRecipe("marginal"),
        PlaneRecipe("components", 0, 2),
    ],
)
@pytest.mark.parametrize("family", ["RF", "F-RC"])
def test_a_map_shows_what_analysis_says_on_every_plane(plane, family, trunk):
    shown = shown_on(plane, family)
    forest = grow(shown.request.specs[0], trunk.X, trunk.y)
    expected = posterior_map(forest, trunk, shown.plane, 24, 18, truth=False, boundary="none")
    np.testing.assert_allclose(shown.records[0].posterior, expected.posterior, atol=1e-6)
    np.testing.assert_allclose(shown.places, shown.plane.project(trunk.X))


@pytest.mark.parametrize(
    ("plane", "words"),
    [
        (PlaneRecipe(across=3, up=4), "x5 against x4, the other 4 at their medians"),
        (PlaneRecipe(at="mean"), "at their means"),
        (PlaneRecipe(at="sample", sample=7), "as in sample 8"),
        (PlaneRecipe(at="values", fixed=((3, 0.5),)), "x4 = 0.5, the other 3 at their medians"),
        (PlaneRecipe("marginal"), "averaged over the other 4 features in 50 of 80 samples"),
        (PlaneRecipe("components"), "principal components 1 and 2"),
    ],
)
def test_a_plane_is_said_in_words(plane, words, trunk):
    assert words in plane.within(trunk).labelled(trunk).label


def test_what_the_data_do_not_have_falls_back(trunk):
    assert PlaneRecipe(across=9, up=4).within(trunk) == PlaneRecipe()
    assert PlaneRecipe(at="sample", sample=80).within(trunk) == PlaneRecipe()
    assert PlaneRecipe(at="values", fixed=((50, 1.0), (0, 2.0))).within(trunk).fixed == ()
    assert PlaneRecipe("marginal", at="mean").within(load("moons")) == PlaneRecipe()
    assert PlaneRecipe("components", 0, 5).within(load("moons")) == PlaneRecipe("components")


def test_sliders_are_given_to_the_features_whose_classes_lie_farthest_apart(trunk):
    # Trunk's features carry less and less signal
    assert told(trunk, 3, (0, 1)) == (2, 3, 4)


def test_a_marginal_map_comes_rough_at_first_and_then_over_all_its_samples(trunk):
    state = DataState()
    state.choose("trunk")
    spec = ModelState(family="RF", knobs={"n_tree": 5}).spec(10)
    request = MapRequest(state.recipe(), (spec,), plane=PlaneRecipe("marginal"), pixels=(24, 18))
    made = [p for p in pictures(request, Cache(), threading.Event()) if isinstance(p, Pictures)]
    assert made[0].records[0].rough
    assert not made[-1].records[0].rough


def test_the_truth_of_a_plane_is_coarse_at_once_and_then_exact(trunk):
    state = DataState()
    state.choose("trunk")
    state.turn_knob("p", 6)
    state.turn_knob("n", 80)
    spec = ModelState(family="RF", knobs={"n_tree": 5}).spec(6)
    cache = Cache()
    request = MapRequest(state.recipe(), (spec,), pixels=(24, 18), truth=True)
    made = [p for p in pictures(request, cache, threading.Event()) if isinstance(p, Pictures)]
    plane = made[-1].plane
    expected = true_posterior(trunk, plane, 24, 18, boundary=False).posterior
    truths = [p.truth for p in made if p.truth is not None]
    assert truths[0].shape == expected.shape
    np.testing.assert_allclose(truths[-1], expected, atol=1e-6)
    again = [p for p in pictures(request, cache, threading.Event()) if isinstance(p, Pictures)]
    assert all(p.truth is truths[-1] for p in again)


@pytest.mark.parametrize(
    "change",
    [
        {"plane": "components", "across": 2, "up": 1},
        {"plane": "marginal"},
        {"plane": "features", "at": "mean"},
        {"plane": "features", "at": "sample", "sample": 12},
        {"plane": "features", "at": "values", "fixed": [(3, 0.5), (4, -1.25)]},
        {"plane": "discriminant"},
        {},
    ],
)
def test_a_plane_travels_in_the_link(change):
    state, again = State(), State()
    state.data.choose("trunk")
    state.view.param.update(**change)
    assert link.read(link.write(state), again) == []
    assert again.view.recipe() == state.view.recipe()


@pytest.mark.parametrize(
    "query",
    [
        "look=<b>",
        "at=sample,-3",
        "at=nowhere",
        "at=values&fix=nan,nan&fix=1,inf",
        "at=values&fix=1&fix=-4,2",
        "at=sample,9999999999999999999999",
    ],
)
def test_a_hostile_plane_falls_back_with_a_notice(query):
    state = State()
    assert link.read(f"data=trunk&{query}", state)
    assert state.view.fixed == []
    assert state.view.sample == 0


def test_the_marginal_plane_of_the_app_is_that_of_analysis(trunk):
    made = PlaneRecipe("marginal").labelled(trunk)
    np.testing.assert_array_equal(made.rows, marginal_plane(trunk, samples=50).rows)
    window = home_window(trunk, made.project(trunk.X), 1.2)
    assert seen(made, window).x_range == (window.x0, window.x1)


@pytest.mark.parametrize("name", ["wine", "iris", "ionosphere", "tecator"])
def test_the_first_window_of_real_data_holds_every_sample(name):
    data = load(name)
    for kind in ("features", "components"):
        places = PlaneRecipe(kind).within(data).labelled(data).project(data.X)
        assert home_window(data, places, 1.1).holds(places).all()


def test_a_sample_far_from_all_others_does_not_make_them_small():
    data = load("breast_cancer")
    places = PlaneRecipe("components").within(data).labelled(data).project(data.X)
    window = home_window(data, places, 1.1)
    assert 0 < (~window.holds(places)).sum() < 5
    assert window.width < 2 * np.ptp(places[:, 0])


def test_other_data_open_on_their_first_plane_and_the_link_stays_short(new_session):
    session = new_session()
    session.data.choose("iris")
    assert session.gestures.link() == "data=iris"
    now = session.plane_now()
    assert (now.kind, now.across, now.up) == ("features", 2, 3)
    assert new_session("data=iris").plane_now() == now


def test_a_plane_that_is_chosen_is_in_the_link(new_session):
    session = new_session("data=iris")
    session.plane.look_at(0, 1)
    assert "plane=0%2C1" in session.gestures.link()
    again = new_session(session.gestures.link()).plane_now()
    assert (again.kind, again.across, again.up) == ("features", 0, 1)


def test_old_links_with_a_plane_keep_it(new_session):
    for query, kind, pair in (
        ("data=iris&plane=1,2", "features", (1, 2)),
        ("data=wine&look=components", "components", (0, 1)),
        ("data=wine&look=marginal&plane=3,4", "marginal", (3, 4)),
        ("data=wine&at=mean", "features", (0, 1)),
    ):
        now = new_session(query).plane_now()
        assert (now.kind, now.across, now.up) == (kind, *pair)


def test_the_first_plane_stays_while_a_slider_moves(new_session):
    session = new_session("data=trunk")
    before = session.plane_now()
    for noise in (0.1, 0.3):
        session.data.turn("noise", noise)
        assert session.plane_now() == before


def test_holding_a_sample_keeps_the_features_that_are_seen(new_session):
    session = new_session("data=iris")
    session.plane.hold_sample(7)
    now = session.plane_now()
    assert (now.kind, now.across, now.up, now.at, now.sample) == ("features", 2, 3, "sample", 7)


def test_two_features_of_many_are_those_that_tell_classes_apart(new_session):
    session = new_session("data=digits")
    assert session.plane_now().kind != "features"
    session.plane.choose("features")
    now, data = session.plane_now(), session.data_now()
    assert np.ptp(data.X[:, now.across]) > 0
    assert np.ptp(data.X[:, now.up]) > 0
