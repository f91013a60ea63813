"""Forests are grown without maps, chunk by chunk, and shared with those who draw them."""

import threading

import pytest

from explorer.app.state.visitor import DataState
from explorer.app.work import grow_job
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import cache_key
from explorer.app.work.grow_work import Forests, GrowRequest, forests
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest
from explorer.engine import FAMILIES


def wanted(data="clouds", n_tree=10, families=("RF", "oRF-ridge")):
    state = DataState()
    state.choose(data)
    specs = tuple(FAMILIES[family].replace(n_tree=n_tree) for family in families)
    return GrowRequest(state.recipe(), specs)


def made_by(request, cache):
    steps = forests(request, cache, threading.Event())
    return [found for found in steps if isinstance(found, Forests)]


def test_the_last_word_is_all_forests_grown():
    found = made_by(wanted(), Cache())[-1]
    assert found.finished
    assert (found.done, found.wanted) == (20, 20)
    assert [one.forest.n_tree for one in found.grown] == [10, 10]
    assert all(0 <= error < 0.5 for error in found.oob_errors())


def test_a_large_forest_tells_how_far_it_is():
    found = made_by(wanted("mixture", 400), Cache())
    assert len(found) > 1
    assert [one.done for one in found] == sorted(one.done for one in found)
    assert not found[0].finished
    assert found[-1].finished


def test_maps_take_the_forests_that_a_page_without_maps_has_grown(monkeypatch):
    cache, request = Cache(), wanted()
    made_by(request, cache)
    monkeypatch.setattr(grow_job, "grow", lambda *a, **k: pytest.fail("grown twice"))
    maps = list(pictures(MapRequest(request.data, request.specs), cache, threading.Event()))
    assert maps[-1].finished


def test_a_cached_forest_of_more_trees_is_shown_with_those_that_are_asked_for():
    cache = Cache()
    made_by(wanted(n_tree=30), cache)
    few = made_by(wanted(n_tree=5), cache)[-1]
    assert (few.done, few.wanted) == (10, 10)
    assert few.oob_errors() == made_by(wanted(n_tree=5), Cache())[-1].oob_errors()


def test_a_forest_has_one_key_whatever_its_number_of_trees():
    spec = FAMILIES["RF"]
    keys = {cache_key("forest", "digest", spec.replace(n_tree=n)) for n in (1, 5, 100)}
    assert len(keys) == 1
    assert cache_key("forest", "digest", spec) != cache_key("forest", "another", spec)
    assert cache_key("baseline", "digest", spec) != cache_key("forest", "digest", spec)
