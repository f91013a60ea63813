import pytest

from explorer.app.state.plane_choice import Window
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.map_job import MapJob
from explorer.app.work.requests import MapRequest, load_source
from explorer.engine import FAMILIES

SPEC = FAMILIES["RF"].replace(n_tree=4)


@pytest.fixture
def make():
    cache = Cache()

    def job(**changes):
        recipe = DataRecipe("moons")
        request = MapRequest(recipe, (SPEC,), pixels=(40, 30), **changes)
        return MapJob(request, load_source(recipe, cache), cache)

    return job


def test_a_drawn_map_is_kept_and_found_again(make):
    one = make()
    one.quick(0)
    again = make()
    again.quick(0)
    assert again.records[0] is one.records[0]


def test_fewer_trees_are_another_map_of_the_same_forest(make):
    one, few = make(), make(trees=2)
    one.quick(0)
    few.quick(0)
    assert few.records[0] is not one.records[0]
    assert few.records[0].trees == 2
    assert few.models[0] is one.models[0]


def test_judging_comes_after_drawing_and_is_kept(make):
    job = make()
    job.quick(0)
    assert not job.pictures().judged
    job.judge(0)
    assert job.pictures().judged
    later = make()
    later.quick(0)
    assert later.records[0].judged


def test_a_map_that_is_forgotten_is_drawn_again(make):
    job = make()
    job.quick(0)
    job.forget(0, SPEC.n_tree)
    again = make()
    again.quick(0)
    assert again.records[0] is not job.records[0]


def test_the_window_of_a_request_is_the_one_that_is_drawn(make):
    window = Window(0.0, 0.5, 0.0, 0.5)
    assert make(window=window).window == window
    assert make().window.width > 0.5


def test_the_bayes_boundary_is_found_once_for_all(make):
    job = make()
    lines = job.find_bayes()
    assert lines is not None
    later = make()
    later.look_for_bayes()
    assert later.lines is lines
    assert not later.bayes_due
