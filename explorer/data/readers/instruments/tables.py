"""Tables: one row per sample with the axis in the header, or one row per file with its class.

CSV and Excel go through the readers of tables in `explorer.data.readers`; what comes back is
spectra if the header spells an axis, and else a `NameTable`, from which classes can be taken.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import re

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.delimited import read_delimited
from explorer.data.readers.excel import read_excel
from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.instruments.numbers import find_rows
from explorer.data.readers.instruments.packing import NameTable
from explorer.data.readers.instruments.units import unit_in
from explorer.data.readers.refused import FileRefused
from explorer.data.readers.table import Table

_POSITION = re.compile(
    r"^\s*(?:[A-Za-z][A-Za-z_.]{0,24}[._ ]|[^\d+\-.]{0,12}?)"
    r"([+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?)\s*_?\s*"
    r"(nm|cm-1|um|ppm|ev|cm\^-1|1/cm)?\s*$", re.IGNORECASE
)  # fmt: skip
_FEWEST = 5
_MOST_ROWS, _MOST_COLUMNS = 100_000, 60
_MOST_ABOVE = 60


def axis_header(lines: list[str]) -> int | None:
    """The line that names columns by positions, with text in it; None if there is none.

    Lines above it say something about the measurement. Below the first line, it counts only if the
    next one has as many cells.
    """
    filled = [k for k, line in enumerate(lines[:_MOST_ABOVE]) if line.strip()]
    first = next((k for k in filled if lines[k].strip()[0] not in "#%"), None)
    for place, k in enumerate(filled):
        for delimiter in ("\t", ";", ","):
            if lines[k].count(delimiter) < _FEWEST:
                continue
            cells = [c.strip().strip('"') for c in lines[k].split(delimiter)]
            start, stop, _ = _stretch(cells)
            if stop - start < max(_FEWEST, len(cells) // 3):
                continue
            texts = [c for c in cells if c and _position(c) is None]
            if k == first:
                return k if texts else None
            below = lines[filled[place + 1]] if place + 1 < len(filled) else ""
            if texts and len(below.split(delimiter)) == len(cells):
                return k
    return None


def read_table_text(given: Given, text: str) -> list[Block] | NameTable:
    """A delimited table as spectra, or as a table of names."""
    try:
        table = read_delimited(
            text.encode("utf-8", "replace"), given.plain, given.limits,
            delimiter=None, decimal=None, header=None,
        )  # fmt: skip
    except FileRefused:
        rows = find_rows(text.split("\n"), 2)
        if rows is not None:
            raise given.refuse(
                "is text in which only a few rows of numbers were found. Export the spectrum as "
                "two columns, position and value."
            ) from None
        raise given.refuse(
            "is text without rows of numbers: no spectrum was found in it. Export the spectrum "
            "as two columns, position and value."
        ) from None
    return of_table(table, given)


def read_excel_spectra(given: Given) -> list[Block] | NameTable:
    found: list[Block] | NameTable | None = None
    with contextlib.suppress(FileRefused):
        found = of_table(read_excel(given.content, given.plain, given.limits), given)
    if isinstance(found, list):
        return found
    # lines of words above the numbers: as in a text file
    from explorer.data.readers.instruments.text import read_text

    inside: list[Block] | NameTable | None = None
    with contextlib.suppress(FileRefused):
        inside = read_text(dataclasses.replace(given, content=_sheet_as_text(given).encode()))
    if isinstance(inside, list):
        return inside
    if found is None:
        raise given.refuse(
            "is an Excel file in which neither spectra nor file names were found. Write positions "
            "into the first row or the first column."
        )
    return found


def _sheet_as_text(given: Given) -> str:
    """The first sheet with tabs between its cells."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(given.content), read_only=True, data_only=True)
    lines, cells = [], 0
    for row in book.worksheets[0].iter_rows(values_only=True):
        cells += len(row)
        if cells > given.limits.cells:
            raise given.refuse("is too large to read. Save fewer rows or columns.")
        texts = ["" if c is None else " ".join(str(c).split()) for c in row]
        lines.append("\t".join(texts).rstrip("\t"))
    return "\n".join(lines)


def of_table(table: Table, given: Given) -> list[Block] | NameTable:
    """Spectra in the rows, in the columns, or else names and classes."""
    start, stop, axis = _stretch(table.names)
    if stop - start >= _FEWEST:
        return [_rows(table, given, start, stop, axis)]
    numeric = [j for j, c in enumerate(table.columns) if isinstance(c, int)]
    if len(numeric) == len(table.names) > 1 and table.n_rows >= 3:
        x = np.asarray(table.column(0), np.float64)
        steps = np.diff(x)
        if (steps > 0).all() or (steps < 0).all():
            y = np.column_stack([np.asarray(table.column(j), np.float64) for j in numeric[1:]]).T
            names = tuple(table.names[1:]) if len(y) > 1 else ("",)
            return [Block(x, y, unit_in(table.names[0]), "", names)]
    if table.n_rows > _MOST_ROWS or len(table.names) > _MOST_COLUMNS:
        raise given.refuse("is a large table without a spectral axis in its header.")
    return NameTable({name: _texts(table, j) for j, name in enumerate(table.names)})


def _rows(table: Table, given: Given, start: int, stop: int, axis: NDArray[np.float64]) -> Block:
    columns = []
    for j in range(start, stop):
        column = table.column(j)
        if column.dtype == object:
            column = np.array([_number(cell) for cell in column])
        columns.append(np.asarray(column, np.float64))
    others = [j for j in range(len(table.names)) if not start <= j < stop]
    each = {table.names[j]: _texts(table, j) for j in others}
    for name, values in table.extra.items():
        each[name] = [_cell(v) for v in values]
    names = _sample_names(each, table.n_rows, given)
    words = " ".join(table.names[start:stop][:1] + [table.names[j] for j in others[:1]])
    unit = unit_in(words)
    quantity = "absorbance" if "absorbance" in words.lower() else ""
    return Block(axis, np.column_stack(columns), unit, quantity, names, {}, each)


def _sample_names(each: dict[str, list[str]], count: int, given: Given) -> tuple[str, ...]:
    """A column whose texts are all different names the samples; else they are counted."""
    for values in each.values():
        if len(set(values)) == count and all(values) and not all(_is_number(v) for v in values):
            return tuple(values)
    for key, values in each.items():
        if key.lower() in ("id", "sample", "name") and len(set(values)) == count:
            return tuple(values)
    return tuple(f"{given.stem} {k + 1}" for k in range(count))


def _stretch(names: list[str]) -> tuple[int, int, NDArray[np.float64]]:
    """The longest stretch of names that are positions, all rising or all falling."""
    values = [_position(name) for name in names]
    best = (0, 0)
    start = 0
    direction = 0.0
    for j in range(len(values)):
        here, before = values[j], values[j - 1] if j else None
        if here is None:
            start, direction = j + 1, 0.0
            continue
        if j > start and before is not None:
            sign = np.sign(here - before)
            if sign == 0 or (direction and sign != direction):
                start, direction = (j - 1, sign) if sign else (j, 0.0)
            else:
                direction = sign
        if j + 1 - start > best[1] - best[0]:
            best = (start, j + 1)
    return best[0], best[1], np.array([v for v in values[best[0] : best[1]] if v is not None])


def _position(name: str) -> float | None:
    match = _POSITION.match(name) if len(name) <= 40 else None
    return float(match[1].replace(",", ".")) if match else None


def _texts(table: Table, j: int) -> list[str]:
    return [_cell(v) for v in table.column(j)]


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return clean(f"{value:.10g}" if isinstance(value, float) else value)


def _number(cell: object) -> float:
    try:
        return float(str(cell).replace(",", ".")) if cell is not None else np.nan
    except ValueError:
        return np.nan


def _is_number(text: str) -> bool:
    return not np.isnan(_number(text))
