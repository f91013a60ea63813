"""Tours: smooth, of constant speed, exact on every plane, and guided to what they look for."""

from itertools import islice, pairwise

import numpy as np
import pytest

from explorer.analysis import tour
from explorer.data import Dataset, load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def wine():
    return load("wine")


def angle(a, b):
    """Between two planes: the length of the shortest way."""
    cosines = np.linalg.svd(a.T @ b, compute_uv=False)
    return np.linalg.norm(np.arccos(np.clip(cosines, -1, 1)))


def test_frames_are_orthonormal_and_equally_far_apart(wine):
    space = tour.tour_space(wine)
    a, b = (tour.random_frame(np.random.default_rng(s), space.size) for s in (0, 1))
    frames = [a, *tour.travel(a, b, 0.05)]
    for frame in frames:
        np.testing.assert_allclose(frame.T @ frame, np.eye(2), atol=1e-12)
    steps = [angle(p, q) for p, q in pairwise(frames)]
    assert max(steps) <= 0.05 + 1e-6
    assert max(steps) - min(steps) < 1e-6


def test_a_way_ends_on_the_plane_it_was_sent_to_and_is_the_shortest():
    rng = np.random.default_rng(2)
    a, b = tour.random_frame(rng, 7), tour.random_frame(rng, 7)
    way = tour.geodesic(a, b)
    np.testing.assert_allclose(way.at(0), a, atol=1e-12)
    end = way.at(1)
    np.testing.assert_allclose(end @ end.T, b @ b.T, atol=1e-9)
    assert way.length == pytest.approx(angle(a, b))


def test_a_way_to_the_same_plane_does_not_move():
    frame = tour.random_frame(np.random.default_rng(3), 5)
    turned = frame @ np.array([[0.6, -0.8], [0.8, 0.6]])
    way = tour.geodesic(frame, turned)
    assert way.length == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(way.at(0.5), frame, atol=1e-6)


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "FRANK"])
def test_a_frame_is_drawn_exactly(wine, family):
    forest = grow(FAMILIES[family].replace(n_tree=20, seed=0), wine.X, wine.y)
    space = tour.tour_space(wine)
    frame = next(islice(tour.grand_tour(space, seed=4), 17, None))
    for through in (None, wine.X[5]):
        plane = space.plane(frame, through).plane
        drawn = forest.posterior_on(plane, 31, 23)
        walked = forest.predict_proba(plane.points(31, 23).reshape(-1, wine.n_features))
        np.testing.assert_allclose(drawn.reshape(-1, 3), walked, atol=1e-6)


def test_samples_are_where_their_plane_says(wine):
    """A sample on the plane has no depth, and its place in the picture leads back to it."""
    space = tour.tour_space(wine)
    frame = tour.random_frame(np.random.default_rng(5), space.size)
    plane = space.plane(frame, wine.X[8])
    place = plane.project(wine.X[8:9])
    np.testing.assert_allclose(plane.points(place)[0], wine.X[8], rtol=1e-9)
    depth = space.depth(frame, wine.X, wine.X[8])
    assert depth[8] == pytest.approx(0, abs=1e-9)
    seen = np.linalg.norm(plane.project(wine.X) - place, axis=1)
    whole = np.linalg.norm(space.coordinates(wine.X) - space.coordinates(wine.X[8:9]), axis=1)
    np.testing.assert_allclose(np.hypot(depth, seen), whole, atol=1e-9)


def test_wide_data_travel_in_principal_components_and_it_says_so():
    data = load("tecator")
    space = tour.tour_space(data)
    assert space.components
    assert space.size == 8
    assert space.in_words() == "the first 8 principal components of 100 features"
    np.testing.assert_allclose(space.basis.T @ space.basis, np.eye(8), atol=1e-12)


def test_a_guided_tour_finds_the_plane_that_separates_the_classes(wine):
    """Against the best plane there is: two discriminants, by an eigendecomposition."""
    space = tour.tour_space(wine)
    index = tour.separation(space, wine)
    Z = space.coordinates(wine.X)
    means = np.stack([Z[wine.y == k].mean(0) for k in range(3)])
    inner = Z - means[wine.y]
    W, T = inner.T @ inner, (Z - Z.mean(0)).T @ (Z - Z.mean(0))
    values, vectors = np.linalg.eig(np.linalg.solve(W, T))
    best = tour.orthonormal(vectors[:, np.argsort(-values.real)[:2]].real)
    *_, last = tour.guided_tour(space, index, seed=0, speed=1.0)
    assert index(last) > 0.97 * index(best)
    assert index(best) >= index(last) - 1e-9


def test_a_guided_tour_finds_where_two_forests_disagree():
    """Only features 3 and 4 tell them apart: one forest saw them, the other saw noise there."""
    rng = np.random.default_rng(6)
    X = rng.normal(size=(300, 5))
    y = ((X[:, 3] + X[:, 4]) > 0).astype(int)
    shuffled = X.copy()
    shuffled[:, 3:] = rng.normal(size=(300, 2))
    spec = FAMILIES["oRF-ridge"].replace(n_tree=20, seed=0)
    a, b = grow(spec, X, y), grow(spec, shuffled, y)
    data = Dataset("two", X, y, ("a", "b"))
    space = tour.tour_space(data)
    index = tour.disagreement(space, a, b)
    start = np.eye(5)[:, :2]
    *_, last = tour.guided_tour(space, index, start, seed=1, speed=1.0)
    away = np.array([0, 0, 0, 1, 1]) / 2**0.5
    assert index(last) > 1.5 * index(start)
    assert np.linalg.norm(last.T @ away) > 0.9


def test_tours_are_the_same_for_the_same_seed(wine):
    space = tour.tour_space(wine)
    one, two = (list(islice(tour.grand_tour(space, seed=7), 40)) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_two_features_are_refused():
    with pytest.raises(ValueError, match="a tour needs three"):
        tour.tour_space(load("moons"))
