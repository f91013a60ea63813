import threading
import time

import pytest

from explorer.app.scheduler import Mailbox, Scheduler


@pytest.fixture
def scheduler():
    made = Scheduler(workers=1)
    yield made
    made.close()


def wait_until(true, seconds=5.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


def test_what_is_yielded_is_published_in_order(scheduler):
    out = []
    scheduler.submit("s", "maps", lambda cancel: iter([1, None, 2]), out.append, out.append)
    wait_until(lambda: out == [1, 2])


def test_the_newest_request_of_its_kind_wins(scheduler):
    out, gate = [], threading.Event()

    def slow(cancel):
        gate.wait(5)
        yield None
        yield "old"

    scheduler.submit("s", "maps", slow, out.append, out.append)
    time.sleep(0.02)
    scheduler.submit("s", "maps", lambda cancel: iter(["new"]), out.append, out.append)
    gate.set()
    wait_until(lambda: out == ["new"])
    time.sleep(0.05)
    assert out == ["new"]


def test_a_superseded_request_sees_its_cancel_event(scheduler):
    seen = []

    def work(cancel):
        while not cancel.is_set():
            yield None
        seen.append("cancelled")

    scheduler.submit("s", "maps", work, seen.append, seen.append)
    time.sleep(0.02)
    scheduler.submit("s", "maps", lambda cancel: iter(["next"]), seen.append, seen.append)
    wait_until(lambda: "next" in seen)


def test_a_cancelled_generator_gives_back_what_it_claimed(scheduler):
    given_back = threading.Event()

    def work(cancel):
        try:
            while True:
                yield None
                time.sleep(0.001)
        finally:
            given_back.set()

    scheduler.submit("s", "maps", work, print, print)
    time.sleep(0.02)
    scheduler.stop("s")
    assert given_back.wait(5)


def test_requests_of_other_kinds_and_sessions_are_left_alone(scheduler):
    out = []
    scheduler.submit("s", "maps", lambda cancel: iter(["maps"]), out.append, out.append)
    scheduler.submit("s", "truth", lambda cancel: iter(["truth"]), out.append, out.append)
    scheduler.submit("t", "maps", lambda cancel: iter(["other"]), out.append, out.append)
    wait_until(lambda: sorted(out) == ["maps", "other", "truth"])


def test_a_long_job_does_not_keep_another_session_waiting(scheduler):
    out = []

    def long(cancel):
        for _ in range(1000):
            time.sleep(0.005)
            yield None

    scheduler.submit("greedy", "maps", long, out.append, out.append)
    time.sleep(0.02)
    began = time.monotonic()
    scheduler.submit("quick", "maps", lambda cancel: iter(["here"]), out.append, out.append)
    wait_until(lambda: out == ["here"])
    assert time.monotonic() - began < 1.0
    scheduler.stop("greedy")


def test_sessions_take_turns_chunk_by_chunk(scheduler):
    order, gate = [], threading.Event()

    def job(name):
        def work(cancel):
            gate.wait(5)
            for _ in range(3):
                order.append(name)
                yield None

        return work

    for name in ("a", "b"):
        scheduler.submit(name, "maps", job(name), print, print)
    gate.set()
    wait_until(lambda: len(order) == 6)
    assert order == ["a", "b", "a", "b", "a", "b"]


def test_an_error_reaches_its_own_session_and_the_next_request_works(scheduler):
    out, faults = [], []

    def bad(cancel):
        raise ValueError("A sentence.")
        yield

    scheduler.submit("s", "maps", bad, out.append, faults.append)
    wait_until(lambda: len(faults) == 1)
    assert str(faults[0]) == "A sentence."
    scheduler.submit("s", "maps", lambda cancel: iter(["fine"]), out.append, faults.append)
    wait_until(lambda: out == ["fine"])


def test_a_mailbox_without_a_server_delivers_at_once_and_none_after_closing():
    out = []
    box = Mailbox(None)
    box.post("maps", lambda: out.append(1))
    box.close()
    box.post("maps", lambda: out.append(2))
    assert out == [1]


def test_requests_have_rising_numbers(scheduler):
    numbers = [
        scheduler.submit("s", "maps", lambda cancel: iter(()), print, print) for _ in range(3)
    ]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == 3
