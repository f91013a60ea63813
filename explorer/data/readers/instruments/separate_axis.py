"""Tables whose axis is a line of numbers of its own above them, as calibration programs export.

Wavelengths:
1100.0 1107.0 1114.1 ...
Sample Protein P1 P2 P3 ...
S000 10.5 0.036 -0.007 0.023 ...
"""

from __future__ import annotations

import re

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.instruments.units import unit_in

_MOST_ABOVE = 60
_FEWEST = 10
_MOST_FIELDS = 12  # columns before the spectrum


def read_separate_axis(lines: list[str], given: Given) -> list[Block] | None:
    """The spectra of such a table; None for any other text."""
    for at, line in enumerate(lines[:_MOST_ABOVE]):
        if sum(map(line.count, " \t;,")) < _FEWEST - 1:
            continue
        axis = _numbers(_cells(line))
        if axis is None or axis.size < _FEWEST or not _monotone(axis):
            continue
        if any(_numbers(_cells(other)) is not None for other in lines[:at] if other.strip()):
            return None  # rows of numbers above it: it is one of them
        return _table(lines[at + 1 :], axis, " ".join(lines[max(0, at - 4) : at]), given)
    return None


def _table(lines: list[str], axis: np.ndarray, above: str, given: Given) -> list[Block] | None:
    rows = [_cells(line) for line in lines if line.strip()]
    n = axis.size
    if not rows or not n < len(rows[0]) <= n + _MOST_FIELDS:
        return None
    lead = len(rows[0]) - n
    names = rows.pop(0) if _numbers(rows[0][lead:]) is None else []
    values, fields = [], []
    for row in rows:
        spectrum = _numbers(row[lead:]) if len(row) == n + lead else None
        if spectrum is None:
            break
        values.append(spectrum)
        fields.append(row[:lead])
    if not values or _numbers(fields[0][:1]) is not None:
        return None
    titles = names[:lead] or [f"field {k + 1}" for k in range(lead)]
    each = {clean(title): [row[k] for row in fields] for k, title in enumerate(titles)}
    unit = unit_in(above)
    return [Block(axis, np.array(values), unit, "", tuple(row[0] for row in fields), {}, each)]


def _cells(line: str) -> list[str]:
    parts = (
        re.split(r"[\t;,]", line) if re.search(r"[\t;]|,\s*[^\d]|\d,\d+\.", line) else line.split()
    )
    return [part.strip().strip('"') for part in parts if part.strip()]


def _numbers(cells: list[str]) -> np.ndarray | None:
    try:
        return np.array([float(cell) for cell in cells]) if cells else None
    except ValueError:
        return None


def _monotone(values: np.ndarray) -> bool:
    steps = np.diff(values)
    return bool((steps > 0).all() or (steps < 0).all())
