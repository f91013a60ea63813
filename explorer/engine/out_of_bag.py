"""Which rows each tree drew, and what the trees say of the rows that they did not draw."""

from typing import TYPE_CHECKING

import numpy as np

from . import check
from .growing import drawn_together
from .kernels import sample, walk
from .kernels.jit import call
from .spec import BOOTSTRAPS

if TYPE_CHECKING:
    from .forest import Forest

VOTES_AT_ONCE = 2_000_000  # rows times trees whose bags are drawn again at a time


def bags(forest: "Forest", first: int, last: int) -> np.ndarray:
    """How often each row is in the bag of trees first ... last-1, int32[trees, n]."""
    drawn = drawn_together(forest.training.weight, forest.training.groups)
    members, member_at, group = map(check.read_only, drawn)
    times = np.empty((last - first, forest.training.codes.size), np.int32)
    mode = BOOTSTRAPS[forest.spec.bootstrap]
    want = forest.spec.rows_per_tree(member_at.size - 1)
    at = (np.uint64(forest.spec.seed), forest.first + first)
    call(sample.bags, "sampling", None, *at, mode, want, members, member_at, group, times)
    return times


def judged(forest: "Forest") -> tuple[np.ndarray, np.ndarray]:
    """(posterior of each row by the trees that did not draw it, error after 1, 2, ... trees)."""
    n, K = forest.training.codes.size, forest.n_classes
    sums, error = np.zeros((n, K)), np.empty(forest.n_tree)
    vote, weights = forest._vote(forest.n_tree)
    step = max(1, VOTES_AT_ONCE // n)
    for first in range(0, forest.n_tree, step):
        times = bags(forest, first, min(first + step, forest.n_tree))
        call(
            walk.out_of_bag,
            "out-of-bag votes",
            None,
            forest._trees,
            times,
            forest.oob_leaf,
            forest.oob_at,
            first,
            forest.training.codes,
            forest.training.weight,
            vote,
            weights,
            sums,
            error,
        )
    votes = sums.sum(axis=1, keepdims=True)
    proba = np.divide(sums, votes, out=np.full_like(sums, np.nan), where=votes > 0)
    return check.read_only(proba), check.read_only(error)
