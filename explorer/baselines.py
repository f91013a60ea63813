"""Baselines of the papers behind the same face as a forest: svm, knn and adaboost.

A recipe (`Svm`, `Knn`, `AdaBoost`) is frozen; ``fit`` tunes it by the paper's own protocol and
gives a `BaselineModel` with ``predict_proba``, ``predict``, ``classes``, ``n_features`` and
``posterior_on``. CART is the engine's own family.

    from explorer.baselines import BASELINES
    model = BASELINES["svm"].fit(X, y)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from explorer.engine import Cancelled, Plane
from explorer.engine.check import groups as check_groups
from explorer.engine.check import labels, matrix

Floats = NDArray[np.float64]
Progress = Callable[[int, int, str], Any]
COSTS = tuple(10.0**i for i in range(-5, 6))  # Menze s.3
_PIXELS = 2_000_000  # feature values of pixels evaluated at once
_DISTANCES = 1000  # samples whose distances set the kernel widths


class BaselineModel:
    """A fitted baseline, behind the face of a forest. ``chosen``: what tuning settled on."""

    def __init__(
        self, name: str, estimator: Any, classes: np.ndarray, n_features: int, chosen: dict
    ) -> None:
        self.name = name
        self.estimator = estimator
        self.classes = classes
        self.n_features = n_features
        self.chosen = chosen

    def __repr__(self) -> str:
        return f"Baseline({self.name}, {self.chosen})"

    def predict_proba(self, X: Any, *, threads: int | None = None) -> Floats:
        """Posterior P(class | x), float64[n, K]."""
        X = matrix(X, features=self.n_features)
        return np.asarray(self.estimator.predict_proba(X), np.float64)

    def predict(self, X: Any, *, threads: int | None = None) -> np.ndarray:
        """The class with the largest posterior (the first of equals)."""
        return self.classes[self.predict_proba(X).argmax(axis=1)]

    def posterior_on(
        self, plane: Plane, width: int, height: int, *, threads: int | None = None
    ) -> NDArray[np.float32]:
        """Posterior at the pixel centres of a plane, float32[height, width, K]; row 0 is lowest."""
        if plane.origin.size != self.n_features:
            raise ValueError(
                f"The plane has {plane.origin.size} features, but the {self.name} was fitted on "
                f"{self.n_features}."
            )
        if width < 1 or height < 1:
            raise ValueError(
                f"A picture of {width} x {height} pixels has none; use at least 1 x 1."
            )
        out = np.empty((height, width, self.classes.size), np.float32)
        rows = max(1, _PIXELS // (width * self.n_features))
        s = (np.arange(width) + 0.5) / width
        for a in range(0, height, rows):
            b = min(a + rows, height)
            t = (np.arange(a, b) + 0.5) / height
            points = plane.origin + s[None, :, None] * plane.u + t[:, None, None] * plane.v
            flat = points.reshape(-1, self.n_features)
            out[a:b] = self.predict_proba(flat).reshape(b - a, width, -1)
        return out


@dataclass
class _Tuning:
    """Choices by stratified cross-validation of the error, with progress and cancellation.

    Ties go to the first value. With fewer than two samples (or groups) of a class nothing can be
    tuned, and the first value is taken.
    """

    X: Floats
    codes: NDArray[np.int32]
    groups: np.ndarray | None
    seed: int
    progress: Progress | None = None
    cancel: Any = None
    done: int = 0
    wanted: int = 0
    chosen: dict[str, Any] = field(default_factory=dict)

    def folds(self, k: int = 3) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        yield from inner_folds(self.X, self.codes, self.groups, k, self.seed)

    def stop(self) -> None:
        cancel = self.cancel
        if cancel is not None and (cancel.is_set() if hasattr(cancel, "is_set") else cancel()):
            raise Cancelled

    def choose(self, knob: str, values: list, make: Callable[[Any], Any]) -> Any:
        """The value whose model errs least in three-fold cross-validation."""
        wrong = np.zeros(len(values))
        parts = list(self.folds())
        self.wanted += len(values) * len(parts)
        if len(values) > 1:
            for train, test in parts:
                for k, value in enumerate(values):
                    self.stop()
                    model = fitted(make(value), self.X[train], self.codes[train])
                    wrong[k] += (model.predict(self.X[test]) != self.codes[test]).sum()
                    self.done += 1
                    if self.progress is not None:
                        self.progress(self.done, self.wanted, f"tuning {knob}")
        best = values[int(wrong.argmin())]
        self.chosen[knob] = best
        return best


def inner_folds(
    X: Any, y: Any, groups: Any, k: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows that train and rows that test, for tuning: k stratified folds or as many as can be.

    Groups of replicates stay together. None where a class has fewer than two samples (groups).
    """
    y = np.asarray(y)
    units = np.arange(y.size) if groups is None else np.asarray(groups)
    owners = np.unique(
        np.column_stack([np.unique(a, return_inverse=True)[1] for a in (units, y)]), axis=0
    )
    k = min(k, int(np.bincount(owners[:, 1]).min()))
    if k >= 2:
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        parts = kind(k, shuffle=True, random_state=seed).split(X, y, groups)
        # a fold of groups may hold all of a class
        yield from (p for p in parts if np.unique(y[p[0]]).size == np.unique(y).size and p[1].size)


def fitted(estimator: Any, X: Floats, codes: np.ndarray) -> Any:
    """Fit; an SVM that was stopped at its limit of iterations is taken as it stands."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, codes)


def _start(
    X: Any, y: Any, groups: Any, seed: int, progress: Progress | None, cancel: Any
) -> tuple[np.ndarray, _Tuning]:
    X = matrix(X)
    groups = check_groups(groups, X.shape[0])
    classes, codes = labels(y, X.shape[0])
    if classes.size < 2:
        raise ValueError(f"y holds only class {classes[0]!s}; a classifier needs two classes.")
    return classes, _Tuning(X, codes, groups, seed, progress, cancel)


@dataclass(frozen=True)
class Svm:
    """Support vector machine, rbf (Menze s.3) or linear (Do s.3.1, LibSVM).

    rbf: the kernel width is one of the quartiles of |x - x'|^2 (gamma = 1 / quartile), chosen
    in three-fold cross-validation; then the cost, out of 10^-5 ... 10^5, in another. linear:
    the cost alone; ``cost`` fixes it (Do: 10^5 on very-high-dimensional data), ``width`` the
    width of the kernel. A binomial model on top gives posteriors (Platt: a sigmoid of
    cross-validated decision values); without it (``calibrated``) the sign decides, as LibSVM does
    by default (Do). Features are standardised, as LibSVM's users are told to; the papers do not
    say.
    """

    kernel: str = "rbf"
    cost: float | None = None
    name: str = "svm"
    width: float | None = None
    calibrated: bool = True
    most_steps: int = 200_000  # of the solver; a cost of 10^5 may never converge

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Any = None,
    ) -> BaselineModel:
        """Tune and fit on X [n, P], y [n]; deterministic for a seed.

        groups: equal for replicates of one object; tuning keeps them together.
        """
        if self.kernel not in ("rbf", "linear"):
            raise ValueError(f"kernel is {self.kernel!r}; choose 'rbf' or 'linear'.")
        classes, tuning = _start(X, y, groups, seed, progress, cancel)

        def make(cost: float, gamma: float = 1.0) -> Any:
            svc = SVC(kernel=self.kernel, C=cost, gamma=gamma, max_iter=self.most_steps)
            return make_pipeline(StandardScaler(), svc)

        gamma = 1.0
        if self.kernel == "rbf":
            widths = kernel_widths(tuning.X, seed) if self.width is None else [float(self.width)]
            width = tuning.choose("width", widths, lambda w: make(self.cost or 1.0, 1.0 / w))
            gamma = 1.0 / width
        costs = list(COSTS) if self.cost is None else [float(self.cost)]
        cost = tuning.choose("cost", costs, lambda c: make(c, gamma))
        tuning.stop()
        folds = list(tuning.folds()) if self.calibrated else []
        model = make(cost, gamma)
        if folds:
            model = CalibratedClassifierCV(model, method="sigmoid", cv=folds, ensemble=False)
        else:
            model = _Hard(model)
        model = fitted(model, tuning.X, tuning.codes)
        return BaselineModel(self.name, model, classes, tuning.X.shape[1], tuning.chosen)


class _Hard:
    """Posteriors of zero and one: the class as decided, not calibrated."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Floats, codes: np.ndarray) -> _Hard:
        self.n_classes = int(codes.max()) + 1
        self.model.fit(X, codes)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        return np.eye(self.n_classes)[self.model.predict(X)]


def kernel_widths(X: Floats, seed: int = 0) -> list[float]:
    """Quartiles of |x - x'|^2 over pairs of standardised samples (at most 1000 of them)."""
    Z = StandardScaler().fit_transform(X)
    if len(Z) > _DISTANCES:
        Z = Z[np.random.default_rng(seed).choice(len(Z), _DISTANCES, replace=False)]
    squared = euclidean_distances(Z, squared=True)[np.triu_indices(len(Z), 1)]
    squared = squared[squared > 1e-12 * Z.shape[1]]  # twins tell nothing of the width
    if squared.size == 0:
        return [1.0]
    return [float(q) for q in np.quantile(squared, [0.25, 0.5, 0.75])]


@dataclass(frozen=True)
class Knn:
    """k nearest neighbours; k is chosen in three-fold cross-validation.

    Odd numbers near 2^(i/2) are tried, from 1 to the larger of the square root of the number of
    samples and P. Menze s.3 takes 2^i, i = 0 ... log2(P), so that two features leave only k = 1
    and 2; ``paper`` keeps to that. Euclidean distances of the features as they are; posteriors
    are the shares of the neighbours. ``neighbours`` fixes k.
    """

    name: str = "knn"
    neighbours: int | None = None
    paper: bool = False

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Any = None,
    ) -> BaselineModel:
        """Tune and fit on X [n, P], y [n]; deterministic for a seed.

        groups: equal for replicates of one object; tuning keeps them together.
        """
        classes, tuning = _start(X, y, groups, seed, progress, cancel)
        n, P = tuning.X.shape
        smallest = min([len(train) for train, _ in tuning.folds()] or [n])
        ks = _powers_of_two(P) if self.paper else _odd_numbers(max(math.isqrt(n), P))
        ks = [k for k in ks if k <= smallest]
        if self.neighbours is not None:
            if not 1 <= self.neighbours <= n:
                raise ValueError(
                    f"knn cannot ask {self.neighbours} neighbours of {n} samples; choose 1 to {n}."
                )
            ks = [int(self.neighbours)]
        k = tuning.choose("neighbours", ks, lambda k: KNeighborsClassifier(k))
        tuning.stop()
        model = KNeighborsClassifier(k).fit(tuning.X, tuning.codes)
        return BaselineModel(self.name, model, classes, P, tuning.chosen)


def _powers_of_two(most: int) -> list[int]:
    return [2**i for i in range(int(math.log2(most)) + 1)]


def _odd_numbers(most: int) -> list[int]:
    """1, 3, 5, 7, 11, 17, 23, 33 ...: each about 1.4 times the last. Odd numbers avoid ties."""
    found = [1]
    while (k := max(found[-1] + 2, round(found[-1] * 2**0.5) | 1)) <= most:
        found.append(k)
    return found


class BaggedTree(DecisionTreeClassifier):
    """A tree grown on a random half of the samples, with the weights they carry."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BaggedTree:
        rng = np.random.default_rng(self.random_state)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        for _ in range(20):
            half = rng.permutation(len(y))[: max(2, len(y) // 2)]
            bag = np.zeros(len(y))
            bag[half] = weight[half]
            # a half without one of the classes would not know that class exists
            if np.unique(y[bag > 0]).size == np.unique(y).size:
                return super().fit(X, y, sample_weight=bag)
        return super().fit(X, y, sample_weight=weight)


@dataclass(frozen=True)
class AdaBoost:
    """Discrete adaboost with exponential loss and a bagging of the samples (Menze s.3).

    10 * 1 ... 5 iterations, chosen in three-fold cross-validation. The rest are the defaults of
    the paper's R package (ada) and its trees (rpart): every tree's vote is shrunk by 0.1, it is
    grown on half of the samples, nodes of fewer than 20 are not split and leaves hold at least
    7. ``iterations`` fixes their number.
    """

    name: str = "adaboost"
    iterations: int | None = None
    shrinkage: float = 0.1

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Any = None,
    ) -> BaselineModel:
        """Tune and fit on X [n, P], y [n]; deterministic for a seed.

        groups: equal for replicates of one object; tuning keeps them together.
        """
        classes, tuning = _start(X, y, groups, seed, progress, cancel)
        tree = BaggedTree(min_samples_split=20, min_samples_leaf=7)

        def make(iterations: int) -> Any:
            boost = AdaBoostClassifier(
                tree,
                n_estimators=iterations,
                learning_rate=self.shrinkage,
                random_state=seed,
            )
            return _Boost(boost)

        iterations = self._chosen(tuning, make)
        tuning.stop()
        model = make(iterations).fit(tuning.X, tuning.codes)
        return BaselineModel(self.name, model, classes, tuning.X.shape[1], tuning.chosen)

    def _chosen(self, tuning: _Tuning, make: Callable[[int], Any]) -> int:
        """As `_Tuning.choose`: the longest run of a fold holds the shorter ones in it."""
        values = [10, 20, 30, 40, 50] if self.iterations is None else [int(self.iterations)]
        wrong = np.zeros(len(values))
        parts = list(tuning.folds()) if len(values) > 1 else []
        for done, (train, test) in enumerate(parts):
            tuning.stop()
            model = fitted(make(values[-1]), tuning.X[train], tuning.codes[train])
            for k, codes in enumerate(model.stages(tuning.X[test], values)):
                wrong[k] += (codes != tuning.codes[test]).sum()
            if tuning.progress is not None:
                tuning.progress(done + 1, len(parts), "tuning iterations")
        tuning.chosen["iterations"] = values[int(wrong.argmin())]
        return tuning.chosen["iterations"]


class _Boost:
    """Boosting that falls back to one tree where the first is no better than chance."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Floats, codes: np.ndarray) -> _Boost:
        try:
            self.model.fit(X, codes)
        except ValueError as error:
            if "worse than random" not in str(error):
                raise
            self.model = clone(self.model.estimator).set_params(random_state=0).fit(X, codes)
        return self

    def stages(self, X: Floats, iterations: list[int]) -> list[np.ndarray]:
        """Predictions after some numbers of iterations; one that ended early stays as it is."""
        if not isinstance(self.model, AdaBoostClassifier):
            return [self.model.predict(X)] * len(iterations)
        every = list(self.model.staged_predict(X))
        return [every[min(n, len(every)) - 1] for n in iterations]

    def predict_proba(self, X: Floats) -> Floats:
        return self.model.predict_proba(X)


BASELINES: dict[str, Any] = {
    "svm": Svm(),
    "svm-linear": Svm(kernel="linear", name="svm-linear"),
    "knn": Knn(),
    "adaboost": AdaBoost(),
}
