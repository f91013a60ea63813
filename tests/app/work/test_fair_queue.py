"""Jobs of different owners take turns, and end with their owner."""

import threading

import pytest

from explorer.app.work import fair_queue
from explorer.app.work.fair_queue import FairQueue, TooMany


class Gate:
    """Jobs that run until the test lets them end."""

    def __init__(self):
        self.order, self.begun = [], threading.Semaphore(0)
        self._go = threading.Semaphore(0)

    def job(self, name):
        def work(stopped):
            self.order.append(name)
            self.begun.release()
            assert self._go.acquire(timeout=10)
            return name, stopped()

        return work

    def let(self, count=1):
        for _ in range(count):
            self._go.release()

    def wait_for_begin(self):
        assert self.begun.acquire(timeout=10)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.let(100)


@pytest.fixture
def queue():
    return FairQueue("test", workers=1, most_waiting=4)


def test_one_with_many_jobs_lets_another_go_first(gate, queue, monkeypatch):
    monkeypatch.setattr(fair_queue, "TURN_SECONDS", 1e-9)
    jobs = [queue.submit("greedy", gate.job(f"greedy {i}")) for i in range(4)]
    gate.wait_for_begin()
    jobs.append(queue.submit("other", gate.job("other")))
    gate.let(5)
    assert [job.result.result(10)[0] for job in jobs][-1] == "other"
    assert gate.order[:2] == ["greedy 0", "other"]


def test_only_one_job_of_an_owner_runs_at_a_time(gate):
    two = FairQueue("test", workers=2)
    two.submit("a", gate.job("a 1"))
    last = two.submit("a", gate.job("a 2"))
    two.submit("b", gate.job("b"))
    gate.wait_for_begin()
    gate.wait_for_begin()
    assert sorted(gate.order) == ["a 1", "b"]
    gate.let(3)
    last.result.result(10)


def test_an_owner_has_a_bounded_number_of_jobs_waiting(gate, queue):
    queue.submit("a", gate.job("runs"))
    gate.wait_for_begin()
    waiting = [queue.submit("a", gate.job(str(i))) for i in range(4)]
    with pytest.raises(TooMany, match="Wait until"):
        queue.submit("a", gate.job("one more"))
    queue.submit("b", gate.job("b"))  # another is not held up
    waiting[0].stop()
    queue.submit("a", gate.job("instead"))


def test_what_waits_and_is_asked_for_again_is_done_once(gate, queue):
    queue.submit("a", gate.job("runs"), key="file")
    gate.wait_for_begin()
    second = queue.submit("a", gate.job("again"), key="file")
    assert queue.submit("a", gate.job("and again"), key="file") is second
    assert queue.waiting() == 1


def test_all_jobs_end_with_their_owner(gate, queue):
    running = queue.submit("a", gate.job("runs"))
    gate.wait_for_begin()
    waiting = [queue.submit("a", gate.job(str(i))) for i in range(3)]
    after = queue.submit("b", gate.job("b"))
    queue.forget("a")
    gate.let(2)
    assert after.result.result(10) == ("b", False)
    assert running.result.result(10) == ("runs", True)
    assert all(job.result.cancelled() for job in waiting)
    assert gate.order == ["runs", "b"]
    assert "a" not in queue._used


def test_a_job_that_fails_does_not_end_the_queue(queue):
    def wrong(stopped):
        raise ZeroDivisionError

    failed = queue.submit("a", wrong)
    with pytest.raises(ZeroDivisionError):
        failed.result.result(10)
    assert queue.submit("a", lambda stopped: 7).result.result(10) == 7
