"""A thread with much Python to do gives way while somebody is at work, and only then."""

import threading
from types import SimpleNamespace

import pytest

from explorer.app import polite


class Clock:
    """A twentieth of a millisecond passes between two looks, however busy the machine is."""

    now = 100.0

    def __call__(self) -> float:
        self.now += 5e-5
        return self.now


@pytest.fixture
def stops(monkeypatch):
    made = []
    monkeypatch.setattr(polite, "time", SimpleNamespace(monotonic=Clock(), sleep=made.append))
    monkeypatch.setattr(polite, "heard", 0.0)
    monkeypatch.setattr(polite, "_here", polite._Here())
    return made


def work(seconds=0.02):
    end = polite.time.monotonic() + seconds
    while polite.time.monotonic() < end:
        polite.give_way()


def test_while_somebody_is_at_work_it_stops_about_once_in_a_millisecond(stops):
    polite.hear()
    with polite.giving_way():
        work()
    assert 15 <= len(stops) <= 20


def test_alone_it_never_stops(stops):
    with polite.giving_way():
        work()
    assert not stops


def test_who_did_not_ask_to_give_way_never_stops(stops):
    polite.hear()
    work()
    assert not stops


def test_giving_way_is_of_one_thread_and_ends(stops):
    polite.hear()
    with polite.giving_way():
        other = threading.Thread(target=work)
        other.start()
        other.join()
    work()
    assert not stops
