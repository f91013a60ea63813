"""One tree of a forest as a scikit-learn classifier, with its nodes in scikit-learn's arrays."""

from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..engine import FAMILIES, Forest, ForestSpec, grow
from ..engine.limits import TreeLimits, decreases, impurity, limited, tree_sums
from ..engine.tree import node_counts
from .paths import decision_path, reached_nodes


class TreeArrays:
    """The nodes of a tree under the names of scikit-learn's ``Tree``.

    The root is node 0. ``feature`` is -2 at leaves and -3 at nodes that weigh several features
    (read those with ``forest_.tree(0)``); ``threshold`` is -2 at leaves. ``missing_go_to_left`` is
    1 where a split on one feature sends missing values left.
    """

    def __init__(self, forest: Forest) -> None:
        self._forest = forest
        feature, left, self._sums = tree_sums(forest, 0)
        leaf = feature == -1
        self.node_count = feature.size
        self.n_features = forest.n_features
        self.n_outputs = 1
        self.children_left = np.where(leaf, -1, left).astype(np.int64)
        self.children_right = np.where(leaf, -1, left + 1).astype(np.int64)
        self.feature = np.where(leaf, -2, np.where(feature >= 0, feature, -3)).astype(np.int64)
        self.threshold = np.where(leaf, -2.0, forest.cut)
        self.missing_go_to_left = np.zeros(feature.size, np.uint8)
        if forest.spec.missing == "accept":
            self.missing_go_to_left = np.where(feature >= 0, forest._gaps.side, np.uint8(0))
        self.n_leaves = int(leaf.sum())
        self.weighted_n_node_samples = self._sums.sum(axis=1)
        self.impurity = impurity(self._sums, forest.spec.criterion)
        self._gain = decreases(feature, left, self._sums, forest.spec.criterion)[0]

    @property
    def value(self) -> np.ndarray:
        """Share of each class at each node, float64[nodes, 1, K]."""
        return (self._sums / self._sums.sum(axis=1, keepdims=True))[:, None, :]

    @cached_property
    def max_depth(self) -> int:
        depth = np.zeros(self.node_count, int)
        for i in np.flatnonzero(self.children_left >= 0):  # parents come before their children
            depth[[self.children_left[i], self.children_right[i]]] = depth[i] + 1
        return int(depth.max())

    @cached_property
    def n_node_samples(self) -> np.ndarray:
        """In-bag samples at each node, counted as often as they were drawn, int64[nodes]."""
        forest, training = self._forest, self._forest.training
        times = forest.bags()[0]
        drawn = training.weight[times > 0]
        own = slice(0, self.node_count)
        if (drawn == 1).all():
            return np.rint(self.weighted_n_node_samples).astype(np.int64)
        if training.X is None:
            raise AttributeError(
                "n_node_samples needs the training data where samples have weights, and this "
                "tree has none (it was unpickled or limited); use weighted_n_node_samples."
            )
        leaves = forest.apply(training.X, threads=1)[:, 0]
        size = np.bincount(leaves, times, minlength=self.n_leaves)[:, None]
        sums = node_counts(forest.feature[own], forest.left[own], size)
        return np.rint(sums[:, 0]).astype(np.int64)

    def apply(self, X: Any) -> np.ndarray:
        """Node at which each sample ends, int64[n]."""
        X = np.ascontiguousarray(X, dtype=np.float64)
        return reached_nodes(self._forest, X, 1)[:, 0].astype(np.int64)

    def compute_feature_importances(self, normalize: bool = True) -> np.ndarray:
        """Decrease of impurity by the splits on each feature (axis splits), float64[P]."""
        axis = self.feature >= 0
        out = np.bincount(self.feature[axis], self._gain[axis], minlength=self.n_features)
        total = out.sum()
        return out / total if normalize and total > 0 else out


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """One tree: what ``ForestClassifier.estimators_`` holds.

    Parameters
    ----------
    spec : ForestSpec, default=None
        The forest that the tree belongs to; None is a random forest's (Breiman).
    number : int, default=0
        Which tree of the forest. A tree depends on the data, the spec and this number alone.
    limits : explorer.engine.limits.TreeLimits, default=None
        Limits of its size.

    Attributes
    ----------
    tree_ : TreeArrays
        The nodes, under scikit-learn's names.
    forest_ : explorer.engine.Forest
        The tree as a forest of one.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    """

    def __init__(
        self, spec: ForestSpec | None = None, number: int = 0, limits: TreeLimits | None = None
    ) -> None:
        self.spec = spec
        self.number = number
        self.limits = limits

    @classmethod
    def _of(
        cls, forest: Forest, classes: np.ndarray, t: int, limits: TreeLimits
    ) -> "TreeClassifier":
        tree = cls(forest.spec, forest.first + t, limits)
        tree.forest_ = forest.part(t, t + 1)
        tree.classes_ = classes
        tree.n_features_in_ = forest.n_features
        return tree

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree on X (samples x features) and y (one label per sample)."""
        # what is finite is the engine's question, as in ForestClassifier
        rules: dict[str, Any] = {"dtype": np.float64, "order": "C", "ensure_all_finite": False}
        X, y = validate_data(self, X, y, **rules)
        spec = (FAMILIES["RF"] if self.spec is None else self.spec).replace(n_tree=1)
        self.classes_ = np.unique(y)
        self.forest_ = grow(
            spec, X, y, sample_weight=sample_weight, first=self.number, least_classes=1, threads=1
        )
        if self.limits is not None:
            self.forest_ = limited(self.forest_, self.limits, X)
        return self

    @property
    def tree_(self) -> TreeArrays:
        check_is_fitted(self, "forest_")
        return TreeArrays(self.forest_)

    @property
    def random_state(self) -> tuple[int, int]:
        """The seed of the forest and the number of the tree, which decide all that is drawn."""
        return (0 if self.spec is None else self.spec.seed, self.number)

    @property
    def min_impurity_decrease(self) -> float:
        return 0.0 if self.limits is None else self.limits.min_impurity_decrease

    def get_depth(self) -> int:
        """Most splits on the way to a leaf."""
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        return self.tree_.n_leaves

    def predict_proba(self, X: Any) -> np.ndarray:
        """Share of each class in the leaf of each sample, float64[n, K]."""
        leaves = self._forest().apply(self._samples(X), threads=1)[:, 0]
        counts = self.forest_.counts[leaves]
        return counts / counts.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest share, the first of equals."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def apply(self, X: Any) -> np.ndarray:
        """Node at which each sample ends, int64[n]."""
        return reached_nodes(self._forest(), self._samples(X), 1)[:, 0].astype(np.int64)

    def decision_path(self, X: Any) -> Any:
        """Nodes that each sample passes, as ones of a sparse matrix [n, nodes]."""
        return decision_path(self._forest(), self._samples(X), 1)

    def _forest(self) -> Forest:
        check_is_fitted(self, "forest_")
        return self.forest_

    def _samples(self, X: Any) -> np.ndarray:
        rules: dict[str, Any] = {"dtype": np.float64, "order": "C", "ensure_all_finite": False}
        return validate_data(self, X, reset=False, **rules)
