import numpy as np
import pytest

from explorer.analysis import unknown_map
from explorer.analysis import unknown_map as make_map
from explorer.analysis.proximity import classical_mds
from explorer.analysis.unknown_map import MOST_PLACED
from explorer.analysis.unknowns import LeafNeighbours
from explorer.data import Dataset, load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def wine():
    train, test = load("wine").split(0.4, seed=1)
    return train, test, grow(FAMILIES["RF"].replace(n_tree=60), train.X, train.y)


def test_new_samples_lie_beside_the_training_samples_of_their_class(wine):
    train, test, forest = wine
    found = unknown_map(forest, train, test.X)
    middles = np.array([found.places[found.y == k].mean(axis=0) for k in range(3)])
    away = np.linalg.norm(found.new[:, None] - middles, axis=2)
    assert (away.argmin(axis=1) == test.y).mean() > 0.9


def test_training_samples_are_placed_by_classical_scaling(wine):
    train, _, forest = wine
    found = unknown_map(forest, train, train.X[:1])
    near = LeafNeighbours(forest, train, None).among(np.arange(train.n_samples))
    expected, _, explained, _ = classical_mds(np.sqrt(1.0 - near), 2)
    np.testing.assert_allclose(found.places, expected)
    np.testing.assert_allclose(found.explained, explained)


def test_a_landmark_is_placed_where_it_is_by_its_own_distances(wine):
    """What places new samples gives a training sample's own place for its own distances."""
    train, _, forest = wine
    near = LeafNeighbours(forest, train, None).among(np.arange(train.n_samples))
    places, values, _, (vectors, mean) = classical_mds(np.sqrt(1.0 - near), 2)
    again = 0.5 * (mean[None, :] - (1.0 - near)) @ vectors / np.sqrt(values)
    np.testing.assert_allclose(again, places, atol=1e-9)


def test_new_samples_do_not_move_the_map(wine):
    train, test, forest = wine
    one, many = (make_map(forest, train, test.X[:k]) for k in (1, 20))
    np.testing.assert_array_equal(one.places, many.places)
    np.testing.assert_allclose(one.new[0], many.new[0], atol=1e-12)


def test_of_many_training_samples_some_make_the_map(rng):
    X = rng.normal(size=(900, 3))
    data = Dataset("many", X=X, y=(X[:, 0] > 0).astype(int), class_names=("a", "b"))
    forest = grow(FAMILIES["RF"].replace(n_tree=10), data.X, data.y)
    found = unknown_map(forest, data, X[:4])
    assert found.training.size == MOST_PLACED
    table = found.to_frame()
    assert len(table) == MOST_PLACED + 4
    assert table["sample"].iloc[-1] == "new 4"
