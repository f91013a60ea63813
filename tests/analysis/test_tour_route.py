"""Routes of tours: starts, legs, turns by hand and slices."""

import numpy as np
import pytest

from explorer.analysis import tour, tour_route
from explorer.data import load


@pytest.fixture(scope="module")
def wine():
    return load("wine")


@pytest.fixture(scope="module")
def space(wine):
    return tour.tour_space(wine)


def test_a_tour_starts_on_a_plane_that_separates_the_classes(wine, space):
    start = tour_route.first_frame(space, wine)
    index = tour.separation(space, wine)
    rng = np.random.default_rng(0)
    others = [index(tour.random_frame(rng, space.size)) for _ in range(200)]
    assert index(start) > max(others)
    np.testing.assert_allclose(start.T @ start, np.eye(2), atol=1e-12)


def test_a_frame_survives_its_numbers_to_the_last_bit(wine, space):
    start = tour_route.first_frame(space, wine)
    again = tour_route.from_numbers(space, tour_route.to_numbers(start))
    assert tour_route.to_numbers(again) == tour_route.to_numbers(start)
    np.testing.assert_allclose(again, start, atol=1e-4)
    twice = tour_route.from_numbers(space, tour_route.to_numbers(again))
    assert np.array_equal(twice, again)


@pytest.mark.parametrize("numbers", [(), (1.0, 2.0), (0.0,) * 26, (float("nan"),) * 26])
def test_numbers_of_no_frame_are_refused(space, numbers):
    assert tour_route.from_numbers(space, numbers) is None


def test_legs_are_the_same_for_the_same_seed_and_follow_the_index(wine, space):
    start = tour.random_frame(np.random.default_rng(1), space.size)
    one, two = (tour_route.next_leg(space, start, seed=5) for _ in range(2))
    assert np.array_equal(one.way.at(1), two.way.at(1))
    index = tour.separation(space, wine)
    frame, reached = start, index(start)
    for seed in range(60):
        leg = tour_route.next_leg(space, frame, index, seed=seed)
        assert leg.index >= reached - 1e-12
        reached = leg.index
        if leg.way is None:
            break
        frame = leg.way.at(1)
        assert index(frame) == pytest.approx(leg.index, abs=1e-9)
    assert leg.way is None  # it arrives
    assert reached > index(start)


@pytest.mark.parametrize("to", [(0.3, -0.5), (0.0, 0.0), (0.0, 1.0), (3.0, 4.0)])
@pytest.mark.parametrize("start", ["random", "axes"])
def test_a_turn_by_hand_puts_the_axis_there_and_the_frame_stays_orthonormal(start, to):
    frame = np.eye(6)[:, :2]
    if start == "random":
        frame = tour.random_frame(np.random.default_rng(2), 6)
    for axis in (0, 4):
        turned = tour_route.turned_by_hand(frame, axis, to)
        np.testing.assert_allclose(turned.T @ turned, np.eye(2), atol=1e-7)
        wanted = np.array(to) / max(1.0, np.hypot(*to))
        np.testing.assert_allclose(turned[axis], wanted, atol=1e-12)


def test_a_turn_by_hand_to_the_same_place_changes_nothing():
    frame = tour.random_frame(np.random.default_rng(3), 7)
    np.testing.assert_allclose(tour_route.turned_by_hand(frame, 2, frame[2]), frame, atol=1e-4)


def test_samples_in_the_slice_are_full_and_far_ones_faint(wine, space):
    frame = tour_route.first_frame(space, wine)
    depth = space.depth(frame, wine.X)
    near = tour_route.nearness(space, frame, wine.X, float(np.median(depth)))
    assert (near[depth <= np.median(depth)] == 1).all()
    order = np.argsort(depth)
    assert (np.diff(near[order]) <= 1e-12).all()
    assert near.min() >= tour_route.FAINTEST
    assert (tour_route.nearness(space, frame, wine.X, 0.0) == 1).all()


def test_axes_have_the_names_of_features_or_of_components(wine, space):
    frame = tour_route.first_frame(space, wine)
    axes = tour_route.tour_axes(space, frame)
    assert axes.names == wine.feature_names
    np.testing.assert_allclose(axes.weights, frame)
    wide = tour.tour_space(load("tecator"))
    assert tour_route.axis_names(wide)[:2] == ("PC 1", "PC 2")
