"""Spectra in files of named arrays (HDF5, MATLAB, NetCDF): which array is y, which its axis.

An axis is a vector that rises or falls all the way, is as long as one side of the array, and is
called like one or lies where the format puts axes. Vectors as long as the other side describe the
samples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.instruments.units import unit_in, unit_of_column

_AXIS_NAME = re.compile(
    r"wave|lambda|wl\b|^wn|nu\b|shift|energy|freq|ppm|m/?z\b|mass|spectroscopic_values|axis|channel"
    r"|^x$|^nm$|^cm|^xaxis|^variable", re.I,
)  # fmt: skip
_UNIT_OF_NAME = (
    (r"^wn|^cm|raman", "cm-1"),
    (r"energy", "eV"),
    (r"ppm", "ppm"),
    (r"m/?z$|mass", "m/z"),
)
_SKIP = re.compile(
    r"(_indices|position_values|image|thumbnail|background|sample_[xyz]$|^pos|^stage|^time)", re.I
)


@dataclass(frozen=True)
class NamedArray:
    """group: the folder inside the file; values: numbers, or texts (dtype object)."""

    group: str
    name: str
    values: NDArray[Any]
    unit: str = ""
    title: str = ""


def blocks_of(arrays: list[NamedArray], given: Given) -> list[Block]:
    """A block for every array of numbers that has an axis; the largest matrix if none has."""
    numeric = [a for a in arrays if a.values.dtype.kind in "fiu" and a.values.size > 1]
    vectors = [
        a for a in numeric if max(a.values.shape) == a.values.size and not _SKIP.search(a.name)
    ]
    taken: set[int] = set()
    blocks = []
    for array in sorted(numeric, key=lambda a: -a.values.size):
        if id(array) in taken or array.values.ndim > 4 or _SKIP.search(array.name):
            continue
        if array in vectors and _AXIS_NAME.search(array.name):
            continue
        found = _axis_for(array, vectors)
        if found is None:
            continue
        axis, side = found
        if axis is array:
            continue
        taken |= {id(array), id(axis)}
        blocks.append(_block(array, axis, side, arrays, given))
        if len(blocks) > 10_000:
            break
    if not blocks:
        matrices = [a for a in numeric if a.values.ndim == 2 and min(a.values.shape) > 1]
        if not matrices:
            raise given.refuse(_nothing(arrays))
        largest = max(matrices, key=lambda a: a.values.size)
        beside = _axis_inside(largest, given)
        if beside is not None:
            return [beside]
        points = largest.values.shape[1]
        each = _described(arrays, largest, 0)
        block = Block(np.arange(1.0, points + 1), largest.values, "", largest.name,
                      _names(given, largest, len(largest.values)), {}, each)  # fmt: skip
        block.notes.append(
            f"No axis was found for array {clean(largest.name)}: it counts channels."
        )
        blocks = [block]
    return blocks


def _axis_inside(array: NamedArray, given: Given) -> Block | None:
    """A matrix whose first column (or row) is the axis and the others are spectra; else None.

    A counter from 0 or 1 is no axis, and a column among many may rise by chance: there must
    be four times as many rows as columns.
    """
    values = array.values.astype(np.float64)
    for table in (values, values.T):
        rows, columns = table.shape
        axis = table[:, 0]
        if rows < 10 or rows < 4 * columns or axis[0] in (0.0, 1.0) or not _monotone(axis):
            continue
        y = table[:, 1:].T
        block = Block(axis, y, "", array.name, _names(given, array, len(y)))
        block.notes.append(f"The first column of array {clean(array.name)} was taken as the axis.")
        return block
    return None


def _axis_for(array: NamedArray, vectors: list[NamedArray]) -> tuple[NamedArray, int] | None:
    best: tuple[int, NamedArray, int] | None = None
    for vector in vectors:
        if vector is array or not _monotone(vector.values):
            continue
        size = vector.values.size
        sides = [k for k, n in enumerate(array.values.shape) if n == size]
        if not sides or not array.group.startswith(vector.group):
            continue
        named = bool(_AXIS_NAME.search(vector.name)) or bool(unit_in(vector.unit))
        if not named:
            continue
        score = 2 * (vector.group == array.group)
        score += 2 if unit_in(vector.unit) or unit_in(vector.name) else 0
        side = sides[-1] if array.values.ndim != 2 or len(sides) > 1 else sides[0]
        if best is None or score > best[0]:
            best = (score, vector, side)
    return None if best is None else (best[1], best[2])


def _block(
    array: NamedArray, axis: NamedArray, side: int, arrays: list[NamedArray], given: Given
) -> Block:
    moved = np.moveaxis(array.values, side, -1)
    y = moved.reshape(-1, moved.shape[-1])
    x = axis.values.ravel().astype(np.float64)
    unit = unit_in(axis.unit) or unit_of_column(axis.name, x) or next(
        (u for pattern, u in _UNIT_OF_NAME if re.search(pattern, axis.name, re.I)), ""
    )  # fmt: skip
    each = _described(arrays, array, 0 if side else min(1, array.values.ndim - 1))
    about = {"array": f"{array.group}/{array.name}".strip("/")}
    if array.title:
        about["title"] = array.title
    if array.values.ndim == 3:  # a map
        across = moved.shape[1]
        each = {
            "column": [str(k % across) for k in range(len(y))],
            "row": [str(k // across) for k in range(len(y))],
        }
    return Block(x, y, unit, array.unit or array.name, _names(given, array, len(y)), about,
                 each if array.values.ndim in (2, 3) else {})  # fmt: skip


def _described(arrays: list[NamedArray], array: NamedArray, side: int) -> dict[str, list[str]]:
    """Vectors beside the matrix with one value per sample."""
    count = array.values.shape[side]
    out: dict[str, list[str]] = {}
    for other in arrays:
        flat = other.values.ravel()
        if other is array or flat.size != count or other.values.size != max(other.values.shape):
            continue
        if other.group == array.group or not other.group or array.group.startswith(other.group):
            if flat.dtype.kind in "fiu" and _AXIS_NAME.search(other.name) and _monotone(flat):
                continue
            out[other.name] = [clean(float(v) if flat.dtype.kind in "fiu" else v) for v in flat]
    return out


def _names(given: Given, array: NamedArray, count: int) -> tuple[str, ...]:
    if count == 1:
        return (array.title or array.group.rsplit("/", 1)[-1],)
    return tuple(f"{given.stem} {k + 1}" for k in range(count))


def _monotone(values: NDArray[Any]) -> bool:
    flat = values.ravel().astype(np.float64)
    steps = np.diff(flat)
    return flat.size > 1 and bool(
        np.isfinite(flat).all() and ((steps > 0).all() or (steps < 0).all())
    )


def _nothing(arrays: list[NamedArray]) -> str:
    held = ", ".join(
        f"{clean(a.name)} ({' x '.join(map(str, a.values.shape))})" for a in arrays[:6]
    )
    return (
        f"holds no spectra with an axis: it holds {held or 'nothing that can be read'}. Save the "
        "spectra as a matrix, and their axis as a vector named wavelength or wavenumber."
    )
