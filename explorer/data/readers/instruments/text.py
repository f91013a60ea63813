"""Spectra in text files: two columns, one column per sample, or one row per sample.

What the maker's program wrote around the numbers becomes metadata; `dialects` describes the makers.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.axis_columns import several_axes
from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.instruments.decode import decoded
from explorer.data.readers.instruments.dialects import LineDialect, dialect_of
from explorer.data.readers.instruments.emsa import is_emsa, read_emsa
from explorer.data.readers.instruments.numbers import Rows, find_rows
from explorer.data.readers.instruments.packing import NameTable
from explorer.data.readers.instruments.separate_axis import read_separate_axis
from explorer.data.readers.instruments.tables import axis_header, read_table_text
from explorer.data.readers.instruments.units import unit_in, unit_of_column

_FEWEST = 3
_DELETED = -1e30  # USGS writes -1.23e34 where there is no value
_RESULT = re.compile(r"reflec|absorb|transm|irradiance|radiance|processed|log\s*\(?1/r|^P$", re.I)
_AUXILIARY = re.compile(
    r"dark|\bref(erence)?\b|raw|norm\.? dn|counts?\b|std|deviation|error|^[DRS]$|scope|white|"
    r"sample",
    re.I,
)
_AXIS = re.compile(r"wave|lambda|shift|energy|axis|^x$|longueur|longitud|wellen|onda", re.I)
_WORDS = re.compile(r"[^\W\deE_]|[#\[*/]")  # a line of numbers alone names no maker
_SENTENCE = re.compile(r"^[^\t;,]{1,60}:(\s|$)")
_UNIT_FIELD = re.compile(r"^x$|x\s*-?_?units?|axisunit\[1\]|wavelength units?", re.I)
_QUANTITY_FIELD = re.compile(r"y\s*-?_?units?", re.I)
_THOUSANDS = re.compile(r'"(\d{1,3}(?:,\d{3})+\.\d*)"')  # "1,100.25" in a table with commas
_SEPARATOR = re.compile(r"^(.*?\S)\s*(?:=|:(?!//)|\t|;|,)\s*(.*)$")


def read_text(given: Given) -> list[Block] | NameTable:
    text = decoded(given)
    if '"' in text:
        text = _THOUSANDS.sub(lambda match: match[1].replace(",", ""), text)
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise given.refuse("is empty.")
    head = "\n".join(lines[:120])
    if _WORDS.search(head):
        head = "\n".join(line for line in lines[:120] if _WORDS.search(line))
    else:
        head = ""
    dialect = dialect_of(head, given.plain)
    if dialect is not None and dialect.refuse:
        raise given.refuse(dialect.refuse)
    if is_emsa(lines):
        return read_emsa(lines, given)
    single = _one_column(lines)
    if single is not None:
        return [single]
    columns = several_axes(lines)
    if columns is not None:
        about = fields(columns.header)
        if dialect is not None:
            about = {"format": dialect.title, **about}
        return [Block(columns.x, columns.y, columns.unit, columns.quantity, metadata=about)]
    _refuse_values_alone(lines, given)
    header = axis_header(lines)
    if header is not None:
        found = read_table_text(given, "\n".join(lines[header:]))
        if isinstance(found, list):
            for block in found:
                block.metadata = {**fields(lines[:header]), **block.metadata}
        return found
    separate = read_separate_axis(lines, given)
    if separate is not None:
        return separate
    rows = find_rows(lines, _FEWEST)
    if rows is None or rows.values.shape[0] < _FEWEST:
        return read_table_text(given, text)
    if dialect is not None and dialect.title == "Neaspec text":
        return _long_table(rows, given)
    return _of_rows(rows, dialect, given)


def _of_rows(rows: Rows, dialect: LineDialect | None, given: Given) -> list[Block]:
    values = np.where(rows.values < _DELETED, np.nan, rows.values)
    above = _axis_row(rows)
    names = [] if above is not None else _column_names(rows)
    spare = 1 if above is not None or names else 0
    about = fields(rows.header[: len(rows.header) - spare])
    if dialect is not None:
        about = {"format": dialect.title, **about}
    if above is not None:
        return [_in_rows(above, values, about, dialect, given)]
    if (dialect is None or dialect.columns is None) and _counts_first(values, names):
        values, names = values[:, 1:], names[1:]
    unit = _unit(names[0] if names else "", about, rows.header, dialect)
    if not unit and names:
        unit = unit_of_column(names[0], values[:, 0])
    x, columns = values[:, 0], values[:, 1:]
    titles = names[1:] if names else [""] * columns.shape[1]
    chosen = _chosen(titles, columns, dialect)
    quantity = next((v for k, v in about.items() if _QUANTITY_FIELD.fullmatch(k)), "")
    if len(chosen) == 1:
        quantity = titles[chosen[0]] or quantity
        spectra_names = [""]
    else:
        spectra_names = [titles[j] or f"{given.stem} {k + 1}" for k, j in enumerate(chosen)]
    each = _rows_of_fields(rows, values.shape[1], chosen)
    return [Block(x, columns[:, chosen].T, unit, quantity, tuple(spectra_names), about, each)]


def _counts_first(values: NDArray[np.float64], names: list[str]) -> bool:
    """Whether the first column only counts the points (pixels) and the second is the axis."""
    if values.shape[1] < 3 or values.shape[0] < 5:
        return False
    first, second = values[:, 0], values[:, 1]
    counts = first[0] in (0.0, 1.0) and bool((np.diff(first) == 1).all())
    if not counts or not _monotone(second) or np.array_equal(first, second):
        return False
    if names:
        return unit_of_column(names[1], second) != "" or bool(_AXIS.search(names[1]))
    return values.shape[1] == 3


def _axis_row(rows: Rows) -> NDArray[np.float64] | None:
    """The axis if it is the row above the numbers, or their first; None if it is a column."""
    width = rows.values.shape[1]
    if rows.header and width > 3:
        line = (
            rows.header[-1].replace(",", ".") if rows.separation.decimal == "," else rows.header[-1]
        )
        cells = rows.separation.cells(line)
        found = [_float(cell) for cell in cells if cell]
        numeric = [v for v in found if v is not None]
        if len(numeric) == len(found) and 0 <= width - len(numeric) <= 4 and _monotone(numeric):
            return np.array(numeric)
    first = rows.values[0]
    column = rows.values[:, 0]
    if width >= 8 and _monotone(first) and not _monotone(column):
        return first
    return None


def _in_rows(
    axis: NDArray[np.float64],
    values: NDArray[np.float64],
    about: dict[str, str],
    dialect: LineDialect | None,
    given: Given,
) -> Block:
    """One row per spectrum; columns before the spectrum are positions."""
    body = (
        values[1:] if axis.size == values.shape[1] and np.array_equal(axis, values[0]) else values
    )
    lead = values.shape[1] - axis.size
    labels = ("x", "y", "z", "w")
    each = {labels[j]: [f"{v:g}" for v in body[:, j]] for j in range(min(lead, 4))}
    unit = _unit("", about, [], dialect)
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(body))) if len(body) > 1 else ("",)
    return Block(axis, body[:, lead:], unit, "", names, about, each)


def _long_table(rows: Rows, given: Given) -> list[Block]:
    """A row for each pixel and wavenumber: columns Row, Column, ..., Wavenumber, channels."""
    names = _column_names(rows)
    lower = [name.lower() for name in names]
    if "wavenumber" not in lower or "row" not in lower or "column" not in lower:
        raise given.refuse("has no columns Row, Column and Wavenumber. Export it again.")
    at = lower.index("wavenumber")
    pixel = rows.values[:, [lower.index("row"), lower.index("column")]]
    starts = np.flatnonzero(np.r_[True, (np.diff(pixel, axis=0) != 0).any(axis=1)])
    size = int(np.diff(np.r_[starts, len(pixel)]).min())
    if (np.diff(np.r_[starts, len(pixel)]) != size).any():
        raise given.refuse("has pixels with different numbers of points. Export it again.")
    cube = rows.values.reshape(len(starts), size, -1)
    blocks = []
    for j in range(at + 1, len(names)):
        each = {
            "row": [f"{v:g}" for v in pixel[starts, 0]],
            "column": [f"{v:g}" for v in pixel[starts, 1]],
            "channel": [names[j]] * len(starts),
        }
        titles = tuple(f"{given.stem} {names[j]} {k + 1}" for k in range(len(starts)))
        blocks.append(
            Block(cube[0, :, at], cube[:, :, j], "cm-1", names[j], titles, fields(rows.header),
                  each)
        )  # fmt: skip
    return blocks


def _one_column(lines: list[str]) -> Block | None:
    """PerkinElmer's .asp: points, first, last and three more numbers, then one value a line."""
    if len(lines) < 8:
        return None
    head = [_float(line) for line in lines[:6]]
    if any(v is None for v in head):
        return None
    count = head[0]
    if count is None or count != len(lines) - 6 or count < 2:
        return None
    y = [_float(line) for line in lines[6:]]
    if any(v is None for v in y) or head[1] is None or head[2] is None:
        return None
    return Block(np.linspace(head[1], head[2], int(count)), np.array(y, np.float64), "cm-1")


def _refuse_values_alone(lines: list[str], given: Given) -> None:
    """One number a line, as the USGS library writes them: the axis is in another file."""
    if len(lines) < 10 or _float(lines[len(lines) // 2].strip().replace(",", ".")) is None:
        return
    alone = sum(_float(line.strip().replace(",", ".")) is not None for line in lines)
    if alone >= 0.9 * len(lines):
        raise given.refuse(
            f"holds one number a line ({alone} of them) and no positions: the axis is in another "
            "file. Put position and value side by side as two columns."
        )


def fields(header: list[str]) -> dict[str, str]:
    """Lines "key: value", "key = value" or "key<tab>value" of a header."""
    found: dict[str, str] = {}
    for line in header[:200]:
        plain = line.strip().lstrip("#/*;%'\" ").rstrip("'\" \t;,")
        match = _SEPARATOR.match(plain)
        if match and len(match[1]) <= 60 and match[2].strip() and _float(match[1]) is None:
            key = match[1].strip().rstrip(":=").strip()
            found.setdefault(key, match[2].strip().strip('"'))
    return found


def _column_names(rows: Rows) -> list[str]:
    """The names of the columns: the last line of the header with as many cells; else none."""
    width = rows.values.shape[1]
    for line in reversed(rows.header[-3:]):
        if not line.strip() or "=" in line or _SENTENCE.match(line):
            continue
        for cells in (
            rows.separation.cells(line),
            [c.strip() for c in line.replace('"', "").split("\t")],
            [c.strip() for c in line.replace('"', "").split(";")],
            [c.strip() for c in line.replace('"', "").split(",")],
            re.split(r"\s{2,}", line.strip()),
            line.split(),
        ):
            named = [c for c in cells if c]
            if len(named) == width and not any(
                _float(c.replace(",", ".")) is not None for c in named
            ):
                names = [clean(c.lstrip("#").strip()) for c in named]
                above = _line_above(rows, line, width)
                if above and all(n.startswith("[") for n in names):
                    return [f"{a} {n}" for a, n in zip(above, names, strict=True)]
                return names
    return []


def _line_above(rows: Rows, line: str, width: int) -> list[str]:
    """The names above a line of units in brackets."""
    place = len(rows.header) - 1 - rows.header[::-1].index(line)
    cells = rows.separation.cells(rows.header[place - 1]) if place else []
    return [clean(c) for c in cells if c] if len([c for c in cells if c]) == width else []


def _chosen(
    titles: list[str], columns: NDArray[np.float64], dialect: LineDialect | None
) -> list[int]:
    """The columns that are spectra, by the dialect, by their names, or all but counters."""
    count = columns.shape[1]
    if dialect is not None and dialect.columns is not None:
        if dialect.columns == "last":
            return [count - 1]
        if isinstance(dialect.columns, int):
            return [min(dialect.columns - 2, count - 1)]
    results = [j for j, t in enumerate(titles) if _RESULT.search(t) and not _AUXILIARY.search(t)]
    others = [j for j, t in enumerate(titles) if _AUXILIARY.search(t)]
    if results and others:
        return results[-1:]
    if others and not results and len(others) == count and count > 1:
        samples = [j for j, t in enumerate(titles) if re.search(r"sample|scope", t, re.I)]
        if len(samples) == 1:
            return samples
    kept = [
        j
        for j in range(count)
        if not (columns.shape[0] > 4 and (np.diff(columns[:, j]) == 1).all() and count > 1)
    ]
    return kept or list(range(count))


def _rows_of_fields(rows: Rows, width: int, chosen: list[int]) -> dict[str, list[str]]:
    """Lines above the names with a cell for every column: a class or a group per sample."""
    if len(chosen) < 2:
        return {}
    found: dict[str, list[str]] = {}
    for line in rows.header[-8:-1]:
        cells = rows.separation.cells(line)
        if len(cells) == width and cells[0] and all(cells[j + 1] for j in chosen):
            found[clean(cells[0])] = [clean(cells[j + 1]) for j in chosen]
    return found


def _unit(
    first_column: str, about: dict[str, str], header: list[str], dialect: LineDialect | None
) -> str:
    unit = unit_in(first_column) if first_column else ""
    if unit:
        return unit
    for key, value in about.items():
        if _UNIT_FIELD.search(key):
            unit = unit_in(value)
            if unit:
                return unit
    for line in header[-2:]:
        if line.strip().startswith("[") or len(line) < 60:
            unit = unit_in(re.split(r"[\t;,]", line.strip())[0])
            if unit:
                return unit
    return dialect.unit if dialect is not None else ""


def _float(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _monotone(values: NDArray[np.float64] | list[float]) -> bool:
    steps = np.diff(np.asarray(values, np.float64))
    return steps.size > 1 and bool((steps > 0).all() or (steps < 0).all())
