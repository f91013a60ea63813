"""The engine's forests on a plane: flattened splits and the places where the winner changes."""

import numpy as np
import pytest

from explorer.analysis import component_plane, feature_plane
from explorer.engine.flat import flatten

FAMILIES = ["RF", "oRF-ridge", "F-RC", "RR-RF", "FRANK"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_flat_forest_says_what_the_forest_says_on_the_plane(family, ten, forests, rng):
    forest = forests(family, ten)
    planes = [feature_plane(ten, 5, 2, at=8)]
    planes += [component_plane(ten)] if family != "FRANK" else []
    for plane in planes:
        flat = flatten(forest, plane.plane)
        st = rng.random((300, 2))
        points = plane.plane.origin + st[:, :1] * plane.plane.u + st[:, 1:] * plane.plane.v
        np.testing.assert_allclose(flat.predict_proba(st), forest.predict_proba(points), atol=1e-12)


def test_ranks_bend_a_slanted_plane_so_it_is_not_flat(ten, forests):
    assert flatten(forests("FRANK", ten), component_plane(ten).plane) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_change_of_winner_is_found_where_dense_sampling_finds_it(family, ten, forests):
    forest = forests(family, ten)
    plane = feature_plane(ten, 1, 0, at=3).plane
    flat = flatten(forest, plane)
    rng = np.random.default_rng(4)
    a = rng.random((40, 2))
    b = a.copy()
    across = np.arange(40) % 2  # along an axis, as ranks need
    b[np.arange(40), across] = rng.random(40)
    met = flat.cross(a, b)
    way = np.linspace(0, 1, 4001)
    for k in range(40):
        points = a[k] + way[:, None] * (b[k] - a[k])
        label = flat.predict_proba(points).argmax(axis=1)
        change = np.flatnonzero(label != label[0])
        if change.size == 0:
            continue
        length = np.abs(b[k] - a[k]).max()
        at = np.abs(met[k] - a[k]).max() / length
        assert way[change[0] - 1] - 1e-9 <= at <= way[change[0]] + 1e-9


def test_fewer_trees_flatten_to_the_first_ones(ten, forests, rng):
    forest = forests("oRF-ridge", ten)
    plane = feature_plane(ten).plane
    st = rng.random((50, 2))
    np.testing.assert_array_equal(
        flatten(forest, plane, 7).predict_proba(st),
        flatten(forest.take(7), plane).predict_proba(st),
    )
