"""Records of the Nodes page: one tree of a grown forest and one node of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer import analysis
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.projection import draws_at, rows_at
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import cache_key
from explorer.app.work.grow_job import refuse_too_large
from explorer.app.work.kernel_compile import is_ready, prepare
from explorer.app.work.requests import Grown, Source
from explorer.engine import FAMILIES, Forest, ForestSpec, grow
from explorer.sentences import sentence_of

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

    split: the node whose split is shown, the parent of a chosen leaf; rows: all samples at the
    chosen node, in the tree's bag and out of it; draws: the bag's samples at ``split``, each as
    often as it was drawn. own: weights of that split on the two seen features, None where it uses
    others. partition and directions are None where there are none, and the sentence beside
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
    draws: Any
    own: Any
    directions: Any = None
    no_split: str = ""
    no_lines: str = ""
    no_fan: str = ""


def grown_forest(source: Source, spec: ForestSpec, cache: Cache, cancel: threading.Event) -> Forest:
    """The forest the maps were drawn with, from the cache, or grown again if it is gone."""
    refuse_too_large(spec, source.data)
    key = cache_key("forest", source.digest, spec)
    held: Grown | None = cache.get(key)
    if held is not None and held.forest.n_tree >= spec.n_tree:
        forest = held.forest
        return forest if forest.n_tree == spec.n_tree else forest.take(spec.n_tree)
    data = source.data
    return grow(spec, data.X, data.y, groups=data.groups, cancel=cancel)


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
        no_lines = sentence_of(error)
    Z = forest.scaling.transform(data.X)
    rows = rows_at(forest, read, node, Z)
    draws = draws_at(forest, tree, max(split, 0), Z)
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
        draws,
        None if projection is None else _on_axes(forest, projection, request.axes),
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


def _on_axes(forest: Forest, split: Any, axes: tuple[int, int]) -> Any:
    """Weights of a split on the two seen features as they are; None where it uses others."""
    if not set(split.features.tolist()) <= set(axes):
        return None
    weights = split.weights
    if split.features.size > 1:
        if not forest.scaling.affine:
            return None  # a straight cut in ranks is bent in the features
        weights = weights / forest.scaling.scale[split.features]
    own = np.zeros(2)
    for feature, weight in zip(split.features.tolist(), weights, strict=True):
        own[axes.index(feature)] = weight
    return own


def _with_fan(shown: NodePictures) -> NodePictures:
    request = shown.request
    data = request.source.data
    try:
        found = analysis.directions(
            data, shown.draws, request.axes, kinds=_FAN, lambdas=[penalty(p) for p in POWERS]
        )
    except ValueError as error:
        return replace(shown, no_fan=sentence_of(error))
    return replace(shown, directions=found)
