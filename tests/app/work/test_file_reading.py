"""Files of strangers: read apart, slow ones behind quick ones, ended when nobody waits."""

import threading
import time

import pytest

from explorer.app.state.uploads import Choices
from explorer.app.work import file_reading
from explorer.app.work.fair_queue import FairQueue
from explorer.app.work.file_reading import reading
from explorer.app.work.scheduler import Rest
from explorer.data.readers.ask import ReadingCancelled
from explorer.data.readers.refused import FileRefused, TookTooLong

TABLE = b"a,b,class\n" + b"1,2,x\n2,1,y\n3,5,x\n4,4,y\n" * 5


@pytest.fixture
def asked(monkeypatch):
    """What the child process is asked for; a test says what it answers."""
    seen = []
    real = file_reading.read_apart

    def ask(content, name, limits, cancelled):
        seen.append(limits.seconds)
        if name.startswith("slow") and limits.seconds < file_reading.LIMITS.seconds:
            raise TookTooLong("took too long")
        if name.startswith("endless"):
            while not cancelled():
                time.sleep(0.01)
            seen.append("ended")
            raise ReadingCancelled
        if name.startswith("never"):
            raise TookTooLong("'never' took longer than 30 s to read and was given up.")
        return real(TABLE, "a.csv", limits, cancelled)

    monkeypatch.setattr(file_reading, "read_apart", ask)
    monkeypatch.setattr(file_reading, "QUICK", FairQueue("quick"))
    monkeypatch.setattr(file_reading, "SLOW", FairQueue("slow"))
    return seen


def last(name):
    return list(reading("me", TABLE, name, Choices(), None))[-1]


def test_a_file_that_takes_long_is_read_in_the_queue_for_slow_ones(asked):
    assert last("slow.csv").data.n_samples == 20
    assert asked == [file_reading.QUICK_SECONDS, file_reading.LIMITS.seconds]


def test_a_file_that_takes_longer_than_the_limit_is_refused_with_a_sentence(asked):
    assert "was given up" in last("never.csv").why


def test_while_a_slow_file_is_read_a_quick_one_is_not_held_up(asked):
    gate = threading.Event()
    file_reading.SLOW.submit("hog", lambda stopped: gate.wait(10))
    assert last("quick.csv").data.n_samples == 20
    gate.set()


def test_steps_of_waiting_leave_the_worker_to_others(asked):
    steps = list(reading("me", TABLE, "quick.csv", Choices(), None))
    assert all(isinstance(step, Rest) for step in steps[:-1])


def test_the_child_is_ended_when_the_session_is(asked):
    steps = reading("me", TABLE, "endless.csv", Choices(), None)
    while not asked:
        next(steps)
    steps.close()  # what the scheduler does when a session ends
    end = time.monotonic() + 10
    while "ended" not in asked:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_hot_columns_count_towards_the_size_of_a_table(monkeypatch):
    rows = [f"{i},t{i % 90},{'xy'[i % 2]}" for i in range(900)]
    content = "\n".join(["a,town,class", *rows]).encode()
    limits = file_reading.replace(file_reading.LIMITS, cells=10_000)
    monkeypatch.setattr(file_reading, "LIMITS", limits)
    found = list(reading("me", content, "a.csv", Choices(one_hot=True), None))[-1]
    assert "81900 cells" in found.why


def test_a_refusal_is_an_error_of_one_kind():
    assert issubclass(TookTooLong, FileRefused)
