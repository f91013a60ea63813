"""A thread with much Python to do gives way while somebody is at work, and only then."""

import threading
import time

import pytest

from explorer.app import polite


@pytest.fixture
def stops(monkeypatch):
    made = []
    monkeypatch.setattr(polite.time, "sleep", made.append)
    monkeypatch.setattr(polite, "heard", 0.0)
    return made


def work(seconds=0.02):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        polite.give_way()


def test_while_somebody_is_at_work_it_stops_about_once_in_a_millisecond(stops):
    polite.hear()
    with polite.giving_way():
        work()
    assert 2 <= len(stops) <= 21


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
