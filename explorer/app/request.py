"""Owns what is asked for and what comes back: frozen requests, sources, grown models, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.planes import LabelledPlane
from explorer.app.baseline import Recipe
from explorer.app.cache import Cache
from explorer.app.measure import MapRecord
from explorer.app.plane import PlaneRecipe, Window
from explorer.app.state import DataRecipe
from explorer.data import Dataset
from explorer.engine import Forest

Lines = tuple[Any, Any]


@dataclass(frozen=True)
class MapRequest:
    """Maps of some models on one window of one plane.

    trees: how many are shown, 0 for all; tree: whose cells are drawn, from 0, or -1 for none.
    """

    data: DataRecipe
    specs: tuple[Recipe, ...]
    trees: int = 0
    plane: PlaneRecipe = field(default_factory=PlaneRecipe)
    window: Window | None = None
    pixels: tuple[int, int] = (400, 300)
    truth: bool = False
    tree: int = -1


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
    """What is published: one record per model, all on the same window of the same plane.

    A baseline that is still being fitted has None. places: where the samples lie, float64[n, 2].
    done and wanted count trees over all models. The Bayes boundary may come later (bayes_due).
    """

    request: MapRequest
    source: Source
    window: Window
    plane: LabelledPlane
    recipe: PlaneRecipe
    places: NDArray[np.float64]
    records: tuple[MapRecord | None, ...]
    best: dict[str, int | None]
    bayes: Lines | None
    bayes_due: bool
    truth: Any
    done: int
    wanted: int
    test: Any = field(default=None, repr=False)

    @property
    def axes(self) -> tuple[int, int]:
        """The two features that are seen; the first two on a plane of components."""
        if self.recipe.kind == "components":
            return 0, min(1, self.source.data.n_features - 1)
        return self.recipe.across, self.recipe.up

    @property
    def finished(self) -> bool:
        """Whether all trees are grown; a baseline may still be under way."""
        return self.done >= self.wanted

    @property
    def judged(self) -> bool:
        return all(record is not None and record.judged for record in self.records)


def load_source(recipe: DataRecipe, cache: Cache) -> Source:
    """The data set of a recipe, shared by all sessions that ask for it."""

    def make() -> Source:
        plain = recipe.plain()
        # one copy of the plain data: what is known about them (their truth) is found out once
        data = recipe.load(None if plain == recipe else load_source(plain, cache).data)
        return Source(data, data.digest())

    def size(source: Source) -> int:
        return source.data.X.nbytes + source.data.y.nbytes + 4000

    loaded: Source = cache.get_or_make(("data", recipe), make, size)
    return loaded
