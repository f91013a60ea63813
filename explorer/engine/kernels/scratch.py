"""The named bundles of arrays that kernels pass around: what each is, its shape and dtype."""

from typing import NamedTuple

import numpy as np

from .cut import BUCKETS
from .jit import maker


class Table(NamedTuple):
    """Training data as kernels see them; all read-only."""

    X: np.ndarray  # float64[n, P], scaled
    XT: np.ndarray  # float64[P, n], or [0, 0] where no family needs columns
    rank: np.ndarray  # uint32[P, n] dense ranks per feature, or [0, 0]
    y: np.ndarray  # int32[n] class codes
    weight: np.ndarray  # float64[n] sample weights
    usable: np.ndarray  # int32[u] rows of positive weight


class Knobs(NamedTuple):
    """A ForestSpec resolved against a table: numbers only."""

    seed: np.uint64
    n_class: int
    m_try: int
    n_candidates: int
    n_combine: int
    vary_combine: bool  # L drawn anew per candidate
    n_thresholds: int
    criterion: int
    bootstrap: int
    per_tree: bool  # one feature subspace per tree instead of per node
    rotate: bool
    min_leaf: int
    max_depth: int
    cost: float
    balance: bool
    lambdas: np.ndarray  # float64[l], ascending


class Bench(NamedTuple):
    """Work space of the cut search, for up to n samples and K classes."""

    order: np.ndarray  # int32[n]
    spare: np.ndarray  # int32[n]
    home: np.ndarray  # int32[n] bucket of each sample
    size: np.ndarray  # int32[BUCKETS]
    start: np.ndarray  # int32[BUCKETS]
    sums: np.ndarray  # float64[BUCKETS * K]
    left: np.ndarray  # float64[K]
    right: np.ndarray  # float64[K]


class Node(NamedTuple):
    """The node being split. In-bag rows are rows[a:b]; out-of-bag rows are oob[c:d]."""

    rows: np.ndarray  # int32, all in-bag rows of the tree, grouped by node
    a: int
    b: int
    oob: np.ndarray  # int32, all out-of-bag rows of the tree, grouped by node
    c: int
    d: int
    y: np.ndarray  # int32[b - a] classes of the rows, in their order
    w: np.ndarray  # float64[b - a] weights: times in the bag x sample weight
    totals: np.ndarray  # float64[K] class sums
    pool: np.ndarray  # int32[p] features the tree may draw from


class Split(NamedTuple):
    """What a direction decides. Filled in place; ``kind`` says which fields count."""

    kind: np.ndarray  # int64[1]: AXIS or OBLIQUE
    feature: np.ndarray  # int64[1]: the feature of an axis split
    size: np.ndarray  # int64[1]: number of weights of an oblique split
    index: np.ndarray  # int32[m] features of the weights
    value: np.ndarray  # float64[m] weights
    cut: np.ndarray  # float64[1]: score <= cut goes left
    gain: np.ndarray  # float64[1]: decrease of impurity times the node's weight
    low: np.ndarray  # uint32[1]: for rank splits, the largest rank on the left
    high: np.ndarray  # uint32[1]: and the smallest on the right (low = high: no ranks)


AXIS, OBLIQUE, ROTATED = 0, 1, 2
CHUNK = 512  # rows per piece of a Gram matrix: a few columns of it stay in the L1 cache


class Work(NamedTuple):
    """Scratch of a tree, allocated once per block of trees."""

    state: np.ndarray  # uint64[4] random state
    value: np.ndarray  # float64[n] values being cut
    bench: Bench
    Z: np.ndarray  # float64[m + 1, n] columns of a linear model, for the in-bag rows
    target: np.ndarray  # float64[n] the two groups of a linear model, -1 and +1
    omega: np.ndarray  # float64[n] sample weights of a linear model
    side: np.ndarray  # float64[K] group of each class: -1, +1, or 0 where absent
    means: np.ndarray  # float64[K, m] class means
    mean: np.ndarray  # float64[m]
    scale: np.ndarray  # float64[m] standard deviations; 0 for a feature constant at the node
    gram: np.ndarray  # float64[g, g], g = min(m + 1, n)
    coef: np.ndarray  # float64[l, m + 1] coefficients, one row per lambda
    path: np.ndarray  # float64[m + 1, l] the same, one row per feature
    vec: np.ndarray  # float64[8, g + m + l + 1] small vectors
    chunk: np.ndarray  # float64[CHUNK] weighted piece of a column
    turned: np.ndarray  # float64[P, n] rotated data of this tree, or [0, 0]
    turn: np.ndarray  # float64[P, P] rotation of this tree by rows, or [0, 0]


@maker
def make_bench(n, K):
    return Bench(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(BUCKETS, np.int32),
        np.empty(BUCKETS, np.int32),
        np.empty(BUCKETS * K, np.float64),
        np.empty(K, np.float64),
        np.empty(K, np.float64),
    )


@maker
def make_split(m):
    return Split(
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.empty(m, np.int32),
        np.empty(m, np.float64),
        np.zeros(1, np.float64),
        np.zeros(1, np.float64),
        np.zeros(1, np.uint32),
        np.zeros(1, np.uint32),
    )


@maker
def make_work(n, P, K, m, n_lambda, columns, rotate):
    """Scratch for trees of up to n rows whose splits weigh up to m features.

    ``columns`` says whether a linear model loads the node's columns.
    """
    rows = n if columns else 1
    width = m + 1
    g = min(width, rows + 1)
    side = P if rotate else 0
    return Work(
        np.empty(4, np.uint64),
        np.empty(n, np.float64),
        make_bench(n, K),
        np.empty((width if columns else 1, rows), np.float64),
        np.empty(rows, np.float64),
        np.empty(rows, np.float64),
        np.empty(K, np.float64),
        np.empty((K, width), np.float64),
        np.empty(width, np.float64),
        np.empty(width, np.float64),
        np.empty((g, g), np.float64),
        np.empty((max(n_lambda, 1), width), np.float64),
        np.empty((width, max(n_lambda, 1)), np.float64),
        np.empty((8, g + width + n_lambda), np.float64),
        np.empty(CHUNK, np.float64),
        np.empty((side, n if rotate else 0), np.float64),
        np.empty((side, side), np.float64),
    )
