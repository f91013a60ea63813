"""The table between a file and a data set: columns of numbers and text, and their places.

    file --reader--> Table --assemble--> Dataset

Readers only say what is in the file. What is a label, a feature, a name or an axis, and what is
wrong with it, is decided once, in `assemble`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis

Texts = NDArray[np.object_]  # str, or None where the cell is missing


@dataclass(eq=False)
class Table:
    """n rows of columns.

    names: as in the file. block: float64 [n, q], C-contiguous, the numeric columns (NaN where a
    cell is missing). columns: for each name an index into block, or Texts [n]. flags: names of
    columns of True and False (kept as 1 and 0). extra: more columns that can only be labels
    (headers of spectra, vectors beside a matrix). where: row index -> "row 17", in the file's own
    numbering. label, axis, groups, sample_names, citation, notes: what the format itself says.
    """

    names: list[str]
    block: NDArray[np.float64]
    columns: list[int | Texts]
    where: Callable[[int], str]
    flags: frozenset[str] = frozenset()
    extra: dict[str, Texts | NDArray[np.float64]] = field(default_factory=dict)
    label: str | None = None
    axis: SpectralAxis | None = None
    groups: NDArray[np.intp] | None = None
    sample_names: tuple[str, ...] | None = None
    image_shape: tuple[int, int] | None = None
    citation: str = ""
    notes: list[str] = field(default_factory=list)
    format: str = ""

    @classmethod
    def of_columns(
        cls,
        names: Sequence[str],
        columns: Sequence[NDArray[Any]],
        where: Callable[[int], str],
        **more: Any,
    ) -> Table:
        """From one array per column: numbers, bools, or objects (text and None)."""
        n = len(columns[0]) if len(columns) else 0
        numeric = [c for c in columns if c.dtype.kind in "fiub"]
        block = np.empty((n, len(numeric)))
        slots: list[int | Texts] = []
        flags = set()
        k = 0
        for name, column in zip(names, columns, strict=True):
            if column.dtype.kind in "fiub":
                block[:, k] = column
                slots.append(k)
                k += 1
                if column.dtype.kind == "b":
                    flags.add(name)
            else:
                slots.append(np.asarray(column, dtype=object))
        return cls(list(names), block, slots, where, frozenset(flags), **more)

    @property
    def n_rows(self) -> int:
        return int(self.block.shape[0])

    def column(self, j: int) -> NDArray[np.float64] | Texts:
        slot = self.columns[j]
        return self.block[:, slot] if isinstance(slot, int) else slot


class Numbered:
    """Where rows are, as a word and a number each: "row 17".

    every(n): the numbers of the first n rows, int64[n], found when they are first asked for.
    """

    def __init__(self, word: str, every: Callable[[int], NDArray[np.int64]]) -> None:
        self.word, self.every = word, every
        self._known = np.empty(0, np.int64)

    def numbers(self, n: int) -> NDArray[np.int64]:
        if len(self._known) < n:
            self._known = self.every(n)
        return self._known[:n]

    def __call__(self, row: int) -> str:
        return f"{self.word} {self.numbers(row + 1)[row]}"


def counted_from(first: int, word: str = "row") -> Numbered:
    """Where a row is: "row 2" for index 0 if the table's first data row is row 2."""
    return Numbered(word, lambda n: np.arange(first, first + n, dtype=np.int64))


def objects(values: Sequence[Any]) -> Texts:
    """An object array of the values, without numpy guessing a type or a second dimension."""
    out = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        out[i] = value
    return out
