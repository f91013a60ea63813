"""The tour of a session: it plays, pauses, goes back, is turned by hand, and is in the link."""

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.analysis.tour import disagreement, separation, tour_space
from explorer.app.state import link
from explorer.app.work.cache_key import cache_key

WINE = "data=wine&look=tour&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"


@pytest.fixture
def touring(new_session):
    def make(query=WINE):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def frame_of(session):
    data = session.latest.source.data
    return session.latest.recipe.directions(data, tour_space(data))


def forest_of(session, place):
    shown = session.latest
    return session.cache.get(
        cache_key("forest", shown.source.digest, shown.request.specs[place])
    ).forest


def on(session, radians, steps=1):
    for _ in range(steps):
        session.tour.advance(radians)
        settle(session)


def test_every_frame_is_what_the_forests_predict_on_its_plane(touring):
    session = touring()
    for _ in range(3):
        on(session, 0.2)
        shown = session.latest
        for place, record in enumerate(shown.records):
            height, width, _ = record.shares.shape
            x, y = shown.plane.pixels(width, height)
            places = np.stack(np.meshgrid(x[::7], y[::5]), axis=-1).reshape(-1, 2)
            walked = forest_of(session, place).predict_proba(shown.plane.points(places))
            drawn = record.shares[::5, ::7].reshape(-1, 2)
            np.testing.assert_allclose(drawn, walked[:, :2], atol=1e-6)


def test_a_tour_moves_at_the_speed_that_is_asked_for_and_the_window_stays(touring):
    session = touring()
    window = session.latest.window
    on(session, 0.05)
    for _ in range(5):
        before = frame_of(session)
        session.tour.frame_asked(0.1, 0.5)
        settle(session)
        cosines = np.linalg.svd(before.T @ frame_of(session), compute_uv=False)
        turned = np.linalg.norm(np.arccos(np.clip(cosines, -1, 1)))
        assert turned == pytest.approx(0.05, abs=2e-3)
        assert session.latest.window == window


def test_a_tour_can_be_scrubbed_back_to_its_start(touring):
    session = touring()
    start = frame_of(session)
    on(session, 0.3, steps=4)
    assert np.abs(frame_of(session) - start).max() > 0.2
    session.tour.seek(0.0)
    settle(session)
    np.testing.assert_allclose(frame_of(session), start, atol=2e-4)


@pytest.mark.parametrize("way", ["classes", "forests"])
def test_guided_tours_go_to_planes_with_a_larger_index(touring, way):
    session = touring()
    data = session.latest.source.data
    space = tour_space(data)
    on(session, 1.0, steps=2)  # away from the start, which separates the classes already
    index = separation(space, data)
    if way == "forests":
        index = disagreement(space, forest_of(session, 0), forest_of(session, 1))
    before = index(frame_of(session))
    session.tour.choose(way)
    on(session, 3.0, steps=4)
    assert index(frame_of(session)) > before


def test_a_baseline_is_no_forest_to_disagree_with(touring):
    session = touring("data=wine&look=tour&model=RF~n_tree:5&model=knn~neighbours:5")
    session.tour.choose("forests")
    on(session, 0.3)
    assert "model B has no trees" in screen_of(session).notice.pane.object


def test_an_axis_is_turned_by_hand_to_the_place_it_is_dragged_to(touring):
    session = touring()
    session.tour.turn_axis(4, [0.6, -0.3])
    settle(session)
    np.testing.assert_allclose(frame_of(session)[4], [0.6, -0.3], atol=2e-3)
    np.testing.assert_allclose(session.latest.axes_of_tour.frame, frame_of(session))


def test_a_paused_plane_is_in_the_link_and_comes_back_to_the_last_bit(touring, new_session):
    session = touring()
    on(session, 0.4)
    session.tour.cut(2.5)
    session.plane.hold_sample(11)
    settle(session)
    query = link.write(session.state)
    again = new_session(query)
    again.refresh()
    settle(again)
    assert again.latest.recipe == session.latest.recipe
    assert link.write(again.state) == query
    for one, two in zip(session.latest.records, again.latest.records, strict=True):
        assert np.array_equal(one.index, two.index)
    assert again.latest.near[11] == 1  # the plane goes through this sample


def test_points_far_from_the_slice_fade(touring):
    session = touring()
    cards = screen_of(session).cards
    source = session.frame.points[0]
    assert "near" not in source.data
    session.tour.cut(2.0)
    settle(session)
    assert source.data["near"].min() < 0.5 < source.data["near"].max()
    assert cards[0].map._scatter[0].glyph.fill_alpha == "near"
    session.tour.leave()
    settle(session)
    assert (source.data["near"] == 1).all()


def test_a_tour_begins_and_ends_by_its_button_and_two_features_have_none(touring):
    session = touring("data=wine&model=RF~n_tree:5")
    controls = screen_of(session).tour
    assert controls.toggle.visible
    assert "gone" in controls.card.css_classes
    controls.toggle.value = True
    settle(session)
    assert session.latest.recipe.kind == "tour"
    assert "gone" not in controls.card.css_classes
    assert "all 13 features" in controls.words.object
    controls.toggle.value = False
    settle(session)
    assert session.latest.recipe.kind != "tour"
    session.data.choose("moons")
    settle(session)
    assert not controls.toggle.visible


def test_frames_that_pass_are_not_kept(touring):
    session = touring()
    on(session, 0.1)
    held = session.cache.nbytes
    on(session, 0.1, steps=3)
    assert session.cache.nbytes - held < 20_000


def test_spectra_travel_in_components_and_show_curves(touring):
    session = touring("data=tecator&look=tour&model=RF~n_tree:5")
    controls = screen_of(session).tour
    assert "the first 8 principal components of 100 features" in controls.words.object
    assert "gone" not in controls.spectrum.css_classes
    assert len(controls.curves.curves.data["x"]) == 100
