"""Ho's hyperplanes: central axis projection, and the perceptron that falls back to it."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.engine.check import comparable_weights
from explorer.engine.kernels.directions.perceptron import EPOCHS, PATIENCE

from . import naive
from .toys import blobs, stump


@pytest.mark.parametrize("K", [2, 3, 6])
@pytest.mark.parametrize("stops", [1, 2, 7, 100, 1000])
def test_the_central_axis_is_cut_where_the_classes_err_least(K, stops):
    X, y = blobs(K, n=90, P=4, K=K)
    w = np.random.default_rng(K).choice([0.5, 1.0, 2.0], 90)
    weights, node = stump("cap", X, y, sample_weight=w, n_thresholds=stops)
    axis, cut, errors, q = naive.central_axis(X, y, w, stops)
    scale = np.linalg.norm(axis) / np.linalg.norm(weights)
    np.testing.assert_allclose(weights * scale, axis, rtol=1e-9)
    assert node.cut * scale == pytest.approx(cut, rel=1e-9, abs=1e-12)
    assert errors[q - 1] == pytest.approx(errors.min())


def test_of_equal_stops_the_one_nearest_the_middle_is_taken():
    X = np.array([[0.0], [1.0], [9.0], [10.0]])
    weights, node = stump("cap", X, [0, 0, 1, 1], n_thresholds=3)
    assert node.cut / weights[0] == pytest.approx(5.0)  # stops at 2.75, 5, 7.25, means 0.5, 9.5


def test_classes_whose_means_coincide_are_divided_by_the_best_single_feature():
    X = np.array([[-2.0, 0.1], [2.0, -0.1], [-1.0, -0.1], [1.0, 0.1]] * 3)
    y = np.array([0, 0, 1, 1] * 3)
    _, node = stump("cap", X, y)
    gains = [naive.best_cut(X[:, f], y, np.ones(12), 2, "gini")[0] for f in (0, 1)]
    assert node.features.tolist() == [int(np.argmax(gains))]
    assert node.gain == pytest.approx(max(gains))


@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("apart", [0.3, 4.0])
@pytest.mark.parametrize("of", [(1.0, 3.0), (1.0, 1.7, 2.4)])
def test_the_perceptron_equals_its_twin(K, apart, of):
    rng = np.random.default_rng(K)
    y = np.arange(60) % K
    X = rng.normal(size=(60, 3)) + apart * rng.normal(size=(K, 3))[y]
    w = comparable_weights(rng.choice(of, 60))
    weights, node = stump("perceptron", X, y, sample_weight=w)
    Z, mean, sd = naive.standardise(X, w)
    target = naive.two_groups(Z, y, w)
    plane, error = naive.perceptron(Z, target, w, EPOCHS, PATIENCE)
    side = np.sign(Z @ plane[:-1] + plane[-1])
    if (side == side[0]).all():  # a plane that divides nothing: central axis projection
        stops = ForestSpec(split="perceptron").n_thresholds
        axis = naive.central_axis(X, y, w, stops)[0]
        np.testing.assert_allclose(weights / np.linalg.norm(weights), axis / np.linalg.norm(axis))
        return
    np.testing.assert_allclose(weights * sd, plane[:-1], rtol=1e-6, atol=1e-9)
    assert node.cut - weights @ mean == pytest.approx(-plane[-1], rel=1e-6, abs=1e-9)
    wrong = np.sign(X @ weights - node.cut) != target
    assert w[wrong].sum() == pytest.approx(error)
    if apart > 1 and K == 2:
        assert error == 0, "separable groups are separated"


def test_a_perceptron_that_divides_nothing_falls_back_to_the_central_axis():
    """One sample inside a cloud: no plane found in EPOCHS passes is better than all on one side,
    or one is; either way the node is divided."""
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    y = np.array([0, 1, 0, 1])
    forest = grow(FAMILIES["RDF-PER"].replace(n_tree=1, m_try="all"), X, y)
    leaves = [node.counts.tolist() for node in forest.tree(0).nodes if node.is_leaf]
    assert leaves == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("name", ["RDF-CAP", "RDF-PER"])
def test_every_tree_classifies_its_training_samples_without_error(name):
    X, y = blobs(7, n=120, P=6, K=4)
    forest = grow(FAMILIES[name].replace(n_tree=6), X, y)
    np.testing.assert_array_equal(forest.training_error, 0.0)
    np.testing.assert_array_equal(forest.predict(X), y)


@pytest.mark.parametrize("name", ["RDF-CAP", "RDF-PER"])
def test_a_tree_looks_at_one_random_half_of_the_features(name):
    X, y = blobs(8, n=120, P=8, K=4)
    forest = grow(FAMILIES[name].replace(n_tree=20), X, y)
    used = [{int(f) for node in tree.nodes for f in node.features} for tree in forest]
    assert all(len(features) <= 4 for features in used)
    assert len({tuple(sorted(features)) for features in used}) > 1
    assert set().union(*used) == set(range(8))
