"""One bounded pool of threads per process, shared by all forests of all sessions.

Kernels release the GIL, so threads are all the parallelism there is: no numba ``parallel``
(its default layer is not safe when two user threads enter it), no processes.
"""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from typing import Any

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None


def available() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


def pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(available(), thread_name_prefix="forest")
            os.register_at_fork(after_in_child=_forget) if hasattr(os, "register_at_fork") else None
        return _pool


def _forget() -> None:
    global _pool
    _pool = None


def resolve(threads: int | None) -> int:
    if threads is None:
        return available()
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ValueError(
            f"threads is {threads!r}; use a whole number from 1, or None for all cores."
        )
    return min(threads, available())


def over_rows(n: int, threads: int | None, smallest: int, work: Callable[[int, int], Any]) -> None:
    """Call work(a, b) on pieces of 0 ... n, in this thread if there is little to do."""
    workers = min(resolve(threads), max(1, n // smallest))
    if workers == 1:
        work(0, n)
        return
    edges = [n * k // workers for k in range(workers + 1)]
    run([partial(work, a, b) for a, b in pairwise(edges)])


def run(tasks: Sequence[Callable[[], Any]]) -> None:
    """Run tasks on the pool, the last one here; the first error is raised once all are done."""
    futures = [pool().submit(task) for task in tasks[:-1]]
    try:
        tasks[-1]()
    finally:
        wait(futures)
    for future in futures:
        future.result()
