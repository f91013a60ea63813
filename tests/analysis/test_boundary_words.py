import pytest

from explorer.analysis import feature_plane, posterior_map
from explorer.analysis.boundary_words import boundary_words
from explorer.baselines import BASELINES
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def clouds():
    return load("clouds")


def words(model, data, region=None, size=60):
    plane = feature_plane(data)
    drawn = posterior_map(model, data, plane, size, size, truth=False, boundary="none")
    return boundary_words(model, data, plane, drawn.posterior, drawn.contour, region)


def test_a_forest_of_axis_cuts_has_stairs_and_an_oblique_one_does_not(clouds):
    axis = grow(FAMILIES["RF"].replace(n_tree=20), clouds.X, clouds.y)
    oblique = grow(FAMILIES["oRF-ridge"].replace(n_tree=20), clouds.X, clouds.y)
    assert "stairs" in words(axis, clouds)
    assert "stairs" not in words(oblique, clouds)


def test_the_words_do_not_depend_on_the_size_of_the_picture(clouds):
    forest = grow(FAMILIES["RF"].replace(n_tree=20), clouds.X, clouds.y)
    assert words(forest, clouds, size=40) == words(forest, clouds, size=150)


def test_a_region_is_described_instead_of_the_whole_plane(clouds):
    forest = grow(FAMILIES["RF"].replace(n_tree=5), clouds.X, clouds.y)
    corner = ((90.0, 91.0), (90.0, 91.0))  # far from all samples one class wins
    assert words(forest, clouds, corner).startswith("one class wins everywhere")


def test_a_baseline_is_described_without_a_number_of_pieces(clouds):
    model = BASELINES["knn"].fit(clouds.X, clouds.y)
    assert "pieces" not in words(model, clouds)
