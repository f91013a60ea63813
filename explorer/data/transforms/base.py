"""What every transform has in common: checked knobs, `map`, `apply`, and composition."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob

Floats = NDArray[np.float64]
_VALUES_AT_ONCE = 1 << 16  # half a megabyte: a part of the rows stays in the processor's cache


def knob(default: Any, doc: str, low: Any = None, high: Any = None, **more: Any) -> Any:
    """A dataclass field with its Knob; the field's default is the knob's."""
    setting = Knob(doc, low, high, default=default, **more)
    return dataclasses.field(default=default, metadata={"knob": setting})


# Marks a dataclass field that `fitted` fills from data: None before, then a read-only array.
LEARNED = {"learned": True}


class Transform(ABC):
    """A change of the features of a data set; subclasses are frozen dataclasses of knobs.

    Most transforms learn nothing: they do the same to training data and to new data of the same
    features (`map`). Those that need a reference or an axis have `learned` fields: `fitted` takes
    them from a data set (the training part), and `map` of the fitted transform then prepares new
    rows in the same way. `apply` fits first where that was not done. Random ones draw from their
    own seed.
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

    @classmethod
    def learned(cls) -> tuple[str, ...]:
        """Names of the fields that `fitted` fills."""
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]  # subclasses are dataclasses
        return tuple(f.name for f in fields if f.metadata.get("learned"))

    @property
    def in_parts(self) -> bool:
        """Whether `map` may be given some rows at a time: each row is prepared by itself, and no
        time is lost by it."""
        return False

    @property
    def is_fitted(self) -> bool:
        """Whether nothing is left to be learned from data."""
        return all(getattr(self, name) is not None for name in self.learned())

    def fitted(self, dataset: Dataset) -> Transform:
        """The transform with its learned fields taken from a data set; itself if it has none."""
        return self

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
        """The rows after all steps; neighbouring steps that allow it share parts of the rows."""
        rows = np.asarray(X, np.float64)
        for in_parts, run in groupby(self.steps, lambda step: step.in_parts):
            steps = tuple(run)
            if in_parts and rows.size > 2 * _VALUES_AT_ONCE:
                rows = _mapped_in_parts(steps, rows)
            else:
                rows = _mapped(steps, rows)
        return rows

    def apply(self, dataset: Dataset) -> Dataset:
        for step in self.steps:
            dataset = step.apply(dataset)
        return dataset

    @property
    def is_fitted(self) -> bool:
        return all(step.is_fitted for step in self.steps)

    def fitted(self, dataset: Dataset) -> Compose:
        """Every step fitted on the data set as the steps before it leave it."""
        steps = []
        # nothing learns from what the last of the learning steps leaves
        last = max((k for k, step in enumerate(self.steps) if step.learned()), default=-1)
        for k, step in enumerate(self.steps):
            steps.append(step.fitted(dataset))
            if k < last:
                dataset = steps[-1].apply(dataset)
        return Compose(tuple(steps))


def _mapped(steps: tuple[Transform, ...], rows: Floats) -> Floats:
    for step in steps:
        rows = step.map(rows)
    return rows


def _mapped_in_parts(steps: tuple[Transform, ...], rows: Floats) -> Floats:
    """All steps for some rows, then for the next: large arrays between the steps are not made."""
    out: Floats | None = None
    try:
        for begin, part in _parts(rows):
            done = _mapped(steps, part)
            if out is None:
                out = np.empty((rows.shape[0], done.shape[1]))
            out[begin : begin + len(done)] = done
    except ValueError:
        _mapped(steps, rows)  # its message counts the spectra from the first of all rows
        raise
    assert out is not None
    return out


def _parts(rows: Floats) -> Iterator[tuple[int, Floats]]:
    size = max(1, _VALUES_AT_ONCE // rows.shape[1])
    for begin in range(0, rows.shape[0], size):
        yield begin, rows[begin : begin + size]


def with_learned(transform: Any, **fields: Any) -> Any:
    """A fitted copy of a transform; its arrays are read-only."""
    frozen = {}
    for name, value in fields.items():
        array = np.array(value)
        array.setflags(write=False)
        frozen[name] = array
    return dataclasses.replace(transform, **frozen)


def seed_knob() -> Any:
    return knob(0, "Another number draws another one.", 0, 2**31 - 1)


def noted(dataset: Dataset, sentence: str, **changes: Any) -> Dataset:
    """The changed data set with one more sentence in its notes.

    Other values have other gaps: those of the data set are no longer told apart, unless given.
    """
    if "X" in changes and dataset.gaps is not None:
        changes.setdefault("gaps", None)
    X = changes.get("X")
    if isinstance(X, np.ndarray) and X.base is None:
        X.setflags(write=False)  # it was made for this data set, which then need not copy it
    return dataset.replace(notes=(*dataset.notes, sentence), **changes)
