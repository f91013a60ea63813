"""The processes that units run in.

They are started before the studies are even imported, so that they are up by the time that units
are planned: this module needs nothing that takes long to import.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import Any

# numpy, scipy and scikit-learn would start a thread per core in every process
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """So many processes, starting now."""

    def __init__(self, count: int) -> None:
        self.count = count
        with _Environment():
            self.pool = ProcessPoolExecutor(
                count,
                # fork would copy locks of threads that do not exist in the child
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start,
            )
            for _ in range(count):  # a process starts when there is something for it to do
                self.pool.submit(_wake)

    def close(self) -> None:
        """End them when they have nothing more to do."""
        self.pool.shutdown()

    def stop(self) -> None:
        """End them now; they hold nothing that is not kept."""
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
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


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _wake() -> None:
    """What units need, imported before the first of them comes."""
    import explorer.studies.trials  # noqa: F401
