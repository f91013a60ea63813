"""Owns what every transform has in common: checked knobs, `map`, `apply`, and composition."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob

Floats = NDArray[np.float64]


def knob(default: Any, doc: str, low: Any = None, high: Any = None, **more: Any) -> Any:
    """A dataclass field with its Knob; the field's default is the knob's."""
    setting = Knob(doc, low, high, default=default, **more)
    return dataclasses.field(default=default, metadata={"knob": setting})


class Transform(ABC):
    """A change of the features of a data set; subclasses are frozen dataclasses of knobs.

    Nothing is fitted: the same transform does the same to training data and to new data of the
    same features (`map`). Random ones draw from their own seed.
    """

    def __post_init__(self) -> None:
        for name, setting in self.knobs().items():
            where = f"Knob '{name}' of transform {type(self).__name__}"
            object.__setattr__(self, name, setting.check(where, getattr(self, name)))

    @classmethod
    def knobs(cls) -> dict[str, Knob]:
        """Name -> Knob, for the app and the command line."""
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]  # subclasses are dataclasses
        return {f.name: f.metadata["knob"] for f in fields if "knob" in f.metadata}

    @abstractmethod
    def map(self, X: ArrayLike) -> Floats:
        """The transformed rows, float64 [n, p'], of X [n, p]."""

    @abstractmethod
    def apply(self, dataset: Dataset) -> Dataset:
        """The transformed data set, with what is still true of it."""


@dataclass(frozen=True)
class Compose(Transform):
    """Several transforms, the first one first."""

    steps: tuple[Transform, ...]

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        for step in self.steps:
            rows = step.map(rows)
        return rows

    def apply(self, dataset: Dataset) -> Dataset:
        for step in self.steps:
            dataset = step.apply(dataset)
        return dataset


def seed_knob() -> Any:
    return knob(0, "Another number draws another one.", 0, 2**31 - 1)


def noted(dataset: Dataset, sentence: str, **changes: Any) -> Dataset:
    """The changed data set with one more sentence in its notes."""
    return dataset.replace(notes=(*dataset.notes, sentence), **changes)
