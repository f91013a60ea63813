"""One request for maps on its way: its plane and window, its records and what is true."""

from __future__ import annotations

import time
from typing import Any

from explorer.analysis import FreshRows, fresh_rows
from explorer.analysis.bayes_boundary import bayes_lines
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.tour_route import TourAxes, tour_axes
from explorer.app.state.plane_choice import Window, home_window, seen, window_around
from explorer.app.work import map_record
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import Key, cache_key
from explorer.app.work.grow_job import GrowJob
from explorer.app.work.map_record import TEST_POINTS, TEST_SEED, MapRecord
from explorer.app.work.requests import (
    Grown,
    Lines,
    MapRequest,
    Pictures,
    Source,
    space_of_tours,
)
from explorer.engine import ForestSpec

QUICK_SECONDS = 0.008  # a Bayes boundary this fast is drawn with the map, else after it


class MapJob:
    """One request on its way: where its models and records are kept.

    growing: its forests; records and models: what there is, by place.
    """

    def __init__(self, request: MapRequest, source: Source, cache: Cache) -> None:
        self.request, self.source, self.cache = request, source, cache
        self.recipe = request.plane.within(source.data)
        # a plane of a tour is seen once: nothing that is made of it is kept
        self.passing = self.recipe.kind == "tour"
        self.near: Any = None
        self.axes_of_tour: TourAxes | None = None
        if self.passing:
            plane, self.places = self._make_plane()
        else:
            key = cache_key("plane", source.digest, source.data.feature_names, self.recipe)
            plane, self.places = cache.get_or_make(
                key, self._make_plane, lambda made: made[0].nbytes + made[1].nbytes
            )
        home = self._home(plane, request.pixels[0] / request.pixels[1])
        self.window: Window = request.window or home
        # what the words are about must not depend on the shape of the page
        self.region = self.window
        if self.window == home:
            self.region = self._home(plane, 1.0)
        self.plane: LabelledPlane = seen(plane, self.window)
        self.growing = GrowJob(request.specs, source, cache)
        self.records: dict[int, MapRecord] = {}
        self.models: dict[int, Any] = {}
        self.failed: set[int] = set()  # places of baselines that cannot be fitted here
        self.lines: Lines | None = None
        self.bayes_due = False
        self.truth: Any = None

    def _make_plane(self) -> tuple[LabelledPlane, Any]:
        data = self.source.data
        space = space_of_tours(self.source, self.cache) if self.recipe.kind == "tour" else None
        plane = self.recipe.labelled(data, space)
        if space is not None:
            self.near = self.recipe.near(data, space)
            self.axes_of_tour = tour_axes(space, self.recipe.directions(data, space))
        return plane, plane.project(data.X)

    def _home(self, plane: LabelledPlane, aspect: float) -> Window:
        """The window that shows the samples on a page of this shape."""
        if self.passing:
            return window_around(plane, aspect)
        # after scaling every feature has a unit of its own
        equal = self.request.data.transform != "scaling"
        return home_window(self.source.data, self.places, aspect, equal)

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
            map_record.leaders(
                records,
                [self._wanted(i) for i in range(len(records))],
                self.source.data.groups,
            ),
            self.lines,
            self.bayes_due,
            self.truth,
            sum(r.n_tree for r in records if r is not None),
            self.growing.wanted,
            self.cache.get(self._test_key()),
            self.near,
            self.axes_of_tour,
        )

    def _wanted(self, i: int) -> int | None:
        """Trees of model i once it is finished, 0 for a baseline, None if it failed."""
        spec = self.request.specs[i]
        return None if i in self.failed else spec.n_tree if isinstance(spec, ForestSpec) else 0

    # ---- forests

    def quick(self, i: int) -> None:
        """Grow and draw a small forest here and now, on one thread."""
        self.draw(i, self.growing.quick(i), self.growing.spec(i).n_tree, threads=1)

    # ---- records

    def place_key(self) -> Key:
        return self.recipe, self.window, self.request.pixels

    def _map_key(self, i: int, n: int) -> Key:
        shown = min(self.request.trees or n, n)
        return cache_key("map", self.growing.key(i), n, shown, self.request.tree, *self.place_key())

    def draw(self, i: int, grown: Grown, n: int, threads: int | None = None) -> None:
        """The picture of the trees that are shown, out of the first n."""
        key = self._map_key(i, n)
        forest = grown.forest if grown.forest.n_tree == n else grown.forest.take(n)
        self.models[i] = forest
        record = None if self.passing else self.cache.get(key)
        if record is None:
            record = map_record.draw(
                forest,
                min(self.request.trees or n, n),
                grown.seconds * n / grown.forest.n_tree,
                self.source.data,
                self.plane,
                self.request.pixels,
                self.request.tree,
                threads,
            )
            if not self.passing:
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
            if not self.passing:
                self.cache.put(self._map_key(i, record.n_tree), record, record.nbytes)
            self.records[i] = record

    def judged(self, i: int, threads: int | None = None) -> MapRecord:
        return map_record.judge(
            self.records[i],
            self.models[i],
            self.source.data,
            self.plane,
            self.test(),
            self.region,
            threads,
        )

    # ---- what is true

    def _bayes_key(self) -> Key:
        return cache_key("bayes", self.request.data, self.recipe, self.window)

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

    def find_bayes_now(self) -> None:
        """Trace the Bayes boundary before anything else, where it is due."""
        if self.bayes_due:
            self.lines = self.find_bayes()
            self.bayes_due = self.lines is None

    def find_bayes(self) -> Lines | None:
        before = time.perf_counter()
        lines = bayes_lines(self.source.data, self.plane)
        name = (self.request.data.name, self.source.data.n_features)
        _bayes_seconds[name] = time.perf_counter() - before
        if lines is not None:
            self.cache.put(self._bayes_key(), lines, 2 * lines[0].nbytes + 200)
        return lines

    def _test_key(self) -> Key:
        return cache_key("test", self.request.data)

    def test(self) -> FreshRows | None:
        """Fresh rows from the truth, shared by all who ask for these data."""
        held: FreshRows | None = self.cache.get_or_make(
            self._test_key(),
            lambda: fresh_rows(self.source.data, TEST_POINTS, TEST_SEED),
            lambda test: 100 if test is None else test.X.nbytes + test.posterior.nbytes,
        )
        return held

    def truth_key(self) -> Key:
        return cache_key("truth", self.request.data, *self.place_key())


_bayes_seconds: dict[tuple[str, int], float] = {}
