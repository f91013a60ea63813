"""`Dataset`: arrays with their names, axis and truth.

A data set is frozen and its arrays are read-only, so it can be shared by sessions and threads and
cached under its `digest`.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.truth import Truth
from explorer.notebook import NotebookDisplay

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Dataset(NotebookDisplay):
    """Samples, labels and everything known about them.

    name: short, as in the catalogue. title: one line for people.
    X: float64 [n, p], C-contiguous, finite, read-only.
    y: intp [n], class codes 0..K-1 (every class occurs unless rows were taken away), read-only.
    class_names: K strings. feature_names: p distinct strings. sample_names: n strings or None.
    axis: the spectral axis of the p features, or None if they are not a spectrum.
    groups: intp [n], equal for replicates of one object, or None.
    truth: the distribution the rows were drawn from, with the exact posterior P(y | x), the Bayes
        error and the Bayes boundary where they are known; None for real data.
    informative: intp [m], the features that truly carry the class, ascending; None if not known.
    gaps: bool [n, p], which values were missing and are filled for now, or None. A cross-validation
        fills them again from each training part; `raw` has NaN there.
    image_shape: (rows, columns) if the first rows*columns features are an image's pixels.
    citation: where the data come from. notes: sentences about what was done to them on the way.
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.intp]
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] = ()
    axis: SpectralAxis | None = None
    groups: NDArray[np.intp] | None = None
    truth: Truth | None = None
    informative: NDArray[np.intp] | None = None
    sample_names: tuple[str, ...] | None = None
    gaps: NDArray[np.bool_] | None = None
    image_shape: tuple[int, int] | None = None
    title: str = ""
    citation: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        X = np.asarray(self.X)
        if X.ndim != 2 or X.dtype.kind not in "fiub":
            raise ValueError(
                f"X of data set '{self.name}' must be a table of numbers (samples x features); "
                f"it has shape {X.shape} and type {X.dtype}."
            )
        n, p = X.shape
        if n == 0 or p == 0:
            raise ValueError(f"Data set '{self.name}' is empty: {n} samples with {p} features.")
        # pandas hands out F-ordered read-only arrays, which every kernel would compile for again
        X = _frozen(X, np.float64)
        finite = np.isfinite(X).all(axis=0)
        if not finite.all():
            column = int(np.flatnonzero(~finite)[0])
            row = int(np.flatnonzero(~np.isfinite(X[:, column]))[0])
            raise ValueError(
                f"Data set '{self.name}': row {row + 1}, feature {column + 1} holds "
                f"{X[row, column]}. Forests here need finite numbers; impute or remove it."
            )
        names = tuple(map(str, self.feature_names)) or tuple(f"x{j + 1}" for j in range(p))
        class_names = tuple(map(str, self.class_names))
        y = np.asarray(self.y)
        _check_length(self.name, "labels", len(y), n)
        _check_length(self.name, "feature names", len(names), p, "features")
        _check_distinct(self.name, "features", names)
        _check_distinct(self.name, "classes", class_names)
        if y.ndim != 1 or y.dtype.kind not in "iub":
            raise ValueError(
                f"Labels of data set '{self.name}' must be one row of whole-number class codes; "
                f"they have shape {y.shape} and type {y.dtype}."
            )
        if len(class_names) < 2:
            raise ValueError(
                f"Data set '{self.name}' has {len(class_names)} class; a forest needs two."
            )
        if y.min() < 0 or y.max() >= len(class_names):
            raise ValueError(
                f"Labels of data set '{self.name}' run from {y.min()} to {y.max()}; "
                f"with {len(class_names)} classes they must lie in 0..{len(class_names) - 1}."
            )
        if self.axis is not None:
            _check_length(self.name, "axis values", self.axis.values.size, p, "features")
        if self.truth is not None:
            _check_length(self.name, "features in the truth", self.truth.n_features, p, "features")
            _check_length(
                self.name, "classes in the truth", self.truth.n_classes, len(class_names), "classes"
            )
        if self.sample_names is not None:
            _check_length(self.name, "sample names", len(self.sample_names), n)
            object.__setattr__(self, "sample_names", tuple(map(str, self.sample_names)))
        if self.groups is not None:
            _check_length(self.name, "groups", len(self.groups), n)
            object.__setattr__(self, "groups", _frozen(self.groups, np.intp))
        if self.informative is not None:
            informative = np.unique(np.asarray(self.informative, np.intp))
            if informative.size and (informative[0] < 0 or informative[-1] >= p):
                raise ValueError(
                    f"Data set '{self.name}': informative features must lie in 0..{p - 1}."
                )
            object.__setattr__(self, "informative", _frozen(informative, np.intp))
        if self.gaps is not None:
            gaps = np.asarray(self.gaps)
            if gaps.shape != X.shape or gaps.dtype != np.bool_:
                raise ValueError(
                    f"The missing values of data set '{self.name}' must be marked in a table of "
                    f"True and False of shape {X.shape}; it has shape {gaps.shape}."
                )
            object.__setattr__(self, "gaps", _frozen(gaps, np.bool_) if gaps.any() else None)
        if self.image_shape is not None and self.image_shape[0] * self.image_shape[1] > p:
            raise ValueError(
                f"Data set '{self.name}': an image of {self.image_shape} pixels needs more than "
                f"the {p} features there are."
            )
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", _frozen(y, np.intp))
        object.__setattr__(self, "class_names", class_names)
        object.__setattr__(self, "feature_names", names)
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "title", self.title or self.name)

    # -- sizes ------------------------------------------------------------------------------

    @property
    def n_samples(self) -> int:
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    @property
    def class_counts(self) -> NDArray[np.intp]:
        """Samples per class, intp [K]."""
        return np.bincount(self.y, minlength=self.n_classes)

    @property
    def raw(self) -> NDArray[np.float64]:
        """X with NaN where a value is missing; X itself where none is."""
        return self.X if self.gaps is None else np.where(self.gaps, np.nan, self.X)

    def __repr__(self) -> str:
        return (
            f"Dataset({self.name!r}, {self.n_samples} x {self.n_features}, "
            f"{self.n_classes} classes{', truth known' if self.truth is not None else ''})"
        )

    # -- other data sets from this one ------------------------------------------------------

    def replace(self, **changes: Any) -> Dataset:
        """The data set with some fields changed, checked again."""
        return dataclasses.replace(self, **changes)

    def take(self, rows: ArrayLike) -> Dataset:
        """The data set of some rows (indices or a boolean mask), in that order."""
        index = np.arange(self.n_samples)[np.asarray(rows)]
        X = self.X[index]
        X.setflags(write=False)  # ours alone, so it need not be copied again
        return self.replace(
            X=X,
            y=self.y[index],
            gaps=None if self.gaps is None else self.gaps[index],
            groups=None if self.groups is None else self.groups[index],
            sample_names=None
            if self.sample_names is None
            else tuple(self.sample_names[i] for i in index),
        )

    def select(self, features: ArrayLike) -> Dataset:
        """The data set of some features (indices or a boolean mask), in that order.

        The truth stays exact where its marginal has a closed form (Gaussians, simulated spectra)
        and goes where it has none. The axis stays while it runs one way.
        """
        index = np.arange(self.n_features)[np.asarray(features)]
        where = np.full(self.n_features, -1)
        where[index] = np.arange(index.size)
        informative = None if self.informative is None else where[self.informative]
        whole = np.array_equal(index, np.arange(self.n_features))
        return self.replace(
            X=self.X[:, index],
            gaps=None if self.gaps is None else self.gaps[:, index],
            feature_names=tuple(self.feature_names[j] for j in index),
            axis=None if self.axis is None else self.axis.take(index),
            truth=self.truth if whole or self.truth is None else self.truth.marginal(index),
            informative=None if informative is None else informative[informative >= 0],
            image_shape=self.image_shape if whole else None,
        )

    def split(
        self, test: float = 0.3, seed: int = 0, *, stratified: bool = True
    ) -> tuple[Dataset, Dataset]:
        """A training and a test set; the same for the same seed.

        test: share of the samples in the test set, 0 < test < 1.
        stratified: keep the shares of the classes (to one sample per class). Where the data set
        has groups, whole groups go to one side, so that no replicate is on both; the shares are
        then as near as whole groups allow.
        """
        if not 0.0 < test < 1.0:
            raise ValueError(f"The test share must lie between 0 and 1; it is {test}.")
        rng = np.random.default_rng(seed)
        units = np.arange(self.n_samples) if self.groups is None else self.groups
        _, first, unit_of_row = np.unique(units, return_index=True, return_inverse=True)
        n_units = first.size
        if n_units < 2:
            raise ValueError(f"Data set '{self.name}' has one group only; it cannot be split.")
        stratum = self.y[first] if stratified else np.zeros(n_units, np.intp)
        in_test = np.zeros(n_units, bool)
        for k in np.unique(stratum):
            members = rng.permutation(np.flatnonzero(stratum == k))
            in_test[members[: round(test * members.size)]] = True
        if not in_test.any():
            in_test[rng.integers(n_units)] = True
        if in_test.all():
            in_test[rng.integers(n_units)] = False
        mask = in_test[unit_of_row]
        return self.take(~mask), self.take(mask)

    # -- out --------------------------------------------------------------------------------

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame of the features, with the class names in a last column "label"."""
        import pandas

        frame = pandas.DataFrame(self.X, columns=list(self.feature_names), index=self.sample_names)
        label = "label"
        while label in frame.columns:
            label += "_"
        frame[label] = [self.class_names[k] for k in self.y]
        return frame

    def digest(self) -> str:
        """Content hash (blake2b, 32 hex digits) of what a forest sees.

        That is X, y, the number of classes and, where there are any, groups and missing values.
        """
        h = hashlib.blake2b(digest_size=16)
        for array in (self.X, self.y, self.groups, self.gaps):
            if array is None:
                continue
            h.update(f"{array.dtype.str}{array.shape}".encode())
            h.update(array)
        h.update(str(self.n_classes).encode())
        return h.hexdigest()


def _frozen(values: ArrayLike, dtype: Any) -> NDArray[Any]:
    """A C-contiguous read-only array; copied unless it is ours already."""
    array = np.asarray(values)
    if (
        array.dtype == dtype
        and array.flags.c_contiguous
        and not array.flags.writeable
        and array.base is None
    ):
        return array
    array = np.array(array, dtype=dtype, order="C")
    array.setflags(write=False)
    return array


def _check_length(data: str, what: str, have: int, want: int, per: str = "samples") -> None:
    if have != want:
        raise ValueError(f"Data set '{data}' has {have} {what} for {want} {per}.")


def _check_distinct(data: str, what: str, names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"Data set '{data}' has two {what} named '{twice}'; rename one.")
