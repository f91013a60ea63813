"""Makes every key of the cache, so that two places that mean the same find the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

from explorer.engine import ForestSpec

Kind = Literal[
    "data",  # of: a data recipe
    "first plane",  # a data recipe
    "plane",  # digest of the data, feature names, plane recipe
    "forest",  # digest of the data, spec
    "baseline",  # digest of the data, spec
    "map",  # key of the model, trees, trees shown, tree with cells, place on the plane
    "bayes",  # data recipe, plane recipe, window
    "test",  # data recipe
    "tour space",  # digest and names of the data
    "truth",  # data recipe, place on the plane
    "shown before",  # map request
    "importances",  # keys of the forests, whether features are permuted
    "nearness",  # keys of the forests
    "bands",  # keys of the forests, which bands, whether with chance
    "whole errors",  # keys of the forests, data recipe without bands
    "study",  # name of a study, scale
]
Key = tuple[Hashable, ...]


def cache_key(kind: Kind, *of: Hashable) -> Key:
    """The key of something that is made of ``of``.

    A forest is kept under its spec without n_tree: tree t does not depend on how many there are,
    so a forest that was cut short is a good beginning of a longer one.
    """
    if kind == "forest":
        of = tuple(one.replace(n_tree=1) if isinstance(one, ForestSpec) else one for one in of)
    return kind, *of
