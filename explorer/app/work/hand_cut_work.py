"""What cuts of a node on two features are worth, for the Nodes page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.analysis.hand_cut import CutSearch, cut_search
from explorer.app.work.cache import Cache
from explorer.app.work.node_work import NodeRequest, grown_forest


@dataclass(frozen=True)
class CutFound:
    """The search of one node: of a leaf it is that of its parent."""

    request: NodeRequest
    tree: int
    node: int
    search: CutSearch


def search_cuts(
    request: NodeRequest, cache: Cache, cancel: threading.Event
) -> Iterator[CutFound | None]:
    """Every direction on the two features that are seen."""
    forest = grown_forest(request.source, request.spec, cache, cancel)
    yield None
    tree = min(request.tree, forest.n_tree - 1)
    read = forest.tree(tree)
    node = request.node if request.node < len(read) else 0
    if read.nodes[node].is_leaf and node:
        node = read.nodes[node].parent
    search = cut_search(forest, request.source.data, tree, node, request.axes)
    yield CutFound(request, tree, node, search)
