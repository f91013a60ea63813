"""MATLAB files: up to version 7 through `scipy.io.loadmat`, version 7.3 (HDF5) through h5py.

Both run in the child process: a damaged file can make loadmat crash the process (signal 11).
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.readers.arrays import table_of_arrays
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, counted_from, objects

_HDF5 = b"\x89HDF\r\n\x1a\n"
# Fields that every data set object of PLS_Toolbox has; plain structures do not have all of them.
_OBJECT_FIELDS = frozenset({"data", "label", "axisscale", "class", "title"})


@dataclass(frozen=True, eq=False)
class DataSetObject:
    """What a data set object of PLS_Toolbox says: data [n, p], names and classes of the rows, the
    axis of the columns and its unit; None or "" where it says nothing."""

    name: str
    data: NDArray[np.float64]
    labels: tuple[str, ...]
    classes: tuple[str, ...] | None
    axis: NDArray[np.float64] | None
    unit: str


def read_mat(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """Matrices, vectors, text and cells of text; structures are looked into one level deep."""
    if is_hdf5(content):
        return table_of_arrays(hdf5_arrays(content, name, limits), name, limits)
    arrays, data_sets = load_arrays(content, name, limits)
    if data_sets:
        return _table_of_object(next(iter(data_sets.values())), name, limits)
    if not arrays:
        raise FileRefused(f"{shown(name)} holds no arrays. Save X and y with -v7.")
    plain = {key.rsplit("/", 1)[-1]: value for key, value in reversed(arrays.items())}
    return table_of_arrays(dict(reversed(plain.items())), name, limits)


def is_hdf5(content: bytes) -> bool:
    return _HDF5 in (content[:8], content[512:520])


def hdf5_arrays(content: bytes, name: str, limits: Limits) -> dict[str, NDArray[Any]]:
    """The arrays of an HDF5 file by name, as MATLAB holds them (HDF5 has their sides swapped)."""
    try:
        import h5py  # noqa: F401
    except ImportError:
        raise FileRefused(
            f"{shown(name)} is an HDF5 file (MATLAB 7.3 saves such). Install "
            "forest-explorer[instruments] to read it, or save it in MATLAB with -v7."
        ) from None
    from explorer.data.readers.instruments.block import Given
    from explorer.data.readers.instruments.hdf5 import is_matlab, named_arrays, opened

    with opened(content) as file:
        matlab = content[:6] == b"MATLAB" or is_matlab(file)
        found = named_arrays(file, Given(name, content, limits))
    arrays: dict[str, NDArray[Any]] = {}
    for array in found:
        values = array.values.T if matlab and array.values.dtype != object else array.values
        arrays.setdefault(array.name, values)
    if not arrays:
        raise FileRefused(f"{shown(name)} holds no arrays. Save X and y in it.")
    return arrays


def load_arrays(
    content: bytes, name: str, limits: Limits
) -> tuple[dict[str, NDArray[Any]], dict[str, DataSetObject]]:
    """Arrays by name ("structure/field" inside structures), and data set objects by name."""
    from scipy.io import loadmat, whosmat

    # scipy's stubs know paths only; a stream is documented and works
    for _name, shape, _kind in whosmat(io.BytesIO(content)):  # type: ignore[arg-type]
        if len(shape) == 2:
            limits.check_shape(*shape)
    found = loadmat(io.BytesIO(content), chars_as_strings=True)  # type: ignore[arg-type]
    arrays: dict[str, NDArray[Any]] = {}
    data_sets: dict[str, DataSetObject] = {}
    for key, value in found.items():
        if key.startswith("__") or not isinstance(value, np.ndarray):
            continue
        if value.dtype.names and value.size == 1:
            data_set = _data_set(value, limits)
            if data_set is not None:
                data_sets[key] = data_set
                continue
            for part in value.dtype.names:
                inner = value[part].ravel()[0]
                if isinstance(inner, np.ndarray):
                    arrays.setdefault(f"{key}/{part}", inner)
        elif value.dtype.names is None and value.dtype.kind in "fiubUO":
            arrays[key] = value
    return arrays, data_sets


def _data_set(value: NDArray[Any], limits: Limits) -> DataSetObject | None:
    """A data set object of PLS_Toolbox; None if the structure is none, or holds no matrix."""
    if not set(value.dtype.names or ()) >= _OBJECT_FIELDS:
        return None
    record = {part: value[part].ravel()[0] for part in value.dtype.names or ()}
    data = record["data"]
    if not isinstance(data, np.ndarray) or data.ndim != 2 or data.dtype.kind not in "fiub":
        return None
    n, p = data.shape
    limits.check_shape(n, p)
    axis = _cell(record["axisscale"], 1)
    scale = axis.ravel().astype(np.float64) if _is_numbers(axis, p) else None
    if scale is not None:
        steps = np.diff(scale)
        if not ((steps > 0).all() or (steps < 0).all()):
            scale = None
    title = " ".join(
        _texts(_cell(record.get("axisscalename"), 1)) + _texts(_cell(record["title"], 1))
    )
    from explorer.data.readers.instruments.units import unit_in

    labels = _texts(_cell(record["label"], 0))
    return DataSetObject(
        " ".join(_texts(record.get("name"))),
        data.astype(np.float64),
        tuple(labels) if len(labels) == n else (),
        _classes(record, n),
        scale,
        unit_in(title),
    )


def _classes(record: dict[str, Any], n: int) -> tuple[str, ...] | None:
    """The class of each row, by the names in the look-up table where there is one."""
    codes = _cell(record["class"], 0)
    if not _is_numbers(codes, n):
        texts = _texts(codes)
        return tuple(texts) if len(texts) == n and len(set(texts)) > 1 else None
    numbers = codes.ravel().astype(np.float64)
    if np.unique(numbers).size < 2:
        return None
    table = _cell(record.get("classlookup"), 0)
    names: dict[float, str] = {}
    if isinstance(table, np.ndarray) and table.dtype == object and table.ndim == 2:
        for row in table:
            code = np.ravel(row[0])
            words = _texts(row[-1])
            if code.size == 1 and code.dtype.kind in "fiu" and words:
                names[float(code[0])] = words[0]
    return tuple(names.get(float(v), f"{v:g}") for v in numbers)


def _cell(cells: Any, mode: int) -> Any:
    """The entry of a cell array for rows (mode 0) or columns (1), first set."""
    if not isinstance(cells, np.ndarray) or cells.dtype != object or cells.size == 0:
        return None
    grid = cells if cells.ndim == 2 else cells.reshape(-1, 1)
    return grid[mode, 0] if grid.shape[0] > mode else None


def _is_numbers(values: Any, size: int) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind in "fiu" and values.size == size


def _texts(values: Any) -> list[str]:
    if not isinstance(values, np.ndarray):
        return []
    if values.dtype.kind in "US":
        return [str(v).strip() for v in values.ravel()]
    if values.dtype == object:
        return [text for cell in values.ravel() for text in _texts(cell)]
    return []


def _table_of_object(found: DataSetObject, name: str, limits: Limits) -> Table:
    p = found.data.shape[1]
    axis = None if found.axis is None else SpectralAxis.of_unit(found.axis, found.unit)
    names = [f"x{j + 1}" for j in range(p)]
    if axis is not None:
        names = [f"{v:.10g}" for v in axis.values]
        if len(set(names)) < p:
            names = [repr(float(v)) for v in axis.values]
    if found.classes is None:
        raise FileRefused(
            f"{shown(name)} is a data set object of PLS_Toolbox without classes for its rows, so "
            "there is no label. Set its class field in MATLAB, or read it as spectra and give a "
            "table of classes."
        )
    return Table(
        names,
        np.array(found.data, np.float64, order="C"),
        list(range(p)),
        counted_from(1, "row of the data set"),
        extra={"class": objects(list(found.classes))},
        label="class",
        axis=axis,
        sample_names=found.labels or None,
    )
