"""ForestClassifier: a forest of one of the papers' families as a scikit-learn classifier."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y, validate_data

from ..engine import Forest, grow
from ..engine import check as door
from ..engine.limits import limited
from .categories import coder_for
from .family_links import paper_of
from .importance import shared_gain, spread_of
from .out_of_bag import OutOfBagScore
from .paths import decision_path, reached_nodes
from .progress import FitProgress
from .rebuilt import impure, voting, without_data
from .settings import (
    FAMILY,
    callers_words,
    limits_of,
    seed_of,
    spec_of,
    threads_of,
)
from .targets import Targets, balance_in_bag, class_factors, dense_labels, marginals
from .tree import TreeClassifier
from .units import warn_of_units


class ForestClassifier(OutOfBagScore, ClassifierMixin, BaseEstimator):
    """A forest of one of the papers' families, as a scikit-learn classifier.

    Any number of classes, one or several outputs. A parameter left at its default has the value
    of its family (``explorer.engine.FAMILIES``); one that the family's split does not use raises
    an error.

    Parameters
    ----------
    family : str, default="oRF-mixed"
        A name in ``explorer.engine.FAMILIES``, such as "RF" (Breiman 2001), "oRF-ridge" (Menze et
        al. 2011), "FRANK" (Tomita et al. 2016), "RF-ODT" (Do et al. 2010) or "RDF-CAP" (Ho 1995).
    n_estimators : int, default=None
        Number of trees (n_tree); None is the paper's, mostly 300.
    criterion : {"gini", "entropy", "log_loss", "gain_ratio"}, default=None
        Worth of a cut. "log_loss" is another word for "entropy" (Sazonau eq. 3); "gain_ratio" is
        C4.5's (Do s.2). None is the family's, mostly "gini".
    max_depth : int, default=None
        Most splits on the way to a leaf; 0 is a single leaf, None no limit.
    min_samples_split : int or float, default=None
        Fewest samples of a node that is split, counted as often as they were drawn, times their
        weight; a fraction is one of all samples. None is the family's (2; 10 in Tomita s.3.1).
    min_samples_leaf : int or float, default=1
        Fewest samples of a leaf, counted as often as they were drawn; a fraction is one of all
        samples. A split that makes a smaller part is undone once the tree is grown: the splits of
        the larger part take its place.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share, up to 0.5, of a leaf in the weight of its tree; undone as above. It makes
        ``class_weight`` matter in trees that would otherwise grow until every leaf is pure.
    max_features : int, float, {"sqrt", "log2", "all", "family"} or None, default="family"
        Features that a node may look at (m_try): a number, a fraction, or a rule. None and "all"
        mean all, "family" the paper's choice (mostly "sqrt").
    max_leaf_nodes : int, default=None
        Most leaves of a tree; the splits that decrease impurity most stay.
    min_impurity_decrease : float, default=0.0
        A split stays only if it decreases impurity by this much, times its node's share of the
        weight, as in scikit-learn (entropy in bits).
    bootstrap : bool or {"with", "without", "none"}, default=None
        Rows of a tree: drawn with replacement ("with" or True), 63 % of them without replacement,
        or all ("none" or False). None is the family's.
    max_samples : int or float, default=None
        Rows drawn for a tree: a number, or a fraction of the rows. None is as many as there are.
    split : str, default=None
        How a node is divided, as in ``explorer.engine.ForestSpec``: "axis", "thresholds",
        "random", "ridge", "lda", "logistic", "psvm", "sparse", "cap", "perceptron" or "mixed".
        None is the family's.
    n_candidates : int or {"sqrt", "p", "p^1.5", "p^2"}, default=None
        Directions that a node tries (d in Tomita s.3.1; families F-RC, FRANK, F-RC-sparse).
    n_combine : int, default=None
        Features in one random combination (L in Tomita s.2.4).
    vary_combine : bool, default=None
        Draw the number of combined features from 1 to ``n_combine`` anew for every candidate.
    n_thresholds : int, default=None
        Random thresholds per feature (Sazonau Algorithm 2), or stops along Ho's central axis.
    lambdas : sequence of float, default=None
        Penalties that ridge regression chooses from (Menze s.2); logistic regression's only one.
    tuning : {"loo", "oob", "gain"}, default=None
        How a node chooses among the penalties of ridge regression: leaving in-bag samples out in
        turn, by its out-of-bag samples (the rule of Menze s.2, which makes ``oob_score_``
        optimistic), or by the decrease of impurity.
    cost : float, default=None
        c of the proximal support vector machine (Do eq. 3).
    balance : bool, default=None
        Whether both groups of classes weigh the same there (Do s.2.3).
    grouping : {"ho", "anchors", "halves", "principal", "rest"}, default=None
        How a node of more than two classes makes the two groups that a linear split tells apart;
        see docs/many-classes.md. None is the default of the split.
    subspace : {"node", "tree"}, default=None
        Draw features anew at every node, or once per tree (Ho s.3).
    rotate : bool, default=None
        Rotate the data of every tree at random (Tomita s.2.4).
    scaling : {"none", "rank", "percentile", "zscore"}, default=None
        Scaling of the features, fitted on the training data (Tomita s.2.5).
    min_leaf : int, default=None
        A node of this many samples or fewer is not split; another way to say
        ``min_samples_split - 1``.
    vote : {"majority", "posterior", "weighted", "bayesian"}, default=None
        How trees are counted: by the class of the leaf (Breiman), its posterior (Ho s.4), or these
        weighted by the trees' training errors (Sazonau eq. 5 and 7). None is the family's, but
        "posterior" instead of "majority" where leaves hold more than one class: majorities of
        mixed leaves are poor probabilities.
    prune : int, default=None
        Folds of the cross-validation that prunes every tree (CART); 0 for none.
    ccp_alpha : float, default=0.0
        Complexity of minimal cost-complexity pruning by impurity, as in scikit-learn.
    missing : {"accept", "refuse"}, default="accept"
        Whether X may have missing values (NaN), as in scikit-learn's forests. An axis split sends
        them to the side of the larger gain (to that of more weight where training saw none), an
        oblique split replaces them by the mean of the known values at its node (see
        docs/missing-values.md). "refuse" raises an error that names the row and the column.
    categories : {"refuse", "onehot", "target"}, default="refuse"
        What is done with columns of words (pandas categories, strings, objects): an error, one
        column per level, or one number per level, ordered by the classes of its samples (along
        the first principal component of their shares). A missing entry is a level of its own.
    class_weight : dict, list of dict, {"balanced", "balanced_subsample"} or None, default=None
        Weight of each class, multiplied with ``sample_weight``. "balanced" gives all classes the
        same weight, "balanced_subsample" does so in the bag of every tree. A list has one entry
        per output.
    oob_score : bool or callable, default=None
        None works the out-of-bag score out when it is asked for, True at once (and warns where
        there are too few trees), False never. A function ``score(y, predicted)`` takes the place
        of accuracy.
    warm_start : bool, default=False
        Whether ``fit`` adds trees to those that are there, up to ``n_estimators``. Data and other
        parameters must be the same; the trees are those that one fit would have grown.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default=None
        A whole number is the forest's seed; the others draw one at every fit.
    n_jobs : int, default=None
        Threads; None is one (unless joblib's context says otherwise), -1 all cores. The forest
        does not depend on it.
    verbose : int, default=0
        Above 0, fit says on standard error how many trees are grown.

    Attributes
    ----------
    forest_ : explorer.engine.Forest
        The grown forest; ``forest_.spec`` holds every setting. A pickle leaves out the training
        data that it remembers.
    classes_ : ndarray of shape (n_classes,) or list of such
        The labels, sorted; one array per output.
    n_classes_ : int or list of int
        Number of labels.
    n_outputs_ : int
        Columns of y. Several columns are grown together: every combination of labels that occurs
        is a class of ``forest_``, and the posterior of a column is a sum over combinations.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X had any.
    estimators_ : list of TreeClassifier
        The trees.
    estimators_samples_ : list of ndarray
        The rows drawn for each tree.
    oob_score_ : float
        Out-of-bag accuracy.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag posterior.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of impurity.

    Notes
    -----
    Only the ratios of sample weights count, and without a bootstrap a weight of 3 equals the row
    three times (but for the folds that prune CART).

    RR-RF, F-RC, F-RC-sparse, RDF-CAP and RDF-PER mix features in their own units. Where the
    spreads of columns differ by more than a factor of 100, fit warns (``UnitsWarning``) and names
    the remedy.

    Examples
    --------
    >>> from explorer import ForestClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ForestClassifier("oRF-ridge", n_estimators=50, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.9)
    True
    """

    # the link of the HTML page: the paper of the family
    _doc_link_module = "explorer"
    _doc_link_template = "{paper}"

    def _doc_link_url_param_generator(self) -> dict[str, str]:
        return {"paper": paper_of(self.family)}

    def __init__(
        self,
        family: str = "oRF-mixed",
        *,
        n_estimators: int | None = None,
        criterion: str | None = None,
        max_depth: int | None = None,
        min_samples_split: int | float | None = None,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = FAMILY,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: str | bool | None = None,
        max_samples: int | float | None = None,
        split: str | None = None,
        n_candidates: int | str | None = None,
        n_combine: int | None = None,
        vary_combine: bool | None = None,
        n_thresholds: int | None = None,
        lambdas: Any = None,
        tuning: str | None = None,
        cost: float | None = None,
        balance: bool | None = None,
        grouping: str | None = None,
        subspace: str | None = None,
        rotate: bool | None = None,
        scaling: str | None = None,
        min_leaf: int | None = None,
        vote: str | None = None,
        prune: int | None = None,
        ccp_alpha: float = 0.0,
        missing: str = "accept",
        categories: str = "refuse",
        class_weight: dict | str | list | None = None,
        oob_score: bool | Callable[[Any, Any], float] | None = None,
        warm_start: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.family = family
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.split = split
        self.n_candidates = n_candidates
        self.n_combine = n_combine
        self.vary_combine = vary_combine
        self.n_thresholds = n_thresholds
        self.lambdas = lambdas
        self.tuning = tuning
        self.cost = cost
        self.balance = balance
        self.grouping = grouping
        self.subspace = subspace
        self.rotate = rotate
        self.scaling = scaling
        self.min_leaf = min_leaf
        self.vote = vote
        self.prune = prune
        self.ccp_alpha = ccp_alpha
        self.missing = missing
        self.categories = categories
        self.class_weight = class_weight
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # ---- growing

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The training samples: finite numbers, or NaN for missing ones (see ``missing``). A
            sparse matrix is made dense.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            The labels. Several columns are grown together (see ``n_outputs_``).
        sample_weight : array-like of shape (n_samples,), default=None
            Finite, >= 0; a weight of zero leaves the sample out. Only the ratios count.
        groups : array-like of shape (n_samples,), default=None
            Equal for replicates of one object. Trees draw whole groups, so that ``oob_score_``
            judges a sample only by trees that saw none of its group.

        Returns
        -------
        self
        """
        X, y = self._training_data(X, y)
        n = len(X)
        # a subclass may have fewer parameters than attributes
        params = {name: getattr(self, name) for name in ForestClassifier._get_param_names()}
        with callers_words():
            spec, limits = spec_of(params, n), limits_of(params, n)
        more = self._more_trees(spec, limits)
        if more == 0:
            return self
        targets = Targets.read(y)
        self._check_oob(spec, targets)
        weight, tree_weight = self._weights(targets, spec.bootstrap, sample_weight)
        old = self.forest_ if more is not None else None
        first = 0 if old is None else old.n_tree
        seed = seed_of(self.random_state) if old is None else old.spec.seed
        codes = targets.joint_code if targets.outputs > 1 else y
        progress = FitProgress() if self.verbose else None
        with callers_words():
            growing = spec.replace(seed=seed, n_tree=spec.n_tree - first)
            forest = grow(
                growing,
                X,
                codes,
                sample_weight=weight,
                groups=groups,
                tree_weight=tree_weight,
                least_classes=1,
                first=first,
                progress=progress,
                threads=self._threads(),
            )
        if progress is not None:
            progress.close()
        digest = forest.training.digest
        if limits.small_leaves or limits.cuts_back:
            forest = limited(forest, limits, X, tree_weight)
        if old is not None:
            forest = self._joined(old, forest, digest)
        self._remember(forest, targets, X, y, weight, digest, (spec, limits))
        names = getattr(self, "feature_names_in_", None)
        if names is not None and self._coder is not None:
            names = names[self._coder.source]
        warn_of_units(self.family, spec, X, names)
        if self._asks_oob:
            self._judge_out_of_bag()
        return self

    def _training_data(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        # what is finite is the engine's question: its answer names the row and the column
        rules: dict[str, Any] = {
            "dtype": np.float64,
            "order": "C",
            "ensure_all_finite": False,
            "accept_sparse": "csr",
            "multi_output": True,
            "ensure_min_samples": 2,
        }
        y = dense_labels(y)
        self._coder = coder_for(X, y, self.categories)
        if self._coder is None:
            X, y = validate_data(self, X, y, **rules)
        else:
            validate_data(self, X, skip_check_array=True)  # names and number of columns
            X, y = check_X_y(self._coder.transform(X), y, **rules)
        X = _dense(X)
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected; pass y.ravel().",
                DataConversionWarning,
                stacklevel=3,
            )
            y = y[:, 0]
        return X, y

    def _more_trees(self, spec: Any, limits: Any) -> int | None:
        """Trees to add to those that are there: None to begin anew, 0 if there are enough."""
        if not self.warm_start or not hasattr(self, "forest_"):
            return None
        have = self.forest_.n_tree
        if spec.n_tree < have:
            raise ValueError(
                f"n_estimators is {spec.n_tree}, but the forest has {have} trees already and "
                "warm_start=True only adds some; choose more, or warm_start=False."
            )
        if spec.n_tree == have:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                stacklevel=3,
            )
            if self._asks_oob and not hasattr(self, "_oob_score"):
                self._judge_out_of_bag()
            return 0
        before, old_limits = self._grown_with
        if before.replace(n_tree=1) != spec.replace(n_tree=1) or old_limits != limits:
            raise ValueError(
                "warm_start=True adds trees of the same kind, but parameters of the trees have "
                "changed since; set them back, or set warm_start=False."
            )
        return spec.n_tree - have

    def _joined(self, old: Forest, new: Forest, digest: str) -> Forest:
        if digest != self._digest or old.classes.tolist() != new.classes.tolist():
            raise ValueError(
                "warm_start=True adds trees grown on the same data, but X, y or the weights have "
                "changed; set warm_start=False to grow a new forest."
            )
        from ..engine.forest import ARRAYS

        return old.joined({name: getattr(new, name) for name in ARRAYS}, new.training)

    def _remember(self, forest, targets, X, y, weight, digest, grown_with) -> None:
        if self.vote is None and forest.spec.vote == "majority" and impure(forest):
            # majorities of mixed leaves are poor probabilities: average their posteriors
            forest = voting(forest, "posterior")
        self.forest_ = forest
        self.n_outputs_ = targets.outputs
        one = targets.outputs == 1
        self.classes_ = targets.classes[0] if one else targets.classes
        sizes = [c.size for c in targets.classes]
        self.n_classes_ = sizes[0] if one else sizes
        self._joint = targets.joint
        self._y = y
        self._sample_weight = weight
        self._digest = digest
        self._grown_with = grown_with
        self._spread = spread_of(forest, X)
        self.__dict__.pop("_oob_score", None)
        self.__dict__.pop("_estimators", None)

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def _weights(self, targets: Targets, bootstrap: str, sample_weight: Any) -> tuple:
        """(sample weights or None, factors that differ from tree to tree or None)."""
        per_bag = self.class_weight == "balanced_subsample" and bootstrap != "none"
        n = len(targets.codes)
        if sample_weight is None and self.class_weight is None:
            return None, None
        weight = door.sample_weights(sample_weight, n)
        if not weight.any():
            raise ValueError("Every sample weight is zero; give some samples a positive weight.")
        if per_bag:
            return weight, balance_in_bag(targets, weight)
        if self.class_weight is not None:
            weight = weight * class_factors(self.class_weight, targets, weight)
        return weight, None

    # ---- asking

    def predict_proba(self, X: Any) -> Any:
        """Posterior of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes), float64
            Columns as in ``classes_``; for several outputs a list with one array each.
        """
        proba = self._grown().predict_proba(self._samples(X), threads=self._threads())
        if self.n_outputs_ == 1:
            return proba
        return marginals(proba, self._joint, self.n_classes_)

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithm of the posterior, shaped as ``predict_proba``; -inf where that is zero."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if self.n_outputs_ == 1 else [np.log(p) for p in proba]

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest posterior, the first of equals.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        return self._labels(self.predict_proba(X))

    def _labels(self, proba: Any) -> np.ndarray:
        if self.n_outputs_ == 1:
            return self.classes_[proba.argmax(axis=1)]
        columns = [c[p.argmax(axis=1)] for c, p in zip(self.classes_, proba, strict=True)]
        return np.stack(columns, axis=1)

    def apply(self, X: Any) -> np.ndarray:
        """Node at which each sample ends in each tree, int32[n, n_estimators].

        Nodes are counted within the tree from 0, the root, as in ``estimators_[t].tree_``.
        """
        return reached_nodes(self._grown(), self._samples(X), self._threads())

    def decision_path(self, X: Any) -> tuple[Any, np.ndarray]:
        """Nodes that each sample passes.

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, n_nodes)
            One where a sample passes a node; the nodes of all trees lie one after the other.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            Tree t has the columns n_nodes_ptr[t] ... n_nodes_ptr[t + 1] - 1.
        """
        forest = self._grown()
        return decision_path(forest, self._samples(X), self._threads()), forest.node_at.copy()

    def _grown(self) -> Forest:
        check_is_fitted(self, "forest_")
        return self.forest_

    def _samples(self, X: Any) -> np.ndarray:
        if self._coder is not None:
            validate_data(self, X, reset=False, skip_check_array=True)
            return check_array(self._coder.transform(X), ensure_all_finite=False)
        X = validate_data(
            self,
            X,
            reset=False,
            dtype=np.float64,
            order="C",
            ensure_all_finite=False,
            accept_sparse="csr",
        )
        return _dense(X)

    # ---- single trees

    @property
    def estimators_(self) -> list[TreeClassifier]:
        """The trees, a ``TreeClassifier`` each."""
        forest = self._grown()
        kept = self.__dict__.get("_estimators")
        if kept is None or len(kept) != forest.n_tree:
            classes = self.classes_ if self.n_outputs_ == 1 else forest.classes
            limits = self._grown_with[1]
            kept = [TreeClassifier._of(forest, classes, t, limits) for t in range(forest.n_tree)]
            self.__dict__["_estimators"] = kept
        return list(kept)

    @property
    def estimators_samples_(self) -> list[np.ndarray]:
        """Rows in the bag of each tree, as often as they were drawn, int32 each."""
        bags = self._grown().bags()
        rows = np.arange(bags.shape[1], dtype=np.int32)
        return [np.repeat(rows, times) for times in bags]

    def __len__(self) -> int:
        return self._grown().n_tree

    def __iter__(self) -> Iterator[TreeClassifier]:
        return iter(self.estimators_)

    def __getitem__(self, t: int) -> TreeClassifier:
        return self.estimators_[t]

    # ---- importance

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, float64[P]; they sum to 1.

        The decrease at a node (times the weight of its samples) goes to its feature. An oblique
        node shares it among its features in proportion to |weight| x spread, where spread is
        the standard deviation of the (scaled) feature in the training data: how much of the
        score's movement a feature makes. Trees count the same (each is normalised first), a tree
        without a split not at all. All zero if no tree has a split.
        """
        shares = shared_gain(self._grown(), self._spread)
        if self._coder is None:
            return shares
        return np.bincount(self._coder.source, shares, minlength=self.n_features_in_)

    # ---- in scikit-learn's company

    def __getstate__(self) -> dict[str, Any]:
        """A pickle holds the forest, not the data it was grown on."""
        state = dict(super().__getstate__())
        state.pop("_estimators", None)
        if "forest_" in state:
            state["forest_"] = without_data(state["forest_"])
        return state

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """scikit-learn's diagram; once fitted, with the card of the forest under it."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle and hasattr(self, "forest_"):
            bundle["text/html"] += self.forest_._repr_html_()
        return bundle

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing == "accept"
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


def _dense(X: Any) -> np.ndarray:
    return X.toarray() if hasattr(X, "toarray") else X
