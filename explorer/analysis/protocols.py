"""Protocols: which samples train a model and which test it, again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from explorer.analysis.model import derived_seed
from explorer.data import Dataset

KINDS = ("train-test", "oob", "k-fold", "leave-one-out")


class TrainTestSplit(NamedTuple):
    """One run: rows that train and rows that test, intp each."""

    repeat: int
    fold: int
    train: NDArray[np.intp]
    test: NDArray[np.intp]


@dataclass(frozen=True)
class Protocol:
    """How models are tried out.

    kind: "train-test" (one random part is held out), "oob" (forests only: out-of-bag votes of
        the training samples), "k-fold" or "leave-one-out" cross-validation.
    folds: of the k-fold kind. repeats: how often all is done again, with other splits and seeds.
    test: share held out by "train-test". stratified: keep the classes' shares in every part.
    grouped: keep replicates (the data set's groups) together, where it has groups.
    seed: the same seed gives the same splits, for every model.
    """

    kind: str = "k-fold"
    folds: int = 10
    repeats: int = 1
    test: float = 0.3
    stratified: bool = True
    grouped: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r}; choose one of {', '.join(KINDS)}.")
        for name, least in (("folds", 2), ("repeats", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name} is {value!r}; use a whole number from {least}.")
        if not 0.0 < self.test < 1.0:
            raise ValueError(f"test is {self.test!r}; hold out a share between 0 and 1.")

    def label(self, dataset: Dataset | None = None) -> str:
        """The protocol in words."""
        grouped = dataset is not None and self._groups(dataset) is not None
        words = {
            "train-test": f"{100 * self.test:.0f} % of the samples held out",
            "oob": "out-of-bag votes",
            "k-fold": f"{self.folds}-fold cross-validation",
            "leave-one-out": "leave-one-out" + (" group" if grouped else ""),
        }[self.kind]
        if self.kind in ("train-test", "k-fold"):
            words += ", stratified" if self.stratified else ""
        if self.kind != "leave-one-out":
            words += ", replicates kept together" if grouped else ""
        return words + (f", {self.repeats} times" if self.repeats > 1 else "")

    def _groups(self, dataset: Dataset) -> NDArray[np.intp] | None:
        return dataset.groups if self.grouped else None

    def splits(self, dataset: Dataset) -> Iterator[TrainTestSplit]:
        """The runs, in order. Not for "oob", which splits nothing."""
        for repeat in range(self.repeats):
            seed = derived_seed(self.seed, repeat)
            for fold, (train, test) in enumerate(self._parts(dataset, seed)):
                yield TrainTestSplit(repeat, fold, np.asarray(train), np.asarray(test))

    def _parts(self, dataset: Dataset, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        groups, y = self._groups(dataset), dataset.y
        if self.kind == "train-test":
            numbered = dataset.replace(
                sample_names=tuple(map(str, range(dataset.n_samples))), groups=groups
            )
            parts = numbered.split(self.test, seed, stratified=self.stratified)
            yield tuple(np.array(part.sample_names, np.intp) for part in parts)  # type: ignore[misc]
            return
        if self.kind == "leave-one-out":
            if groups is not None:
                yield from LeaveOneGroupOut().split(dataset.X, y, groups)
            else:
                everything = np.arange(dataset.n_samples)
                for i in everything:
                    yield np.delete(everything, i), everything[i : i + 1]
            return
        self._check_folds(dataset, groups)
        if groups is not None:
            kind = StratifiedGroupKFold if self.stratified else GroupKFold
            folds = kind(self.folds, shuffle=True, random_state=seed)
            yield from folds.split(dataset.X, y, groups)
        else:
            kind = StratifiedKFold if self.stratified else KFold
            folds = kind(self.folds, shuffle=True, random_state=seed)
            yield from folds.split(dataset.X, y)

    def _check_folds(self, dataset: Dataset, groups: NDArray[np.intp] | None) -> None:
        units, what = (dataset.n_samples, "samples")
        if groups is not None:
            units, what = np.unique(groups).size, "groups"
        if self.folds > units:
            raise ValueError(
                f"{self.folds} folds need as many {what}; data set '{dataset.name}' has {units}."
            )
        if self.stratified:
            counts = dataset.class_counts
            if groups is not None:
                owner = np.unique(np.column_stack([groups, dataset.y]), axis=0)
                counts = np.bincount(owner[:, 1], minlength=dataset.n_classes)
            fewest = int(counts[counts > 0].min())
            if fewest < self.folds:
                raise ValueError(
                    f"The smallest class of data set '{dataset.name}' has {fewest} {what}, too "
                    f"few for {self.folds} stratified folds; use fewer folds or stratified=False."
                )


TWO_FOLD = Protocol("k-fold", folds=2, repeats=50)  # Sazonau s.3
TEN_BY_TEN = Protocol("k-fold", folds=10, repeats=10)  # Menze s.3
