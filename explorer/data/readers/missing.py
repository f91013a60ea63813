"""Missing cells of a table: how many there are, in words, and the ways to go on with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.columns import listed, missing
from explorer.data.readers.refused import FileRefused, shown
from explorer.data.readers.table import Table

# What `read(impute=...)` can be. "fill" is honest in a cross-validation; "mean" and "median" are
# taken from all rows, test parts included.
WAYS = (None, "drop rows", "drop columns", "fill", "mean", "median")


@dataclass(frozen=True)
class MissingCells:
    """Counts over the features: cells, rows with one or more, columns with one or more, and how
    many rows and columns there are; names: some of the columns."""

    cells: int
    rows: int
    columns: int
    n_rows: int
    n_columns: int
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """One sentence: "7 cells are empty, in 5 of 100 rows and 2 of 9 columns (a, b)."."""
        are = "1 cell is" if self.cells == 1 else f"{self.cells} cells are"
        return (
            f"{are} empty, in {self.rows} of {self.n_rows} rows and {self.columns} of "
            f"{self.n_columns} columns ({listed(self.names, 5)})."
        )

    @property
    def offers(self) -> dict[str, str]:
        """What can be done, in words with counts -> the value of `impute`."""
        out = {}
        if self.rows < self.n_rows:
            out[f"drop {_many(self.rows, 'row')} ({self.n_rows - self.rows} stay)"] = "drop rows"
        if self.columns < self.n_columns:
            left = self.n_columns - self.columns
            out[f"drop {_many(self.columns, 'column')} ({left} stay)"] = "drop columns"
        out[f"fill {_many(self.cells, 'cell')} with training medians"] = "fill"
        return out


def _many(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def missing_cells(table: Table, without: Collection[str | None] = ()) -> MissingCells | None:
    """The counts for all columns but some (the label); None if no cell is missing."""
    in_row = np.zeros(table.n_rows, bool)
    cells, names, n_columns = 0, [], 0
    for j, name in enumerate(table.names):
        if name in without:
            continue
        n_columns += 1
        column = table.column(j)
        if column.dtype == object:
            holes = {cell for cell in set(column) if missing(cell)}
            if not holes:
                continue
            absent = np.fromiter((cell in holes for cell in column), bool, table.n_rows)
        else:
            absent = np.isnan(column)
        count = int(absent.sum())
        if count:
            cells += count
            names.append(name)
            in_row |= absent
    if not cells:
        return None
    return MissingCells(
        cells, int(in_row.sum()), len(names), table.n_rows, n_columns, tuple(names[:20])
    )


@dataclass(frozen=True, eq=False)
class Completed:
    """X without NaN. names: of its columns. rows: of the table that stay. gaps: which cells are
    filled for now and belong to the training part of each fold; None if none."""

    X: NDArray[np.float64]
    names: list[str]
    rows: NDArray[np.intp]
    gaps: NDArray[np.bool_] | None = None


def completed(
    X: NDArray[np.float64], names: Sequence[str], table: Table, way: str | None, notes: list[str]
) -> Completed:
    """Refuse, drop or fill what is missing, by `way`; refuse what is infinite."""
    everything = np.arange(len(X), dtype=np.intp)
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):  # one pass, no temporary; a finite sum has only finite terms
            return Completed(X, list(names), everything)
    absent = np.isnan(X)
    _refuse_infinite(X, absent, names, table)
    if not absent.any():
        return Completed(X, list(names), everything)
    if way is None:
        row, j = (int(k) for k in np.argwhere(absent)[0])
        refuse_missing(table.where(row), names[j])
    if way == "drop rows":
        return _without_rows(X, names, absent, notes)
    if way == "drop columns":
        return _without_columns(X, names, absent, notes)
    if absent.all(axis=0).any():
        j = int(np.flatnonzero(absent.all(axis=0))[0])
        raise FileRefused(f"Column {shown(names[j])} is empty in every row. Leave it out.")
    X = X.copy()
    centre = np.nanmean(X, axis=0) if way == "mean" else np.nanmedian(X, axis=0)
    rows, columns = np.nonzero(absent)
    X[rows, columns] = centre[columns]
    if way == "fill":
        notes.append(
            f"{rows.size} missing values are filled with the median of their column; in a "
            "cross-validation with that of the training part."
        )
        return Completed(X, list(names), everything, absent)
    notes.append(f"{rows.size} missing values were filled with the {way} of their column.")
    return Completed(X, list(names), everything)


def refuse_missing(where: str, column: str) -> None:
    raise FileRefused(
        f"{where.capitalize()}, column {shown(column)} is empty. Fill it in, or choose what to do "
        "with missing cells: drop their rows, drop their columns, or fill them."
    )


def _refuse_infinite(
    X: NDArray[np.float64], absent: NDArray[np.bool_], names: Sequence[str], table: Table
) -> None:
    wrong = ~np.isfinite(X) & ~absent
    if wrong.any():
        j = int(np.flatnonzero(wrong.any(axis=0))[0])
        row = int(np.flatnonzero(wrong[:, j])[0])
        raise FileRefused(
            f"{table.where(row).capitalize()}, column {shown(names[j])} holds an infinite number. "
            "Correct it or leave the row out."
        )


def _without_rows(
    X: NDArray[np.float64], names: Sequence[str], absent: NDArray[np.bool_], notes: list[str]
) -> Completed:
    rows = np.flatnonzero(~absent.any(axis=1)).astype(np.intp)
    if rows.size < 2:
        raise FileRefused(
            f"{rows.size} rows would be left: nearly every row has an empty cell. Drop columns, or "
            "fill the cells."
        )
    notes.append(f"{len(X) - rows.size} of {len(X)} rows with missing values were left out.")
    return Completed(np.ascontiguousarray(X[rows]), list(names), rows)


def _without_columns(
    X: NDArray[np.float64], names: Sequence[str], absent: NDArray[np.bool_], notes: list[str]
) -> Completed:
    kept = np.flatnonzero(~absent.any(axis=0)).tolist()
    if not kept:
        raise FileRefused(
            "No column would be left: every one has an empty cell. Drop rows, or fill the cells."
        )
    gone = [names[j] for j in np.flatnonzero(absent.any(axis=0)).tolist()]
    notes.append(f"{len(gone)} columns with missing values were left out: {listed(gone, 5)}.")
    rows = np.arange(len(X), dtype=np.intp)
    return Completed(np.ascontiguousarray(X[:, kept]), [names[j] for j in kept], rows)
