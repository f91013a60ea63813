"""Grows the forests of a request in chunks; pages without maps ask for nothing else.

Generators: every yield ends a chunk, so the scheduler can serve others or cancel.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from explorer.app.state.baselines import Recipe, forests_of
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.grow_job import (
    GrowJob,
    bytes_of,
    mark_seen,
    refuse_too_large,
    seen_before,
)
from explorer.app.work.kernel_compile import prepared
from explorer.app.work.limits import MEMORY, forests_in_words
from explorer.app.work.requests import Grown, Source, load_source
from explorer.app.work.scheduler import Rest
from explorer.data import Dataset
from explorer.engine import ForestSpec, grow
from explorer.engine.threads import available, run

CHUNK_SECONDS = 0.06
LONGEST_CHUNK = 1.0
TOLD_SECONDS = 0.2  # between two words about how far it is
COMPILE_WAITS = 0.1  # before it is looked again whether kernels are compiled
PREPARING = "Compiling this family, once on this machine: 15 s to a minute."
Tell = Callable[[int, str], None]


@dataclass(frozen=True)
class GrowRequest:
    """Forests of some models on one data set; models without trees are left out."""

    data: DataRecipe
    specs: tuple[Recipe, ...]


@dataclass(frozen=True)
class Forests:
    """Forests so far, by the places of their models: None for one without trees or not begun."""

    request: GrowRequest
    source: Source
    grown: tuple[Grown | None, ...]

    @property
    def done(self) -> int:
        pairs = zip(self.grown, self.request.specs, strict=True)
        return sum(
            min(one.forest.n_tree, spec.n_tree)
            for one, spec in pairs
            if one is not None and isinstance(spec, ForestSpec)
        )

    @property
    def wanted(self) -> int:
        return sum(spec.n_tree for spec in forests_of(self.request.specs))

    @property
    def finished(self) -> bool:
        return self.done >= self.wanted

    def oob_errors(self) -> tuple[float | None, ...]:
        """The out-of-bag error of each forest, None where there is none."""
        found: list[float | None] = []
        for one, spec in zip(self.grown, self.request.specs, strict=True):
            error = None
            if one is not None and isinstance(spec, ForestSpec) and one.forest.has_oob:
                error = float(one.forest.take(min(spec.n_tree, one.forest.n_tree)).oob_error[-1])
            found.append(None if error is None or np.isnan(error) else error)
        return tuple(found)


@dataclass(frozen=True)
class Round:
    """How far the forests are: trees by place, and the places that are compiled first."""

    grown: dict[int, Grown]
    counts: dict[int, int]
    compiling: frozenset[int]
    finished: bool


def forests(
    request: GrowRequest,
    cache: Cache,
    cancel: threading.Event,
    tell: Tell = lambda index, sentence: None,
) -> Iterator[Forests | Rest | None]:
    """Chunks of work; how far the forests are from time to time, and at last all of them."""
    source = load_source(request.data, cache)
    with held_memory(request.specs, source.data):
        job = GrowJob(request.specs, source, cache)
        job.ticket = cancel if hasattr(cancel, "trees") else None
        if job.small():
            side_by_side(cancel, [partial(job.quick, i) for i in job.places])
            yield _forests(request, job)
            return
        yield _forests(request, job)
        last = 0.0
        for now in grow_in_turns(job, cancel, tell):
            if isinstance(now, Round):
                if now.finished or time.perf_counter() - last > TOLD_SECONDS:
                    last = time.perf_counter()
                    yield _forests(request, job)
                else:
                    yield None
            else:
                yield now


def _forests(request: GrowRequest, job: GrowJob) -> Forests:
    held = (job.held(i) if i in job.places else None for i in range(len(job.specs)))
    return Forests(request, job.source, tuple(held))


def held_memory(specs: Sequence[Recipe], data: Dataset) -> AbstractContextManager[Any]:
    """Memory for all forests while they grow; what is too large is refused in words."""
    mine = forests_of(tuple(specs))
    for spec in mine:
        refuse_too_large(spec, data)
    sizes = [bytes_of(spec, data) for spec in mine]
    return MEMORY.hold(sum(sizes), forests_in_words(mine, data.n_samples, data.n_features))


def grow_in_turns(
    job: GrowJob, cancel: threading.Event, tell: Tell
) -> Iterator[Round | Rest | None]:
    """Grow chunk by chunk, models in turn; after each turn of all of them a Round."""
    specs = {i: job.spec(i) for i in job.places}
    have: dict[int, Grown | None] = {i: job.held(i) for i in specs}
    told: set[int] = set()
    while True:
        waiting = False
        compiling: set[int] = set()
        for i, spec in specs.items():
            grown = have[i]
            done = 0 if grown is None else grown.forest.n_tree
            if done >= spec.n_tree:
                continue
            if not seen_before(spec) and not prepared(spec):
                compiling.add(i)  # the others need not wait for it
                if i not in told:
                    told.add(i)
                    tell(i, PREPARING)
                continue
            key = job.key(i)
            if not job.cache.claim(key):  # another session grows it: look again soon
                job.cache.wait(key, 0.05)
                have[i] = job.held(i) or grown
                waiting = True
                yield None
                continue
            try:
                if not seen_before(spec):  # loading kernels is not growing: not timed
                    grow(spec.replace(n_tree=1), *_few(job.source.data))
                n = min(spec.n_tree, done + _next_chunk(job, i, grown))
                have[i] = job.grow_to(i, n, job.held(i) or grown, cancel, _threads(cancel))
                mark_seen(spec)
            finally:
                job.cache.release(key)
            yield None
        begun = {i: grown for i, grown in have.items() if grown is not None}
        counts = {i: min(grown.forest.n_tree, specs[i].n_tree) for i, grown in begun.items()}
        finished = sum(counts.values()) >= job.wanted
        yield Round(begun, counts, frozenset(compiling), finished)
        if finished:
            return
        if compiling:
            yield Rest(COMPILE_WAITS)
        elif waiting:
            yield None


def _few(data: Dataset) -> tuple[Any, Any]:
    """Some rows of each class: enough to make a kernel ready."""
    rows = np.concatenate([np.flatnonzero(data.y == k)[:20] for k in range(data.n_classes)])
    return data.X[rows], data.y[rows]


def _next_chunk(job: GrowJob, i: int, grown: Grown | None) -> int:
    """Trees that take about CHUNK_SECONDS; longer where extending itself takes its time: it
    ranks the data again and copies what is there."""
    if grown is None or grown.seconds <= 0:
        return job.chunk(i)
    data = job.source.data
    extending = 1e-7 * data.X.size + 1e-9 * grown.forest.nbytes
    seconds = min(LONGEST_CHUNK, max(CHUNK_SECONDS, 3 * extending))
    return max(1, int(seconds * grown.forest.n_tree / grown.seconds))


def side_by_side(cancel: threading.Event, tasks: Sequence[Callable[[], Any]]) -> None:
    """All at once; one after the other while others want short work done, too."""
    crowded = getattr(cancel, "crowded", None)
    if crowded is not None and crowded():
        for task in tasks:
            task()
    else:
        run(tasks)


def _threads(cancel: threading.Event) -> int | None:
    """All cores, or all but one while others want short work done."""
    crowded = getattr(cancel, "crowded", None)
    return max(1, available() - 1) if crowded is not None and crowded() else None
