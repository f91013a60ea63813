"""Owns MATLAB files (.mat up to version 7), through `scipy.io.loadmat`, in the child process.

A damaged file can make that parser crash the process (signal 11); it is never called elsewhere.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.arrays import table_of_arrays
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table


def read_mat(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """Matrices, vectors, text and cells of text; structures are looked into one level deep."""
    from scipy.io import loadmat, whosmat

    # scipy's stubs know paths only; a stream is documented and works
    for _name, shape, _kind in whosmat(io.BytesIO(content)):  # type: ignore[arg-type]
        if len(shape) == 2:
            limits.check_shape(*shape)
    found = loadmat(io.BytesIO(content), chars_as_strings=True)  # type: ignore[arg-type]
    arrays: dict[str, NDArray] = {}
    for key, value in found.items():
        if key.startswith("__") or not isinstance(value, np.ndarray):
            continue
        if value.dtype.names and value.size == 1:
            for part in value.dtype.names:
                inner = value[part].ravel()[0]
                if isinstance(inner, np.ndarray):
                    arrays.setdefault(part, inner)
        elif value.dtype.names is None and value.dtype.kind in "fiubUO":
            arrays[key] = value
    if not arrays:
        raise FileRefused(f"{shown(name)} holds no arrays. Save X and y with -v7.")
    return table_of_arrays(arrays, name, limits)
