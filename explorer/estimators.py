"""The scikit-learn face of the engine: ForestClassifier.

Only here are scikit-learn's words spoken, and only where they mean the same: n_estimators
(n_tree), max_features (m_try), random_state (seed), n_jobs (threads), max_depth, criterion. All
other knobs keep the names of ``explorer.engine.ForestSpec``.
"""

from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel
from sklearn.utils.validation import check_is_fitted, validate_data

from .engine import FAMILIES, Forest, ForestSpec, Scaling, grow
from .engine import check as door
from .engine.threads import available
from .engine.tree import node_counts

# scikit-learn's words for knobs of a spec; the seed and the threads are no plain copies
_WORDS = {"n_estimators": "n_tree", "max_features": "m_try"}
_KNOBS = (
    "n_estimators",
    "criterion",
    "max_depth",
    "max_features",
    "split",
    "n_candidates",
    "n_combine",
    "vary_combine",
    "n_thresholds",
    "lambdas",
    "cost",
    "balance",
    "bootstrap",
    "subspace",
    "rotate",
    "scaling",
    "min_leaf",
    "vote",
    "prune",
)


class ForestClassifier(ClassifierMixin, BaseEstimator):
    """A forest of one of the papers' families, as a scikit-learn classifier.

    Any number of classes; numbers only, none missing. A knob left at None has the default of
    its family; a knob that the family's split ignores is an error, not a silence.

    Parameters
    ----------
    family : a name in ``explorer.engine.FAMILIES``, such as "RF", "oRF-ridge" or "FRANK".
    n_estimators : number of trees (n_tree).
    criterion : "gini", "entropy" or "gain_ratio".
    max_depth : most splits on the way to a leaf; 0 is a single leaf.
    max_features : features a node may look at (m_try): a number, a fraction, "sqrt", "log2" or
        "all".
    min_weight_fraction_leaf : 0 ... 0.5; no leaf weighs less than this share of its tree's
        samples: a split that makes a lighter part is undone once the tree is grown. It lets
        ``class_weight`` speak in trees that would otherwise grow until every leaf is pure. Such
        a forest cannot be extended.
    split, n_candidates, n_combine, vary_combine, n_thresholds, lambdas, cost, balance,
    bootstrap, subspace, rotate, scaling, min_leaf, vote, prune :
        as in ``explorer.engine.ForestSpec``.
    class_weight : a dict from class to weight, "balanced" (n / (K n_k)), or None for 1 each. It
        multiplies ``sample_weight``. "balanced_subsample" is refused: weights are the same for
        all trees.
    random_state : a whole number is the forest's seed; None draws a new one at every fit.
    n_jobs : threads; None is one (unless joblib's context says otherwise), -1 all cores. The
        forest does not depend on it.

    Attributes
    ----------
    forest_ : the grown ``explorer.engine.Forest``; ``forest_.spec`` holds every knob.
    classes_, n_classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    oob_score_, oob_decision_function_, feature_importances_ : worked out when asked for.

    Examples
    --------
    >>> from explorer import ForestClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ForestClassifier("oRF-ridge", n_estimators=50, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.9)
    True
    """

    def __init__(
        self,
        family: str = "oRF-ridge",
        *,
        n_estimators: int | None = None,
        criterion: str | None = None,
        max_depth: int | None = None,
        max_features: int | float | str | None = None,
        min_weight_fraction_leaf: float = 0.0,
        split: str | None = None,
        n_candidates: int | str | None = None,
        n_combine: int | None = None,
        vary_combine: bool | None = None,
        n_thresholds: int | None = None,
        lambdas: Any = None,
        cost: float | None = None,
        balance: bool | None = None,
        bootstrap: str | None = None,
        subspace: str | None = None,
        rotate: bool | None = None,
        scaling: str | None = None,
        min_leaf: int | None = None,
        vote: str | None = None,
        prune: int | None = None,
        class_weight: dict | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.family = family
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_features = max_features
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.split = split
        self.n_candidates = n_candidates
        self.n_combine = n_combine
        self.vary_combine = vary_combine
        self.n_thresholds = n_thresholds
        self.lambdas = lambdas
        self.cost = cost
        self.balance = balance
        self.bootstrap = bootstrap
        self.subspace = subspace
        self.rotate = rotate
        self.scaling = scaling
        self.min_leaf = min_leaf
        self.vote = vote
        self.prune = prune
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    # ---- growing

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest on X (samples x features) and y (one label per sample).

        sample_weight: finite, >= 0; a weight of zero leaves the sample out.
        """
        # what is finite is the engine's question: its answer names the row and the column
        X, y = validate_data(
            self, X, y, dtype=np.float64, order="C", ensure_all_finite=False, ensure_min_samples=2
        )
        check_classification_targets(y)
        spec = self._spec()
        self.classes_ = np.unique(y)
        self.n_classes_ = self.classes_.size
        least = self._least_share()
        forest = grow(
            spec, X, y, sample_weight=self._weights(y, sample_weight), threads=self._threads()
        )
        self.forest_ = _without_light_leaves(forest, X, least) if least > 0 else forest
        self._spread = _spread(self.forest_, X)
        return self

    def _spec(self) -> ForestSpec:
        if not isinstance(self.family, str) or self.family not in FAMILIES:
            raise ValueError(
                f"There is no family named {self.family!r}; choose one of {', '.join(FAMILIES)}."
            )
        knobs = {_WORDS.get(word, word): _plain(getattr(self, word)) for word in _KNOBS}
        chosen = {knob: value for knob, value in knobs.items() if value is not None}
        return FAMILIES[self.family].replace(seed=self._seed(), **chosen)

    def _seed(self) -> int:
        seed = _plain(self.random_state)
        if isinstance(seed, int) and not isinstance(seed, bool):
            return seed
        return int(check_random_state(seed).randint(2**63 - 1, dtype=np.int64))

    def _least_share(self) -> float:
        share = self.min_weight_fraction_leaf
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 <= share <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf is {share!r}; use a number from 0 to 0.5.")
        return float(share)

    def _threads(self) -> int:
        # what joblib's context makes of None; -1 is all cores, -2 all but one
        jobs = Parallel(n_jobs=self.n_jobs).n_jobs
        if not isinstance(jobs, int) or jobs == 0:
            raise ValueError(
                f"n_jobs is {self.n_jobs!r}; use a whole number from 1, -1 for all cores or None "
                "for one."
            )
        return jobs if jobs > 0 else max(1, available() + 1 + jobs)

    def _weights(self, y: np.ndarray, sample_weight: Any) -> np.ndarray | None:
        if isinstance(self.class_weight, str) and self.class_weight != "balanced":
            raise ValueError(
                f"class_weight is {self.class_weight!r}; use 'balanced', a dict from class to "
                "weight, or None. Weights are the same for all trees."
            )
        if sample_weight is None and self.class_weight is None:
            return None
        weight = door.sample_weights(sample_weight, y.size)
        if not weight.any():
            raise ValueError("Every sample weight is zero; give some samples a positive weight.")
        if self.class_weight is not None:
            of = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
            weight = weight * of[np.searchsorted(self.classes_, y)]
        return weight

    # ---- asking

    def predict_proba(self, X: Any) -> np.ndarray:
        """Posterior of each class (columns as in ``classes_``), float64[n, K]."""
        return self._grown().predict_proba(self._samples(X), threads=self._threads())

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest posterior, the first of equals."""
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]

    def apply(self, X: Any) -> np.ndarray:
        """Leaf of each sample in each tree, int32[n, n_estimators], counted within the tree."""
        return self._grown().apply(self._samples(X), threads=self._threads())

    def _grown(self) -> Forest:
        check_is_fitted(self, "forest_")
        return self.forest_

    def _samples(self, X: Any) -> np.ndarray:
        return validate_data(
            self, X, reset=False, dtype=np.float64, order="C", ensure_all_finite=False
        )

    # ---- out-of-bag, importance

    @property
    def oob_decision_function_(self) -> np.ndarray:
        """Posterior of each training sample by the trees that never saw it, float64[n, K].

        NaN for a sample that every tree saw. A forest grown without a bootstrap has none.
        """
        forest = self._grown()
        if not forest.has_oob:
            raise AttributeError(
                "This forest was grown on all samples (bootstrap='none'), so none is out of bag; "
                "use test data or cross_val_score."
            )
        return forest.oob_proba

    @property
    def oob_score_(self) -> float:
        """Accuracy of ``oob_decision_function_``, every sample counting the same.

        Judged on the samples of positive weight that at least one tree never saw.
        """
        proba = self.oob_decision_function_
        training = self.forest_.training
        judged = (training.weight > 0) & ~np.isnan(proba[:, 0])
        if not judged.any():
            return float("nan")
        return float((proba[judged].argmax(axis=1) == training.codes[judged]).mean())

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, float64[P]; they sum to 1.

        The decrease at a node (times the weight of its samples) goes to its feature. An oblique
        node shares it among its features in proportion to |weight| x spread, where spread is
        the standard deviation of the (scaled) feature in the training data: how much of the
        score's movement a feature makes. Trees count the same (each is normalised first), a tree
        without a split not at all. All zero if no tree has a split.
        """
        return _shared_gain(self._grown(), self._spread)


def _plain(value: Any) -> Any:
    """Python's own number for a numpy one, as grids of parameters hold them."""
    return value.item() if isinstance(value, np.generic) else value


def _spread(forest: Forest, X: np.ndarray) -> np.ndarray | None:
    """Standard deviation of every scaled feature; None for a forest of axis splits only."""
    if not forest.index.size:
        return None
    kept = forest.training.weight > 0
    Z = forest.scaling.transform(X if kept.all() else X[kept])
    # z-scoring computes it without overflow, but gives a constant feature 1
    return np.where(Z.max(axis=0) > Z.min(axis=0), Scaling.fit("zscore", Z).scale, 0.0)


def _shared_gain(forest: Forest, spread: np.ndarray | None) -> np.ndarray:
    P = forest.n_features
    total = np.zeros(P)
    for t in range(forest.n_tree):
        nodes = slice(forest.node_at[t], forest.node_at[t + 1])
        feature, gain = forest.feature[nodes], forest.gain[nodes].astype(np.float64)
        axis = feature >= 0
        tree = np.zeros(P)
        tree += np.bincount(feature[axis], gain[axis], minlength=P)
        slant = np.flatnonzero(feature < -1)
        if slant.size and spread is not None:
            begin = forest.begin[nodes][slant].astype(np.int64)
            size = forest.end[nodes][slant] - begin
            node = np.repeat(np.arange(slant.size), size)
            within = np.arange(node.size) - np.repeat(np.cumsum(size) - size, size)
            at = forest.weight_at[t] + begin[node] + within
            with np.errstate(over="ignore"):
                pull = np.abs(forest.value[at]) * spread[forest.index[at]]
                sums = np.bincount(node, pull, minlength=slant.size)
            lost = ~np.isfinite(sums) | (sums == 0)  # out of a number's range: equal shares
            pull[lost[node]] = 1.0
            sums[lost] = size[lost]
            tree += np.bincount(
                forest.index[at], gain[slant][node] * pull / sums[node], minlength=P
            )
        if tree.sum() > 0:
            total += tree / tree.sum()
    return total / total.sum() if total.sum() > 0 else total


def _without_light_leaves(forest: Forest, X: np.ndarray, least: float) -> Forest:
    """The forest with every split undone that makes a part lighter than ``least``.

    ``least`` is a share of the weight of a tree's in-bag samples. The heavier part's splits take
    the place of the split that is undone, and the samples of the lighter part walk down them; a
    node whose parts are both too light becomes a leaf.
    """
    spread_out = ("feature", "left", "cut", "gain", "begin", "end")
    parts: dict[str, list[np.ndarray]] = {name: [] for name in spread_out}
    sizes = []
    for t in range(forest.n_tree):
        nodes, left = _heavy_nodes(forest, t, least)
        leaf = left < 0
        left[leaf] = np.arange(leaf.sum())
        at = forest.node_at[t] + nodes
        for name in spread_out:
            values = getattr(forest, name)
            parts[name].append(values[at] if values.size else values)
        parts["left"][-1] = left
        parts["feature"][-1] = np.where(leaf, np.int32(-1), parts["feature"][-1])
        parts["gain"][-1] = np.where(leaf, np.float32(0), parts["gain"][-1])
        sizes.append((nodes.size, int(leaf.sum())))
    arrays = {name: np.concatenate(values) for name, values in parts.items()}
    node_at, leaf_at = np.cumsum([(0, 0), *sizes], axis=0).T
    arrays |= {"node_at": node_at.astype(np.int64), "leaf_at": leaf_at.astype(np.int64)}
    for name in ("index", "value", "weight_at"):  # weights of undone splits stay, unused
        arrays[name] = getattr(forest, name)
    arrays |= {"oob_leaf": forest.oob_leaf[:0], "oob_at": np.zeros_like(forest.oob_at)}
    arrays["counts"] = np.ones((leaf_at[-1], forest.n_classes))
    # more trees grown from this spec would keep their light leaves: without data, no more trees
    training = replace(forest.training, digest="", X=None)

    def rebuilt() -> Forest:
        return Forest(
            forest.spec, forest.classes, forest.n_features, forest.scaling, training, arrays
        )

    # who is where now: walk the training samples, those in the bag to count, the others to note
    leaves, oob = rebuilt().apply(X, threads=1), []
    weight, codes = training.weight, training.codes
    counts = np.zeros_like(arrays["counts"])
    for t in range(forest.n_tree):
        times = forest.bags(t, t + 1)[0]
        np.add.at(counts, (leaf_at[t] + leaves[:, t], codes), weight * times)
        oob.append(leaves[times == 0, t])
    arrays["counts"] = counts
    arrays["oob_leaf"] = np.concatenate(oob)
    arrays["oob_at"] = np.cumsum([0, *(rows.size for rows in oob)]).astype(np.int64)
    return rebuilt()


def _heavy_nodes(forest: Forest, t: int, least: float) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, left): which nodes of tree t stay, and the new left child of each, -1 at leaves."""
    own = slice(forest.node_at[t], forest.node_at[t + 1])
    feature, left = forest.feature[own], forest.left[own]
    leaf_counts = forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
    weight = node_counts(feature, left, leaf_counts).sum(axis=1)
    nodes, children = [0], []
    for at, _ in enumerate(nodes):  # grows while it is walked
        i, child = nodes[at], -1
        while feature[i] != -1:
            pair = (int(left[i]), int(left[i]) + 1)
            heavy = [k for k in pair if weight[k] >= least * weight[0]]
            if len(heavy) == 1:
                i = heavy[0]
                continue
            if len(heavy) == 2:
                child = len(nodes)
                nodes += pair
            break
        nodes[at] = i
        children.append(child)
    return np.array(nodes), np.array(children, np.int32)
