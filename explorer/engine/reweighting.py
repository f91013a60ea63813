"""Weights that differ from tree to tree, such as classes balanced within every bag."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .check import read_only
from .growing import Cancelled, Progress, grow_trees, is_cancelled
from .kernels import sample
from .kernels.jit import call
from .kernels.scratch import Knobs, Table
from .pruning import prune_trees
from .spec import ForestSpec

# from how often each row is in a tree's bag, int32[n], to factors of the weights, float64[n]
TreeWeight = Callable[[np.ndarray], np.ndarray]


def grow_reweighted(
    spec: ForestSpec,
    table: Table,
    knobs: Knobs,
    first: int,
    last: int,
    factors: TreeWeight,
    progress: Progress | None,
    cancel: Any,
    threads: int | None,
) -> dict[str, np.ndarray]:
    """Trees first ... last-1, each on ``table`` with its weights times ``factors(bag)``."""
    trees = []
    times = np.empty((1, table.y.size), np.int32)
    for t in range(first, last):
        if is_cancelled(cancel):
            raise Cancelled
        drawn = (table.members, table.member_at, table.group)
        args = (knobs.seed, t, knobs.bootstrap, knobs.bag, *drawn, times)
        call(sample.bags, "sampling", None, *args)
        factor = factors(np.maximum(times[0], 0))
        # a bag is drawn from the rows of positive weight: a factor of zero must not shrink it
        factor = np.maximum(factor, np.finfo(float).tiny)
        own = table._replace(weight=read_only(table.weight * factor))
        grow = prune_trees if spec.prune else grow_trees
        trees.append(grow(spec, own, knobs, t, t + 1, None, cancel, threads))
        if progress is not None:
            progress(t + 1 - first, last - first, "growing")
    return stack_trees(trees)


def stack_trees(trees: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """One set of flat arrays from several; offsets go on where the one before ended."""
    out = {}
    for name in trees[0]:
        parts = [tree[name] for tree in trees]
        if name.endswith("_at"):
            base, moved = 0, [np.zeros(1, np.int64)]
            for part in parts:
                moved.append(part[1:] + base)
                base += int(part[-1])
            out[name] = np.concatenate(moved)
        else:
            out[name] = np.concatenate(parts)
    return out
