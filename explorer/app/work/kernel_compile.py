"""Compiles the kernels of a split in a process of its own.

Compiling holds Python's lock for seconds, and every visitor would wait with it. The child writes
numba's cache on disk; this process then only loads it.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from explorer.analysis import fresh_rows
from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.work import map_record
from explorer.data import load
from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.engine.kernels import jit
from explorer.engine.kernels.directions import DIRECTIONS

PATIENCE = 900.0  # seconds; a busy machine may need ten times what an idle one does
_running: dict[str, threading.Thread] = {}  # split -> thread that waits for its child process
_lock = threading.Lock()


def is_ready(spec: ForestSpec) -> bool:
    """Whether the kernels that grow such a split are in the cache on disk."""
    if jit.CACHE_DIR is None:
        return False
    function = DIRECTIONS[spec.split].grow.py_func
    return (jit.CACHE_DIR / f"{function.__module__}.{function.__qualname__}.ready").exists()


def prepare(spec: ForestSpec) -> None:
    """Have a child compile what this spec needs; without a cache folder nothing can be shared."""
    if jit.CACHE_DIR is None or is_ready(spec):
        return
    root = str(Path(__file__).parents[3])
    code = (
        f"import sys; sys.path.insert(0, {root!r}); "
        "from explorer.app.work.kernel_compile import compile_one"
    )
    try:
        subprocess.run(
            [sys.executable, "-c", f"{code}; compile_one({spec.split!r})"],
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return  # then this process compiles, as it would have without a child


def prepared(spec: ForestSpec) -> bool:
    """Whether the kernels of a spec are there; if not, a child begins to compile them.

    Comes back at once; families are compiled side by side, and each once for all visitors. A child
    that still runs compiles the kernels that draw: this process would compile them a second time.
    """
    if jit.CACHE_DIR is None:
        return True
    with _lock:
        thread = _running.get(spec.split)
        if thread is None:
            if is_ready(spec):
                return True
            thread = threading.Thread(target=prepare, args=(spec,), daemon=True)
            _running[spec.split] = thread
            thread.start()
    return not thread.is_alive()  # a child that failed: this process compiles instead


def compile_one(split: str) -> None:
    """Grow, draw and judge a tiny forest of a split: every kernel a map needs is then compiled."""
    data = load("clouds")
    spec = next((s for s in FAMILIES.values() if s.split == split), ForestSpec(split=split))
    forest = grow(spec.replace(n_tree=2, bootstrap="with", prune=0), data.X, data.y)
    plane = PlaneRecipe().within(data).labelled(data)
    record = map_record.draw(forest, 2, 0.0, data, plane, (40, 40))
    map_record.judge(
        record, forest, data, plane, fresh_rows(data, map_record.TEST_POINTS, map_record.TEST_SEED)
    )
