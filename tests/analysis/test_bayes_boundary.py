import numpy as np

from explorer.analysis import feature_plane, marginal_plane
from explorer.analysis.bayes_boundary import bayes_lines
from explorer.data import Dataset, load


def test_the_bayes_boundary_lies_where_the_two_largest_true_posteriors_are_equal():
    data = load("clouds")
    x, y = bayes_lines(data, feature_plane(data))
    known = ~np.isnan(x)
    assert known.sum() > 1
    posterior = np.sort(data.truth.posterior(np.column_stack([x, y])[known]), axis=1)
    np.testing.assert_allclose(posterior[:, -1], posterior[:, -2], atol=1e-6)


def test_a_truth_of_many_features_is_traced_on_the_plane():
    data = load("trunk", p=4)
    plane = feature_plane(data)
    x, y = bayes_lines(data, plane)
    rows = np.tile(plane.base, (x.size, 1))
    rows[:, 0], rows[:, 1] = x, y
    posterior = data.truth.posterior(rows[~np.isnan(x)])
    np.testing.assert_allclose(posterior[:, 0], 0.5, atol=1e-4)


def test_on_a_marginal_plane_the_averaged_truth_has_a_boundary():
    data = load("trunk", p=4)
    x, _ = bayes_lines(data, marginal_plane(data))
    assert np.isfinite(x).any()


def test_without_a_known_truth_there_is_no_bayes_boundary(rng):
    data = Dataset("own", X=rng.normal(size=(8, 2)), y=[0, 1] * 4, class_names=("a", "b"))
    assert bayes_lines(data, feature_plane(data)) is None
