"""From a frozen request to maps: grow in chunks, draw, judge.

A generator: every yield ends a chunk, so the scheduler can serve others or cancel.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from explorer.app.work.baseline_work import fit_baselines
from explorer.app.work.cache import Cache
from explorer.app.work.grow_job import compiled
from explorer.app.work.grow_work import Round, Tell, grow_in_turns, held_memory, side_by_side
from explorer.app.work.map_job import MapJob
from explorer.app.work.requests import Lines, MapRequest, Pictures, Source, load_source
from explorer.app.work.scheduler import Rest
from explorer.app.work.truth_work import true_maps

REFINE_SECONDS = 0.2  # between two pictures of one growing forest
JUDGE_WAITS = 0.08  # after a picture, before its slower numbers are computed


def pictures(
    request: MapRequest,
    cache: Cache,
    cancel: threading.Event,
    tell: Tell = lambda index, sentence: None,
) -> Iterator[Pictures | Rest | None]:
    """Chunks of work; pictures whenever there is something to see."""
    source = load_source(request.data, cache)
    data = source.data
    if data.n_features < 2:
        raise ValueError(
            "A map needs two features; these data have one. Raise p, or choose others."
        )
    with held_memory(request.specs, data):
        yield from _pictures(request, source, cache, cancel, tell)


def _pictures(
    request: MapRequest, source: Source, cache: Cache, cancel: threading.Event, tell: Tell
) -> Iterator[Pictures | Rest | None]:
    data = source.data
    job = MapJob(request, source, cache)
    job.growing.ticket = cancel if hasattr(cancel, "trees") else None
    job.look_for_bayes()
    if request.truth:
        job.truth = cache.get(job.truth_key())
    if not job.growing.places:
        yield job.pictures()
    elif job.growing.small():
        side_by_side(cancel, [partial(job.quick, i) for i in job.growing.places])
        if not all(record.judged for record in job.records.values()):
            yield job.pictures()
            yield Rest(JUDGE_WAITS)  # the browser paints; under a moving slider the next one comes
            side_by_side(cancel, [partial(job.judge, i, 1) for i in job.growing.places])
        yield job.pictures()
    else:
        if not all(compiled(job.growing.spec(i)) for i in job.growing.places):
            job.find_bayes_now()  # kernels may take long: what is true need not wait for them
        yield job.pictures()  # nothing is grown yet: the points, in their window
        yield from _refine(job, cancel, tell)
    if request.truth and job.truth is None and data.truth is not None:
        yield None
        yield from true_maps(job)
    if len(job.growing.places) < len(request.specs):
        yield from fit_baselines(job, cancel, tell)


def bayes(shown: Pictures, cache: Cache) -> Iterator[Lines | None]:
    """The Bayes boundary of pictures that were drawn without it."""
    yield MapJob(replace(shown.request, window=shown.window), shown.source, cache).find_bayes()


def _refine(job: MapJob, cancel: threading.Event, tell: Tell) -> Iterator[Pictures | Rest | None]:
    """A picture from the first trees, then better ones while the forests grow."""
    last = 0.0
    drawn: dict[int, int] = {}
    for now in grow_in_turns(job.growing, cancel, tell):
        if not isinstance(now, Round):
            yield now
            continue
        places = job.growing.places
        ready = bool(now.counts) and all(i in now.counts or i in now.compiling for i in places)
        changed = any(drawn.get(i) != count for i, count in now.counts.items())
        if ready and changed and (now.finished or time.perf_counter() - last > REFINE_SECONDS):
            for i, count in now.counts.items():
                job.draw(i, now.grown[i], count)
                job.judge(i)
                if drawn.get(i, count) != count:
                    job.forget(i, drawn[i])
                drawn[i] = count
                yield None
            yield job.pictures()
            last = time.perf_counter()
