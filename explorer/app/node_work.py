"""Owns the road to the Nodes page's records: one tree of a grown forest and one node of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer import analysis
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.projection import rows_at
from explorer.app.cache import Cache
from explorer.app.prepare import is_ready, prepare
from explorer.app.request import Grown, Source
from explorer.app.work import refuse_too_large
from explorer.engine import FAMILIES, Forest, ForestSpec, grow

POWERS = range(-10, 11)  # λ = 10^(power / 2)
_FAN = ("lda", "pca", "pls", "ridge")


def penalty(power: int) -> float:
    """λ of a place on the slider."""
    return float(10.0 ** (power / 2))


@dataclass(frozen=True)
class NodeRequest:
    """One node of one tree, on the window that is seen."""

    source: Source
    spec: ForestSpec
    tree: int
    node: int
    levels: int
    axes: tuple[int, int]
    plane: LabelledPlane


@dataclass(frozen=True)
class NodePictures:
    """What the Nodes page draws.

    split: the node whose split is shown, the parent of a chosen leaf; rows: samples at the
    chosen node. partition and directions are None where there are none, and the sentence beside
    them says why; directions come a moment later.
    """

    request: NodeRequest
    n_tree: int
    tree: int
    node: int
    parent: int
    children: tuple[int, int]
    split: int
    n_nodes: int
    depth: int
    drawing: Any
    projection: Any
    partition: Any
    rows: Any
    directions: Any = None
    no_split: str = ""
    no_lines: str = ""
    no_fan: str = ""


def grown_forest(source: Source, spec: ForestSpec, cache: Cache, cancel: threading.Event) -> Forest:
    """The forest the maps were drawn with, from the cache, or grown again if it is gone."""
    refuse_too_large(spec, source.data)
    key = ("forest", source.digest, spec.replace(n_tree=1))
    held: Grown | None = cache.get(key)
    if held is not None and held.forest.n_tree >= spec.n_tree:
        forest = held.forest
        return forest if forest.n_tree == spec.n_tree else forest.take(spec.n_tree)
    return grow(spec, source.data.X, source.data.y, cancel=cancel)


def node_pictures(
    request: NodeRequest, cache: Cache, cancel: threading.Event
) -> Iterator[NodePictures | None]:
    """Tree, split and lines first; the fan of directions after them."""
    data = request.source.data
    forest = grown_forest(request.source, request.spec, cache, cancel)
    yield None
    tree = min(request.tree, forest.n_tree - 1)
    read = forest.tree(tree)
    node = request.node if request.node < len(read) else 0
    at = read.nodes[node]
    drawing = analysis.tree_drawing(forest, data, tree, max_depth=max(request.levels, at.depth))
    split = node if not at.is_leaf else (at.parent if node else -1)
    projection, no_split = None, ""
    if split >= 0:
        projection = analysis.projection(forest, data, tree, split)
    else:
        no_split = "This tree is one leaf: its samples were all alike, so nothing was cut."
    yield None
    partition, no_lines = None, ""
    try:
        partition = analysis.partition(forest, data, tree, request.plane)
    except ValueError as error:
        no_lines = str(error)
    rows = rows_at(forest, read, node, forest.scaling.transform(data.X))
    shown = NodePictures(
        request,
        forest.n_tree,
        tree,
        node,
        at.parent if node else -1,
        (-1, -1) if at.is_leaf else (at.left, at.right),
        split,
        len(read),
        int(max(n.depth for n in read.nodes)),
        drawing,
        projection,
        partition,
        rows,
        None,
        no_split,
        no_lines,
    )
    yield shown
    for name in ("oRF-lda", "oRF-ridge"):
        if not is_ready(FAMILIES[name]):
            prepare(FAMILIES[name])
            yield None
    yield _with_fan(shown)


def _with_fan(shown: NodePictures) -> NodePictures:
    request = shown.request
    data = request.source.data
    rows = shown.rows if np.unique(data.y[shown.rows]).size > 1 else None
    try:
        found = analysis.directions(
            data, rows, request.axes, kinds=_FAN, lambdas=[penalty(p) for p in POWERS]
        )
    except ValueError as error:
        return replace(shown, no_fan=str(error))
    return replace(shown, directions=found)
