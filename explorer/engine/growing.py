"""Growing a forest: prepare the table, hand out blocks of trees to threads, join what they grew.

Blocks are a few milliseconds long; between them come progress and cancellation. A cancelled
tree stops at its next node. How trees are blocked cannot change them (kernels/grow.py).
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, wait
from typing import Any

import numpy as np

from .check import read_only
from .kernels import ranks
from .kernels.directions import DIRECTIONS
from .kernels.grouping import GROUPINGS
from .kernels.grow import UNBOUNDED, Block, Yard, make_yard
from .kernels.jit import call, is_ready
from .kernels.scratch import Knobs, Slim, Table, make_model
from .missing import NO_GAPS, gaps_in
from .spec import BOOTSTRAPS, CRITERIA, TUNINGS, ForestSpec
from .threads import over_rows, pool, resolve, run

Progress = Callable[[int, int, str], Any]  # (trees done, trees wanted, what is being done)
BLOCK_SECONDS = 0.01
LEAST_SECONDS = 0.0025  # a shorter block costs more to hand out than it evens out
BLOCK_BYTES = 64 << 20
_logger = logging.getLogger("explorer")
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
    groups: np.ndarray | None,
    threads: int | None,
    missing: bool = False,
) -> Table:
    """What kernels of this spec read of the (scaled) data; ``missing``: some values are NaN."""
    n, P = X.shape
    direction = DIRECTIONS[spec.split]
    rank, levels = np.empty((0, 0), np.uint32), np.empty(0, np.int64)
    XT = np.empty((0, 0))
    if direction.ranks and not spec.rotate:
        rank, levels = np.empty((P, n), np.uint32), np.empty(P, np.int64)
        ready = (rank, levels)
        smallest = max(1, 40_000 // n)
        _first(ranks.dense_ranks, read_only(X), *ready)
        over_rows(P, threads, smallest, lambda a, b: ranks.dense_ranks(read_only(X), a, b, *ready))
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
    gaps = gaps_in(X, weight) if missing else NO_GAPS
    arrays = (X, XT, rank, levels, codes, weight, *drawn_together(weight, groups), *gaps)
    return Table(*(read_only(np.ascontiguousarray(a)) for a in arrays))


def drawn_together(
    weight: np.ndarray, groups: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a tree draws: (members, member_at, group), as in ``Table``.

    Groups are numbered in the order of their codes, those without a row of positive weight last.
    """
    usable = np.flatnonzero(weight > 0).astype(np.int32)
    if groups is None:
        return usable, np.arange(usable.size + 1, dtype=np.int32), np.empty(0, np.int32)
    drawn, number = np.unique(groups[usable], return_inverse=True)
    members = usable[np.argsort(number, kind="stable")]
    member_at = np.concatenate([[0], np.cumsum(np.bincount(number))]).astype(np.int32)
    place = np.minimum(np.searchsorted(drawn, groups), drawn.size - 1)
    group = np.where(drawn[place] == groups, place, drawn.size).astype(np.int32)
    return members, member_at, group


def _first(kernel: Any, X: np.ndarray, *out: np.ndarray) -> None:
    """Compile before threads share a kernel."""
    if not is_ready(kernel):
        call(kernel, "data preparation", None, X, 0, 0, *out)


def knobs_for(spec: ForestSpec, P: int, n_class: int, usable: int) -> Knobs:
    """A spec's knobs as numbers, for P features and so many rows of positive weight."""
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
        spec.rows_per_tree(usable),
        spec.subspace == "tree",
        bool(spec.rotate),
        spec.min_leaf,
        UNBOUNDED if spec.max_depth is None else spec.max_depth,
        float(spec.cost or 1.0),
        bool(spec.balance),
        GROUPINGS[spec.grouping or "ho"],
        read_only(lambdas),
        TUNINGS[spec.tuning or "gain"],
    )


def _yard(spec: ForestSpec, table: Table, knobs: Knobs) -> tuple[Table, Yard]:
    """Scratch for one worker, and the table as it sees it: with gaps, it fills its own columns."""
    n, _ = table.X.shape
    direction = DIRECTIONS[spec.split]
    m = max(knobs.m_try, knobs.n_combine)
    filled = np.empty((0, 0))
    if table.gaps.size and (direction.weighted or spec.rotate):
        filled = table.XT.copy()
        table = table._replace(XT=read_only(filled))
    if not direction.linear:
        return table, make_yard(table, knobs, Slim(np.empty((8, m))), filled)
    shape = direction.extra(min(m, n) + 1, n, m)
    model = make_model(n, knobs.n_class, m, knobs.lambdas.size, shape)
    return table, make_yard(table, knobs, model, filled)


def _room(spec: ForestSpec, table: Table, knobs: Knobs, trees: int, whole: bool) -> Block:
    """Empty arrays for ``trees`` trees; ``whole`` reserves for a bag that holds every row."""
    n, P = table.X.shape
    rows = n
    if spec.bootstrap != "none" and not whole:
        rows = min(n, int(0.633 * n + 5 * np.sqrt(n)) + 8)
    weighted = DIRECTIONS[spec.split].weighted or bool(spec.rotate)
    widest = max(knobs.m_try, knobs.n_combine)
    weights = 0
    if spec.rotate:
        weights = trees * P * P
    elif weighted:
        weights = trees * (rows - 1) * widest
    N = trees * 2 * rows
    return Block(
        np.empty(N, np.int32),
        np.empty(N, np.int32),
        np.empty(N),
        np.empty(N, np.float32),
        np.empty(N if weighted else 0, np.int32),
        np.empty(N if weighted else 0, np.int32),
        np.empty(weights, np.int32),
        np.empty(weights),
        np.empty((trees * rows, knobs.n_class)),
        np.empty(trees * n if spec.bootstrap != "none" or len(table.members) < n else 0, np.int32),
        np.empty((trees, 4), np.int64),
        np.empty(N if table.gaps.size else 0, np.uint8),
        np.empty(weights if table.gaps.size else 0),
    )


class _Foreman:
    """Hands out runs of trees to workers and collects what they grow."""

    def __init__(
        self,
        spec: ForestSpec,
        table: Table,
        knobs: Knobs,
        first: int,
        last: int,
        kernel: Any,
        stop: np.ndarray,
    ) -> None:
        self.spec, self.table, self.knobs = spec, table, knobs
        self.next, self.last, self.kernel = first, last, kernel
        self.done = 0
        self.lock = threading.Lock()
        self.stop = stop  # uint8[1], not zero once growing shall end
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
        table, yard = _yard(self.spec, self.table, self.knobs)
        while not self.stop[0]:
            first, k = self.claim(workers)
            if k <= 0:
                return
            while k > 0 and not self.stop[0]:
                room = _room(self.spec, self.table, self.knobs, k, whole)
                before = time.perf_counter()
                grown = self.kernel(table, self.knobs, first, k, room, self.stop, yard)
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
    kernel = _compiled(spec, table, knobs, last - first, progress)
    foreman = _Foreman(spec, table, knobs, first, last, kernel, np.zeros(1, np.uint8))
    _finish(foreman, min(resolve(threads), last - first), last - first, progress, cancel)
    return _join(sorted(foreman.parts, key=lambda p: p[0]), knobs.n_class)


class _Crew:
    """Foremen one after the other, each with a tree on a table of its own."""

    def __init__(self, foremen: list[_Foreman]):
        self.foremen, self.stop = foremen, foremen[0].stop
        self.waiting = iter(foremen)
        self.trees: dict[int, dict[str, np.ndarray]] = {}
        self.lock = threading.Lock()

    @property
    def done(self) -> int:
        return sum(foreman.done for foreman in self.foremen)

    def work(self, _workers: int) -> None:
        while not self.stop[0]:
            with self.lock:
                foreman = next(self.waiting, None)
            if foreman is None:
                return
            foreman.work(1)
            if not self.stop[0]:  # give back the room that the tree did not need
                self.trees[id(foreman)] = _join(foreman.parts, foreman.knobs.n_class)
                foreman.parts = []


def grow_one_on_each(
    spec: ForestSpec,
    tables: list[Table],
    knobs: Knobs,
    tree: int,
    progress: Progress | None,
    cancel: Any,
    threads: int | None,
) -> list[dict[str, np.ndarray]]:
    """Grow tree number ``tree`` on every table: flat arrays of one tree each, as ``grow_trees``."""
    kernel = _compiled(spec, tables[0], knobs, len(tables), progress)
    stop = np.zeros(1, np.uint8)
    crew = _Crew([_Foreman(spec, t, knobs, tree, tree + 1, kernel, stop) for t in tables])
    _finish(crew, min(resolve(threads), len(tables)), len(tables), progress, cancel)
    return [crew.trees[id(foreman)] for foreman in crew.foremen]


def _log(text: str) -> None:
    """Say why the first forest takes so long; a warning, as Python shows no lesser message."""
    _logger.warning(
        "Forest Explorer is %s: the first forest of this kind on this machine waits some seconds, "
        "later ones do not. 'forest-explorer warm' compiles all kinds ahead of time.",
        text.removesuffix(", once"),
    )


def _compiled(
    spec: ForestSpec, table: Table, knobs: Knobs, wanted: int, progress: Progress | None
) -> Any:
    """The kernel that grows this spec, compiled before threads share it."""
    kernel = DIRECTIONS[spec.split].grow
    if not is_ready(kernel):
        announce = _log if progress is None else lambda text: progress(0, wanted, text)
        empty = _room(spec, table, knobs, 1, False)
        own, yard = _yard(spec, table, knobs)
        stop = np.zeros(1, np.uint8)
        args = (own, knobs, 0, 0, empty, stop, yard)
        call(kernel, f"{spec.split} splits", announce, *args)
    return kernel


def _finish(
    foreman: "_Foreman | _Crew", workers: int, wanted: int, progress: Progress | None, cancel: Any
) -> None:
    """Let workers grow all trees of a foreman or a crew."""
    if is_cancelled(cancel):
        raise Cancelled
    if progress is None and cancel is None:
        run([lambda: foreman.work(workers)] * workers)
    else:
        _supervise(foreman, workers, wanted, progress, cancel)


def _supervise(
    foreman: "_Foreman | _Crew", workers: int, wanted: int, progress: Progress | None, cancel: Any
) -> None:
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
        "side": cat("side", 0),
        "fill": cat("fill", 1),
        "counts": cat("counts", 2),
        "oob_leaf": cat("oob_leaf", 3),
        "node_at": offsets(0),
        "weight_at": offsets(1),
        "leaf_at": offsets(2),
        "oob_at": offsets(3),
    }
