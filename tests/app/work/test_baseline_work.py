import threading

import pytest

from explorer.app.state.baselines import LARGEST
from explorer.app.state.visitor import DataRecipe, ModelState
from explorer.app.work.baseline_work import fit_baselines
from explorer.app.work.cache import Cache
from explorer.app.work.map_job import MapJob
from explorer.app.work.requests import MapRequest, Pictures, load_source


def job_of(cache, **knobs):
    recipe = DataRecipe("moons", tuple(knobs.items()))
    spec = ModelState(family="knn", knobs={"neighbours": 5}).spec(2)
    request = MapRequest(recipe, (spec,), pixels=(30, 20))
    return MapJob(request, load_source(recipe, cache), cache)


def run(job, told):
    steps = fit_baselines(job, threading.Event(), lambda i, words: told.append((i, words)))
    return [step for step in steps if isinstance(step, Pictures)]


def test_a_baseline_is_drawn_coarse_then_fine_and_then_judged():
    cache, told = Cache(), []
    shown = run(job_of(cache), told)
    first, last = shown[0].records[0], shown[-1].records[0]
    assert not first.judged
    assert last.judged
    assert last.trees == 0
    assert last.oob_error is None
    assert last.test_error is not None
    assert told[0] == (0, "Fitting knn.")


def test_a_second_visitor_gets_it_from_the_cache():
    cache, told = Cache(), []
    first = run(job_of(cache), told)[-1]
    again = []
    (shown,) = run(job_of(cache), again)
    assert shown.records[0] is first.records[0]
    assert again == []


def test_too_many_samples_are_refused_in_words(monkeypatch):
    monkeypatch.setitem(LARGEST, "knn", 10)
    told = []
    (shown,) = run(job_of(Cache(), n=60), told)
    assert shown.records == (None,)
    assert "would take minutes on 60 samples" in told[-1][1]


@pytest.mark.parametrize("name", list(LARGEST))
def test_every_baseline_has_a_bound(name):
    assert LARGEST[name] > 0
