from types import SimpleNamespace

import pytest

from explorer.app.work import limits
from explorer.app.work.limits import Budget, Seats, forest_bytes, forests_in_words, in_words
from explorer.engine import FAMILIES, grow

MB = 1 << 20


def test_a_forest_needs_no_more_than_was_expected(rng):
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 3, 300)
    for family in ("RF", "oRF-ridge"):
        spec = FAMILIES[family].replace(n_tree=10)
        forest = grow(spec, X, y)
        held = sum(a.nbytes for a in vars(forest).values() if hasattr(a, "nbytes"))
        assert held <= forest_bytes(spec, 300, 5, 3)


def test_fewer_trees_larger_leaves_and_a_depth_need_less():
    spec = FAMILIES["RF"].replace(n_tree=100)
    full = forest_bytes(spec, 10_000, 10, 2)
    for less in ({"n_tree": 10}, {"min_leaf": 50}, {"max_depth": 3}):
        assert forest_bytes(spec.replace(**less), 10_000, 10, 2) < full


def test_what_can_never_fit_is_refused_in_a_sentence():
    budget = Budget(total=100 * MB)
    with pytest.raises(ValueError, match="may need 200 MB of memory; this server gives 100 MB"):
        budget.check(200 * MB, "5 trees")
    assert budget.refused == 1


def test_memory_is_held_while_work_runs_and_given_back_also_after_an_error():
    budget = Budget(total=100 * MB)
    refused = pytest.raises(ValueError, match="others are growing")
    with budget.hold(70 * MB, "a"), refused, budget.hold(70 * MB, "b"):
        raise AssertionError("not reached")
    with pytest.raises(RuntimeError), budget.hold(70 * MB, "c"):
        raise RuntimeError
    assert budget.used == 0


def test_sizes_and_forests_are_said_in_words():
    assert in_words(3 << 30) == "3.0 GB"
    assert in_words(100) == "1 MB"
    two = [FAMILIES["RF"].replace(n_tree=5)] * 2
    assert forests_in_words(two, 100, 3) == "10 trees in 2 forests on 100 x 3"


def test_a_seat_is_held_once_per_session_until_it_is_released():
    seats = Seats(most=2)
    assert seats.hold("a", taken=1) == "a"
    assert seats.hold("a", taken=1) == "a"
    assert seats.hold("b", taken=1) is None
    seats.release("a")
    assert not seats.free(taken=1)
    seats.release("a")
    assert seats.free(taken=1)


def test_visitors_whose_page_is_being_built_count():
    seats = Seats(most=1)
    with seats.entering():
        assert not seats.free(taken=0)
    assert seats.free(taken=0)
    seats.leaving = True
    assert not seats.free(taken=0)


def test_limits_that_make_no_sense_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "SEATS", Seats())
    monkeypatch.setattr(limits, "MEMORY", Budget(total=100))
    cache = SimpleNamespace(resize=lambda nbytes: None)
    with pytest.raises(ValueError, match="at least one"):
        limits.set_limits(0, 1, None, cache)
    with pytest.raises(ValueError, match="or more"):
        limits.set_limits(1, 1, 5, cache)
    limits.set_limits(7, 1, 900 * MB, cache)
    assert (limits.SEATS.most, limits.MEMORY.total) == (7, 900 * MB)
