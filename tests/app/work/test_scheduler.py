import asyncio
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.models import Range1d
from bokeh.protocol import Protocol
from bokeh.server.session import ServerSession

from explorer.app.session.mailbox import Mailbox, unhold_together
from explorer.app.work.recent_use import RecentUse
from explorer.app.work.scheduler import HEAVY_SECONDS, LONG_SECONDS, Rest, Scheduler
from explorer.app.work.scheduler import scheduler as shared_scheduler
from explorer.engine import threads


@pytest.fixture
def scheduler():
    made = Scheduler(workers=1)
    yield made
    made.close()


def wait_until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


def test_what_is_yielded_is_published_in_order(scheduler):
    out = []
    scheduler.submit("s", "maps", lambda cancel: iter([1, None, 2]), out.append, out.append)
    wait_until(lambda: out == [1, 2])


def test_the_newest_request_of_its_kind_wins(scheduler):
    out, gate, begun = [], threading.Event(), threading.Event()

    def slow(cancel):
        begun.set()
        gate.wait(60)
        yield None
        yield "old"

    scheduler.submit("s", "maps", slow, out.append, out.append)
    assert begun.wait(60)
    scheduler.submit("s", "maps", lambda cancel: iter(["new"]), out.append, out.append)
    gate.set()
    wait_until(lambda: "new" in out)
    scheduler.submit("t", "maps", lambda cancel: iter(["last"]), out.append, out.append)
    wait_until(lambda: "last" in out)
    assert out == ["new", "last"]


def test_a_superseded_request_sees_its_cancel_event(scheduler):
    events, out = [], []

    def work(cancel):
        events.append(cancel)
        while True:
            yield None

    scheduler.submit("s", "maps", work, out.append, out.append)
    wait_until(lambda: events)
    assert not events[0].is_set()
    scheduler.submit("s", "maps", lambda cancel: iter(["next"]), out.append, out.append)
    wait_until(lambda: out == ["next"])
    assert events[0].is_set()


def test_a_cancelled_generator_gives_back_what_it_claimed(scheduler):
    begun, given_back = threading.Event(), threading.Event()

    def work(cancel):
        try:
            while True:
                begun.set()
                yield None
        finally:
            given_back.set()

    scheduler.submit("s", "maps", work, print, print)
    assert begun.wait(60)
    scheduler.stop("s")
    assert given_back.wait(60)


def test_requests_of_other_kinds_and_sessions_are_left_alone(scheduler):
    out = []
    scheduler.submit("s", "maps", lambda cancel: iter(["maps"]), out.append, out.append)
    scheduler.submit("s", "truth", lambda cancel: iter(["truth"]), out.append, out.append)
    scheduler.submit("t", "maps", lambda cancel: iter(["other"]), out.append, out.append)
    wait_until(lambda: sorted(out) == ["maps", "other", "truth"])


def test_a_long_job_does_not_keep_another_session_waiting(scheduler):
    out, begun, enough = [], threading.Event(), threading.Event()

    def long(cancel):
        while not enough.is_set():
            begun.set()
            yield None
        yield "long"

    scheduler.submit("greedy", "maps", long, out.append, out.append)
    assert begun.wait(60)
    scheduler.submit("quick", "maps", lambda cancel: iter(["here"]), out.append, out.append)
    wait_until(lambda: out)
    assert out == ["here"]  # while the long job was still at work
    enough.set()
    wait_until(lambda: out == ["here", "long"])
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


def test_it_hurries_while_short_work_waits_and_not_for_long_or_resting_work(scheduler):
    gate = threading.Event()

    def held(cancel):
        gate.wait(5)
        yield None

    assert not scheduler.hurried()
    scheduler.submit("s", "slow", held, print, print, long=True)
    assert not scheduler.hurried()
    scheduler.submit("t", "maps", held, print, print)
    assert scheduler.hurried()
    gate.set()
    wait_until(lambda: not scheduler.hurried())
    scheduler.submit("t", "maps", lambda cancel: iter([Rest(5.0), None]), print, print)
    wait_until(lambda: not scheduler.hurried())
    assert scheduler.busy("t")
    scheduler.stop("t")


def test_requests_have_rising_numbers(scheduler):
    numbers = [
        scheduler.submit("s", "maps", lambda cancel: iter(()), print, print) for _ in range(3)
    ]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == 3


class Visited:
    """A document that a browser has taken; callbacks run when the test says so."""

    def __init__(self):
        self.ticks, self.connections = [], 0
        self.callbacks = SimpleNamespace(hold_value=None)
        self.hold = self.unhold = lambda *policy: None
        self.models = SimpleNamespace(invalidate=lambda: None)

    @property
    def session_context(self):
        return SimpleNamespace(session=SimpleNamespace(connection_count=self.connections))

    def add_next_tick_callback(self, act):
        self.ticks.append(act)

    def add_timeout_callback(self, act, milliseconds):
        self.ticks.append(act)

    def tick(self):
        ticks, self.ticks = self.ticks, []
        for act in ticks:
            act()


def test_a_page_is_alone_once_the_browser_that_held_it_has_left():
    document = Visited()
    box = Mailbox(document)
    assert not box.alone  # nobody came yet
    document.connections = 1
    box.open()
    assert not box.alone
    document.connections = 0
    assert box.alone


def test_nothing_is_sent_while_a_browser_opens_the_page_and_all_of_it_after():
    out, document = [], Visited()
    box = Mailbox(document)
    box.post("maps", lambda: out.append("before anybody asked"))
    document.tick()
    assert out == ["before anybody asked"]
    document.connections = 1
    box.post("maps", lambda: out.append("stale"))
    document.tick()
    box.post("maps", lambda: out.append("maps"))
    box.later(lambda: out.append("later"))
    document.tick()
    assert len(out) == 1
    box.open()
    document.tick()
    assert sorted(out[1:]) == ["later", "maps"]
    box.post("maps", lambda: out.append("at once"))
    document.tick()
    assert out[-1] == "at once"


def test_a_job_that_rests_lets_others_work_and_then_goes_on(scheduler):
    out = []

    def work(cancel):
        yield "picture"
        yield Rest(0.15)
        yield "numbers"

    scheduler.submit("s", "maps", work, out.append, out.append)
    wait_until(lambda: out == ["picture"])
    scheduler.submit("t", "maps", lambda cancel: iter(["other"]), out.append, out.append)
    wait_until(lambda: len(out) == 3)
    assert out == ["picture", "other", "numbers"]


def test_a_job_that_rests_is_dropped_when_a_newer_one_comes(scheduler):
    out = []

    def work(cancel):
        yield "old picture"
        yield Rest(0.1)
        yield "old numbers"

    scheduler.submit("s", "maps", work, out.append, out.append)
    wait_until(lambda: out == ["old picture"])
    scheduler.submit("s", "maps", lambda cancel: iter(["new"]), out.append, out.append)
    scheduler.submit("t", "maps", lambda cancel: iter([Rest(0.2), "later"]), out.append, out.append)
    wait_until(lambda: "later" in out)
    assert out == ["old picture", "new", "later"]


ENDS = (("end", 9), ("start", 5))


def _first_text(value):
    """The JSON of the changes, wherever the message has it."""
    if isinstance(value, str) and value.startswith("[["):
        return value
    inside = value.values() if isinstance(value, dict) else value
    if isinstance(inside, str) or not hasattr(inside, "__iter__"):
        return None
    return next((found for part in inside if (found := _first_text(part))), None)


def test_all_changes_of_a_delivery_reach_the_browser_as_one_message():
    sent = []

    class Connection:
        protocol = Protocol()

        @property
        def _socket(self):
            return self

        async def send_message(self, message):
            sent.append(message)

    document = Document()
    ranges = [Range1d(start=0, end=1) for _ in range(3)]
    for one in ranges:
        document.add_root(one)
    session = ServerSession("a", document)
    session._subscribed_connections.add(Connection())
    document._session_context = lambda: SimpleNamespace(session=session)

    def change():
        document.hold("combine")
        for one in ranges:
            one.update(start=5, end=9)
        unhold_together(document)

    # a browser's test may have left a loop running in this thread
    with ThreadPoolExecutor(1) as own_thread:
        own_thread.submit(asyncio.run, session.with_document_locked(change)).result()
    (message,) = sent
    (event,) = message.content["events"]
    assert event["kind"] == "MessageSent"
    ids = [one.id for one in ranges]
    changes = json.loads(_first_text(event))
    assert sorted(changes) == sorted([i, attr, new] for i in ids for attr, new in ENDS)


def test_who_used_much_of_late_never_gets_all_workers_at_once():
    two = Scheduler(workers=2)
    begun, out, gate = [], [], threading.Event()

    def heavy(kind):
        def work(cancel):
            begun.append(kind)
            gate.wait(10)
            yield kind

        return work

    try:
        two.submit("quick", "maps", lambda cancel: iter(["once"]), out.append, out.append)
        wait_until(lambda: out == ["once"])
        two._used["greedy"] = used = RecentUse()
        used.add(2 * HEAVY_SECONDS)
        for kind in ("maps", "bayes"):
            two.submit("greedy", kind, heavy(kind), print, print)
        wait_until(lambda: begun)
        two.submit("quick", "maps", lambda cancel: iter(["again"]), out.append, out.append)
        wait_until(lambda: out == ["once", "again"])
        assert len(begun) == 1
    finally:
        gate.set()
        two.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ranks threads")
def test_long_work_moves_to_a_worker_that_comes_after_all_others(scheduler):
    found = []

    def rank():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def work(cancel):
        found.append(rank())
        time.sleep(LONG_SECONDS * 1.5)
        yield None
        found.append(rank())
        threads.run([lambda: found.append(rank()), lambda: None])
        yield None

    usual = rank()
    scheduler.submit("s", "maps", work, found.append, found.append)
    wait_until(lambda: len(found) == 3)
    assert found[0] == usual
    assert found[1] == found[2] == usual + 10


def test_long_work_does_not_keep_short_work_of_others_waiting(scheduler):
    out, gate, begun = [], threading.Event(), threading.Event()

    def long(cancel):
        yield None
        begun.set()
        gate.wait(60)

    scheduler.submit("greedy", "maps", long, out.append, out.append, long=True)
    assert begun.wait(60)
    scheduler.submit("quick", "maps", lambda cancel: iter(["here"]), out.append, out.append)
    wait_until(lambda: out == ["here"])
    gate.set()


def test_asking_for_the_scheduler_changes_no_setting_of_the_process():
    before = sys.getswitchinterval()
    shared_scheduler()
    assert sys.getswitchinterval() == before
