"""NumPy .npz archives: sizes are checked before arrays are read, and nothing is unpickled."""

from __future__ import annotations

import io
import math
import warnings
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.arrays import table_of_arrays
from explorer.data.readers.refused import FileRefused, Limits, reason, shown
from explorer.data.readers.table import Table
from explorer.data.readers.unpack import members


def read_npz(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    arrays: dict[str, NDArray[Any]] = {}
    try:
        files = members(content, name, limits)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError) as error:
        raise FileRefused(
            f"{shown(name)} is a damaged .npz archive ({reason(error)}). Save it again."
        ) from None
    for key, data in files.items():
        if key.endswith(".npy"):
            arrays[key.removesuffix(".npy")] = read_array(data, key, name)
    return table_of_arrays(arrays, name, limits)


def read_array(data: bytes, key: str, name: str) -> NDArray[Any]:
    """One .npy member; its header must account for the bytes that follow."""
    stream = io.BytesIO(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old or odd headers warn; what counts is checked below
        version = np.lib.format.read_magic(stream)
        reader = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if reader is None:
            raise FileRefused(
                f"Array {shown(key)} in {shown(name)} has an unusual version of the format. "
                "Save it again with a current NumPy."
            )
        shape, _, dtype = reader(stream)
        if dtype.hasobject:
            raise FileRefused(
                f"Array {shown(key)} in {shown(name)} holds pickled Python objects, which can run "
                "code and are never read. Save plain arrays of numbers or text."
            )
        need = dtype.itemsize * math.prod(shape)
        if any(side < 0 for side in shape) or need != len(data) - stream.tell():
            raise FileRefused(
                f"Array {shown(key)} in {shown(name)} is damaged: its header asks for {need} bytes "
                f"and {len(data) - stream.tell()} follow. Save it again."
            )
        stream.seek(0)
        return np.lib.format.read_array(stream, allow_pickle=False)
