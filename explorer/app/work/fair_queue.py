"""A queue for slow jobs in which nobody waits behind the many jobs of another.

Jobs run to their end, a few at a time, and only one of an owner (a session). Of the owners who
wait, the one who used the least time lately is next. An owner may have a bounded number of jobs
waiting, and all of them end with the owner.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from explorer.app.work.recent_use import RecentUse
from explorer.engine.threads import stand_back

log = logging.getLogger("explorer.queue")
HALF_LIFE = 60.0  # seconds after which half of what an owner used is forgotten
TURN_SECONDS = 0.05  # owners whose use differs by less take turns
_FORGOTTEN = 0.001  # seconds of use that are as good as none

Stopped = Callable[[], bool]


class TooMany(ValueError):
    """An owner has as many jobs waiting as he may have."""


class Job:
    """What somebody waits for. key: of an owner's waiting jobs with one key there is one."""

    def __init__(self, owner: Hashable, work: Callable[[Stopped], Any], key: Hashable) -> None:
        self.owner, self.work, self.key = owner, work, key
        self.result: Future[Any] = Future()
        self.counts = True  # its time as time that the owner used
        self._stop = threading.Event()

    def stopped(self) -> bool:
        """Whether nobody waits for it any more: asked by the work itself."""
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()
        self.result.cancel()  # if it has not begun


class FairQueue:
    """Runs jobs of all sessions in threads of its own."""

    def __init__(self, name: str, workers: int = 1, most_waiting: int = 8) -> None:
        self.name, self.workers, self.most_waiting = name, workers, most_waiting
        self._turn = threading.Condition()
        self._waiting: OrderedDict[Hashable, OrderedDict[Hashable, Job]] = OrderedDict()
        self._running: dict[Hashable, Job] = {}
        self._used: dict[Hashable, RecentUse] = {}
        self._threads: list[threading.Thread] = []

    def submit(self, owner: Hashable, work: Callable[[Stopped], Any], key: Hashable = None) -> Job:
        """Queue work, which is called with a function that says whether it was stopped.

        A job of this owner and key that still waits is returned instead of a new one. Raises
        TooMany when the owner has too many jobs waiting.
        """
        with self._turn:
            waiting = self._waiting.get(owner, OrderedDict())
            if key is not None and key in waiting and not waiting[key].stopped():
                return waiting[key]
            for name in [name for name, job in waiting.items() if job.stopped()]:
                del waiting[name]
            if len(waiting) >= self.most_waiting:
                raise TooMany("Wait until the files you requested earlier are ready.")
            job = Job(owner, work, key)
            waiting[job if key is None else key] = job
            self._waiting[owner] = waiting
            self._begin()
            self._turn.notify()
            return job

    def forget(self, owner: Hashable) -> None:
        """The owner has gone: stop the job that runs, drop those that wait."""
        with self._turn:
            for job in self._waiting.pop(owner, {}).values():
                job.stop()
            if owner in self._running:
                self._running[owner].counts = False
                self._running[owner].stop()
            self._used.pop(owner, None)

    def others_wait(self, owner: Hashable) -> bool:
        """Whether somebody else waits for a thread, and none is free."""
        with self._turn:
            if len(self._running) < self.workers:
                return False
            return any(
                not job.stopped()
                for other, jobs in self._waiting.items()
                if other != owner and other not in self._running
                for job in jobs.values()
            )

    def waiting(self) -> int:
        """Jobs that have not begun."""
        with self._turn:
            jobs = (job for jobs in self._waiting.values() for job in jobs.values())
            return sum(not job.stopped() for job in jobs)

    def _begin(self) -> None:
        """Start the threads when there is work for the first time."""
        while len(self._threads) < self.workers:
            number = len(self._threads)
            thread = threading.Thread(target=self._work, name=f"{self.name}-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _next(self) -> Job | None:
        """The next job, of the owner who used least; equals take turns."""
        best: Hashable = None
        least: int | None = None
        for owner in list(self._waiting):
            jobs = self._waiting[owner]
            for name in [name for name, job in jobs.items() if job.stopped()]:
                del jobs[name]
            if not jobs:
                del self._waiting[owner]
                continue
            used = self._used[owner].steps(TURN_SECONDS) if owner in self._used else 0
            if owner not in self._running and (least is None or used < least):
                best, least = owner, used
        if least is None:
            return None
        jobs = self._waiting[best]
        _, job = jobs.popitem(last=False)
        if not jobs:
            del self._waiting[best]
        self._running[best] = job
        return job

    def _work(self) -> None:
        stand_back()
        while True:
            with self._turn:
                job = self._next()
                while job is None:
                    self._turn.wait()
                    job = self._next()
            begun = time.monotonic()
            self._run(job)
            with self._turn:
                del self._running[job.owner]
                if job.owner in self._waiting:
                    self._waiting.move_to_end(job.owner)
                if job.counts:
                    use = self._used.setdefault(job.owner, RecentUse(HALF_LIFE))
                    use.add(time.monotonic() - begun)
                for owner in [o for o, use in self._used.items() if use.now() < _FORGOTTEN]:
                    del self._used[owner]
                self._turn.notify_all()
            del job

    def _run(self, job: Job) -> None:
        if not job.result.set_running_or_notify_cancel():
            return
        try:
            job.result.set_result(job.work(job.stopped))
        except BaseException as error:
            job.result.set_exception(error)
