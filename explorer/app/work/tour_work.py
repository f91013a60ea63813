"""Finds the next leg of a tour; planes where two forests disagree need the forests first.

Generators: every yield ends a chunk, so the scheduler can serve others or cancel.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.analysis.tour import Index, TourSpace, disagreement, separation
from explorer.analysis.tour_route import Leg, next_leg
from explorer.app.state.baselines import Recipe
from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.grow_work import Forests, GrowRequest, forests
from explorer.app.work.requests import load_source, space_of_tours
from explorer.app.work.scheduler import Rest
from explorer.engine import ForestSpec

NOT_TWO = "Two forests are compared on planes; model {} has no trees. Choose a forest for it."


@dataclass(frozen=True)
class LegRequest:
    """The next leg of a tour from the plane of a recipe.

    way: "grand", "classes" (to planes that separate them) or "forests" (to planes where A and B
    disagree). number: how many legs there were before; it is the seed of this one.
    """

    data: DataRecipe
    specs: tuple[Recipe, ...]
    plane: PlaneRecipe
    way: str
    number: int


@dataclass(frozen=True)
class FoundLeg:
    """A leg, where it begins and the space that it is in."""

    request: LegRequest
    space: TourSpace
    begin: Any
    leg: Leg


def tour_leg(
    request: LegRequest, cache: Cache, cancel: threading.Event
) -> Iterator[FoundLeg | Rest | None]:
    """The leg, once it is found."""
    source = load_source(request.data, cache)
    space = space_of_tours(source, cache)
    plane = request.plane.within(source.data)
    begin = plane.directions(source.data, space)
    index: Index | None = None
    if request.way == "classes":
        index = separation(space, source.data)
    elif request.way == "forests":
        pair = []
        for letter, spec in zip("AB", request.specs[:2], strict=False):
            if not isinstance(spec, ForestSpec):
                raise ValueError(NOT_TWO.format(letter))
            pair.append(spec)
        if len(pair) < 2:
            raise ValueError(NOT_TWO.format("B"))
        grown: Forests | None = None
        for made in forests(GrowRequest(request.data, tuple(pair)), cache, cancel):
            if isinstance(made, Forests):
                grown = made
            yield None if isinstance(made, Forests) else made
        if grown is None or not grown.finished:
            return
        a, b = (
            one.forest.take(min(spec.n_tree, one.forest.n_tree))
            for one, spec in zip(grown.grown, pair, strict=True)
            if one is not None
        )
        index = disagreement(space, a, b, plane.through(source.data))
    yield None
    yield FoundLeg(request, space, begin, next_leg(space, begin, index, seed=request.number))
