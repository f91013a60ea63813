import numpy as np
import pytest

from explorer.analysis import component_plane, feature_plane, marginal_plane


def test_a_plane_says_its_features_and_where_the_others_are(ten, mixture):
    assert feature_plane(mixture).label == "x2 against x1"
    assert feature_plane(ten, 6, 3).label == "x4 against x7, the other 8 at their medians"
    assert feature_plane(ten, 0, 1, at="mean").label.endswith("the other 8 at their means")
    assert feature_plane(ten, 0, 1, at=16).label.endswith("the other 8 as in sample 17")
    assert feature_plane(ten, 0, 1, at=np.zeros(10)).label.endswith("the other 8 at chosen values")
    three = feature_plane(ten, 0, 1, at={2: -0.5})
    assert three.label == "x2 against x1, x3 = -0.5, the other 7 at their medians"
    assert (
        "averaged over the other 8 features in all 200" in marginal_plane(ten, samples=None).label
    )
    assert "in 20 of 200 samples" in marginal_plane(ten, samples=20).label


def test_the_rest_lies_where_the_label_says(ten):
    plane = feature_plane(ten, 3, 6, at={2: -0.5})
    point = plane.points([[0.25, -0.75]])[0]
    expected = np.median(ten.X, axis=0)
    expected[[2, 3, 6]] = -0.5, 0.25, -0.75
    np.testing.assert_array_equal(point, expected)
    sample = feature_plane(ten, 3, 6, at=11)
    np.testing.assert_allclose(sample.points(ten.X[11:12, [3, 6]])[0], ten.X[11])


def test_pixels_of_a_plane_are_those_the_engine_draws(ten):
    for plane in (feature_plane(ten, 4, 1), component_plane(ten)):
        x, y = plane.pixels(7, 5)
        mine = plane.points(np.column_stack([np.tile(x, 5), np.repeat(y, 7)]))
        np.testing.assert_allclose(mine, plane.plane.points(7, 5).reshape(-1, 10), atol=1e-12)


def test_component_coordinates_are_the_scores_of_a_pca(ten):
    from sklearn.decomposition import PCA

    plane = component_plane(ten, 0, 2)
    pca = PCA(3).fit(ten.X)
    scores = pca.transform(ten.X)[:, [0, 2]]
    np.testing.assert_allclose(np.abs(plane.project(ten.X)), np.abs(scores), atol=1e-9)
    share = pca.explained_variance_ratio_
    assert f"{100 * share[0]:.0f} % and {100 * share[2]:.0f} % of the variance" in plane.label


def test_all_samples_lie_inside_the_default_range(ten):
    for plane in (feature_plane(ten, 2, 5), component_plane(ten), marginal_plane(ten)):
        unit = plane.unit(plane.project(ten.X))
        assert (unit > 0).all()
        assert (unit < 1).all()


def test_a_wrong_plane_is_refused_in_a_sentence(ten):
    with pytest.raises(ValueError, match="two different features out of 0"):
        feature_plane(ten, 3, 3)
    with pytest.raises(ValueError, match="There is no sample 200"):
        feature_plane(ten, at=200)
    with pytest.raises(ValueError, match="a range that rises"):
        feature_plane(ten, x_range=(1.0, 0.0))
    with pytest.raises(ValueError, match="two different components"):
        component_plane(ten, 0, 10)
    with pytest.raises(ValueError, match="at least one sample"):
        marginal_plane(ten, samples=0)
