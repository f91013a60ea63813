import threading

import pytest

from explorer.app.state.visitor import DataRecipe, ModelState
from explorer.app.work.cache import Cache
from explorer.app.work.evaluate_work import (
    Contest,
    Results,
    Sweeps,
    contest_of,
    cross_validate,
    m_try_values,
    out_of_bag,
    sweep_m_try,
    with_rival,
)
from explorer.app.work.requests import load_source
from explorer.engine import FAMILIES

RF, RIDGE = (FAMILIES[f].replace(n_tree=4) for f in ("RF", "oRF-ridge"))


@pytest.fixture(scope="module")
def cache():
    return Cache()


@pytest.fixture(scope="module")
def source(cache):
    return load_source(DataRecipe("moons"), cache)


def results(steps, kind=Results):
    return [step for step in steps if isinstance(step, kind)]


def test_out_of_bag_errors_need_no_further_forest_and_a_baseline_has_none(source, cache):
    contest = Contest(source, ("A RF", "B knn"), (RF, ModelState(family="knn").spec(2)))
    (found,) = results(out_of_bag(contest, cache, threading.Event()))
    assert 0 < found.evaluations[0].error < 0.5
    assert found.evaluations[1] is None
    assert "no out-of-bag error" in found.faults[1]


def test_cross_validation_ends_with_a_verdict_over_all_runs(source):
    contest = Contest(source, ("A RF", "B oRF-ridge"), (RF, RIDGE))
    last = results(cross_validate(contest, 2, 1, threading.Event()))[-1]
    assert last.done == last.wanted == 2
    assert last.verdict is not None
    assert last.places == (0, 1)


def test_too_many_runs_are_refused(source):
    contest = Contest(source, ("A RF",), (RF,))
    with pytest.raises(ValueError, match="choose fewer repeats"):
        list(cross_validate(contest, 10, 1000, threading.Event()))


@pytest.mark.parametrize(
    ("names", "specs", "first", "places"),
    [
        (("A RF",), (RF,), "A RF", [0, -1]),
        (("A oRF-ridge",), (RIDGE,), "RF, for comparison", [-1, 0]),
        (("A oRF-ridge", "B RF"), (RIDGE, RF), "B RF", [1, 0]),
    ],
)
def test_a_verdict_has_a_straight_forest_first_and_another(source, names, specs, first, places):
    found, _, at = with_rival(Contest(source, names, specs))
    assert found[0] == first
    assert at == places
    assert len(found) >= 2


def test_values_of_m_try_go_from_one_to_all_with_the_root_among_them():
    values = m_try_values(100)
    assert values[0] == 1
    assert values[-1] == 100
    assert 10 in values
    assert len(values) <= 8
    assert m_try_values(1) == (1,)


def test_a_sweep_tries_every_value_of_forests_that_draw_features(source):
    rotated = FAMILIES["F-RC"].replace(n_tree=3)
    contest = Contest(source, ("A RF", "B F-RC"), (RF, rotated))
    last = results(sweep_m_try(contest, threading.Event()), Sweeps)[-1]
    assert last.done == last.wanted
    assert len(last.sweeps[0].values) == len(last.values)
    assert (last.sweeps[1] is None) == (rotated.m_try is None)


def test_steps_that_learn_are_fitted_within_every_split(cache):
    learned = DataRecipe("spectra_ir", (("n", 20), ("p", 16)), chain=(("msc", ()),))
    plain = DataRecipe("spectra_ir", (("n", 20), ("p", 16)))
    for recipe in (learned, plain):
        contest = contest_of(load_source(recipe, cache), ("A RF",), (RF,), recipe, cache)
        assert (contest.prepare is not None) == bool(recipe.chain)
