"""MATLAB files up to version 7, through `scipy.io.loadmat`; data set objects of PLS_Toolbox too."""

from __future__ import annotations

import numpy as np

from explorer.data.readers.instruments.arrays import NamedArray, blocks_of
from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.mat import DataSetObject, load_arrays


def read_matlab(given: Given) -> list[Block]:
    arrays, objects = load_arrays(given.content, given.plain, given.limits)
    if objects:
        return [_of_object(found, name, given) for name, found in objects.items()]
    named = []
    for key, values in arrays.items():
        group, _, name = key.rpartition("/")
        if values.dtype.kind in "US" or values.dtype == object:
            texts = np.empty(values.size, dtype=object)
            texts[:] = [clean(_text(v)) for v in values.ravel()]
            named.append(NamedArray(group, name, texts))
        elif values.dtype.kind in "fiub":
            named.append(NamedArray(group, name, values))
    return blocks_of(named, given)


def _of_object(found: DataSetObject, name: str, given: Given) -> Block:
    n, p = found.data.shape
    x = found.axis if found.axis is not None else np.arange(1.0, p + 1)
    each = {"class": list(found.classes)} if found.classes is not None else {}
    names = found.labels or tuple(f"{name} {k + 1}" for k in range(n))
    notes = (
        [] if found.axis is not None else ["The data set has no axis scale: it counts channels."]
    )
    return Block(
        x, found.data, found.unit, "", names, {"data set": found.name or name}, each, notes
    )


def _text(cell: object) -> object:
    if isinstance(cell, np.ndarray):
        return cell.ravel()[0] if cell.size == 1 else ""
    return cell
