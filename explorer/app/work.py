"""Owns the road from a frozen request to pictures: load, grow in chunks, measure.

A generator: every yield ends a chunk, so the scheduler can serve others or cancel. Forests are
shared through the cache under (data digest, spec without n_tree): tree t does not depend on
how many there are, so a forest that was cut short is a good beginning of a longer one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from explorer.analysis.planes import LabelledPlane
from explorer.app import measure
from explorer.app.baseline import forests_of
from explorer.app.baseline_work import fit_baselines
from explorer.app.cache import Cache
from explorer.app.limits import MEMORY, forest_bytes, forests_in_words
from explorer.app.measure import MapRecord, Test
from explorer.app.plane import Window, home_window, seen
from explorer.app.prepare import is_ready, prepare
from explorer.app.request import Grown, Lines, MapRequest, Pictures, Source, load_source
from explorer.app.scheduler import Rest
from explorer.app.truth_work import true_maps
from explorer.data import Dataset
from explorer.engine import ForestSpec, grow
from explorer.engine.threads import available, run

CHUNK_SECONDS = 0.06
LONGEST_CHUNK = 1.0
REFINE_SECONDS = 0.2  # between two pictures of one growing forest
JUDGE_WAITS = 0.08  # after a picture, before its slower numbers are computed
QUICK_SECONDS = 0.008  # a Bayes boundary this fast is drawn with the map, else after it
LARGEST = 4e9  # trees x samples x features tried at a node: refused beyond
Tell = Callable[[int, str], None]


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
    for spec in request.specs:
        if isinstance(spec, ForestSpec):
            refuse_too_large(spec, data)
    forests = forests_of(request.specs)
    sizes = [_bytes(spec, data) for spec in forests]
    with MEMORY.hold(sum(sizes), forests_in_words(forests, data.n_samples, data.n_features)):
        yield from _pictures(request, source, cache, cancel, tell)


def _pictures(
    request: MapRequest, source: Source, cache: Cache, cancel: threading.Event, tell: Tell
) -> Iterator[Pictures | Rest | None]:
    data = source.data
    ask = Ask(request, source, cache)
    ask.ticket = cancel if hasattr(cancel, "trees") else None
    ask.look_for_bayes()
    if request.truth:
        ask.truth = cache.get(ask.truth_key())
    if not ask.forests:
        yield ask.pictures()
    elif ask.small():
        _side_by_side(cancel, [partial(ask.quick, i) for i in ask.forests])
        if not all(record.judged for record in ask.records.values()):
            yield ask.pictures()
            yield Rest(JUDGE_WAITS)  # the browser paints; under a moving slider the next one comes
            _side_by_side(cancel, [partial(ask.judge, i, 1) for i in ask.forests])
        yield ask.pictures()
    else:
        yield from _refine(ask, cancel, tell)
    if request.truth and ask.truth is None and data.truth is not None:
        yield None
        yield from true_maps(ask)
    if len(ask.forests) < len(request.specs):
        yield from fit_baselines(ask, cancel, tell)


def bayes(shown: Pictures, cache: Cache) -> Iterator[Lines | None]:
    """The Bayes boundary of pictures that were drawn without it."""
    yield Ask(replace(shown.request, window=shown.window), shown.source, cache).find_bayes()


def refuse_too_large(spec: ForestSpec, data: Dataset) -> None:
    """A forest beyond the server's budget is refused in words before it is tried."""
    cost = spec.n_tree * data.n_samples * spec.features_per_split(data.n_features)
    if cost > LARGEST:
        raise ValueError(
            f"{spec.n_tree} trees on {data.n_samples} x {data.n_features} are more than this "
            "server takes on. Choose fewer trees, samples or a smaller m_try."
        )
    MEMORY.check(_bytes(spec, data), forests_in_words([spec], data.n_samples, data.n_features))


def _bytes(spec: ForestSpec, data: Dataset) -> int:
    return forest_bytes(spec, data.n_samples, data.n_features, data.n_classes)


class Ask:
    """One request on its way: where its models and records are kept.

    forests: places of the models that have trees; records and models: what there is, by place.
    """

    def __init__(self, request: MapRequest, source: Source, cache: Cache) -> None:
        self.request, self.source, self.cache = request, source, cache
        self.recipe = request.plane.within(source.data)
        key = ("plane", source.digest, source.data.feature_names, self.recipe)
        plane, self.places = cache.get_or_make(
            key, self._make_plane, lambda made: made[0].nbytes + made[1].nbytes
        )
        aspect = request.pixels[0] / request.pixels[1]
        self.window: Window = request.window or home_window(source.data, self.places, aspect)
        self.plane: LabelledPlane = seen(plane, self.window)
        self.forests = [i for i, s in enumerate(request.specs) if isinstance(s, ForestSpec)]
        self.records: dict[int, MapRecord] = {}
        self.models: dict[int, Any] = {}
        self.lines: Lines | None = None
        self.bayes_due = False
        self.truth: Any = None
        self.ticket: Any = None  # counts the trees that are grown for this request

    def _make_plane(self) -> tuple[LabelledPlane, Any]:
        plane = self.recipe.labelled(self.source.data)
        return plane, plane.project(self.source.data.X)

    def pictures(self) -> Pictures:
        """What there is, ready to be drawn."""
        records = tuple(self.records.get(i) for i in range(len(self.request.specs)))
        return Pictures(
            self.request,
            self.source,
            self.window,
            self.plane,
            self.recipe,
            self.places,
            records,
            measure.leaders(records),
            self.lines,
            self.bayes_due,
            self.truth,
            sum(r.n_tree for r in records if r is not None),
            sum(s.n_tree for s in self.request.specs if isinstance(s, ForestSpec)),
            self.cache.get(self._test_key()),
        )

    def spec(self, i: int) -> ForestSpec:
        spec = self.request.specs[i]
        assert isinstance(spec, ForestSpec)
        return spec

    # ---- forests

    def forest_key(self, i: int) -> tuple[Any, ...]:
        spec = self.spec(i)
        return "forest", self.source.digest, spec.replace(n_tree=1)

    def held(self, i: int) -> Grown | None:
        grown: Grown | None = self.cache.get(self.forest_key(i))
        return grown

    def keep(self, i: int, grown: Grown) -> None:
        X = grown.forest.training.X
        size = grown.forest.nbytes + (0 if X is None else X.nbytes)
        self.cache.put(self.forest_key(i), grown, size)

    def chunk(self, i: int) -> int:
        """Trees of model i for a first chunk."""
        data, spec = self.source.data, self.spec(i)
        m = spec.features_per_split(data.n_features)
        cost = data.n_samples * (m + 4) * np.log2(data.n_samples + 2)
        if spec.rotate:
            cost += data.n_features**3 + data.n_samples * data.n_features**2
        return int(min(spec.n_tree, max(1, 2e6 // cost)))

    def small(self) -> bool:
        """Whether all forests fit one chunk, or are here already."""
        for i in self.forests:
            spec, grown = self.spec(i), self.held(i)
            if (grown is None or grown.forest.n_tree < spec.n_tree) and self.chunk(i) < spec.n_tree:
                return False
            if not _compiled(spec):
                return False
        return True

    def quick(self, i: int) -> None:
        """Grow and measure a small forest here and now, on one thread."""
        spec = self.spec(i)
        key = (*self.forest_key(i), spec.n_tree)
        while (grown := self.held(i)) is None or grown.forest.n_tree < spec.n_tree:
            if self.cache.claim(key):
                try:
                    grown = self.grow_to(i, spec.n_tree, grown, threads=1)
                finally:
                    self.cache.release(key)
                break
            self.cache.wait(key, 1.0)
        self.draw(i, grown, spec.n_tree, threads=1)

    def grow_to(
        self,
        i: int,
        n: int,
        grown: Grown | None,
        cancel: Any = None,
        threads: int | None = None,
    ) -> Grown:
        spec, data = self.spec(i), self.source.data
        before = time.perf_counter()
        options: dict[str, Any] = {"cancel": cancel, "threads": threads}
        if grown is None:
            forest = grow(spec.replace(n_tree=n), data.X, data.y, **options)
            spent = 0.0
        else:
            forest = grown.forest.extend(n, **options)
            spent = grown.seconds
        before_it = 0 if grown is None else grown.forest.n_tree
        if self.ticket is not None:
            self.ticket.trees += n - before_it
        grown = Grown(forest, spent + time.perf_counter() - before)
        self.keep(i, grown)
        return grown

    # ---- records

    def place_key(self) -> tuple[Any, ...]:
        return self.recipe, self.window, self.request.pixels

    def _map_key(self, i: int, n: int) -> tuple[Any, ...]:
        shown = min(self.request.trees or n, n)
        return ("map", *self.forest_key(i), n, shown, self.request.tree, *self.place_key())

    def draw(self, i: int, grown: Grown, n: int, threads: int | None = None) -> None:
        """The picture of the trees that are shown, out of the first n."""
        key = self._map_key(i, n)
        forest = grown.forest if grown.forest.n_tree == n else grown.forest.take(n)
        self.models[i] = forest
        record = self.cache.get(key)
        if record is None:
            record = measure.draw(
                forest,
                min(self.request.trees or n, n),
                grown.seconds * n / grown.forest.n_tree,
                self.source.data,
                self.plane,
                self.request.pixels,
                self.request.tree,
                threads,
            )
            self.cache.put(key, record, record.nbytes)
        self.records[i] = record

    def forget(self, i: int, n: int) -> None:
        """Do not keep the picture of a forest that was still growing: there is a later one."""
        self.cache.drop(self._map_key(i, n))

    def judge(self, i: int, threads: int | None = None) -> None:
        """The numbers that take longer than a picture."""
        record = self.records[i]
        if not record.judged:
            record = self.judged(i, threads)
            self.cache.put(self._map_key(i, record.n_tree), record, record.nbytes)
            self.records[i] = record

    def judged(self, i: int, threads: int | None = None) -> MapRecord:
        return measure.judge(
            self.records[i], self.models[i], self.source.data, self.plane, self.test(), threads
        )

    # ---- what is true

    def _bayes_key(self) -> tuple[Any, ...]:
        return "bayes", self.request.data, self.recipe, self.window

    def look_for_bayes(self) -> None:
        """Take the Bayes boundary along if it is here or cheap; else it is due later."""
        if self.source.data.truth is None:
            return
        self.lines = self.cache.get(self._bayes_key())
        if self.lines is None:
            cost = _bayes_seconds.get((self.request.data.name, self.source.data.n_features), 1.0)
            if cost < QUICK_SECONDS:
                self.lines = self.find_bayes()
            self.bayes_due = self.lines is None

    def find_bayes(self) -> Lines | None:
        before = time.perf_counter()
        lines = measure.bayes_lines(self.source.data, self.plane)
        name = (self.request.data.name, self.source.data.n_features)
        _bayes_seconds[name] = time.perf_counter() - before
        if lines is not None:
            self.cache.put(self._bayes_key(), lines, 2 * lines[0].nbytes + 200)
        return lines

    def _test_key(self) -> tuple[Any, ...]:
        return "test", self.request.data

    def test(self) -> Test | None:
        """Fresh rows from the truth, shared by all who ask for these data."""
        held: Test | None = self.cache.get_or_make(
            self._test_key(),
            lambda: measure.sample_test(self.source.data),
            lambda test: 100 if test is None else test.X.nbytes + test.posterior.nbytes,
        )
        return held

    def truth_key(self) -> tuple[Any, ...]:
        return ("truth", self.request.data, *self.place_key())


_bayes_seconds: dict[tuple[str, int], float] = {}
_seen_splits: set[str] = set()


def _compiled(spec: ForestSpec) -> bool:
    """Whether this process has grown such a split before; a first one may have to compile."""
    return spec.split in _seen_splits and not spec.prune


def _refine(ask: Ask, cancel: threading.Event, tell: Tell) -> Iterator[Pictures | None]:
    """Grow chunk by chunk, models in turn; a picture from the first trees, then better ones."""
    specs = {i: ask.spec(i) for i in ask.forests}
    have: dict[int, Grown | None] = {i: ask.held(i) for i in specs}
    wanted = sum(s.n_tree for s in specs.values())
    last = 0.0
    drawn: dict[int, int] = {}
    while True:
        waiting = False
        for i, spec in specs.items():
            grown = have[i]
            done = 0 if grown is None else grown.forest.n_tree
            if done >= spec.n_tree:
                continue
            key = ask.forest_key(i)
            if not ask.cache.claim(key):  # another session grows it: look again soon
                ask.cache.wait(key, 0.05)
                have[i] = ask.held(i) or grown
                waiting = True
                yield None
                continue
            try:
                if spec.split not in _seen_splits:  # compiling is not growing: it is not timed
                    if not is_ready(spec):
                        tell(i, "Preparing this family, once, about 10 s.")
                        prepare(spec)
                    grow(spec.replace(n_tree=1), *_few(ask.source.data))
                n = min(spec.n_tree, done + _next_chunk(ask, i, grown))
                have[i] = ask.grow_to(i, n, ask.held(i) or grown, cancel, _threads(cancel))
                _seen_splits.add(spec.split)
            finally:
                ask.cache.release(key)
            yield None
        counts = {
            i: 0 if g is None else min(g.forest.n_tree, specs[i].n_tree) for i, g in have.items()
        }
        ready = all(counts.values())
        finished = sum(counts.values()) >= wanted
        if ready and (finished or time.perf_counter() - last > REFINE_SECONDS):
            for i, grown in have.items():
                assert grown is not None
                ask.draw(i, grown, counts[i])
                ask.judge(i)
                if drawn.get(i, counts[i]) != counts[i]:
                    ask.forget(i, drawn[i])
                drawn[i] = counts[i]
                yield None
            yield ask.pictures()
            last = time.perf_counter()
        if finished:
            return
        if waiting:
            yield None


def _few(data: Dataset) -> tuple[Any, Any]:
    """Some rows of each class: enough to make a kernel ready."""
    rows = np.concatenate([np.flatnonzero(data.y == k)[:20] for k in range(data.n_classes)])
    return data.X[rows], data.y[rows]


def _next_chunk(ask: Ask, i: int, grown: Grown | None) -> int:
    """Trees that take about CHUNK_SECONDS; longer where extending itself takes its time: it
    ranks the data again and copies what is there."""
    if grown is None or grown.seconds <= 0:
        return ask.chunk(i)
    data = ask.source.data
    extending = 1e-7 * data.X.size + 1e-9 * grown.forest.nbytes
    seconds = min(LONGEST_CHUNK, max(CHUNK_SECONDS, 3 * extending))
    return max(1, int(seconds * grown.forest.n_tree / grown.seconds))


def _side_by_side(cancel: threading.Event, tasks: Sequence[Callable[[], None]]) -> None:
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
