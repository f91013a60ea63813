"""Compiles the kernels of a split in a process of its own.

Compiling holds Python's lock for seconds, and every visitor would wait with it. The child writes
numba's cache on disk; this process then only loads it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from explorer.engine import FAMILIES, ForestSpec, Plane, grow
from explorer.engine.kernels import jit
from explorer.engine.kernels.directions import DIRECTIONS

PATIENCE = 180.0  # seconds


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
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path.insert(0, {root!r}); from explorer.app.prepare import compile_one"
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


def compile_one(split: str) -> None:
    """Grow and draw a tiny forest of a split: every kernel a map needs is then compiled."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 2))
    spec = next((s for s in FAMILIES.values() if s.split == split), ForestSpec(split=split))
    forest = grow(spec.replace(n_tree=2, bootstrap="with", prune=0), X, X[:, 0] > 0)
    forest.posterior_on(Plane.axes(0, 1, (-1, 1), (-1, 1)), 4, 4)
    forest.predict_proba(X)
    _ = forest.oob_error
