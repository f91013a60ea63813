"""What does not fit is refused in words, before it is tried."""

import threading

import numpy as np
import pytest

from explorer.app.state.visitor import State
from explorer.app.work import grow_job, grow_work, limits
from explorer.app.work.cache import Cache
from explorer.app.work.limits import Budget, Seats, forest_bytes, in_words
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest
from explorer.engine import FAMILIES, grow


@pytest.mark.parametrize("family", ["CART", "RF", "oRF-ridge", "F-RC", "RR-RF", "oRF-lda"])
def test_a_forest_of_pure_noise_is_never_larger_than_was_reckoned(family, rng):
    X, y = rng.normal(size=(300, 9)), rng.integers(0, 3, 300)
    spec = FAMILIES[family].replace(n_tree=4, prune=0)
    assert grow(spec, X, y, threads=1).nbytes <= forest_bytes(spec, 300, 9, 3) / 2


def test_a_forest_beyond_the_budget_is_refused_before_a_tree_is_grown(monkeypatch):
    monkeypatch.setattr(grow_job, "MEMORY", Budget(300 << 20))
    monkeypatch.setattr(grow_job, "grow", lambda *a, **k: pytest.fail("it was tried"))
    state = State()
    state.data.choose("parity")
    state.data.turn_knob("n", 5000)
    spec = FAMILIES["RF"].replace(n_tree=9000)
    asked = pictures(MapRequest(state.data.recipe(), (spec,)), Cache(), threading.Event())
    with pytest.raises(ValueError, match=r"9000 trees on 5000 x \d+ may need \d.* GB of memory"):
        next(asked)


def test_what_one_holds_another_cannot_until_it_is_given_back():
    budget = Budget(1 << 30)
    with budget.hold(700 << 20, "A"):
        with pytest.raises(ValueError, match="others are growing large forests"):
            budget.hold(700 << 20, "B").__enter__()
        with budget.hold(1 << 20, "a small one"):
            pass
    with budget.hold(700 << 20, "B"):
        assert budget.used == 700 << 20
    assert budget.used == 0
    assert budget.refused == 1


def test_a_cancelled_request_gives_its_memory_back(monkeypatch):
    budget = Budget(8 << 30)
    monkeypatch.setattr(grow_work, "MEMORY", budget)
    state = State()
    state.data.choose("twonorm")
    state.data.turn_knob("n", 2000)
    spec = FAMILIES["RF"].replace(n_tree=2000)
    asked = pictures(MapRequest(state.data.recipe(), (spec,)), Cache(), threading.Event())
    next(asked)
    assert budget.used > 0
    asked.close()
    assert budget.used == 0


def test_sizes_are_said_as_people_say_them():
    assert [in_words(b) for b in (1, 5 << 20, 3 << 30)] == ["1 MB", "5 MB", "3.0 GB"]


def test_a_seat_is_taken_from_the_first_step_in():
    seats = Seats(2)
    with seats.entering():
        assert seats.free(0)
        assert not seats.free(1)
    assert seats.free(1)
    seats.leaving = True
    assert not seats.free(0)


def test_a_smaller_cache_lets_the_oldest_go():
    cache = Cache(100)
    for key in "abc":
        cache.put(key, key, 30)
    cache.resize(60)
    assert [key for key in "abc" if cache.get(key)] == ["b", "c"]
    with pytest.raises(ValueError, match="is not possible"):
        cache.resize(-1)


def test_limits_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="at least one visitor"):
        limits.set_limits(0, 0, None, Cache())
    with pytest.raises(ValueError, match="256 MB or more"):
        limits.set_limits(limits.SEATS.most, 0, 1 << 20, Cache())


def test_this_machine_has_memory():
    assert limits.machine_memory() >= limits.LEAST_MEMORY
    assert np.iinfo(np.int64).max > limits.MEMORY.total > 0
