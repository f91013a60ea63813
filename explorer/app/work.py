"""Owns the road from a frozen request to pictures: load, grow in chunks, measure.

A generator: every yield ends a chunk, so the scheduler can serve others or cancel. Forests are
shared through the cache under (data digest, spec without n_tree): tree t does not depend on
how many there are, so a forest that was cut short is a good beginning of a longer one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from explorer.app import measure
from explorer.app.cache import Cache
from explorer.app.measure import MapRecord, Test, Window
from explorer.app.prepare import is_ready, prepare
from explorer.app.state import DataRecipe
from explorer.data import Dataset
from explorer.engine import Forest, ForestSpec, grow
from explorer.engine.threads import run

CHUNK_SECONDS = 0.06
REFINE_SECONDS = 0.2  # between two pictures of one growing forest
QUICK_SECONDS = 0.008  # a Bayes boundary this fast is drawn with the map, else after it
LARGEST = 4e9  # trees x samples x features tried at a node: refused beyond
Lines = tuple[Any, Any]
Tell = Callable[[int, str], None]


@dataclass(frozen=True)
class MapRequest:
    """Maps of some forests on one window of one plane."""

    data: DataRecipe
    specs: tuple[ForestSpec, ...]
    trees: int = 0
    axes: tuple[int, int] = (0, 1)
    window: Window | None = None
    pixels: tuple[int, int] = (400, 300)
    truth: bool = False


@dataclass(frozen=True)
class Source:
    """A loaded data set with what follows from it alone."""

    data: Dataset
    digest: str


@dataclass(frozen=True)
class Grown:
    """A forest and the seconds its trees took."""

    forest: Forest
    seconds: float


@dataclass(frozen=True)
class Pictures:
    """What is published: one record per model, all on the same window.

    done and wanted count trees over all models. The Bayes boundary may come later (bayes_due).
    """

    request: MapRequest
    source: Source
    window: Window
    axes: tuple[int, int]
    records: tuple[MapRecord, ...]
    best: dict[str, int | None]
    bayes: Lines | None
    bayes_due: bool
    truth: Any
    done: int
    wanted: int

    @property
    def finished(self) -> bool:
        return self.done >= self.wanted

    @property
    def judged(self) -> bool:
        return all(record.judged for record in self.records)


def load_source(recipe: DataRecipe, cache: Cache) -> Source:
    """The data set of a recipe, shared by all sessions that ask for it."""

    def make() -> Source:
        data = recipe.load()
        return Source(data, data.digest())

    def size(source: Source) -> int:
        return source.data.X.nbytes + source.data.y.nbytes + 4000

    loaded: Source = cache.get_or_make(("data", recipe), make, size)
    return loaded


def pictures(
    request: MapRequest,
    cache: Cache,
    cancel: threading.Event,
    tell: Tell = lambda index, sentence: None,
) -> Iterator[Pictures | None]:
    """Chunks of work; pictures whenever there is something to see."""
    source = load_source(request.data, cache)
    data = source.data
    axes = request.axes if max(request.axes) < data.n_features else (0, min(1, data.n_features - 1))
    if data.n_features < 2:
        raise ValueError(
            "A map needs two features; these data have one. Raise p, or choose others."
        )
    for spec in request.specs:
        refuse_too_large(spec, data)
    aspect = request.pixels[0] / request.pixels[1]
    window = request.window or measure.home_window(data, *axes, aspect)
    ask = _Ask(request, source, axes, window, cache)

    ask.look_for_bayes()
    if request.truth:
        ask.truth = cache.get(ask.truth_key())
    if ask.small():
        models = range(len(request.specs))
        run([partial(ask.quick, i) for i in models])
        if not all(record.judged for record in ask.records.values()):
            yield ask.pictures()
            run([partial(ask.judge, i, 1) for i in models])
        yield ask.pictures()
    else:
        yield from _refine(ask, cancel, tell)
    if request.truth and ask.truth is None and data.truth is not None:
        yield None
        ask.truth = ask.find_truth()
        yield ask.pictures()


def bayes(shown: Pictures, cache: Cache) -> Iterator[Lines | None]:
    """The Bayes boundary of pictures that were drawn without it."""
    yield _Ask(shown.request, shown.source, shown.axes, shown.window, cache).find_bayes()


def refuse_too_large(spec: ForestSpec, data: Dataset) -> None:
    """A forest beyond the server's budget is refused in words before it is tried."""
    cost = spec.n_tree * data.n_samples * spec.features_per_split(data.n_features)
    if cost > LARGEST:
        raise ValueError(
            f"{spec.n_tree} trees on {data.n_samples} x {data.n_features} are more than this "
            "server takes on. Choose fewer trees, samples or a smaller m_try."
        )


class _Ask:
    """One request on its way: where its forests and records are kept."""

    def __init__(
        self,
        request: MapRequest,
        source: Source,
        axes: tuple[int, int],
        window: Window,
        cache: Cache,
    ) -> None:
        self.request, self.source, self.axes = request, source, axes
        self.window, self.cache = window, cache
        self.records: dict[int, MapRecord] = {}
        self.forests: dict[int, Forest] = {}
        self.lines: Lines | None = None
        self.bayes_due = False
        self.truth: Any = None

    def pictures(self) -> Pictures:
        """What there is, ready to be drawn."""
        records = tuple(self.records[i] for i in range(len(self.request.specs)))
        return Pictures(
            self.request,
            self.source,
            self.window,
            self.axes,
            records,
            measure.leaders(records),
            self.lines,
            self.bayes_due,
            self.truth,
            sum(r.n_tree for r in records),
            sum(s.n_tree for s in self.request.specs),
        )

    # ---- forests

    def forest_key(self, i: int) -> tuple[Any, ...]:
        spec = self.request.specs[i]
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
        data, spec = self.source.data, self.request.specs[i]
        m = spec.features_per_split(data.n_features)
        cost = data.n_samples * (m + 4) * np.log2(data.n_samples + 2)
        if spec.rotate:
            cost += data.n_features**3 + data.n_samples * data.n_features**2
        return int(min(spec.n_tree, max(1, 2e6 // cost)))

    def small(self) -> bool:
        """Whether all forests fit one chunk, or are here already."""
        for i, spec in enumerate(self.request.specs):
            grown = self.held(i)
            if (grown is None or grown.forest.n_tree < spec.n_tree) and self.chunk(i) < spec.n_tree:
                return False
            if not _compiled(spec):
                return False
        return True

    def quick(self, i: int) -> None:
        """Grow and measure a small forest here and now, on one thread."""
        spec = self.request.specs[i]
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
        spec, data = self.request.specs[i], self.source.data
        before = time.perf_counter()
        options: dict[str, Any] = {"cancel": cancel, "threads": threads}
        if grown is None:
            forest = grow(spec.replace(n_tree=n), data.X, data.y, **options)
            spent = 0.0
        else:
            forest = grown.forest.extend(n, **options)
            spent = grown.seconds
        grown = Grown(forest, spent + time.perf_counter() - before)
        self.keep(i, grown)
        return grown

    # ---- records

    def _map_key(self, i: int, n: int) -> tuple[Any, ...]:
        shown = min(self.request.trees or n, n)
        place = (self.axes, self.window, self.request.pixels)
        return ("map", *self.forest_key(i), n, shown, *place)

    def draw(self, i: int, grown: Grown, n: int, threads: int | None = None) -> None:
        """The picture of the trees that are shown, out of the first n."""
        key = self._map_key(i, n)
        self.forests[i] = grown.forest if grown.forest.n_tree == n else grown.forest.take(n)
        record = self.cache.get(key)
        if record is None:
            record = measure.draw(
                self.forests[i],
                min(self.request.trees or n, n),
                grown.seconds * n / grown.forest.n_tree,
                self.source.data,
                self.axes,
                self.window,
                self.request.pixels,
                threads,
            )
            self.cache.put(key, record, record.nbytes)
        self.records[i] = record

    def judge(self, i: int, threads: int | None = None) -> None:
        """The numbers that take longer than a picture."""
        record = self.records[i]
        if not record.judged:
            test = self.test()
            record = measure.judge(record, self.forests[i], self.source.data, test, threads)
            self.cache.put(self._map_key(i, record.n_tree), record, record.nbytes)
            self.records[i] = record

    # ---- what is true

    def _bayes_key(self) -> tuple[Any, ...]:
        return "bayes", self.request.data, self.axes, self.window

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
        lines = measure.bayes_lines(self.source.data, self.axes, self.window)
        name = (self.request.data.name, self.source.data.n_features)
        _bayes_seconds[name] = time.perf_counter() - before
        if lines is not None:
            self.cache.put(self._bayes_key(), lines, 2 * lines[0].nbytes + 200)
        return lines

    def test(self) -> Test | None:
        """Fresh rows from the truth, shared by all who ask for these data."""
        held: Test | None = self.cache.get_or_make(
            ("test", self.request.data),
            lambda: measure.sample_test(self.source.data),
            lambda test: 100 if test is None else test.X.nbytes + test.posterior.nbytes,
        )
        return held

    def truth_key(self) -> tuple[Any, ...]:
        return ("truth", self.request.data, self.axes, self.window, self.request.pixels)

    def find_truth(self) -> Any:
        """The true posterior on this window, float32 [h, w, K], or None."""
        if self.source.data.truth is None:
            return None
        return self.cache.get_or_make(
            self.truth_key(),
            lambda: measure.true_posterior(
                self.source.data, self.axes, self.window, self.request.pixels
            ),
            lambda a: a.nbytes,
        )


_bayes_seconds: dict[tuple[str, int], float] = {}
_seen_splits: set[str] = set()


def _compiled(spec: ForestSpec) -> bool:
    """Whether this process has grown such a split before; a first one may have to compile."""
    return spec.split in _seen_splits and not spec.prune


def _refine(ask: _Ask, cancel: threading.Event, tell: Tell) -> Iterator[Pictures | None]:
    """Grow chunk by chunk, models in turn; a picture from the first trees, then better ones."""
    specs = ask.request.specs
    have: dict[int, Grown | None] = {i: ask.held(i) for i in range(len(specs))}
    wanted = sum(s.n_tree for s in specs)
    last = 0.0
    while True:
        waiting = False
        for i, spec in enumerate(specs):
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
                have[i] = ask.grow_to(i, n, ask.held(i) or grown, cancel)
                _seen_splits.add(spec.split)
            finally:
                ask.cache.release(key)
            yield None
        counts = [
            0 if g is None else min(g.forest.n_tree, s.n_tree) for g, s in _pairs(have, specs)
        ]
        ready = all(counts)
        finished = sum(counts) >= wanted
        if ready and (finished or time.perf_counter() - last > REFINE_SECONDS):
            for i, grown in have.items():
                assert grown is not None
                ask.draw(i, grown, counts[i])
                ask.judge(i)
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


def _pairs(
    have: dict[int, Grown | None], specs: tuple[ForestSpec, ...]
) -> list[tuple[Grown | None, ForestSpec]]:
    return [(have[i], spec) for i, spec in enumerate(specs)]


def _next_chunk(ask: _Ask, i: int, grown: Grown | None) -> int:
    """Trees that take about CHUNK_SECONDS; at least half as many as there are, because
    extending copies what is there."""
    if grown is None or grown.seconds <= 0:
        return ask.chunk(i)
    per_tree = grown.seconds / grown.forest.n_tree
    fits = max(1, int(CHUNK_SECONDS / per_tree))
    return fits if per_tree > CHUNK_SECONDS else max(fits, grown.forest.n_tree // 2)
