"""Owns all waiting: one scheduler per process, and the way results reach a session's page.

A request is frozen and numbered. Of one kind and session the newest wins; an older one is
cancelled between its chunks and what it made is dropped. Sessions take turns, chunk by chunk.
"""

from __future__ import annotations

import itertools
import logging
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bokeh.document import Document

from explorer.engine import Cancelled
from explorer.engine.threads import available

log = logging.getLogger("explorer.scheduler")
Steps = Callable[[threading.Event], Iterator[Any]]


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
    cancel: threading.Event = field(default_factory=threading.Event)


class _Job:
    def __init__(self, request: Request) -> None:
        self.request = request
        self.chunks = request.steps(request.cancel)
        self.busy = False


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
        # session -> kind -> job, sessions in the order in which they are served next
        self._queue: OrderedDict[Hashable, OrderedDict[str, _Job]] = OrderedDict()
        self._closed = False
        self.done = self.dropped = 0
        self._threads = [
            threading.Thread(target=self._work, name=f"scheduler-{i}", daemon=True)
            for i in range(workers or available())
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
    ) -> int:
        """Queue work; an older request of this kind and session is cancelled. Its number."""
        with self._turn:
            request = Request(session, kind, next(self._numbers), steps, publish, fail)
            jobs = self._queue.setdefault(session, OrderedDict())
            self._cancel(jobs.pop(kind, None))
            jobs[kind] = _Job(request)
            self._turn.notify()
            return request.number

    def stop(self, session: Hashable, kind: str | None = None) -> None:
        """Cancel the work of one kind, or all work of a session."""
        with self._turn:
            jobs = self._queue.get(session, OrderedDict())
            for key in [kind] if kind else list(jobs):
                self._cancel(jobs.pop(key, None))
            if not jobs:
                self._queue.pop(session, None)

    def _cancel(self, job: _Job | None) -> None:
        if job is not None:
            job.request.cancel.set()
            self.dropped += 1
            if not job.busy:
                _close(job.chunks)

    def busy(self, session: Hashable) -> bool:
        with self._turn:
            return bool(self._queue.get(session))

    def close(self) -> None:
        with self._turn:
            self._closed = True
            for session in list(self._queue):
                for job in self._queue[session].values():
                    job.request.cancel.set()
            self._queue.clear()
            self._turn.notify_all()

    # ---- on worker threads

    def _next(self) -> _Job | None:
        """The next job nobody is at; its session goes to the end of the row."""
        for session, jobs in self._queue.items():
            for kind, job in jobs.items():
                if not job.busy:
                    job.busy = True
                    jobs.move_to_end(kind)
                    self._queue.move_to_end(session)
                    return job
        return None

    def _work(self) -> None:
        while True:
            with self._turn:
                job = self._next()
                while job is None:
                    if self._closed:
                        return
                    self._turn.wait()
                    job = self._next()
            ended = self._chunk(job)
            with self._turn:
                job.busy = False
                request = job.request
                jobs = self._queue.get(request.session)
                if ended and jobs is not None and jobs.get(request.kind) is job:
                    del jobs[request.kind]
                    if not jobs:
                        del self._queue[request.session]
                elif not ended:
                    self._turn.notify()
            if ended:
                _close(job.chunks)

    def _chunk(self, job: _Job) -> bool:
        """Run one chunk; True if there is nothing more to do."""
        request = job.request
        if request.cancel.is_set():
            return True
        try:
            value = next(job.chunks)
            if value is not None and not request.cancel.is_set():
                request.publish(value)
        except (StopIteration, Cancelled):
            self.done += 1
            return True
        except Exception as error:
            if not request.cancel.is_set():
                if not isinstance(error, ValueError):
                    log.exception("Work of kind %s failed.", request.kind)
                request.fail(error)
            return True
        return request.cancel.is_set()


class Mailbox:
    """Brings results to one session's document: the newest per slot, several under one hold."""

    def __init__(self, document: Document | None) -> None:
        self._document = document
        self._lock = threading.Lock()
        self._slots: dict[str, Callable[[], None]] = {}
        self._waiting = False
        self.closed = False

    def post(self, slot: str, apply: Callable[[], None]) -> None:
        """Have ``apply`` called with the document locked, unless a newer one takes its slot."""
        with self._lock:
            if self.closed:
                return
            self._slots[slot] = apply
            if self._waiting:
                return
            self._waiting = True
        if self._document is None or not self.live:
            self._deliver()  # no server: a test, or the page is still being built
        else:
            self._document.add_next_tick_callback(self._deliver)

    @property
    def live(self) -> bool:
        """Whether a server holds the document; in tests and while building none does."""
        return self._document is not None and self._document.session_context is not None

    def later(self, act: Callable[[], None], milliseconds: int = 500) -> None:
        """Do something on the page after a while."""
        if self._document is not None and self.live and not self.closed:
            self._document.add_timeout_callback(act, milliseconds)
        else:
            act()

    def _deliver(self) -> None:
        with self._lock:
            applies, self._slots = list(self._slots.values()), {}
            self._waiting = False
        document = self._document
        # Bokeh's own hold: Panel's loses what is sent before the page has said it is ready
        held = document is None or document.callbacks.hold_value is not None
        if document is not None and not held:
            document.hold("combine")
        try:
            for apply in applies:
                try:
                    apply()
                except Exception:  # one picture must not take the others with it
                    log.exception("A result could not be drawn.")
        finally:
            if document is not None and not held:
                document.unhold()

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._slots.clear()


_shared: Scheduler | None = None
_making = threading.Lock()


def scheduler() -> Scheduler:
    """The one scheduler of this process, started when first asked for."""
    global _shared
    with _making:
        if _shared is None:
            # workers hand Python's lock to the event loop after 0.5 ms instead of 5
            sys.setswitchinterval(0.0005)
            _shared = Scheduler()
        return _shared
