"""One bounded pool of threads per process, shared by all forests of all sessions; and a second one
for work that stands back.

Kernels release the GIL, so threads are all the parallelism there is: no numba ``parallel``
(its default layer is not safe when two user threads enter it), no processes.
"""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from typing import Any

_lock = threading.Lock()
_pools: dict[str, ThreadPoolExecutor] = {}
_here = threading.local()
_YIELDING = 10  # of Linux' scale of niceness: a tenth of the share of others, if they want it


def available() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


def stand_back() -> None:
    """Let this thread, and those it hands work to, come after all others; for good.

    Where a system cannot do that to one thread (all but Linux), nothing changes.
    """
    _here.name = "behind"
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _YIELDING)


def pool() -> ThreadPoolExecutor:
    """The threads for work of this one."""
    name = getattr(_here, "name", "forest")
    with _lock:
        if name not in _pools:
            if not _pools and hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=_pools.clear)
            first = stand_back if name == "behind" else None
            _pools[name] = ThreadPoolExecutor(available(), name, initializer=first)
        return _pools[name]


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
