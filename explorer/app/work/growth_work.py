"""One tree to be shown cut by cut, for the Nodes page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.analysis.tree_growth import TreeGrowth, tree_growth
from explorer.app.work.cache import Cache
from explorer.app.work.node_work import NodeRequest, grown_forest

MOST_CUTS = 1000  # of a tree that is shown cut by cut


@dataclass(frozen=True)
class GrowthFound:
    """A tree, and where the samples lie on its plane."""

    request: NodeRequest
    tree: int
    n_tree: int
    growth: TreeGrowth
    places: Any


def growing_tree(
    request: NodeRequest, cache: Cache, cancel: threading.Event
) -> Iterator[GrowthFound | None]:
    """The tree with its cells on the plane that is seen; ValueError where these are no cells."""
    forest = grown_forest(request.source, request.spec, cache, cancel)
    yield None
    data = request.source.data
    tree = min(request.tree, forest.n_tree - 1)
    if forest.node_at[tree + 1] - forest.node_at[tree] > 2 * MOST_CUTS:
        raise ValueError(f"Tree {tree + 1} has more than {MOST_CUTS} cuts; choose fewer samples.")
    growth = tree_growth(forest, data, tree, request.plane)
    yield GrowthFound(request, tree, forest.n_tree, growth, request.plane.project(data.X))
