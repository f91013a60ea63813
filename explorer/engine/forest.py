"""Forest: what stays of growing. Flat read-only arrays, and everything that is asked of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from explorer.notebook import NotebookDisplay

from . import check, missing, out_of_bag, pictures, prediction
from .growing import Progress
from .kernels import walk
from .kernels.missing import Gaps
from .missing import centre_of
from .plane import Plane
from .reweighting import TreeWeight
from .scaling import Scaling
from .spec import ForestSpec
from .training import Training, digest_of, grow_arrays, training_of
from .tree import Tree, read_tree

ARRAYS = (
    "feature",
    "left",
    "cut",
    "gain",
    "begin",
    "end",
    "index",
    "value",
    "side",
    "fill",
    "counts",
    "oob_leaf",
    "node_at",
    "weight_at",
    "leaf_at",
    "oob_at",
)

# arrays that stay empty for a forest grown on complete data
NO_SIDES: dict[str, np.ndarray] = {"side": np.empty(0, np.uint8), "fill": np.empty(0)}

# which offsets say where a tree's part of each array begins
_ARRAYS_OF = {
    "node": ("feature", "left", "cut", "gain", "begin", "end", "side"),
    "weight": ("index", "value", "fill"),
    "leaf": ("counts",),
    "oob": ("oob_leaf",),
}


def grow(
    spec: ForestSpec,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    tree_weight: TreeWeight | None = None,
    least_classes: int = 2,
    first: int = 0,
    progress: Progress | None = None,
    cancel: Any = None,
    threads: int | None = None,
) -> "Forest":
    """Grow a forest.

    X: samples x features, finite numbers; NaN is a missing value where the spec accepts these.
    y: one label per sample, at least two classes.
    sample_weight: finite, >= 0; a weight of zero leaves the sample out of every tree. Only their
        ratios count (see ``check.comparable_weights``).
    tree_weight: weights that differ from tree to tree: a function from a tree's bag (int32[n],
        how often each row was drawn) to factors of the sample weights, float64[n].
    least_classes: 1 allows data of one class, on which every tree is a leaf.
    first: number of the first tree; the trees are first ... first + n_tree - 1 of their seed.
    groups: one label per sample, equal for replicates of one object (spectra measured again,
        samples of one patient); None if all samples are independent. Trees draw whole groups, so
        a sample is out of bag only where its whole group is, and everything that leaves samples
        out to choose (lambda, pruning) leaves out whole groups.
    progress: called as progress(trees_done, n_tree, what) while growing and compiling.
    cancel: a function or threading.Event; once true, growing stops and raises ``Cancelled``.
    threads: how many to use; None for all cores. The result does not depend on it.
    """
    X, gaps = check.table(X, missing=spec.missing)
    classes, codes = check.labels(y, X.shape[0])
    weight = check.comparable_weights(check.sample_weights(sample_weight, X.shape[0]))
    group = check.groups(groups, X.shape[0])
    if least_classes > 1:
        check.two_classes(classes, codes, weight)
    spec.features_per_split(X.shape[1])
    training = training_of(X, codes, weight, group)
    if spec.bootstrap != "none":
        check.two_groups(group, weight)
    kept = weight > 0
    fit = Scaling.fit_known if gaps else Scaling.fit
    scaling = fit(spec.scaling, X if kept.all() else X[kept], weight[kept])
    if spec.missing == "accept":
        centre = check.read_only(centre_of(scaling.transform(X), weight))
        training = replace(training, centre=centre)
    last = first + spec.n_tree
    arrays = grow_arrays(
        spec, training, scaling, len(classes), first, last, progress, cancel, threads, tree_weight
    )
    return Forest(spec, classes, X.shape[1], scaling, training, arrays, first)


def _sealed(record: Any) -> Any:
    """A copy of a dataclass whose arrays are read-only."""
    arrays = {
        name: check.read_only(np.ascontiguousarray(value))
        for name, value in vars(record).items()
        if isinstance(value, np.ndarray)
    }
    return replace(record, **arrays)


class Forest(NotebookDisplay):
    """A grown forest. Immutable; made by ``grow``, ``take``, ``extend`` or ``load``.

    Nodes of all trees lie one after the other: tree t owns nodes node_at[t] ... node_at[t+1],
    and likewise weights, leaves and out-of-bag rows. Within a tree children, weights and
    leaves are counted from its own first. See kernels/grow.py for the layout of a node.
    """

    def __init__(
        self,
        spec: ForestSpec,
        classes: np.ndarray,
        n_features: int,
        scaling: Scaling,
        training: Training,
        arrays: dict[str, np.ndarray],
        first: int = 0,
    ) -> None:
        self.spec = spec
        self.classes = check.read_only(classes)
        self.n_features = n_features
        self.scaling = scaling
        self.training = training
        self.first = first  # tree t was drawn as tree first + t of the seed
        arrays = NO_SIDES | arrays  # pickles and files from before missing values have none
        for name in ARRAYS:
            setattr(self, name, check.read_only(np.ascontiguousarray(arrays[name])))
        self.winner = check.read_only(self.counts.argmax(axis=1).astype(np.int32))
        self._packing = prediction.Packing(self)

    def __getstate__(self) -> tuple[Any, ...]:
        arrays = {name: getattr(self, name) for name in ARRAYS}
        kept = (self.spec, self.classes, self.n_features, self.scaling, self.training, arrays)
        return (*kept, self.first)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Unpickled arrays can be written, and kernels would compile again for them: seal them."""
        spec, classes, n_features, scaling, training, arrays, *first = state
        Forest.__init__(
            self, spec, classes, n_features, _sealed(scaling), _sealed(training), arrays, *first
        )

    feature: np.ndarray
    left: np.ndarray
    cut: np.ndarray
    gain: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    index: np.ndarray
    value: np.ndarray
    side: np.ndarray
    fill: np.ndarray
    counts: np.ndarray
    oob_leaf: np.ndarray
    node_at: np.ndarray
    weight_at: np.ndarray
    leaf_at: np.ndarray
    oob_at: np.ndarray

    @property
    def n_tree(self) -> int:
        return self.node_at.size - 1

    @property
    def n_classes(self) -> int:
        return self.counts.shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that make up the forest, without its training data."""
        return sum(getattr(self, name).nbytes for name in ARRAYS) + self.scaling.nbytes

    def __repr__(self) -> str:
        return (
            f"Forest({self.spec.split}, {self.n_tree} trees, {self.n_features} features, "
            f"{self.n_classes} classes, {self.feature.size} nodes)"
        )

    # ---- what a forest says of samples

    def predict_proba(
        self, X: Any, *, trees: int | None = None, threads: int | None = None
    ) -> np.ndarray:
        """Posterior P(class | x), float64[n, K]; ``trees`` takes the first so many."""
        Z, gaps = self._scaled(X)
        if not gaps:
            return self._proba(Z, self._first(trees), threads)
        return self._by_parts(Z, lambda Z, ask: self._proba(Z, self._first(trees), threads, ask))

    def predict(
        self, X: Any, *, trees: int | None = None, threads: int | None = None
    ) -> np.ndarray:
        """The class with the largest posterior (the first of equals)."""
        return self.classes[self.predict_proba(X, trees=trees, threads=threads).argmax(axis=1)]

    def apply(self, X: Any, *, threads: int | None = None) -> np.ndarray:
        """Leaf of each sample in each tree, int32[n, n_tree], counted within the tree."""
        Z, gaps = self._scaled(X)
        if not gaps:
            return prediction.leaves(self, Z, threads)
        return self._by_parts(Z, lambda Z, ask: ask.leaves(self, Z, threads))

    def _scaled(self, X: Any) -> tuple[np.ndarray, bool]:
        """The scaled samples, and whether some values are missing."""
        X, gaps = check.table(X, features=self.n_features, missing=self.spec.missing)
        return check.read_only(self.scaling.transform(X)), gaps

    def _by_parts(self, Z: np.ndarray, answer: Callable[[np.ndarray, Any], np.ndarray]) -> Any:
        """Answers for complete rows, which walk quickly, and for those that lack values."""
        lacks = missing.incomplete_rows(Z)
        if lacks.all():
            return answer(Z, missing)
        found = answer(check.read_only(Z[lacks]), missing)
        out = np.empty((len(Z), *found.shape[1:]), found.dtype)
        out[lacks] = found
        out[~lacks] = answer(check.read_only(Z[~lacks]), prediction)
        return out

    def _proba(
        self, Z: np.ndarray, k: int, threads: int | None, ask: Any = prediction
    ) -> np.ndarray:
        out = np.zeros((len(Z), self.n_classes))
        vote, weights = self._vote(k)
        ask.add_votes(self, Z, k, vote, weights, out, threads)
        out /= weights[:k].sum()
        return np.clip(out, 0.0, 1.0, out=out)

    def _first(self, trees: int | None) -> int:
        if trees is None:
            return self.n_tree
        if not 1 <= trees <= self.n_tree:
            raise ValueError(f"trees is {trees}; this forest has {self.n_tree}.")
        return int(trees)

    @cached_property
    def _trees(self) -> walk.Trees:
        return walk.Trees(
            self.feature,
            self.left,
            self.cut,
            self.begin,
            self.end,
            self.index,
            self.value,
            self.counts,
            self.winner,
            self.node_at,
            self.weight_at,
            self.leaf_at,
        )

    @cached_property
    def _gaps(self) -> Gaps:
        return missing.gaps_of(self)

    # ---- how trees vote

    @cached_property
    def training_error(self) -> np.ndarray:
        """Error of each tree on the rows in its bag, float64[n_tree]."""
        starts = self.leaf_at[:-1]
        right = np.add.reduceat(self.counts.max(axis=1), starts)
        return 1.0 - right / np.add.reduceat(self.counts.sum(axis=1), starts)

    @cached_property
    def tree_weights(self) -> np.ndarray:
        """Weight of each tree's vote: 1 - training error for weighted and bayesian votes."""
        weights = np.ones(self.n_tree)
        if self.spec.vote in ("weighted", "bayesian"):
            strength = 1.0 - self.training_error
            if strength.sum() > 0:
                weights = strength
        return check.read_only(weights)

    def _vote(self, k: int) -> tuple[int, np.ndarray]:
        kind = walk.POSTERIOR if self.spec.vote in ("posterior", "bayesian") else walk.MAJORITY
        weights = self.tree_weights
        if weights[:k].sum() <= 0:
            weights = check.read_only(np.ones(self.n_tree))
        return kind, weights

    # ---- out-of-bag

    @property
    def has_oob(self) -> bool:
        return self.spec.bootstrap != "none"

    def bags(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """How often each row is in the bag of trees first ... last-1, int32[trees, n].

        0 is out of bag; -1 is a row of weight zero whose group is in the bag.
        """
        return out_of_bag.bags(self, first, self.n_tree if last is None else last)

    @cached_property
    def _oob(self) -> tuple[np.ndarray, np.ndarray]:
        if not self.has_oob:
            raise ValueError(
                "This forest was grown on all rows (bootstrap='none'), so no sample is out of bag; "
                "use test data or cross-validation."
            )
        return out_of_bag.judged(self)

    @property
    def oob_proba(self) -> np.ndarray:
        """Posterior of each training row by the trees that never saw it, float64[n, K].

        A row that is in every bag has none: NaN.
        """
        return self._oob[0]

    @property
    def oob_error(self) -> np.ndarray:
        """Out-of-bag error after 1, 2, ... n_tree trees, float64[n_tree] (weighted by samples).

        Judged among the rows that are out of bag so far; NaN while there are none.
        """
        return self._oob[1]

    # ---- fewer trees, more trees, one tree

    def take(self, k: int) -> "Forest":
        """The first k trees. Shares this forest's arrays."""
        return self.part(0, self._first(k))

    def part(self, a: int, b: int) -> "Forest":
        """Trees a ... b-1. Shares this forest's arrays."""
        if not 0 <= a < b <= self.n_tree:
            raise ValueError(f"There are no trees {a} ... {b - 1}; this forest has {self.n_tree}.")
        arrays = {}
        for kind, names in _ARRAYS_OF.items():
            at = getattr(self, f"{kind}_at")[a : b + 1]
            for name in names:
                arrays[name] = getattr(self, name)[at[0] : at[-1]]
            arrays[f"{kind}_at"] = at - at[0]
        for name in ("begin", "end", "side", "fill"):
            if not getattr(self, name).size:
                arrays[name] = getattr(self, name)
        return Forest(
            self.spec.replace(n_tree=b - a),
            self.classes,
            self.n_features,
            self.scaling,
            self.training,
            arrays,
            self.first + a,
        )

    def extend(
        self,
        n_tree: int,
        *,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        tree_weight: TreeWeight | None = None,
        groups: Any = None,
        progress: Progress | None = None,
        cancel: Any = None,
        threads: int | None = None,
    ) -> "Forest":
        """This forest with more trees, ``n_tree`` in all: the same as growing them at once.

        A forest read from a file needs its training data again, one grown with ``tree_weight``
        that function.
        """
        spec = self.spec.replace(n_tree=n_tree)
        if n_tree <= self.n_tree:
            return self.take(n_tree)
        training = self._training_again(X, y, sample_weight, groups)
        more = grow_arrays(
            spec,
            training,
            self.scaling,
            self.n_classes,
            self.first + self.n_tree,
            self.first + n_tree,
            progress,
            cancel,
            threads,
            tree_weight,
        )
        return self.joined(more, training)

    def joined(self, more: dict[str, np.ndarray], training: Training) -> "Forest":
        """This forest followed by the trees of ``more``, arrays as ``grow_trees`` makes them."""
        arrays = {}
        for name in ARRAYS:
            mine, new = getattr(self, name), more[name]
            if name.endswith("_at"):
                new = new[1:] + mine[-1]
            arrays[name] = np.concatenate([mine, new])
        spec = self.spec.replace(n_tree=self.n_tree + more["node_at"].size - 1)
        return Forest(
            spec, self.classes, self.n_features, self.scaling, training, arrays, self.first
        )

    def _training_again(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> Training:
        training = self.training
        if X is not None:
            X, _ = check.table(X, features=self.n_features, missing=self.spec.missing)
            classes, codes = check.labels(y, X.shape[0])
            if classes.tolist() != self.classes.tolist():
                raise ValueError("X and y are not the data this forest was grown on.")
            weight = check.comparable_weights(check.sample_weights(sample_weight, X.shape[0]))
            training = training_of(X, codes, weight, check.groups(groups, X.shape[0]))
            training = replace(training, centre=self.training.centre)
        elif training.X is None:
            raise ValueError("This forest came from a file; give extend its X and y to grow more.")
        elif (
            digest_of(training.X, training.codes, training.weight, training.groups)
            != training.digest
        ):
            raise ValueError(
                "The array this forest was grown on has been changed since; give extend the "
                "original X and y."
            )
        if training.digest != self.training.digest:
            raise ValueError(
                "X and y (or the sample weights or groups) are not the data this forest was "
                "grown on."
            )
        return training

    def tree(self, t: int) -> Tree:
        """Tree t, node by node, readable."""
        if not 0 <= t < self.n_tree:
            raise ValueError(
                f"There is no tree {t}; this forest has trees 0 ... {self.n_tree - 1}."
            )
        return read_tree(self, t)

    def __iter__(self) -> Iterator[Tree]:
        return (self.tree(t) for t in range(self.n_tree))

    def __len__(self) -> int:
        return self.n_tree

    # ---- pictures

    def posterior_on(
        self,
        plane: Plane,
        width: int,
        height: int,
        *,
        trees: int | None = None,
        threads: int | None = None,
    ) -> np.ndarray:
        """Posterior at the pixel centres of a plane, float32[height, width, K].

        Row 0 is the lowest (t smallest), as Bokeh draws images. Equals ``predict_proba`` of
        ``plane.points(width, height)``.
        """
        return pictures.posterior_on(self, plane, width, height, self._first(trees), threads)

    # ---- files

    def save(self, path: Any) -> None:
        """Write the forest to a ``.npz`` file (no pickle inside)."""
        from .files import save

        save(self, path)

    @staticmethod
    def load(path: Any) -> "Forest":
        """Read a forest written by ``save``; a damaged or foreign file is a ValueError."""
        from .files import load

        return load(path)
