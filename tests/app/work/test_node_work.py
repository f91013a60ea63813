import threading

import numpy as np
import pytest

from explorer.analysis import feature_plane
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.node_work import (
    NodePictures,
    NodeRequest,
    grown_forest,
    node_pictures,
    penalty,
)
from explorer.app.work.requests import load_source
from explorer.engine import FAMILIES

SPEC = FAMILIES["RF"].replace(n_tree=3)


@pytest.fixture(scope="module")
def cache():
    return Cache()


@pytest.fixture(scope="module")
def source(cache):
    return load_source(DataRecipe("moons"), cache)


def shown(source, cache, node=0, tree=0):
    request = NodeRequest(source, SPEC, tree, node, 3, (0, 1), feature_plane(source.data))
    found = [s for s in node_pictures(request, cache, threading.Event()) if s is not None]
    assert all(isinstance(s, NodePictures) for s in found)
    return found


def test_tree_and_split_come_first_and_the_fan_of_directions_after_them(source, cache):
    first, last = shown(source, cache)
    assert first.directions is None
    assert last.directions is not None
    assert first.rows.size == source.data.n_samples
    assert first.draws.size == source.data.n_samples  # a bag is as large as the data


def test_a_leaf_shows_the_split_of_its_parent(source, cache):
    forest = grown_forest(source, SPEC, cache, threading.Event())
    leaf = next(n for n in forest.tree(0).nodes if n.is_leaf)
    found = shown(source, cache, leaf.number)[0]
    assert found.split == found.parent == leaf.parent
    assert found.children == (-1, -1)


def test_a_node_or_tree_that_is_not_there_becomes_one_that_is(source, cache):
    found = shown(source, cache, node=10**6, tree=99)[0]
    assert (found.node, found.tree) == (0, SPEC.n_tree - 1)


def test_the_slider_of_penalties_has_half_powers_of_ten():
    np.testing.assert_allclose([penalty(p) for p in (-2, 0, 1)], [0.1, 1.0, 10**0.5])
