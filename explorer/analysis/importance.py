"""`Importance`: how much each feature contributes to a forest, by every measure of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats

from explorer.analysis.model import Progress, check_training, stop_if
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest, measures

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
MEASURES = ("gini", "permutation", "anova", "t", "weight")
LEVEL = 0.01  # p-value of a significant contribution (Menze s.5)


@dataclass(frozen=True, eq=False)
class Importance(Record):
    """Importance of P features. A measure that was not asked for is None.

    feature_names: P; axis: float64[P] spectral axis, or None. n_tree, n_split: what was counted.
    gini: float64[P] decrease of impurity by the feature, each tree's summing to one, averaged
        over trees (Menze s.5). An oblique split is shared among its features by |weight x
        standard deviation|. gini_low, gini_high: 95 % interval over trees.
    permutation: float64[P] growth of the out-of-bag error (Sazonau eq. 8), with its interval.
    anova: float64[P] "oRF importance": share of all splits in which the feature contributes
        significantly, p <= .01 (Menze s.5; see engine/kernels/anova.py for the test).
        anova_found, anova_tested: int64[P], the counts; tested are the splits that weigh the
        feature and leave residual degrees of freedom.
    t: float64[P] |t| of the two classes' means (pooled variance), or sqrt(F) of all classes'.
    weight: float64[P] mean weight over the splits that weigh the feature, in units of standard
        deviations, each split's weights of unit length; positive where more of the feature
        speaks for ``towards``.
    only_oblique: bool[P], features that this forest uses and the axis forest it was compared
        with does not (see ``only_oblique``); None without such a forest.
    """

    feature_names: tuple[str, ...]
    axis: Floats | None
    n_tree: int
    n_split: int
    gini: Floats | None = None
    gini_low: Floats | None = None
    gini_high: Floats | None = None
    permutation: Floats | None = None
    permutation_low: Floats | None = None
    permutation_high: Floats | None = None
    anova: Floats | None = None
    anova_found: NDArray[np.int64] | None = None
    anova_tested: NDArray[np.int64] | None = None
    t: Floats | None = None
    weight: Floats | None = None
    towards: str | None = None
    only_oblique: NDArray[np.bool_] | None = None

    def to_frame(self) -> pandas.DataFrame:
        """One row per feature, one column per measure that was taken."""
        import pandas

        table: dict[str, Any] = {"feature": list(self.feature_names)}
        for name in ("axis", *_COLUMNS):
            values = getattr(self, name)
            if values is not None:
                table[name] = values
        return pandas.DataFrame(table)


_COLUMNS = (
    "gini",
    "gini_low",
    "gini_high",
    "permutation",
    "permutation_low",
    "permutation_high",
    "anova",
    "anova_found",
    "anova_tested",
    "t",
    "weight",
    "only_oblique",
)


def importance(
    forest: Forest,
    dataset: Dataset,
    measures_of: Sequence[str] = MEASURES,
    *,
    against: Forest | None = None,
    towards: int | None = None,
    repeats: int = 1,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Importance:
    """Importance of every feature of the forest's training data.

    measures_of: some of MEASURES. against: an axis forest of the same data, to find what only
    the oblique one uses (adds "anova"). towards: class code a positive weight speaks for, the
    last by default. repeats: permutations per tree and feature.
    """
    check_training(forest, dataset)
    wanted = set(measures_of) | ({"anova"} if against is not None else set())
    unknown = wanted - set(MEASURES)
    if unknown:
        raise ValueError(
            f"There is no measure {sorted(unknown)[0]!r}; choose among {', '.join(MEASURES)}."
        )
    n_split = int((forest.feature != -1).sum())
    out: dict[str, Any] = {}
    options: dict[str, Any] = {"threads": threads, "progress": progress, "cancel": cancel}
    if "gini" in wanted:
        out |= _with_interval("gini", *gini_importance(forest, dataset.X), forest.n_tree)
    stop_if(cancel)
    if "permutation" in wanted:
        mean, error = permutation_importance(forest, dataset, repeats=repeats, seed=seed, **options)
        out |= _with_interval("permutation", mean, error, forest.n_tree)
    if "anova" in wanted:
        found, tested, _ = measures.anova_counts(forest, X=dataset.X, p=LEVEL, **options)
        out |= {"anova": found / max(n_split, 1), "anova_found": found, "anova_tested": tested}
    if "t" in wanted:
        out["t"] = t_statistic(dataset.X, dataset.y)
    if "weight" in wanted:
        code = dataset.n_classes - 1 if towards is None else int(towards)
        if not 0 <= code < dataset.n_classes:
            raise ValueError(f"There is no class {code}; there are 0 ... {dataset.n_classes - 1}.")
        out["weight"] = mean_weight(forest, dataset, code)
        out["towards"] = dataset.class_names[code]
    if against is not None:
        check_training(against, dataset)
        axis_gini, _ = gini_importance(against, dataset.X)
        out["only_oblique"] = only_oblique(out["anova_found"], out["anova_tested"], axis_gini)
    stop_if(cancel)
    axis = None if dataset.axis is None else dataset.axis.values
    return Importance(dataset.feature_names, axis, forest.n_tree, n_split, **out)


def _with_interval(name: str, mean: Floats, error: Floats, n_tree: int) -> dict[str, Floats]:
    """Mean and 95 % interval of Student's t over trees; NaN ends for a single tree."""
    reach = error * (stats.t.isf(0.025, n_tree - 1) if n_tree > 1 else np.nan)
    return {name: mean, f"{name}_low": mean - reach, f"{name}_high": mean + reach}


def _spread_of(forest: Forest, X: Floats) -> Floats:
    """Standard deviation of each feature as the forest scales it."""
    return forest.scaling.transform(np.asarray(X, np.float64)).std(axis=0)


def _split_terms(forest: Forest) -> tuple[NDArray[Any], NDArray[Any], Floats]:
    """(node, feature, weight) of every term of every split; axis splits weigh 1."""
    axis_nodes = np.flatnonzero(forest.feature >= 0)
    slanted = np.flatnonzero(forest.feature < -1)
    if slanted.size == 0:
        return axis_nodes, forest.feature[axis_nodes], np.ones(axis_nodes.size)
    sizes = (forest.end - forest.begin)[slanted]
    tree = np.searchsorted(forest.node_at, slanted, side="right") - 1
    start = forest.weight_at[tree] + forest.begin[slanted]
    # positions of all weights, split after split
    first = np.repeat(start - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    at = first + np.arange(sizes.sum())
    node = np.concatenate([axis_nodes, np.repeat(slanted, sizes)])
    feature = np.concatenate([forest.feature[axis_nodes], forest.index[at]])
    return node, feature, np.concatenate([np.ones(axis_nodes.size), forest.value[at]])


def gini_importance(forest: Forest, X: Any) -> tuple[Floats, Floats]:
    """(mean, standard error) over trees of the impurity decrease by feature, float64[P] each.

    Each tree's decreases are divided by their sum; a tree without a split counts as zeros. The
    impurity is that of the forest's criterion.
    """
    node, feature, weight = _split_terms(forest)
    size = np.abs(weight) * _spread_of(forest, X)[feature]
    whole = np.bincount(node, weights=size, minlength=forest.feature.size)
    share = np.divide(size, whole[node], out=np.zeros_like(size), where=whole[node] > 0)
    gain = forest.gain.astype(np.float64)
    tree_of = np.repeat(np.arange(forest.n_tree), np.diff(forest.node_at))
    total = np.bincount(tree_of, weights=gain, minlength=forest.n_tree)
    value = share * gain[node] / np.where(total > 0, total, 1.0)[tree_of[node]]
    by_tree = sparse.coo_array(
        (value, (tree_of[node], feature)), shape=(forest.n_tree, forest.n_features)
    ).tocsr()
    mean = np.asarray(by_tree.sum(axis=0)) / forest.n_tree
    square = np.asarray((by_tree * by_tree).sum(axis=0))
    return mean, _standard_error(mean, square, forest.n_tree)


def _standard_error(mean: Floats, square: Floats, n: int) -> Floats:
    if n < 2:
        return np.full(mean.size, np.nan)
    variance = np.maximum(square - n * mean * mean, 0.0) / (n - 1)
    return np.sqrt(variance / n)


def permutation_importance(
    forest: Forest,
    dataset: Dataset,
    *,
    repeats: int = 1,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> tuple[Floats, Floats]:
    """(mean, standard error) over trees of Sazonau eq. 8, float64[P] each."""
    P = forest.n_features
    total, square = np.zeros(P), np.zeros(P)

    def take(first: int, drop: Floats) -> None:
        nonlocal total, square
        total += drop.sum(axis=0)
        square += (drop * drop).sum(axis=0)

    measures.permutation_drops(
        forest,
        X=dataset.X,
        repeats=repeats,
        seed=seed,
        threads=threads,
        progress=progress,
        cancel=cancel,
        take=take,
    )
    mean = total / forest.n_tree
    return mean, _standard_error(mean, square, forest.n_tree)


def t_statistic(X: Any, y: Any) -> Floats:
    """sqrt(F) of the one-way analysis of variance of each feature by class, float64[P].

    For two classes this is |t| with pooled variance (Menze Fig. 7). Infinite where classes
    differ and do not vary, zero for a constant feature.
    """
    X, y = np.asarray(X, np.float64), np.asarray(y)
    classes = np.unique(y)
    n, K = len(y), classes.size
    grand = X.mean(axis=0)
    between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for k in classes:
        mine = X[y == k]
        mean = mine.mean(axis=0)
        between += len(mine) * (mean - grand) ** 2
        within += ((mine - mean) ** 2).sum(axis=0)
    between /= max(K - 1, 1)
    within /= max(n - K, 1)
    tiny = 1e-24 * grand * grand  # what rounding makes of a constant
    F = np.divide(between, within, out=np.zeros_like(within), where=within > tiny)
    F[(within <= tiny) & (between > tiny)] = np.inf
    return np.sqrt(F)


def mean_weight(forest: Forest, dataset: Dataset, towards: int) -> Floats:
    """Mean signed weight of each feature over the splits that weigh it, float64[P].

    Weights are taken per standard deviation of the feature and each split's have unit length.
    A split is turned so that the side of larger scores holds the larger share of ``towards``.
    """
    node, feature, weight = _split_terms(forest)
    size = weight * _spread_of(forest, dataset.X)[feature]
    length = np.sqrt(np.bincount(node, weights=size * size, minlength=forest.feature.size))
    sums = measures.node_sums(forest)
    columns = check_training(forest, dataset)
    here = np.flatnonzero(columns == towards)
    share = sums[:, here].sum(axis=1) / sums.sum(axis=1)
    tree_of = np.repeat(np.arange(forest.n_tree), np.diff(forest.node_at))
    inner = forest.feature != -1
    child = np.where(inner, forest.node_at[tree_of] + forest.left, 0)
    right = np.where(inner, child + 1, 0)
    sign = np.where(share[right] >= share[child], 1.0, -1.0)
    value = np.divide(size, length[node], out=np.zeros_like(size), where=length[node] > 0)
    total = np.bincount(feature, weights=value * sign[node], minlength=forest.n_features)
    times = np.bincount(feature, minlength=forest.n_features)
    return total / np.maximum(times, 1)


def only_oblique(
    found: NDArray[np.int64], tested: NDArray[np.int64], axis_gini: Floats
) -> NDArray[np.bool_]:
    """Features that an oblique forest uses and an axis forest all but ignores (Menze Fig. 7).

    Uses: significant in more splits than chance alone gives (binomial with p = .01, at .05
    divided by the number of features). Ignores: less Gini importance than an even share 1 / P.
    """
    P = axis_gini.size
    chance = stats.binom.sf(found - 1, np.maximum(tested, 1), LEVEL)
    return (found > 0) & (chance <= 0.05 / P) & (axis_gini < 1.0 / P)
