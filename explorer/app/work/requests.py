"""Frozen requests and what comes back: sources, grown models, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis import best_pair, first_plane
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.tour import TourSpace, tour_space
from explorer.analysis.tour_route import TourAxes
from explorer.app.state.baselines import Recipe
from explorer.app.state.plane_choice import PlaneRecipe, Window
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import cache_key
from explorer.app.work.map_record import MapRecord
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
    near: how strongly they are drawn on a slice, float64[n], None where there is no slice.
    axes_of_tour: the directions of a tour's plane, None elsewhere.
    done and wanted count trees over all models. The Bayes boundary may come later (bayes_due).
    best: for each number of a card the models that cannot be told apart from the best one; one
    alone is the winner. A number that is not final on all cards is not in it.
    """

    request: MapRequest
    source: Source
    window: Window
    plane: LabelledPlane
    recipe: PlaneRecipe
    places: NDArray[np.float64]
    records: tuple[MapRecord | None, ...]
    best: dict[str, frozenset[int]]
    bayes: Lines | None
    bayes_due: bool
    truth: Any
    done: int
    wanted: int
    test: Any = field(default=None, repr=False)
    near: NDArray[np.float64] | None = field(default=None, repr=False)
    axes_of_tour: TourAxes | None = field(default=None, repr=False)

    @property
    def axes(self) -> tuple[int, int]:
        """The two features that are seen; on a plane of many those that tell classes apart best."""
        if self.recipe.kind in ("components", "discriminant", "tour"):
            return best_pair(self.source.data)
        return self.recipe.across, self.recipe.up

    def wins(self, name: str, index: int) -> bool:
        """Whether one model is better in a number than all others, by more than chance."""
        return self.best.get(name) == {index}

    def ties(self, name: str, index: int) -> bool:
        """Whether one model is among several that cannot be told apart from the best."""
        near = self.best.get(name, frozenset())
        return len(near) > 1 and index in near

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

    loaded: Source = cache.get_or_make(cache_key("data", recipe), make, size)
    return loaded


def space_of_tours(source: Source, cache: Cache) -> TourSpace:
    """Where tours of these data travel; components of many features are found once."""
    made: TourSpace = cache.get_or_make(
        cache_key("tour space", source.digest, source.data.feature_names),
        lambda: tour_space(source.data),
        lambda space: space.basis.nbytes + 2 * space.mean.nbytes + 1000,
    )
    return made


SIZES = ("p", "k")  # knobs of generated data that change how many features or classes there are


def plane_at_first(recipe: DataRecipe, cache: Cache) -> PlaneRecipe:
    """The plane on which the data of a recipe are first seen, found once for all sessions.

    Generated data are looked at with their knobs at rest and before anything is done to them, so
    that the plane stays where it is while a slider moves.
    """

    def make() -> PlaneRecipe:
        data = load_source(recipe, cache).data
        knobs = tuple((name, value) for name, value in recipe.knobs if name in SIZES)
        resting = replace(recipe.plain(), knobs=knobs)
        if resting != recipe:
            at_rest = load_source(resting, cache).data
            if at_rest.n_features == data.n_features:
                data = at_rest
        found = first_plane(data)
        return PlaneRecipe(found.kind, found.across, found.up)

    made: PlaneRecipe = cache.get_or_make(cache_key("first plane", recipe), make, lambda plane: 200)
    return made
