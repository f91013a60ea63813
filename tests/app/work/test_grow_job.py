import numpy as np
import pytest

from explorer.app.state.visitor import DataRecipe, ModelState
from explorer.app.work import grow_job
from explorer.app.work.cache import Cache
from explorer.app.work.grow_job import GrowJob, refuse_too_large
from explorer.app.work.requests import load_source
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture
def job():
    cache = Cache()
    specs = (ModelState(family="knn").spec(2), FAMILIES["RF"].replace(n_tree=4))
    return GrowJob(specs, load_source(DataRecipe("moons"), cache), cache)


def test_only_models_with_trees_are_grown(job):
    assert job.places == [1]
    assert job.wanted == 4


def test_a_forest_grown_in_steps_is_the_forest_grown_at_once(job):
    first = job.grow_to(1, 2, None, threads=1)
    whole = job.grow_to(1, 4, first, threads=1).forest
    data = job.source.data
    expected = grow(job.spec(1), data.X, data.y)
    np.testing.assert_array_equal(whole.feature, expected.feature)
    np.testing.assert_array_equal(whole.cut, expected.cut)
    assert job.held(1).forest is whole


def test_a_small_forest_is_grown_once(job):
    grown = job.quick(1)
    assert job.quick(1) is grown
    assert job.chunk(1) >= 1


def test_a_forest_beyond_the_server_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(grow_job, "LARGEST", 10_000)
    data = load("moons")
    huge = FAMILIES["RF"].replace(n_tree=1000)
    with pytest.raises(ValueError, match="more than this server takes on"):
        refuse_too_large(huge, data)
    refuse_too_large(huge.replace(n_tree=5), data)
