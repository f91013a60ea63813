"""One scheduler per process, and the way results reach a session's page.

A request is frozen and numbered. Of one kind and session the newest wins; an older one is
cancelled between its chunks and what it made is dropped. Chunk by chunk the session that used
the least time of late is served next. Long chunks have workers of their own, which the system
lets come after all others, and never take all cores from short ones.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from threadpoolctl import threadpool_limits

from explorer.app import gil_yield
from explorer.app.work.recent_use import RecentUse
from explorer.engine import Cancelled
from explorer.engine.threads import available, stand_back
from explorer.sentences import log_unexpected

LONG_SECONDS = 0.1  # a chunk beyond this is long
TURN_SECONDS = 0.1  # sessions whose use differs by less take turns
HEAVY_SECONDS = 1.5  # a session that used more of late is taken to ask for long work again
CROWD_SECONDS = 2.0  # short work within this time: others are in the room


class Ticket(threading.Event):
    """What a request's work is handed: set once it is cancelled.

    crowded: others ask for short work just now, so leave them a core. trees: how many were
    grown for it (0: all came out of the cache).
    """

    def __init__(self) -> None:
        super().__init__()
        self.trees = 0
        self.crowded: Callable[[], bool] = lambda: False


Steps = Callable[[Ticket], Iterator[Any]]


@dataclass(frozen=True)
class Ended:
    """What became of a request, in seconds: told to who listens."""

    session: Hashable
    kind: str
    number: int
    outcome: str  # done, cancelled or failed
    waited: float  # until its first chunk began
    worked: float
    chunks: int
    trees: int


@dataclass(frozen=True)
class Rest:
    """Yielded by steps that may wait: the job goes on after so many seconds, if it still counts."""

    seconds: float


@dataclass(frozen=True)
class Request:
    """Work for a session.

    steps: called with the request's cancel event; every value it yields ends a chunk, and what
    is not None is published. publish and fail are called on a worker's thread.
    """

    session: Hashable
    kind: str
    number: int
    steps: Steps
    publish: Callable[[Any], None]
    fail: Callable[[BaseException], None]
    cancel: Ticket = field(default_factory=Ticket)


class _Job:
    def __init__(self, request: Request) -> None:
        self.request = request
        self.chunks = request.steps(request.cancel)
        self.busy = self.long = self.failed = self.told = False
        self.asked = time.perf_counter()
        self.begun = self.worked = 0.0
        self.count = 0
        self.due = 0.0  # not to be worked on before, by the monotonic clock

    def ended(self) -> Ended:
        request = self.request
        outcome = "cancelled" if request.cancel.is_set() else "failed" if self.failed else "done"
        waited = (self.begun or time.perf_counter()) - self.asked
        return Ended(
            request.session,
            request.kind,
            request.number,
            outcome,
            waited,
            self.worked,
            self.count,
            request.cancel.trees,
        )


def _close(chunks: Iterator[Any]) -> None:
    """End a generator, so that it gives back what it claimed."""
    close = getattr(chunks, "close", None)
    if close is not None:
        close()


class Scheduler:
    """Serves all sessions of a process in turn."""

    def __init__(self, workers: int | None = None) -> None:
        self._numbers = itertools.count(1)
        self._turn = threading.Condition()
        # session -> kind -> job; of sessions that used as much, the first is served next
        self._queue: OrderedDict[Hashable, OrderedDict[str, _Job]] = OrderedDict()
        self._used: dict[Hashable, RecentUse] = {}
        self._closed = False
        self._long = 0  # workers at a long job
        self._soonest = 0.0  # seconds until a job that rests may go on
        # the last short work, and the last one of a session other than that: (session, when)
        self._short: tuple[Hashable, float] = (None, -1e9)
        self._short_before: tuple[Hashable, float] = (None, -1e9)
        self.done = self.dropped = 0
        self.listener: Callable[[Ended], None] = lambda ended: None
        self._workers = workers or available()
        self._threads = [
            threading.Thread(target=self._work, args=(long,), name=f"{lane}-{i}", daemon=True)
            for lane, long in (("short", False), ("long", True))
            for i in range(self._workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        session: Hashable,
        kind: str,
        steps: Steps,
        publish: Callable[[Any], None],
        fail: Callable[[BaseException], None],
        *,
        long: bool = False,
    ) -> int:
        """Queue work; an older request of this kind and session is cancelled. Its number.

        long: it is known to take long chunks, and leaves a worker to others from the start.
        """
        with self._turn:
            request = Request(session, kind, next(self._numbers), steps, publish, fail)
            request.cancel.crowded = lambda: self._crowded(session)
            jobs = self._queue.setdefault(session, OrderedDict())
            self._cancel(jobs.pop(kind, None))
            jobs[kind] = job = _Job(request)
            heavy = session in self._used and self._used[session].now() > HEAVY_SECONDS
            job.long = long or heavy
            self._turn.notify_all()
            return request.number

    def stop(self, session: Hashable, kind: str | None = None) -> None:
        """Cancel the work of one kind, or all work of a session."""
        with self._turn:
            jobs = self._queue.get(session, OrderedDict())
            for key in [kind] if kind else list(jobs):
                self._cancel(jobs.pop(key, None))
            if not jobs:
                self._queue.pop(session, None)
            if kind is None:
                self._used.pop(session, None)

    def _cancel(self, job: _Job | None) -> None:
        if job is not None:
            job.request.cancel.set()
            self.dropped += 1
            if not job.busy:
                _close(job.chunks)
                self._tell(job)

    def _tell(self, job: _Job) -> None:
        if not job.told:
            job.told = True
            self.listener(job.ended())

    def busy(self, session: Hashable) -> bool:
        with self._turn:
            return bool(self._queue.get(session))

    def hurried(self) -> bool:
        """Whether short work is under way or waits for its turn."""
        now = time.monotonic()
        with self._turn:
            return any(
                not job.long and job.due <= now
                for jobs in self._queue.values()
                for job in jobs.values()
            )

    def waiting(self) -> int:
        """Requests that are not finished."""
        with self._turn:
            return sum(len(jobs) for jobs in self._queue.values())

    def close(self) -> None:
        with self._turn:
            self._closed = True
            for session in list(self._queue):
                for job in self._queue[session].values():
                    job.request.cancel.set()
            self._queue.clear()
            self._turn.notify_all()

    # ---- on worker threads

    def _crowded(self, session: Hashable) -> bool:
        """Whether somebody else asked for short work of late."""
        other, at = self._short
        if other is session:
            at = self._short_before[1]
        return time.monotonic() - at < CROWD_SECONDS

    def _was_short(self, session: Hashable) -> None:
        if self._short[0] is not session:
            self._short_before = self._short
        self._short = (session, time.monotonic())

    def _next(self, long: bool) -> _Job | None:
        """The next job nobody is at, of the session that used least; it goes to the end.

        While others do short work, long jobs leave one core free.
        """
        now, self._soonest = time.monotonic(), CROWD_SECONDS / 4
        full = self._long >= max(1, self._workers - 1)
        best: tuple[int, Hashable, str] | None = None
        for session, jobs in self._queue.items():
            for kind, job in jobs.items():
                if job.busy or job.long != long or (long and full and self._crowded(session)):
                    continue
                if job.due > now:
                    self._soonest = min(self._soonest, job.due - now)
                    continue
                used = self._used[session].steps(TURN_SECONDS) if session in self._used else 0
                if best is None or used < best[0]:
                    best = used, session, kind
                break
        if best is None:
            return None
        _, session, kind = best
        job = self._queue[session][kind]
        job.busy = True
        self._long += job.long
        self._queue[session].move_to_end(kind)
        self._queue.move_to_end(session)
        return job

    def _work(self, long: bool) -> None:
        if long:
            stand_back()
        while True:
            with self._turn:
                job = self._next(long)
                while job is None:
                    if self._closed:
                        return
                    # a job that rests, or waits for the room to empty, is looked at again
                    self._turn.wait(self._soonest if self._queue else None)
                    job = self._next(long)
            begun = time.perf_counter()
            ended = self._chunk(job)
            spent = time.perf_counter() - begun
            with self._turn:
                job.busy = False
                request = job.request
                job.begun = job.begun or begun
                job.worked += spent
                job.count += 1
                self._long -= long
                job.long = long or spent > LONG_SECONDS
                if not job.long:
                    self._was_short(request.session)
                jobs = self._queue.get(request.session)
                if jobs is not None and jobs.get(request.kind) is job:
                    self._used.setdefault(request.session, RecentUse()).add(spent)
                    if ended:
                        del jobs[request.kind]
                        if not jobs:
                            del self._queue[request.session]
                if not ended or long:
                    self._turn.notify_all()
            if ended:
                _close(job.chunks)
                self._tell(job)

    def _chunk(self, job: _Job) -> bool:
        """Run one chunk; True if there is nothing more to do."""
        request = job.request
        if request.cancel.is_set():
            return True
        try:
            value = next(job.chunks)
            if isinstance(value, Rest):
                job.due = time.monotonic() + value.seconds
            elif value is not None and not request.cancel.is_set():
                request.publish(value)
        except (StopIteration, Cancelled):
            self.done += 1
            return True
        except Exception as error:
            job.failed = True
            if not request.cancel.is_set():
                log_unexpected(error)
                request.fail(error)
            return True
        return request.cancel.is_set()


_shared: Scheduler | None = None
_making = threading.Lock()


def scheduler() -> Scheduler:
    """The one scheduler of this process, started when first asked for."""
    global _shared
    with _making:
        if _shared is None:
            _shared = Scheduler()
            gil_yield.hurries.append(_shared.hurried)
        return _shared


def set_threads() -> None:
    """Settings of the whole process, for a server of ours that shares it with no other app."""
    # Python's lock is handed on after 2 ms instead of 5; after much less, the event loop
    # itself would lose it in the middle of every callback
    sys.setswitchinterval(0.002)
    # sessions are what runs side by side here; threads of BLAS would wait spinning
    threadpool_limits(1, "blas")
