"""What is counted over a grown forest: co-occurrence in leaves, permutation drops, ANOVA at splits.

Trees are taken in chunks of a fixed size, with progress and cancellation between them; threads
share a chunk. Nothing depends on how many there are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from . import check
from .forest import Forest
from .growing import Cancelled, Progress, is_cancelled
from .kernels import anova, missing, permutation, proximity, sums
from .kernels.jit import call
from .kernels.missing import Gaps
from .threads import over_rows

_HELD = 4_000_000  # numbers per row or feature and tree held at once
_WORK = 4_000_000  # steps between two looks at ``cancel``, some 0.1 s
_DROPS = 0x7065726D  # keeps permutations apart from the numbers that trees drew


def training_matrix(forest: Forest, X: Any = None) -> np.ndarray:
    """The scaled training data, float64[n, P]; a forest from a file needs its X again."""
    if X is None:
        X = forest.training.X
    if X is None:
        raise ValueError("This forest came from a file; give the X it was grown on.")
    X, _ = check.table(X, features=forest.n_features, missing=forest.spec.missing)
    if X.shape[0] != forest.training.codes.size:
        raise ValueError(
            f"X has {X.shape[0]} rows, but the forest was grown on {forest.training.codes.size}."
        )
    return check.read_only(np.ascontiguousarray(forest.scaling.transform(X)))


def needs_oob(forest: Forest) -> None:
    if not forest.has_oob:
        raise ValueError(
            "This forest was grown on all rows (bootstrap='none'), so no sample is out of bag; "
            "choose another bootstrap."
        )


def _chunks(
    forest: Forest,
    held: int,
    work: float,
    what: str,
    progress: Progress | None,
    cancel: Any,
    multiple: int = 8,
) -> Iterator[tuple[int, int]]:
    """Runs of trees (first, last), by what a tree holds and costs, never by clock or threads."""
    most = min(_HELD // held, int(_WORK / work))
    step = max(multiple, most // multiple * multiple)
    for first in range(0, forest.n_tree, step):
        if is_cancelled(cancel):
            raise Cancelled
        last = min(first + step, forest.n_tree)
        yield first, last
        if progress is not None:
            progress(last, forest.n_tree, what)
    if is_cancelled(cancel):
        raise Cancelled


def node_sums(forest: Forest) -> np.ndarray:
    """Weight of each class among the in-bag rows at every node, float64[N, K]."""
    out = np.empty((forest.feature.size, forest.n_classes))
    call(sums.node_sums, "class sums", None, forest._trees, out)
    return out


def oob_leaves(forest: Forest, first: int = 0, last: int | None = None) -> np.ndarray:
    """Leaf of every row in trees first ... last-1, -1 where in the bag, int32[trees, n]."""
    last = forest.n_tree if last is None else last
    out = np.full((last - first, forest.training.codes.size), -1, np.int32)
    # rows of a tree lie in ascending order, so one assignment puts them all in place
    out[forest.bags(first, last) == 0] = forest.oob_leaf[forest.oob_at[first] : forest.oob_at[last]]
    return out


@dataclass(frozen=True)
class Meetings:
    """How often rows share a leaf with some columns (rows too), and which trees tested them."""

    columns: np.ndarray  # int64[C]
    same: np.ndarray  # uint16 or uint32[n, C] trees in which they share a leaf
    bits: np.ndarray  # uint64[n, words] trees in which the row counts

    def proximity(
        self, first: int = 0, last: int | None = None, *, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(same / tested for rows first ... last-1, float64[rows, C]; untested pairs per row)."""
        last = len(self.same) if last is None else last
        out = np.empty((last - first, self.columns.size))
        untested = np.empty(len(self.same), np.int64)
        args = (self.bits, self.columns, self.same)
        call(proximity.share, "proximity", None, *args, 0, 0, out[:0], untested)
        over_rows(
            last - first,
            threads,
            max(1, 200_000 // self.columns.size),
            lambda a, b: proximity.share(*args, first + a, first + b, out[a:b], untested),
        )
        return out, untested[first:last]


def meetings(
    forest: Forest,
    columns: np.ndarray | None = None,
    *,
    out_of_bag: bool = True,
    X: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Meetings:
    """Count, for every training row, the trees in which it shares a leaf with each column.

    columns: rows to compare with (None: all). out_of_bag: a tree counts for a pair only if both
    are out of its bag (Menze s.5); else every tree counts, and X is needed for a forest from a
    file.
    """
    n = forest.training.codes.size
    if out_of_bag:
        needs_oob(forest)
    columns = np.arange(n) if columns is None else np.asarray(columns)
    columns = check.read_only(np.ascontiguousarray(columns, np.int64))
    same = np.zeros((n, columns.size), np.uint16 if forest.n_tree < 65536 else np.uint32)
    words = []
    n_leaf = int(np.diff(forest.leaf_at).max())
    everywhere = None
    if not out_of_bag:
        if X is None and forest.training.X is None:
            raise ValueError("This forest came from a file; give the X it was grown on.")
        everywhere = forest.apply(forest.training.X if X is None else X, threads=threads).T
    for first, last in _chunks(forest, n, n, "proximity", progress, cancel, 64):
        if everywhere is None:
            leaf = oob_leaves(forest, first, last)
        else:
            leaf = np.ascontiguousarray(everywhere[first:last])
        leaf = check.read_only(leaf)
        call(proximity.together, "proximity", None, leaf, columns, n_leaf, 0, 0, same)

        def count(a: int, b: int, leaf: np.ndarray = leaf) -> None:
            proximity.together(leaf, columns, n_leaf, a, b, same)

        over_rows(n, threads, 256, count)
        tested = np.zeros((-(-len(leaf) // 64) * 64, n), bool)
        tested[: len(leaf)] = leaf >= 0
        packed = np.packbits(tested, axis=0)
        words.append(np.ascontiguousarray(packed.T).view(np.uint64))
    bits = np.ascontiguousarray(np.hstack(words))
    return Meetings(columns, check.read_only(same), check.read_only(bits))


def permutation_drops(
    forest: Forest,
    *,
    X: Any = None,
    repeats: int = 1,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
    take: Callable[[int, np.ndarray], None],
) -> None:
    """Growth of each tree's out-of-bag error when a feature is permuted (Sazonau eq. 8).

    take(first, drop) is called for chunks of trees in order, with drop float64[trees, P]: the
    terms err(OOB^f) - err(OOB) of eq. 8, averaged over ``repeats`` permutations.
    """
    needs_oob(forest)
    Z = training_matrix(forest, X)
    n, P = Z.shape
    if not isinstance(repeats, int) or repeats < 1:
        raise ValueError(f"repeats is {repeats!r}; use a whole number from 1.")
    y, weight = forest.training.codes, forest.training.weight
    drops: Any = permutation.permuted
    args: tuple[Any, ...] = (forest._trees, Z, check.read_only(y), check.read_only(weight))
    if np.isnan(Z).any():
        drops, args = missing.permuted, (forest._trees, forest._gaps, *args[1:])
    number = np.uint64((seed ^ _DROPS) & (2**63 - 1))
    work = n * np.log2(n + 2) * widest_split(forest)
    for first, last in _chunks(forest, max(n, P), work, "permutation", progress, cancel):
        times = check.read_only(forest.bags(first, last))
        drop = np.empty((last - first, P))
        rest = (number, repeats, drop)
        call(drops, "permutation", None, *args, times, first, 0, 0, *rest)

        def some(a: int, b: int, times: Any = times, first: int = first, rest: Any = rest) -> None:
            drops(*args, times, first, a, b, *rest)

        over_rows(last - first, threads, 1, some)
        take(first, drop)


def widest_split(forest: Forest) -> int:
    """The most features that one split of the forest weighs."""
    if forest.begin.size == 0:
        return 1
    return max(1, int((forest.end - forest.begin).max()))


def anova_counts(
    forest: Forest,
    *,
    X: Any = None,
    p: float = 0.01,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
    tables: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Splits in which each feature contributes significantly (Menze s.5); see kernels/anova.py.

    Returns (found, tested, F): int64[P] splits in which the feature is significant at level p;
    int64[P] splits that weigh it and have residual degrees of freedom; and, if ``tables``, the
    partial F statistics, float64[N, widest], NaN where there is none and -1 for a feature that
    the others explain.
    """
    if not 0 < p < 1:
        raise ValueError(f"p is {p!r}; use a level between 0 and 1, such as 0.01.")
    Z = training_matrix(forest, X)
    n, P = Z.shape
    XT = check.read_only(np.ascontiguousarray(Z.T))
    widest = widest_split(forest)
    df = np.arange(1, n + 1)
    # the critical F of one degree of freedom is the square of Student's t
    critical = check.read_only(np.concatenate([[np.inf], stdtrit(df, 1.0 - p / 2.0) ** 2]))
    F = np.full((forest.feature.size if tables else 0, widest), np.nan)
    y, weight = forest.training.codes, forest.training.weight
    none = Gaps(check.read_only(np.empty(0, np.uint8)), check.read_only(np.empty(0)))
    gaps = forest._gaps if np.isnan(XT).any() else none
    args = (forest._trees, gaps, XT, check.read_only(y), check.read_only(weight))
    found, tested = np.zeros(P, np.int64), np.zeros(P, np.int64)
    work = 0.5 * n * (widest * widest + 8)
    for first, last in _chunks(forest, n, work, "ANOVA", progress, cancel):
        times = check.read_only(forest.bags(first, last))
        pieces = max(1, min(64, (last - first) // 4))
        edges = [(last - first) * k // pieces for k in range(pieces + 1)]
        counts = np.zeros((pieces, 2, P), np.int64)
        rest = (widest, critical, F)
        call(anova.significant, "ANOVA", None, *args, times, first, 0, 0, *rest, *counts[0])

        def some(
            a: int,
            b: int,
            times: Any = times,
            first: int = first,
            edges: Any = edges,
            counts: Any = counts,
            rest: Any = rest,
        ) -> None:
            for k in range(a, b):
                anova.significant(
                    *args, times, first, edges[k], edges[k + 1], *rest, counts[k, 0], counts[k, 1]
                )

        over_rows(pieces, threads, 1, some)
        tested += counts[:, 0].sum(axis=0)
        found += counts[:, 1].sum(axis=0)
    return found, tested, F


__all__ = [
    "Meetings",
    "anova_counts",
    "meetings",
    "needs_oob",
    "node_sums",
    "oob_leaves",
    "permutation_drops",
    "training_matrix",
    "widest_split",
]
