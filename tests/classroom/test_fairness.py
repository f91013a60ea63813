"""Nobody's long work keeps others from their short work."""

import asyncio
import threading
import time

import pytest

from explorer.app.work import scheduler as module
from explorer.app.work.scheduler import Scheduler

from .client import Client, Server, run


def wait_until(true, seconds=10.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.002)


class Room:
    """Long and short work whose chunks end when the test says so: no clock is measured."""

    def __init__(self, monkeypatch, workers):
        monkeypatch.setattr(module, "TURN_SECONDS", 0.001)
        self.order, self.gate = [], threading.Semaphore(0)
        self.scheduler = Scheduler(workers=workers)
        self.entered = threading.Semaphore(0)
        self.inside: set[str] = set()

    def long(self, who, own_gate=False):
        gate = threading.Semaphore(0) if own_gate else self.gate

        def steps(ticket):
            for _ in range(1000):
                if ticket.is_set():
                    return
                self.inside.add(who)
                self.entered.release()
                gate.acquire(timeout=10)
                self.order.append(who)
                self.inside.discard(who)
                yield None

        self.scheduler.submit(who, "maps", steps, print, print)
        return gate

    def short(self, who, done):
        def steps(ticket):
            self.order.append(who)
            yield who

        self.scheduler.submit(who, "maps", steps, done.append, print)


@pytest.fixture
def room(monkeypatch):
    made = []

    def make(workers):
        made.append(Room(monkeypatch, workers))
        return made[-1]

    yield make
    for one in made:
        one.scheduler.close()
        for _ in range(5000):
            one.gate.release()


def test_short_work_goes_before_the_next_chunk_of_those_who_used_more(room):
    one = room(1)
    for who in ("heavy 1", "heavy 2", "heavy 3"):
        one.long(who)
    for _ in range(6):  # each has used some time
        one.entered.acquire()
        time.sleep(0.01)
        one.gate.release()
    one.entered.acquire()
    done = []
    one.short("light", done)
    before = len(one.order)
    one.gate.release()
    wait_until(lambda: done == ["light"])
    assert one.order[before + 1] == "light"  # right after the chunk that was running


def test_long_chunks_leave_a_worker_to_short_ones(room, monkeypatch):
    monkeypatch.setattr(module, "LONG_SECONDS", 0.0)
    one = room(2)
    done = []
    gates = {who: one.long(who, own_gate=True) for who in ("heavy 1", "heavy 2")}
    one.entered.acquire()
    one.entered.acquire()
    one.scheduler._was_short("light")
    gates["heavy 1"].release()
    gates["heavy 2"].release()
    wait_until(lambda: sorted(one.order) == ["heavy 1", "heavy 2"])  # both are known to be long
    wait_until(lambda: len(one.inside) == 1)
    time.sleep(0.1)
    assert len(one.inside) == 1, "both workers were taken by long work"
    one.short("light", done)
    wait_until(lambda: done == ["light"])  # although a long chunk is running


def test_long_work_uses_every_worker_when_nobody_else_is_there(room, monkeypatch):
    monkeypatch.setattr(module, "LONG_SECONDS", 0.0)
    one = room(2)
    one.long("heavy 1")
    one.long("heavy 2")
    for _ in range(2):
        one.entered.acquire()
    one.gate.release()
    one.gate.release()
    assert one.entered.acquire(timeout=5)
    assert one.entered.acquire(timeout=5)


def test_one_who_asks_for_everything_cannot_starve_thirty_others(room):
    one = room(1)
    one.long("heavy")
    done: list[str] = []
    names = [f"light {i}" for i in range(30)]
    one.entered.acquire()
    time.sleep(0.01)
    for name in names:
        one.short(name, done)
    one.gate.release()
    wait_until(lambda: len(done) == 30)
    assert one.order.count("heavy") <= 2


def test_who_waited_and_what_was_cancelled_is_told():
    told = []
    scheduler = Scheduler(workers=1)
    scheduler.listener = told.append
    scheduler.submit("s", "maps", lambda ticket: iter([None, 1]), lambda v: None, print)
    wait_until(lambda: len(told) == 1)
    gate = threading.Event()

    def slow(ticket):
        ticket.trees += 7
        yield None
        gate.wait(10)
        yield None

    scheduler.submit("s", "maps", slow, print, print)
    wait_until(lambda: scheduler.busy("s"))
    time.sleep(0.02)
    scheduler.stop("s")
    gate.set()

    def wrong(ticket):
        yield None
        raise ValueError("This cannot be.")

    scheduler.submit("t", "bayes", wrong, print, lambda e: None)
    wait_until(lambda: len(told) == 3)
    scheduler.close()
    assert [t.outcome for t in told] == ["done", "cancelled", "failed"]
    assert told[0].chunks == 3
    assert told[1].trees == 7
    assert all(t.waited >= 0 and t.worked >= 0 for t in told)


@pytest.fixture
def room_server(folder):
    server = Server(folder).wait()
    yield server
    server.stop()


def test_sessions_on_one_link_share_one_fit(room_server):
    link = "?data=moons&d.seed=77&d.n=300&model=F-RC~n_tree:80&model=RF~n_tree:60"

    async def visit():
        clients = await asyncio.gather(*(Client(room_server.address).come(link) for _ in range(6)))
        for client in clients:
            await client.until(lambda client=client: "OOB error" in client.text(), 60)
        end = time.monotonic() + 30
        while room_server.metrics()["requests_waiting"]:
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        for client in clients:
            await client.leave()

    before = room_server.metrics()
    run(visit())
    after = room_server.metrics()
    assert after["trees_grown_total"] - before["trees_grown_total"] == 140
    assert after["cache_hits_total"] > before["cache_hits_total"]
