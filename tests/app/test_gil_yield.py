"""A thread with much Python to do gives way while somebody is at work, and only then."""

import threading
from types import SimpleNamespace

import pytest

from explorer.app import gil_yield


class Clock:
    """A twentieth of a millisecond passes between two looks, however busy the machine is."""

    now = 100.0

    def __call__(self) -> float:
        self.now += 5e-5
        return self.now


@pytest.fixture
def stops(monkeypatch):
    made = []
    clock = Clock()

    def sleep(seconds):
        made.append(seconds)
        clock.now += seconds

    monkeypatch.setattr(gil_yield, "time", SimpleNamespace(monotonic=clock, sleep=sleep))
    monkeypatch.setattr(gil_yield, "hurries", [])
    monkeypatch.setattr(gil_yield, "heard", 0.0)
    monkeypatch.setattr(gil_yield, "_here", gil_yield._Here())
    return made


def work(seconds=0.02):
    end = gil_yield.time.monotonic() + seconds
    while gil_yield.time.monotonic() < end:
        gil_yield.give_way()


def test_while_somebody_is_at_work_it_stops_about_once_in_a_millisecond(stops):
    gil_yield.hear()
    with gil_yield.giving_way():
        work()
    assert 15 <= len(stops) <= 20


def test_alone_it_never_stops(stops):
    with gil_yield.giving_way():
        work()
    assert not stops


def test_who_did_not_ask_to_give_way_never_stops(stops):
    gil_yield.hear()
    work()
    assert not stops


def test_giving_way_is_of_one_thread_and_ends(stops):
    gil_yield.hear()
    with gil_yield.giving_way():
        other = threading.Thread(target=work)
        other.start()
        other.join()
    work()
    assert not stops


def test_while_short_work_waits_it_pauses_though_not_for_good(stops):
    gil_yield.hear()
    gil_yield.hurries.append(lambda: True)
    begun = gil_yield.time.monotonic()
    with gil_yield.giving_way():
        work(0.2)
    paused = sum(seconds for seconds in stops if seconds == gil_yield.LOOK)
    share = paused / (gil_yield.time.monotonic() - begun)
    assert 0.4 < share < gil_yield.PAUSE / (gil_yield.PAUSE + gil_yield.WORK) + 0.1


def test_it_goes_on_as_soon_as_short_work_is_done(stops):
    gil_yield.hear()
    waiting = iter([True, True, True, False])
    gil_yield.hurries.append(lambda: next(waiting, False))
    with gil_yield.giving_way():
        work()
    assert stops.count(gil_yield.LOOK) == 3
