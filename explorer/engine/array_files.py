"""Arrays in ``.npz`` files of strangers: bounded before they are read, and never a pickle.

Compressed zeros take a thousandth of their size, so a small file may ask for all the memory there
is. The headers of all arrays are looked at first: each must account for the bytes that follow it,
and together they may be as large as `most`, and a few hundred times as large as the file.
"""

import io
import math
import warnings
import zipfile
from typing import Any

import numpy as np

MOST_BYTES = 8 << 30
_MOST_ARRAYS = 1000
_RATIO, _ANYWAY = 200, 64 << 20  # times the file's size; bytes that any file may ask for
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def load_arrays(source: Any, most: int = MOST_BYTES) -> dict[str, np.ndarray]:
    """All arrays of a file (a path or a stream) by name; ValueError says what is wrong with it."""
    with zipfile.ZipFile(source) as archive:
        members = archive.infolist()
        if len(members) > _MOST_ARRAYS:
            raise ValueError(f"it holds {len(members)} arrays")
        need = sum(_bytes_of(archive, member) for member in members)
        packed = sum(member.compress_size for member in members)
        if need > min(most, _ANYWAY + _RATIO * packed):
            raise ValueError(f"it would need {need >> 20} MB of memory")
        arrays: dict[str, np.ndarray] = {}
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name in arrays:
                raise ValueError(f"it holds {name} twice")
            with archive.open(member) as stream:
                content = io.BytesIO(stream.read(member.file_size))
            arrays[name] = np.lib.format.read_array(content, allow_pickle=False)
    return arrays


def _bytes_of(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """The size of an array as its header gives it, which must be that of the member."""
    with archive.open(member) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # odd headers warn; what counts is checked here
        reader = _READERS.get(np.lib.format.read_magic(stream))
        if reader is None:
            raise ValueError(f"{member.filename} has an unusual version of the format")
        shape, _, dtype = reader(stream)
        begin = stream.tell()
    if dtype.hasobject:
        raise ValueError(f"{member.filename} holds pickled objects, which are never read")
    need = dtype.itemsize * math.prod(shape)
    if any(side < 0 for side in shape) or begin + need != member.file_size:
        raise ValueError(f"{member.filename} is not as large as its header says")
    return need
