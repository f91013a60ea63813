"""Owns executors: the one way to run units, here on this machine (cluster.py has the other).

An executor runs units in any order and hands each output to ``done`` in the caller's thread. What
comes out does not depend on the executor: units depend on their data and arguments alone.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Protocol

from explorer.analysis.model import is_cancelled
from explorer.data import Dataset
from explorer.engine import Cancelled
from explorer.studies.plan import Unit

Done = Callable[[Unit, Any], None]
_AHEAD = 2  # units handed out per process before one is done
_PATIENCE = 0.1  # seconds between looks at cancel
# numpy, scipy and scikit-learn would start a thread per core in every process
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


class Executor(Protocol):
    """What runs units."""

    def run(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> None:
        """Run all units; ``done(unit, output)`` for each. ``Cancelled`` once ``cancel`` says so."""


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Local:
    """This machine.

    processes: that many, one thread each: for many units, also of scikit-learn's models. None is
    one per core. 0 runs units one after the other in this process, each on ``threads`` threads
    (None: all cores): no start-up time, and forests use all cores anyway.
    """

    def __init__(self, processes: int | None = None, threads: int | None = None) -> None:
        self.processes = cores() if processes is None else processes
        self.threads = threads

    def run(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> None:
        workers = min(self.processes, len(units))
        if workers < 2:
            for unit in units:
                if is_cancelled(cancel):
                    raise Cancelled
                done(unit, unit(data, self.threads))
        else:
            self._run_processes(workers, units, data, done, cancel)

    def _run_processes(
        self,
        workers: int,
        units: Sequence[Unit],
        data: Mapping[str, Dataset],
        done: Done,
        cancel: Any,
    ) -> None:
        with tempfile.TemporaryDirectory(prefix="forest-explorer-") as folder:
            # one file that all processes read, rather than a copy through every pipe
            shared = Path(folder) / "data"
            shared.write_bytes(pickle.dumps(dict(data), protocol=5))
            with _Environment():
                pool = ProcessPoolExecutor(
                    workers,
                    # fork would copy locks of threads that do not exist in the child
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_start_worker,
                    initargs=(str(shared),),
                )
                try:
                    _feed(pool, workers, units, done, cancel)
                except BaseException:
                    _stop(pool)
                    raise
                pool.shutdown()


def _feed(
    pool: ProcessPoolExecutor, workers: int, units: Sequence[Unit], done: Done, cancel: Any
) -> None:
    """Keep every process busy, with few units in its queue, until all are done."""
    left = list(reversed(units))
    running: dict[Future, Unit] = {}
    while left or running:
        while left and len(running) < _AHEAD * workers:
            unit = left.pop()
            running[pool.submit(_work, unit)] = unit
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


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the processes now; they hold nothing that is not kept."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(5)


class _Environment:
    """One thread per library in the processes started inside; the caller's own stay as they are."""

    def __enter__(self) -> None:
        self.before = {name: os.environ.get(name) for name in _ONE_THREAD}
        os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))

    def __exit__(self, *_: Any) -> None:
        for name, value in self.before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


_DATA: dict[str, Dataset] = {}


def _start_worker(shared: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _DATA.update(pickle.loads(Path(shared).read_bytes()))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(unit: Unit) -> Any:
    return unit(_DATA, 1)
