"""Executors: how units run on this machine (cluster.py runs them on others).

An executor runs units in any order and hands each output to ``done`` in the caller's thread. What
comes out does not depend on the executor: units depend on their data and arguments alone.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Protocol

from explorer.analysis.model import is_cancelled
from explorer.data import Dataset
from explorer.engine import Cancelled
from explorer.studies.plan import Unit
from explorer.studies.workers import Workers, cores

Done = Callable[[Unit, Any], None]
_AHEAD = 2  # units handed out per process before one is done
_PATIENCE = 0.1  # seconds between looks at cancel


class Executor(Protocol):
    """What runs units."""

    def run(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> None:
        """Run all units; ``done(unit, output)`` for each. ``Cancelled`` once ``cancel`` says so."""


class Local:
    """This machine.

    processes: that many, one thread each: for many units, also of scikit-learn's models. None is
    one per core. 0 runs units one after the other in this process, each on ``threads`` threads
    (None: all cores): no start-up time, and forests use all cores anyway. workers: processes that
    run already, and go on running after it.
    """

    def __init__(
        self,
        processes: int | None = None,
        threads: int | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.processes = cores() if processes is None else processes
        self.threads = threads
        self.workers = workers

    def run(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> None:
        if self.workers is not None and self.processes > 1:
            self._run_in(self.workers, units, data, done, cancel)
        elif min(self.processes, len(units)) < 2:
            for unit in units:
                if is_cancelled(cancel):
                    raise Cancelled
                done(unit, unit(data, self.threads))
        else:
            workers = Workers(min(self.processes, len(units)))
            self._run_in(workers, units, data, done, cancel)
            workers.close()

    def _run_in(
        self,
        workers: Workers,
        units: Sequence[Unit],
        data: Mapping[str, Dataset],
        done: Done,
        cancel: Any,
    ) -> None:
        with tempfile.TemporaryDirectory(prefix="forest-explorer-") as folder:
            # one file that all processes read, rather than a copy through every pipe
            shared = Path(folder) / "data"
            shared.write_bytes(pickle.dumps(dict(data), protocol=5))
            try:
                _feed(workers, units, str(shared), done, cancel)
            except BaseException:
                workers.stop()
                raise


def _feed(workers: Workers, units: Sequence[Unit], shared: str, done: Done, cancel: Any) -> None:
    """Keep every process busy, with few units in its queue, until all are done."""
    left = list(reversed(units))
    running: dict[Future[Any], Unit] = {}
    while left or running:
        while left and len(running) < _AHEAD * workers.count:
            unit = left.pop()
            running[workers.pool.submit(_work, unit, shared)] = unit
        finished, _ = wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
        for future in finished:
            unit = running.pop(future)
            try:
                output = future.result()
            except BrokenProcessPool:
                raise RuntimeError(
                    f"A process died at '{unit.key}' or near it, perhaps for want of memory. "
                    "What was done is kept; run again with --resume."
                ) from None
            done(unit, output)
        if is_cancelled(cancel):
            raise Cancelled


_DATA: dict[str, Mapping[str, Dataset]] = {}  # in a worker: what the run at hand has shared


def _work(unit: Unit, shared: str) -> Any:
    if shared not in _DATA:
        _DATA.clear()
        _DATA[shared] = pickle.loads(Path(shared).read_bytes())
    return unit(_DATA[shared], 1)
