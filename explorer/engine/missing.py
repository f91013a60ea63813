"""Missing values (NaN) around the kernels: where training data have gaps, and what to do there.

``ForestSpec.missing`` is "refuse" (a NaN is an error) or "accept". What is done with a missing
value is described in kernels/missing.py: an axis split sends it to a side, an oblique split
replaces it by a mean. A forest grown on complete data accepts missing values too: an axis split
then sends them to the side of more training weight, an oblique one replaces them by the mean over
all training samples.
"""

from typing import TYPE_CHECKING

import numpy as np

from .check import read_only
from .kernels import missing, sums
from .kernels.jit import call
from .threads import over_rows

if TYPE_CHECKING:
    from .forest import Forest

NO_GAPS = (
    np.empty(0, np.int32),
    np.empty(0, np.int32),
    np.empty((0, 0), np.bool_),
    np.empty(0),
)


def gaps_in(
    X: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(gaps, gap_of, absent, centre) of (scaled) data, as in ``kernels.scratch.Table``."""
    nan = np.isnan(X)
    gaps = np.flatnonzero(nan.any(axis=0)).astype(np.int32)
    gap_of = np.full(X.shape[1], -1, np.int32)
    gap_of[gaps] = np.arange(gaps.size)
    return gaps, gap_of, np.ascontiguousarray(nan[:, gaps].T), centre_of(X, weight)


def centre_of(X: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weighted mean of the known values of every feature, float64[P]; 0 where there are none."""
    kept = weight > 0
    if not kept.all():
        X, weight = X[kept], weight[kept]
    with np.errstate(over="ignore", invalid="ignore"):
        if (weight == weight[0]).all():
            means = X.mean(axis=0)
        else:  # not a matrix product, whose order of addition depends on threads
            means = np.einsum("i,ij->j", weight, X) / weight.sum()
    for f in np.flatnonzero(~np.isfinite(means)):  # a gap, or sums of huge values
        known = ~np.isnan(X[:, f])
        means[f] = 0.0
        if known.any():
            x, w = X[known, f], weight[known] / weight[known].sum()
            means[f] = np.clip((w * x).sum(), x.min(), x.max())
    return means


def has_gaps(X: np.ndarray) -> bool:
    """Whether a table has a NaN; a sum tells most tables without one at the cost of one look."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = X.sum()
    return bool(np.isnan(total) and np.isnan(X).any())


def incomplete_rows(Z: np.ndarray) -> np.ndarray:
    """Which rows lack a value, bool[n]."""
    return np.isnan(Z).any(axis=1)


def gaps_of(forest: "Forest") -> missing.Gaps:
    """What the forest does with missing values, worked out for one grown on complete data."""
    side, fill = forest.side, forest.fill
    if side.size != forest.feature.size:
        node = np.empty((forest.feature.size, forest.n_classes))
        call(sums.node_sums, "class sums", None, forest._trees, node)
        weight = node.sum(axis=1)
        tree = np.repeat(np.arange(forest.n_tree), np.diff(forest.node_at))
        axis = np.flatnonzero(forest.feature >= 0)
        left = forest.node_at[tree[axis]] + forest.left[axis]
        side = np.zeros(forest.feature.size, np.uint8)
        side[axis] = weight[left] > weight[left + 1]
    if fill.size != forest.index.size:
        centre = forest.training.centre
        if centre is None:
            raise ValueError(
                "This forest does not know the means of its training data, which take the place "
                "of missing values; grow it again with missing='accept'."
            )
        fill = centre[forest.index]
    return missing.Gaps(read_only(side), read_only(fill))


def add_votes(
    forest: "Forest",
    Z: np.ndarray,
    trees: int,
    vote: int,
    weights: np.ndarray,
    out: np.ndarray,
    threads: int | None,
) -> None:
    """As ``prediction.add_votes``, for scaled samples that lack values."""
    front, gaps = forest._trees, forest._gaps
    call(missing.votes, "voting", None, front, gaps, Z[:0], 0, 0, vote, weights, out[:0])

    def some(a: int, b: int) -> None:
        missing.votes(front, gaps, Z[a:b], 0, trees, vote, weights, out[a:b])

    over_rows(len(Z), threads, max(1, 20_000 // trees), some)


def leaves(forest: "Forest", Z: np.ndarray, threads: int | None) -> np.ndarray:
    """As ``prediction.leaves``, for scaled samples that lack values."""
    out = np.empty((len(Z), forest.n_tree), np.int32)
    front, gaps = forest._trees, forest._gaps
    call(missing.leaves, "walking", None, front, gaps, Z[:0], out[:0])
    over_rows(len(Z), threads, 256, lambda a, b: missing.leaves(front, gaps, Z[a:b], out[a:b]))
    return out
