import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from explorer.analysis import discriminant_plane
from explorer.analysis.discriminant import discriminant_axes, standardised, thinned
from explorer.data import load


@pytest.mark.parametrize("name", ["heart", "sonar", "trunk"])
def test_the_first_axis_of_two_classes_is_that_of_shrunken_lda(name):
    """The outside oracle shrinks towards the same ball; its covariance is within classes, too."""
    data = load(name)
    Z, _, _ = standardised(data.X)
    outside = LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.5)
    P = data.n_features
    within = np.concatenate([Z[data.y == k] - Z[data.y == k].mean(axis=0) for k in range(2)])
    cov = within.T @ within / len(Z)
    ball = 0.5 * cov + 0.5 * np.trace(cov) / P * np.eye(P)
    wanted = np.linalg.solve(ball, Z[data.y == 1].mean(axis=0) - Z[data.y == 0].mean(axis=0))
    found = discriminant_axes(Z, data.y)[:, 0]
    assert abs(found @ wanted) / np.linalg.norm(wanted) == pytest.approx(1.0, abs=1e-9)
    near = outside.fit(Z, data.y).scalings_[:, 0]  # it scales each class before it shrinks
    assert abs(found @ near) / np.linalg.norm(near) > 0.98


def test_more_features_than_samples_give_the_same_axes_as_the_long_way(rng):
    Z, _, _ = standardised(rng.normal(size=(30, 80)) + np.repeat([[0.0], [1.0]], 15, axis=0))
    y = np.repeat([0, 1], 15)
    within = np.concatenate([Z[y == k] - Z[y == k].mean(axis=0) for k in (0, 1)])
    cov = within.T @ within / 30
    wanted = np.linalg.solve(
        0.5 * cov + 0.5 * np.trace(cov) / 80 * np.eye(80),
        Z[y == 1].mean(axis=0) - Z[y == 0].mean(axis=0),
    )
    found = discriminant_axes(Z, y)
    assert abs(found[:, 0] @ wanted) / np.linalg.norm(wanted) == pytest.approx(1.0, abs=1e-9)
    np.testing.assert_allclose(found.T @ found, np.eye(2), atol=1e-9)


def test_axes_are_of_length_one_at_right_angles_and_ignore_constant_features():
    data = load("digits")
    Z, _, _ = standardised(data.X)
    axes = discriminant_axes(Z, data.y)
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-9)
    constant = np.ptp(data.X, axis=0) == 0
    assert constant.any()
    np.testing.assert_allclose(axes[constant], 0.0, atol=1e-12)


def test_a_point_of_the_plane_is_projected_onto_itself():
    plane = discriminant_plane(load("wine"))
    xy = np.array([[0.0, 0.0], [1.5, -2.0], [-3.0, 0.25]])
    np.testing.assert_allclose(plane.project(plane.points(xy)), xy, atol=1e-9)


def test_the_plane_says_what_its_axes_are():
    assert discriminant_plane(load("wine")).y_label == "discriminant 2"
    heart = discriminant_plane(load("heart"))
    assert heart.y_label == "largest variance left"
    assert "13 features" in heart.label


def test_thinned_rows_keep_the_shares_of_classes():
    y = np.repeat([0, 1, 2], [600, 300, 100])
    rows = thinned(y, 100)
    assert np.bincount(y[rows]).tolist() == [60, 30, 10]
    assert thinned(y, 5000).size == 1000


def test_one_class_has_two_axes_too(rng):
    axes = discriminant_axes(rng.normal(size=(20, 5)), np.zeros(20, np.intp))
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-9)
