"""What was read from a folder: spectra, what was not read and why, and the way to a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.packing import NameTable
from explorer.data.readers.refused import FileRefused, Limits

if TYPE_CHECKING:
    from explorer.data.dataset import Dataset
    from explorer.data.measured.align import Aligned, Grid
    from explorer.data.measured.classes import Proposal


@dataclass(frozen=True, eq=False)
class Spectrum:
    """One spectrum as it was measured.

    x: float64 [p], positions as in the file. y: float64 [p], NaN where nothing was measured. unit:
    of x ("" where the file does not say). name: of the sample, or of the file. file: from the top
    of the folder. quantity: what y is. metadata: fields of the file and of this spectrum.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    unit: str
    name: str
    file: str
    quantity: str = ""
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NotRead:
    """A file that gave no spectrum, and the reason: what it is and what to do."""

    file: str
    reason: str


@dataclass(frozen=True, eq=False)
class MeasuredSpectra:
    """The spectra of a folder.

    spectra: in the order of the files. not_read: files that gave none. tables: tables of names that
    were among the files. formats: title -> number of files. partners: files read together with
    another. notes: sentences about single files, each with its name. most_cells: values that the
    spectra may have together once they are on one axis.
    """

    name: str
    spectra: tuple[Spectrum, ...]
    not_read: tuple[NotRead, ...] = ()
    tables: dict[str, NameTable] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    partners: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    most_cells: int = Limits().cells

    def __repr__(self) -> str:
        return f"MeasuredSpectra({self.name!r}, {self.summary})"

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that gave spectra, each once, in order."""
        return tuple(dict.fromkeys(s.file for s in self.spectra))

    @cached_property
    def nbytes(self) -> int:
        """Memory of the spectra and of their fields, about."""
        texts = sum(len(s.metadata) for s in self.spectra)
        return sum(s.y.nbytes for s in self.spectra) + 600 * len(self.spectra) + 150 * texts

    @property
    def units(self) -> dict[str, int]:
        """How many spectra have which unit."""
        return dict(Counter(s.unit for s in self.spectra))

    @property
    def summary(self) -> str:
        """One sentence: how many spectra, files, and files not read."""
        n, m, k = len(self.spectra), len(self.files), len(self.not_read)
        rest = f"; {k} {'file was' if k == 1 else 'files were'} not read" if k else ""
        return f"{n} {_s('spectrum', n)} from {m} {_s('file', m)}{rest}"

    def class_proposals(self) -> tuple[Proposal, ...]:
        """Ways to give every spectrum a class, the likeliest first."""
        from explorer.data.measured.classes import class_proposals

        return class_proposals(self)

    def group_proposals(self) -> tuple[Proposal, ...]:
        """Ways to tell which spectra are replicates of one sample, the likeliest first."""
        from explorer.data.measured.classes import group_proposals

        return group_proposals(self)

    def classes_by(self, way: str) -> Proposal:
        """The classes given by "folder", "folder:2", "name:TEMPLATE", "metadata:FIELD" or
        "table:FILE:COLUMN"; see `classes` for templates such as "{class}_*_#"."""
        from explorer.data.measured.classes import by

        return by(self, way, "class")

    def groups_by(self, way: str) -> Proposal:
        """The replicate groups given in the same ways; a template then has a {group}."""
        from explorer.data.measured.classes import by

        return by(self, way, "group")

    def propose_grid(
        self,
        unit: str | None = None,
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        method: str = "linear",
        cut: Sequence[tuple[float, float]] = (),
    ) -> Grid:
        """One axis for all spectra; what is not given is proposed. See `align.propose_grid`."""
        from explorer.data.measured.align import propose_grid

        return propose_grid(self.spectra, unit, low, high, step, method, cut)

    def align(self, grid: Grid | None = None) -> Aligned:
        """The spectra on one axis, and which of them could not be brought there."""
        from explorer.data.measured.align import align

        chosen = self.propose_grid() if grid is None else grid
        return align(self.spectra, chosen, self.most_cells)

    def to_dataset(
        self,
        classes: Proposal | str | Sequence[str] | None = None,
        groups: Proposal | str | Sequence[str] | None = None,
        grid: Grid | None = None,
    ) -> Dataset:
        """The data set: spectra on one grid with a class each, and replicate groups.

        classes, groups: a proposal, a way in words (see `classes_by`), or one text per spectrum;
        classes are the first proposal if they are not given. Spectra without a class are left out
        and counted in the notes.
        """
        from explorer.data.measured.build import build

        if not self.spectra:
            raise FileRefused(f"No spectrum was read: {self.summary}.")
        return build(self, classes, groups, grid)


def _s(word: str, n: int) -> str:
    if n == 1:
        return word
    return "spectra" if word == "spectrum" else f"{word}s"
