"""Growing a forest: prepare the table, hand out blocks of trees to threads, join what they grew.

Blocks are a few milliseconds long; between them come progress and cancellation. A cancelled
tree stops at its next node. How trees are blocked cannot change them (kernels/grow.py).
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, wait
from typing import Any

import numpy as np

from .check import read_only
from .kernels import ranks
from .kernels.directions import DIRECTIONS
from .kernels.grow import UNBOUNDED, Block, Yard, make_yard
from .kernels.jit import call, is_ready
from .kernels.scratch import Knobs, Slim, Table, make_model
from .spec import BOOTSTRAPS, CRITERIA, ForestSpec
from .threads import over_rows, pool, resolve, run

Progress = Callable[[int, int, str], Any]  # (trees done, trees wanted, what is being done)
BLOCK_SECONDS = 0.01
LEAST_SECONDS = 0.0025  # a shorter block costs more to hand out than it evens out
BLOCK_BYTES = 64 << 20
_PATIENCE = 0.02  # seconds between two looks at what is done and whether to stop


class Cancelled(Exception):
    """Growing was stopped by its ``cancel``; nothing was kept."""


def is_cancelled(cancel: Any) -> bool:
    """``cancel`` is None, a function that says whether to stop, or a threading.Event."""
    if cancel is None:
        return False
    return bool(cancel.is_set() if hasattr(cancel, "is_set") else cancel())


def table_for(
    spec: ForestSpec,
    X: np.ndarray,
    codes: np.ndarray,
    weight: np.ndarray,
    threads: int | None,
) -> Table:
    """What kernels of this spec read of the (scaled) data."""
    n, P = X.shape
    direction = DIRECTIONS[spec.split]
    rank = np.empty((0, 0), np.uint32)
    XT = np.empty((0, 0))
    if direction.ranks and not spec.rotate:
        rank = np.empty((P, n), np.uint32)
        ready = rank
        smallest = max(1, 40_000 // n)
        _first(ranks.dense_ranks, read_only(X), rank)
        over_rows(P, threads, smallest, lambda a, b: ranks.dense_ranks(read_only(X), a, b, ready))
    if direction.columns or spec.rotate:
        XT = np.empty((P, n))
        ready_columns = XT
        _first(ranks.transpose, read_only(X), XT)
        over_rows(
            n,
            threads,
            max(1, 400_000 // P),
            lambda a, b: ranks.transpose(read_only(X), a, b, ready_columns),
        )
    usable = np.flatnonzero(weight > 0).astype(np.int32)
    return Table(
        *(read_only(np.ascontiguousarray(a)) for a in (X, XT, rank, codes, weight, usable))
    )


def _first(kernel: Any, X: np.ndarray, out: np.ndarray) -> None:
    """Compile before threads share a kernel."""
    if not is_ready(kernel):
        call(kernel, "data preparation", None, X, 0, 0, out)


def knobs_for(spec: ForestSpec, P: int, n_class: int) -> Knobs:
    """A spec's knobs as numbers."""
    lambdas = np.array(spec.lambdas or (0.0,), dtype=np.float64)
    return Knobs(
        np.uint64(spec.seed),
        n_class,
        spec.features_per_split(P) if spec.m_try is not None else 1,
        spec.candidates(P),
        min(spec.n_combine or 1, P),
        bool(spec.vary_combine),
        spec.n_thresholds or 1,
        CRITERIA.index(spec.criterion),
        BOOTSTRAPS[spec.bootstrap],
        spec.subspace == "tree",
        bool(spec.rotate),
        spec.min_leaf,
        UNBOUNDED if spec.max_depth is None else spec.max_depth,
        float(spec.cost or 1.0),
        bool(spec.balance),
        read_only(lambdas),
    )


def _yard(spec: ForestSpec, table: Table, knobs: Knobs) -> Yard:
    """Scratch for one worker."""
    n, _ = table.X.shape
    direction = DIRECTIONS[spec.split]
    m = max(knobs.m_try, knobs.n_combine)
    if not direction.linear:
        return make_yard(table, knobs, Slim(np.empty((8, m))))
    shape = direction.extra(min(m, n) + 1, n, m)
    return make_yard(table, knobs, make_model(n, knobs.n_class, m, knobs.lambdas.size, shape))


def _room(spec: ForestSpec, table: Table, knobs: Knobs, trees: int, whole: bool) -> Block:
    """Empty arrays for ``trees`` trees; ``whole`` reserves for a bag that holds every row."""
    n, P = table.X.shape
    rows = n
    if spec.bootstrap != "none" and not whole:
        rows = min(n, int(0.633 * n + 5 * np.sqrt(n)) + 8)
    oblique = DIRECTIONS[spec.split].oblique or bool(spec.rotate)
    widest = max(knobs.m_try, knobs.n_combine)
    weights = 0
    if spec.rotate:
        weights = trees * P * P
    elif oblique:
        weights = trees * (rows - 1) * widest
    N = trees * 2 * rows
    return Block(
        np.empty(N, np.int32),
        np.empty(N, np.int32),
        np.empty(N),
        np.empty(N, np.float32),
        np.empty(N if oblique else 0, np.int32),
        np.empty(N if oblique else 0, np.int32),
        np.empty(weights, np.int32),
        np.empty(weights),
        np.empty((trees * rows, knobs.n_class)),
        np.empty(trees * n if spec.bootstrap != "none" or len(table.usable) < n else 0, np.int32),
        np.empty((trees, 4), np.int64),
    )


class _Foreman:
    """Hands out runs of trees to workers and collects what they grow."""

    def __init__(self, spec, table, knobs, first, last, kernel):
        self.spec, self.table, self.knobs = spec, table, knobs
        self.next, self.last, self.kernel = first, last, kernel
        self.done = 0
        self.lock = threading.Lock()
        self.stop = np.zeros(1, np.uint8)
        self.parts: list[tuple[int, Block, int]] = []
        n, _ = table.X.shape
        cost = n * np.log2(n + 2) * (knobs.m_try + knobs.n_candidates) * 1e-8
        self.per_tree = max(cost, 1e-6)
        widest = max(knobs.m_try, knobs.n_combine, 1)
        bytes_per_tree = n * (2 * 28 + 4 + 8 * knobs.n_class + 12 * widest)
        self.most = max(1, BLOCK_BYTES // bytes_per_tree)

    def claim(self, workers: int) -> tuple[int, int]:
        with self.lock:
            left = self.last - self.next
            share = max(-(-left // workers), LEAST_SECONDS // self.per_tree)
            k = int(min(max(1, BLOCK_SECONDS // self.per_tree), share, self.most, left))
            first = self.next
            self.next += k
            return first, k

    def work(self, workers: int) -> None:
        whole = False
        yard = _yard(self.spec, self.table, self.knobs)
        while not self.stop[0]:
            first, k = self.claim(workers)
            if k <= 0:
                return
            while k > 0 and not self.stop[0]:
                room = _room(self.spec, self.table, self.knobs, k, whole)
                before = time.perf_counter()
                grown = self.kernel(self.table, self.knobs, first, k, room, self.stop, yard)
                if grown > 0:
                    self.per_tree = max((time.perf_counter() - before) / grown, 1e-7)
                    with self.lock:
                        self.parts.append((first, room, grown))
                        self.done += grown
                else:
                    whole = True  # this bag is larger than most: reserve for every row
                first += grown
                k -= grown


def grow_trees(
    spec: ForestSpec,
    table: Table,
    knobs: Knobs,
    first: int,
    last: int,
    progress: Progress | None,
    cancel: Any,
    threads: int | None,
) -> dict[str, np.ndarray]:
    """Grow trees first ... last-1 and join them into flat arrays (see forest.Forest)."""
    kernel = DIRECTIONS[spec.split].grow
    foreman = _Foreman(spec, table, knobs, first, last, kernel)
    announce = None if progress is None else lambda text: progress(0, last - first, text)
    if not is_ready(kernel):
        empty = _room(spec, table, knobs, 1, False)
        args = (table, knobs, first, 0, empty, foreman.stop, _yard(spec, table, knobs))
        call(kernel, f"{spec.split} splits", announce, *args)
    workers = min(resolve(threads), last - first)
    if is_cancelled(cancel):
        raise Cancelled
    if progress is None and cancel is None:
        run([lambda: foreman.work(workers)] * workers)
    else:
        _supervise(foreman, workers, last - first, progress, cancel)
    return _join(sorted(foreman.parts, key=lambda p: p[0]), knobs.n_class)


def _supervise(foreman, workers: int, wanted: int, progress, cancel) -> None:
    """Let workers grow all trees; report what is done, and stop when asked to."""
    futures = [pool().submit(foreman.work, workers) for _ in range(workers)]
    working = set(futures)
    reported = -1
    try:
        while working:
            ended, working = wait(working, _PATIENCE, FIRST_COMPLETED)
            for future in ended:
                future.result()  # an error of its own is raised here
            if is_cancelled(cancel):
                raise Cancelled
            if progress is not None and foreman.done != reported:
                reported = foreman.done
                progress(reported, wanted, "growing")
    finally:
        foreman.stop[0] = 1
        for future in futures:
            future.cancel()
        wait(futures)  # nobody writes into our arrays after we return


def _join(parts: list[tuple[int, Block, int]], n_class: int) -> dict[str, np.ndarray]:
    """Concatenate blocks and cut off the room they did not use."""
    used = [(block, block.ends[:grown]) for _, block, grown in parts]

    def cat(name: str, which: int) -> np.ndarray:
        return np.concatenate([getattr(b, name)[: e[-1, which]] for b, e in used])

    def offsets(which: int) -> np.ndarray:
        pieces, base = [np.zeros(1, np.int64)], 0
        for _, e in used:
            pieces.append(e[:, which] + base)
            base += int(e[-1, which])
        return np.concatenate(pieces)

    return {
        "feature": cat("feature", 0),
        "left": cat("left", 0),
        "cut": cat("cut", 0),
        "gain": cat("gain", 0),
        "begin": cat("begin", 0),
        "end": cat("end", 0),
        "index": cat("index", 1),
        "value": cat("value", 1),
        "counts": cat("counts", 2),
        "oob_leaf": cat("oob_leaf", 3),
        "node_at": offsets(0),
        "weight_at": offsets(1),
        "leaf_at": offsets(2),
        "oob_at": offsets(3),
    }
