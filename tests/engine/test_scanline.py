"""A picture is exact: at every pixel it is what predict_proba says of the pixel's centre."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.engine import FAMILIES, ForestSpec, Plane, grow

from .toys import SLOW, blobs, grown, small

SCALINGS = ("none", "rank", "percentile", "zscore")
VOTES = ("majority", "posterior", "weighted", "bayesian")


def worst(forest, plane, width=23, height=17, trees=None):
    """Largest difference between the picture and the walk over its pixels."""
    picture = forest.posterior_on(plane, width, height, trees=trees)
    assert picture.shape == (height, width, forest.n_classes)
    assert picture.dtype == np.float32
    points = plane.points(width, height).reshape(-1, forest.n_features)
    walked = forest.predict_proba(points, trees=trees).reshape(picture.shape)
    return np.abs(picture - walked).max()


def planes(X):
    """An axis plane, one drawn backwards, a slanted one, and the plane of the first two axes of
    a PCA, all through the middle of the data."""
    P = X.shape[1]
    low, high, middle = X.min(axis=0), X.max(axis=0), X.mean(axis=0)
    rng = np.random.default_rng(7)
    _, s, V = np.linalg.svd(X - middle, full_matrices=False)
    reach = 3 * s[:2] / np.sqrt(len(X))
    return {
        "axes": Plane.axes(0, P - 1, (low[0], high[0]), (low[-1] - 1, high[-1] + 1), middle),
        "backwards": Plane.axes(1, 0, (high[1], low[1]), (high[0], low[0]), middle),
        "slanted": Plane(middle - 1, rng.normal(size=P), rng.normal(size=P)),
        "pca": Plane(
            middle - reach[0] * V[0] - reach[1] * V[1], 2 * reach[0] * V[0], 2 * reach[1] * V[1]
        ),
    }


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_picture_equals_the_walk_for_every_family_and_scaling(name, scaling):
    X, y = blobs(1, n=50, P=4, K=3)
    forest = grown(name, X, y, n_tree=4, scaling=scaling)
    for what, plane in planes(X).items():
        assert worst(forest, plane) < 1e-6, what


@pytest.mark.parametrize("vote", VOTES)
@pytest.mark.parametrize("K", [2, 3, 5])
def test_a_picture_equals_the_walk_for_every_vote_and_number_of_classes(vote, K):
    X, y = blobs(K, n=70, P=3, K=K)
    for name in ("RF", "oRF-ridge", "FRANK"):
        forest = grown(name, X, y, n_tree=6, vote=vote, max_depth=3)
        for what, plane in planes(X).items():
            assert worst(forest, plane) < 1e-6, (name, what)


@pytest.mark.parametrize("name", ["RF", "FRANK", "oRF-ridge"])
def test_a_picture_of_the_first_trees_is_that_of_the_taken_forest(name):
    X, y = blobs(2)
    forest = grown(name, X, y, n_tree=7)
    for what, plane in planes(X).items():
        assert worst(forest, plane, trees=3) < 1e-6, what
        few = forest.posterior_on(plane, 9, 8, trees=3)
        np.testing.assert_array_equal(few, forest.take(3).posterior_on(plane, 9, 8))


def integer_lattice():
    """Two features on whole numbers, classes divided by both axes and both diagonals."""
    a, b = np.meshgrid(np.arange(-4, 5), np.arange(-4, 5))
    X = np.column_stack([a.ravel(), b.ravel()]).astype(float)
    return X, ((X[:, 0] > X[:, 1]) + 2 * (X[:, 0] > -X[:, 1])).astype(int)


# pixel centres on whole numbers, and on the halves where axis splits between whole numbers cut
ON_SAMPLES = Plane.axes(0, 1, (-4.5, 4.5), (-4.5, 4.5))
ON_CUTS = Plane.axes(0, 1, (-4.75, 4.75), (-4.75, 4.75))


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("name", FAMILIES)
def test_pixels_that_lie_on_a_cut_go_where_the_walk_sends_them(name, scaling):
    X, y = integer_lattice()
    forest = grown(name, X, y, n_tree=4, scaling=scaling)
    assert worst(forest, ON_SAMPLES, 9, 9) < 1e-6
    assert worst(forest, ON_CUTS, 19, 19) < 1e-6
    swapped = Plane(ON_CUTS.origin, ON_CUTS.v, ON_CUTS.u)
    assert worst(forest, swapped, 19, 19) < 1e-6


def test_the_integer_grid_does_put_pixels_on_cuts():
    X, y = integer_lattice()
    forest = grown("RF", X, y)
    cuts = forest.cut[forest.feature >= 0]
    centres = ON_CUTS.points(19, 19)[0, :, 0]
    assert np.isin(cuts, centres).mean() > 0.8


@pytest.mark.parametrize("name", ["RDF-CAP", "oblique-tree", "RF-ODT", "oRF-lda"])
def test_rows_that_run_along_an_oblique_split_go_where_the_walk_sends_them(name):
    """Diagonal classes and a diagonal plane: pixel rows lie in the splits, up to rounding."""
    X, y = integer_lattice()
    y = (X[:, 0] > X[:, 1]).astype(int)
    bootstrap = {} if name == "oblique-tree" else {"bootstrap": "none"}
    forest = grown(name, X, y, m_try="all", **bootstrap)
    for shift in (0.0, 0.1, 1 / 3):
        along = Plane([-4 + shift, -4.3 + shift], [7.7, 7.7], [0.6, -0.6])
        assert worst(forest, along, 64, 33) < 1e-6
        nearly = Plane([-4 + shift, -4.3 + shift], [7.7, 7.7 * (1 + 1e-15)], [0.6, -0.6])
        assert worst(forest, nearly, 64, 33) < 1e-6


def test_a_far_away_origin_costs_no_exactness():
    X, y = blobs(3, P=2)
    X = np.round(X, 3) + 1e6
    for name in ("RF", "oRF-ridge", "RR-RF"):
        forest = grown(name, X, y)
        low, high = X.min(axis=0), X.max(axis=0)
        plane = Plane.axes(0, 1, (low[0], high[0]), (low[1], high[1]))
        assert worst(forest, plane, 60, 40) < 1e-6, name


@pytest.mark.parametrize("name", ["RF", "oRF-ridge", "FRANK"])
def test_a_plane_that_does_not_move_shows_one_point(name):
    X, y = blobs(4)
    forest = grown(name, X, y)
    still = Plane(X[0], np.zeros(4), np.zeros(4))
    picture = forest.posterior_on(still, 3, 2)
    np.testing.assert_allclose(
        picture, np.broadcast_to(forest.predict_proba(X[:1]), (2, 3, 3)), atol=1e-6
    )
    line = Plane(X[0], np.eye(4)[1], np.zeros(4))
    assert worst(forest, line) < 1e-6
    assert worst(forest, Plane(X[0], np.zeros(4), np.eye(4)[1])) < 1e-6


def test_pictures_do_not_depend_on_threads():
    X, y = blobs(5)
    for name in ("RF", "oRF-ridge", "RR-RF(r)"):
        forest = grown(name, X, y)
        for plane in planes(X).values():
            one = forest.posterior_on(plane, 40, 130, threads=1)
            two = forest.posterior_on(plane, 40, 130, threads=2)
            assert one.tobytes() == two.tobytes(), name


def test_the_first_row_is_the_lowest():
    X = np.array([[0.0, 0.0], [0.0, 1.0]] * 5)
    forest = grow(ForestSpec(n_tree=1, bootstrap="none", m_try="all"), X, [0, 1] * 5)
    picture = forest.posterior_on(Plane.axes(0, 1, (-1, 1), (0, 1)), 2, 4)
    np.testing.assert_array_equal(picture[:, 0, 1], [0, 0, 1, 1])


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-1, 2)])
def test_a_picture_without_pixels_is_an_error(size):
    X, y = blobs(6)
    with pytest.raises(ValueError, match="at least 1 x 1"):
        grown("RF", X, y).posterior_on(planes(X)["axes"], *size)


def test_a_plane_of_another_width_is_an_error():
    X, y = blobs(6)
    with pytest.raises(ValueError, match=r"2 features.*grown on 4"):
        grown("RF", X, y).posterior_on(Plane.axes(0, 1, (0, 1), (0, 1)), 3, 3)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    name=st.sampled_from(sorted(FAMILIES)),
    scaling=st.sampled_from(SCALINGS),
    vote=st.sampled_from(VOTES),
    seed=st.integers(0, 2**32 - 1),
    P=st.integers(2, 6),
    K=st.integers(2, 5),
    decimals=st.sampled_from([None, 0, 1]),
    size=st.tuples(st.integers(1, 40), st.integers(1, 20)),
    flat=st.sampled_from(["axes", "whole numbers", "any"]),
    far=st.sampled_from([0.0, 0.0, 1e3, 1e6]),
    grain=st.sampled_from([1.0, 1e-6, 1e6]),
)
def test_any_picture_of_any_forest_is_exact(
    name, scaling, vote, seed, P, K, decimals, size, flat, far, grain
):
    rng = np.random.default_rng(seed)
    X, y = blobs(seed, n=int(rng.integers(2 * K, 60)), P=P, K=K, decimals=decimals)
    X = (X + far) * grain
    forest = grow(small(name, 3, scaling=scaling, vote=vote, seed=seed % 1000), X, y)
    o = X[rng.integers(len(X))]
    if flat == "axes":
        i, j = rng.permutation(P)[:2]
        low, high = X.min(axis=0) - grain, X.max(axis=0) + grain
        plane = Plane.axes(i, j, (low[i], high[i]), (low[j], high[j]), o)
    elif flat == "whole numbers":
        u, v = rng.integers(-3, 4, (2, P)) * float(size[0]) * grain
        plane = Plane(o - 0.5 * u / size[0], u, v)
    else:
        plane = Plane(o, *(rng.normal(size=(2, P)) * 3 * grain))
    assert worst(forest, plane, *size) < 1e-6
