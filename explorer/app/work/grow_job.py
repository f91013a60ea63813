"""Growing the forests of one request: where they are kept, and how many trees make a chunk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.app.state.baselines import Recipe
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import Key, cache_key
from explorer.app.work.limits import MEMORY, forest_bytes, forests_in_words
from explorer.app.work.requests import Grown, Source
from explorer.data import Dataset
from explorer.engine import ForestSpec, grow

LARGEST = 4e9  # trees x samples x features tried at a node: refused beyond


def refuse_too_large(spec: ForestSpec, data: Dataset) -> None:
    """A forest beyond the server's budget is refused in words before it is tried."""
    cost = spec.n_tree * data.n_samples * spec.features_per_split(data.n_features)
    if cost > LARGEST:
        raise ValueError(
            f"{spec.n_tree} trees on {data.n_samples} x {data.n_features} are more than this "
            "server takes on. Choose fewer trees, samples or a smaller m_try."
        )
    MEMORY.check(bytes_of(spec, data), forests_in_words([spec], data.n_samples, data.n_features))


def bytes_of(spec: ForestSpec, data: Dataset) -> int:
    """Memory that a forest may need at most."""
    return forest_bytes(spec, data.n_samples, data.n_features, data.n_classes)


class GrowJob:
    """The forests of some models on one data set, shared through the cache.

    places: of the models that have trees, in their order.
    """

    def __init__(self, specs: Sequence[Recipe], source: Source, cache: Cache) -> None:
        self.specs, self.source, self.cache = specs, source, cache
        self.places = [i for i, s in enumerate(specs) if isinstance(s, ForestSpec)]
        self.ticket: Any = None  # counts the trees that are grown for this request

    def spec(self, i: int) -> ForestSpec:
        spec = self.specs[i]
        assert isinstance(spec, ForestSpec)
        return spec

    @property
    def wanted(self) -> int:
        """Trees of all forests once they are grown."""
        return sum(self.spec(i).n_tree for i in self.places)

    def key(self, i: int) -> Key:
        return cache_key("forest", self.source.digest, self.spec(i))

    def held(self, i: int) -> Grown | None:
        """What is there of a forest: fewer trees, or more."""
        grown: Grown | None = self.cache.get(self.key(i))
        return grown

    def _keep(self, i: int, grown: Grown) -> None:
        X = grown.forest.training.X
        size = grown.forest.nbytes + (0 if X is None else X.nbytes)
        self.cache.put(self.key(i), grown, size)

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
        for i in self.places:
            spec, grown = self.spec(i), self.held(i)
            if (grown is None or grown.forest.n_tree < spec.n_tree) and self.chunk(i) < spec.n_tree:
                return False
            if not compiled(spec):
                return False
        return True

    def quick(self, i: int) -> Grown:
        """Grow a small forest here and now, on one thread."""
        spec = self.spec(i)
        key = (*self.key(i), spec.n_tree)
        while (grown := self.held(i)) is None or grown.forest.n_tree < spec.n_tree:
            if self.cache.claim(key):
                try:
                    return self.grow_to(i, spec.n_tree, grown, threads=1)
                finally:
                    self.cache.release(key)
            self.cache.wait(key, 1.0)
        return grown

    def grow_to(
        self,
        i: int,
        n: int,
        grown: Grown | None,
        cancel: Any = None,
        threads: int | None = None,
    ) -> Grown:
        """Grow model i to n trees, from what there is."""
        spec, data = self.spec(i), self.source.data
        before = time.perf_counter()
        options: dict[str, Any] = {"cancel": cancel, "threads": threads}
        if grown is None:
            forest = grow(spec.replace(n_tree=n), data.X, data.y, groups=data.groups, **options)
            spent = 0.0
        else:
            forest = grown.forest.extend(n, **options)
            spent = grown.seconds
        if self.ticket is not None:
            self.ticket.trees += n - (0 if grown is None else grown.forest.n_tree)
        grown = Grown(forest, spent + time.perf_counter() - before)
        self._keep(i, grown)
        return grown


_seen_splits: set[str] = set()


def seen_before(spec: ForestSpec) -> bool:
    """Whether this process has grown such a split before; a first one may have to compile."""
    return spec.split in _seen_splits


def mark_seen(spec: ForestSpec) -> None:
    """Such a split has been grown in this process."""
    _seen_splits.add(spec.split)


def compiled(spec: ForestSpec) -> bool:
    """Whether everything that this forest needs is compiled and loaded."""
    return seen_before(spec) and not spec.prune
