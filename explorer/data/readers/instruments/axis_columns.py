"""Text tables with several axes side by side (pixel, wavelength, Raman shift) and many results.

Portable Raman spectrometers write them: the axis that a chemist reads is the Raman shift; cells are
empty where the instrument does not measure; columns that were not computed are zeros.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.units import unit_of_column

_AXES = (  # the best first
    re.compile(r"raman[\s_.-]*shift", re.I),
    re.compile(r"wave[\s_.-]*length|^wl\b|lambda", re.I),
    re.compile(r"wave[\s_.-]*number", re.I),
)
_RESULTS = (
    re.compile(r"process|correct|subtract|smooth|baseline", re.I),
    re.compile(r"reflec|absorb|transm|%\s*tr?\b|irradiance|radiance", re.I),
    re.compile(r"intens|counts|signal|raw|sample|scope|data", re.I),
)
_ASIDE = re.compile(r"dark(?!.*subtract)|\bref(erence)?\b|background(?!.*subtract)|pixel", re.I)
_WORD = re.compile(r"[A-Za-z]{3}")
_MOST_HEADER = 300
_FEWEST = 3


@dataclass(frozen=True)
class NamedColumns:
    """header: lines above. x, y: float64 [n] where the axis is known, rising or falling."""

    header: list[str]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    unit: str
    quantity: str


def several_axes(lines: list[str]) -> NamedColumns | None:
    """The spectrum of a table whose header names two axes or more; None for any other text."""
    found = _header(lines)
    if found is None:
        return None
    at, delimiter, names = found
    values = _values(lines[at + 1 :], delimiter, len(names))
    if len(values) < _FEWEST:
        return None
    axes = [j for pattern in _AXES for j, name in enumerate(names) if pattern.search(name)]
    axis = next((j for j in axes if _is_axis(values[:, j])), None)
    result = _result(names, values, axes)
    if axis is None or result is None:
        return None
    known = np.isfinite(values[:, axis])
    x, y = values[known, axis], values[known, result]
    unit = unit_of_column(names[axis].replace("_", " "), x)
    return NamedColumns(lines[:at], x, y, unit, names[result])


def _header(lines: list[str]) -> tuple[int, str, list[str]] | None:
    numbers = 0  # lines without a word, one after another: the header is over
    for at, line in enumerate(lines[:_MOST_HEADER]):
        if not _WORD.search(line):
            numbers += bool(line.strip())
            if numbers > _FEWEST:
                return None
            continue
        numbers = 0
        for delimiter in ("\t", ";", ","):
            if line.count(delimiter) < 3:
                continue
            names = [cell.strip().strip('"') for cell in line.split(delimiter)]
            while names and not names[-1]:
                names.pop()
            short = [name for name in names if len(name) < 40]
            axes = sum(any(pattern.search(name) for name in short) for pattern in _AXES)
            if len(names) >= 4 and axes >= 2:
                return at, delimiter, names
    return None


def _values(lines: list[str], delimiter: str, width: int) -> NDArray[np.float64]:
    """Rows of numbers until one is none; NaN where a cell is empty."""
    rows: list[list[float]] = []
    for line in lines:
        cells = [cell.strip() for cell in line.split(delimiter)]
        if not any(cells):
            continue
        row = [_number(cell) for cell in cells[:width]]
        if len(row) < width or any(value is None for value in row):
            break
        rows.append([np.nan if value is None else value for value in row])
    return np.array(rows, np.float64).reshape(-1, width)


def _number(cell: str) -> float | None:
    if not cell:
        return np.nan
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _is_axis(column: NDArray[np.float64]) -> bool:
    known = column[np.isfinite(column)]
    steps = np.diff(known)
    return known.size >= _FEWEST and bool((steps > 0).all() or (steps < 0).all())


def _result(names: list[str], values: NDArray[np.float64], axes: list[int]) -> int | None:
    """The column of the result: a computed one before the raw one; those of one value are none."""

    def varies(j: int) -> bool:
        known = values[np.isfinite(values[:, j]), j]
        return known.size >= _FEWEST and bool(np.ptp(known) > 0)

    free = [j for j in range(len(names)) if j not in axes and not _ASIDE.search(names[j])]
    free = [j for j in free if varies(j)]
    for pattern in _RESULTS:
        matching = [j for j in free if pattern.search(names[j])]
        if matching:
            return matching[-1]
    return free[-1] if free else None
