"""The named bundles of arrays that kernels pass around: what each is, its shape and dtype."""

from typing import NamedTuple

import numpy as np

from .class_sums import stride
from .cut import BUCKETS
from .levels import LEVELS


class Table(NamedTuple):
    """Training data as kernels see them; all read-only."""

    X: np.ndarray  # float64[n, P], scaled
    XT: np.ndarray  # float64[P, n], or [0, 0] where no family needs columns
    rank: np.ndarray  # uint32[P, n] dense ranks per feature, or [0, 0]
    levels: np.ndarray  # int64[P] distinct values per feature, or [0] where there are no ranks
    y: np.ndarray  # int32[n] class codes
    weight: np.ndarray  # float64[n] sample weights
    members: np.ndarray  # int32[u] rows of positive weight, group by group
    member_at: np.ndarray  # int32[G + 1] where each group's rows start among the members
    group: np.ndarray  # int32[n] group of each row, or [0] where every row is its own
    gaps: np.ndarray  # int32[G] features with missing values
    gap_of: np.ndarray  # int32[P] place among the gaps, -1 for a complete one; [0] without gaps
    absent: np.ndarray  # bool[G, n] which rows lack each of them
    centre: np.ndarray  # float64[P] means of the known values, or [0] without gaps


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
    bag: int  # rows drawn for a tree
    per_tree: bool  # one feature subspace per tree instead of per node
    rotate: bool
    min_leaf: int
    max_depth: int
    cost: float
    balance: bool
    grouping: int
    lambdas: np.ndarray  # float64[l], ascending
    tuning: int  # how a node chooses its lambda: BY_GAIN, OUT_OF_BAG, LEAVE_OUT


class Bench(NamedTuple):
    """Work space of the cut search, for up to n samples and K classes."""

    ints: np.ndarray  # int32[6, max(n, BUCKETS + 1)], see cut.ORDER ... cut.LABEL
    sums: np.ndarray  # float64[BUCKETS * S] class sums of the buckets, S = stride(K)
    edge: np.ndarray  # float64[4, BUCKETS] of the cut after each bucket, see cut.WORTH ...
    side: np.ndarray  # float64[2, S] class sums left of a cut, and in all (class_sums.py)
    pair: np.ndarray  # float64[4, K] class sums on both sides of a cut; see also present.py
    cells: np.ndarray  # float64[LEVELS * S] class sums per distinct value, zero between searches
    seen: np.ndarray  # uint8[LEVELS] whether a value occurs, zero between searches
    words: np.ndarray  # uint64[LEVELS / 8] the same bytes as ``seen``


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
    """What a direction decides; filled in place."""

    what: np.ndarray  # int64[6], see KIND ... SIDE
    score: (
        np.ndarray
    )  # float64[2]: CUT, score <= cut goes left; GAIN, decrease of impurity x weight
    index: np.ndarray  # int32[m] features of an oblique split
    value: np.ndarray  # float64[m] their weights


KIND, FEATURE, SIZE, LOW, HIGH, SIDE = 0, 1, 2, 3, 4, 5
# KIND is one of AXIS (on FEATURE), OBLIQUE (with SIZE weights) and ROTATED (on a rotated FEATURE).
# For an axis split found on ranks, LOW is the largest rank on the left and HIGH the smallest on
# the right; LOW = HIGH where there are no ranks. SIDE is where an axis split sends missing values
# (missing.py).
AXIS, OBLIQUE, ROTATED = 0, 1, 2
CUT, GAIN = 0, 1
BY_GAIN, OUT_OF_BAG, LEAVE_OUT = 0, 1, 2  # Knobs.tuning
CHUNK = 512  # rows per piece of a Gram matrix: a few columns of it stay in the L1 cache


class Model(NamedTuple):
    """Scratch of a linear node model with m features, for up to n rows and l lambdas."""

    Z: np.ndarray  # float64[m + 1, n] columns of the node's in-bag rows
    target: np.ndarray  # float64[n] the two groups, -1 and +1
    omega: np.ndarray  # float64[n] sample weights
    side: np.ndarray  # float64[K] group of each class: -1, +1, or 0 where absent
    means: np.ndarray  # float64[K, m + 1] class means
    mean: np.ndarray  # float64[m + 1]
    scale: np.ndarray  # float64[m + 1] standard deviations; 0 for a feature constant at the node
    gram: np.ndarray  # float64[g, g], g = min(m + 1, n + 1)
    coef: np.ndarray  # float64[l, m + 1] coefficients, one row per lambda
    path: np.ndarray  # float64[m + 1, l] the same, one row per feature
    vec: np.ndarray  # float64[8, g + m + l + 2] small vectors
    chunk: np.ndarray  # float64[CHUNK] weighted piece of a column
    extra: np.ndarray  # float64, in the shape that the direction asks for


class Slim(NamedTuple):
    """Scratch of a family without a linear model: a place to note the best candidate."""

    vec: np.ndarray  # float64[8, m]


class Work(NamedTuple):
    """Scratch of a tree, allocated once per block of trees."""

    state: np.ndarray  # uint64[4] random state
    value: np.ndarray  # float64[n] values being cut
    bench: Bench
    model: Model | Slim
    turned: np.ndarray  # float64[P, n] rotated data of this tree, or [0, 0]
    turn: np.ndarray  # float64[P, P] rotation of this tree by rows, or [0, 0]


def make_bench(n: int, K: int) -> Bench:
    words = np.zeros(LEVELS // 8, np.uint64)
    return Bench(
        np.empty((6, max(n, BUCKETS + 1)), np.int32),
        np.empty(BUCKETS * stride(K)),
        np.empty((4, BUCKETS)),
        np.empty((2, stride(K))),
        np.empty((4, K)),
        np.zeros(LEVELS * stride(K)),
        words.view(np.uint8),
        words,
    )


def make_split(m: int) -> Split:
    return Split(np.zeros(6, np.int64), np.zeros(2), np.empty(m, np.int32), np.empty(m))


def make_model(n: int, K: int, m: int, n_lambda: int, extra: tuple[int, int]) -> Model:
    g = min(m + 1, n + 1)
    return Model(
        np.empty((m + 1, n)),
        np.empty(n),
        np.empty(n),
        np.empty(K),
        np.empty((K, m + 1)),
        np.empty(m + 1),
        np.empty(m + 1),
        np.empty((g, g)),
        np.empty((n_lambda, m + 1)),
        np.empty((m + 1, n_lambda)),
        np.empty((8, g + m + n_lambda + 2)),
        np.empty(CHUNK),
        np.empty(extra),
    )


def make_work(n: int, P: int, K: int, rotate: bool, model: Model | Slim) -> Work:
    side, rows = (P, n) if rotate else (0, 0)
    return Work(
        np.empty(4, np.uint64),
        np.empty(n),
        make_bench(n, K),
        model,
        np.empty((side, rows)),
        np.empty((side, side)),
    )
