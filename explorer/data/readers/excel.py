"""Excel workbooks (.xlsx), through openpyxl, in the child process."""

from __future__ import annotations

import datetime
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, counted_from, objects


def read_excel(content: bytes, name: str, limits: Limits, **wishes: Any) -> Table:
    """The first sheet that is not empty (or the one named by `sheet`), header in its first row."""
    try:
        import openpyxl
    except ImportError:
        raise FileRefused(
            "Reading Excel files needs openpyxl: install forest-explorer[files], or save as CSV."
        ) from None
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    sheet = wishes.get("sheet")
    if sheet is not None and sheet not in book.sheetnames:
        raise FileRefused(
            f"{shown(name)} has no sheet {shown(sheet)}; it has: {', '.join(book.sheetnames)}."
        )
    rows: list[tuple[Any, ...]] = []
    title, first = "", 1
    for candidate in [sheet] if sheet is not None else book.sheetnames:
        page = book[candidate]
        if not hasattr(page, "iter_rows"):
            continue  # a chart
        page.reset_dimensions()  # the file's own word on its size may be wrong
        rows, first = _rows(page, limits)
        title = candidate
        if rows:
            break
    if not rows:
        raise FileRefused(f"{shown(name)} has no sheet with a table in it.")
    header, body = rows[0], rows[1:]
    if not body:
        raise FileRefused(f"Sheet {shown(title)} has a header but no rows.")
    width = max(len(row) for row in rows)
    if not any(isinstance(cell, str) for cell in header) and not _axis_like(header):
        body, names = rows, [f"column {j + 1}" for j in range(width)]
    else:
        padded = [*header, *[None] * (width - len(header))]
        names = [_header(cell, j) for j, cell in enumerate(padded)]
        first += 1
    columns = [_column([row[j] if j < len(row) else None for row in body]) for j in range(width)]
    table = Table.of_columns(names, columns, counted_from(first, f"sheet {shown(title)}, row"))
    if len(book.sheetnames) > 1 and sheet is None:
        table.notes.append(f"Sheet {shown(title)} was read; the workbook has others.")
    return table


def _rows(page: Any, limits: Limits) -> tuple[list[tuple[Any, ...]], int]:
    """Rows without the blank ones around them, and the number of the first."""
    rows: list[tuple[Any, ...]] = []
    first, width = 1, 0
    for number, row in enumerate(page.iter_rows(values_only=True), 1):
        if not any(cell is not None and str(cell).strip() for cell in row):
            if rows:
                rows.append(())
            continue
        if not rows:
            first = number
        while row and row[-1] is None:
            row = row[:-1]
        width = max(width, len(row))
        limits.check_shape(len(rows) + 1, width)
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    blank = next((i for i, row in enumerate(rows) if not row), None)
    if blank is not None:
        raise FileRefused(f"Row {first + blank} is blank inside the table. Remove it.")
    return rows, first


def _axis_like(header: tuple[Any, ...]) -> bool:
    values = [cell for cell in header if isinstance(cell, int | float)]
    steps = np.diff(np.array(values, float)) if len(values) >= 5 else np.zeros(1)
    return bool((steps > 0).all() or (steps < 0).all())


def _header(cell: Any, j: int) -> str:
    if isinstance(cell, float) and cell == int(cell):
        cell = int(cell)
    text = " ".join(str(cell).split()) if cell is not None else ""
    return text or f"column {j + 1}"


def _column(cells: list[Any]) -> NDArray[Any]:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {bool} and None not in cells:
        return np.array(cells, bool)
    if kinds <= {int, float}:
        return np.array([np.nan if cell is None else float(cell) for cell in cells])
    return objects([None if cell is None else _text(cell) for cell in cells])


def _text(cell: Any) -> str:
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time):
        return cell.isoformat()
    return repr(cell) if isinstance(cell, float) else str(cell)
