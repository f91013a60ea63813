import numpy as np
import pytest

from explorer.analysis import best_pair, class_separation, first_plane
from explorer.analysis.planes import component_plane, discriminant_plane, feature_plane
from explorer.data import Dataset, catalogue, load
from explorer.engine import FAMILIES, grow

WIDE = [name for name in catalogue() if load(name).n_features > 2]
# how much oftener than by chance the map is right about the samples; on a board of ten features
# no plane is, and ten classes overlap on any
GAIN = {"parity": -0.1, "ringnorm": 0.02}


def of(X, y):
    names = tuple(f"class {k + 1}" for k in range(int(y.max()) + 1))
    return Dataset(name="own", title="Own", X=X, y=y, class_names=names)


def plane_of(data):
    found = first_plane(data)
    if found.kind == "features":
        return feature_plane(data, found.across, found.up)
    return {"components": component_plane, "discriminant": discriminant_plane}[found.kind](data)


def test_iris_opens_on_the_petals():
    data, found = load("iris"), first_plane(load("iris"))
    assert found.kind == "features"
    names = {data.feature_names[f] for f in (found.across, found.up)}
    assert names == {"petal length (cm)", "petal width (cm)"}


@pytest.mark.parametrize("name", WIDE)
def test_every_data_set_shows_its_classes_and_a_boundary_at_first_sight(name):
    """A small forest names at least two classes on the plane, and mostly those of the samples."""
    data = load(name)
    plane = plane_of(data)
    forest = grow(FAMILIES["RF"].replace(n_tree=30), data.X, data.y)
    side = 60
    winner = forest.posterior_on(plane.plane, side, side).argmax(axis=2)
    seen = np.bincount(winner.ravel(), minlength=data.n_classes) / side**2
    assert (seen > 0.05).sum() >= (2 if data.n_classes == 2 else 3)
    at = np.clip((plane.unit(plane.project(data.X)) * side).astype(int), 0, side - 1)
    right = (winner[at[:, 1], at[:, 0]] == data.y).mean()
    chance = data.class_counts.max() / data.n_samples
    assert right > chance + GAIN.get(name, 0.1)


@pytest.mark.parametrize("name", WIDE)
def test_no_axis_is_a_feature_that_does_not_vary(name):
    data = load(name)
    found = first_plane(data)
    pairs = [best_pair(data)]
    if found.kind == "features":
        pairs.append((found.across, found.up))
    for pair in pairs:
        assert pair[0] != pair[1]
        assert all(np.ptp(data.X[:, f]) > 0 for f in pair)


def test_the_choice_is_the_same_each_time_and_for_scaled_features():
    data = load("wine")
    rescaled = of(data.X * np.geomspace(1e-3, 1e3, 13), data.y)
    assert first_plane(data) == first_plane(data)
    np.testing.assert_allclose(class_separation(rescaled), class_separation(data))
    assert best_pair(rescaled) == best_pair(data)


def test_a_copy_of_the_best_feature_is_passed_over(rng):
    y = np.repeat([0, 1], 50)
    best = y + 0.1 * rng.normal(size=100)
    second = y + rng.normal(size=100)
    X = np.column_stack([np.ones(100), best, 2 * best + 1e-3 * rng.normal(size=100), second])
    assert best_pair(of(X, y)) in ((1, 3), (2, 3))


def test_classes_that_no_plane_tells_apart_open_on_the_first_features_that_vary(rng):
    X = rng.normal(size=(200, 8))
    X[:, [0, 2]] = 5.0
    found = first_plane(of(X, np.arange(200) % 2))
    assert (found.kind, found.across, found.up) == ("features", 1, 3)


def test_two_features_are_seen_as_they_are():
    assert first_plane(load("moons")).kind == "features"


def test_data_of_one_class_open_on_features_that_vary(rng):
    """A class may have a name and no samples, as where a generator draws few."""
    data = of(rng.normal(size=(30, 8)), np.r_[np.zeros(29, np.intp), 1]).take(np.arange(29))
    assert first_plane(data).kind == "features"
