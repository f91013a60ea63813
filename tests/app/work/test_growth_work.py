import threading

import pytest

from explorer.analysis import feature_plane
from explorer.app.state.visitor import DataRecipe
from explorer.app.work import growth_work
from explorer.app.work.cache import Cache
from explorer.app.work.node_work import NodeRequest
from explorer.app.work.requests import load_source
from explorer.engine import FAMILIES


@pytest.fixture
def request_of():
    cache = Cache()
    source = load_source(DataRecipe("moons"), cache)
    spec = FAMILIES["RF"].replace(n_tree=2)

    def make(tree):
        request = NodeRequest(source, spec, tree, 0, 3, (0, 1), feature_plane(source.data))
        return list(growth_work.growing_tree(request, cache, threading.Event()))[-1]

    return make


def test_the_tree_comes_with_the_places_of_all_samples(request_of):
    found = request_of(1)
    assert found.tree == 1
    assert found.growth.cuts > 0
    assert found.places.shape == (found.request.source.data.n_samples, 2)


def test_a_tree_that_is_not_there_becomes_the_last(request_of):
    assert request_of(99).tree == 1


def test_a_tree_of_too_many_cuts_is_refused_in_a_sentence(request_of, monkeypatch):
    monkeypatch.setattr(growth_work, "MOST_CUTS", 1)
    with pytest.raises(ValueError, match="more than 1 cuts"):
        request_of(0)
