"""HDF5 and its kin (NeXus, MATLAB 7.3, NetCDF 4, PTIR, ...), through `h5py`, from memory."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from explorer.data.readers.instruments.arrays import NamedArray, blocks_of
from explorer.data.readers.instruments.block import Block, Given, clean

_MOST_ARRAYS = 5000


def read_hdf5(given: Given) -> list[Block]:
    import h5py

    with h5py.File(io.BytesIO(given.content), "r") as file:
        nexus = _nexus(file, given)
        if nexus:
            return nexus
        return blocks_of(named_arrays(file, given), given)


def named_arrays(file: Any, given: Given) -> list[NamedArray]:
    """Every array of numbers or texts in the file, within the limits; links that lead out are not
    followed, for the file is the only one there is."""
    import h5py

    found: list[NamedArray] = []
    cells = 0

    def visit(path: str, item: Any) -> None:
        nonlocal cells
        if not isinstance(item, h5py.Dataset) or len(found) >= _MOST_ARRAYS or item.size is None:
            return
        if path.startswith("#") or item.size < 1:
            return
        cells += item.size
        if cells > 2 * given.limits.cells:
            raise given.refuse(
                f"holds more than {given.limits.cells} numbers. Export a part of it."
            )
        values = _values(item, file)
        if values is None:
            return
        group, _, name = path.rpartition("/")
        unit = _attribute(item, "units") or _attribute(item, "unit")
        found.append(NamedArray(group, name, values, unit, _attribute(item, "long_name")))

    file.visititems(visit)
    return found


def _values(item: Any, file: Any) -> np.ndarray | None:
    """Numbers as they are; MATLAB's texts and cells of texts as objects; else None."""
    import h5py

    kind = _attribute(item, "MATLAB_class")
    if item.dtype.kind in "fiu" and kind != "char":
        return np.asarray(item[()]) if item.shape else np.atleast_1d(item[()])
    if kind == "char":
        return _objects(_characters(item))
    if item.dtype == h5py.ref_dtype or kind == "cell":
        if item.size > 100_000:
            return None
        texts = []
        for reference in np.asarray(item[()]).ravel():
            target = file[reference]
            if _attribute(target, "MATLAB_class") != "char":
                return None
            texts.append("".join(_characters(target)))
        return _objects(texts)
    if item.dtype.kind in "SO" and item.size <= 100_000:
        cells = np.asarray(item.asstr(errors="replace")[()]).ravel() if _is_text(item) else None
        return None if cells is None else _objects([str(c) for c in cells])
    return None


def _is_text(item: Any) -> bool:
    import h5py

    return h5py.check_string_dtype(item.dtype) is not None


def _characters(item: Any) -> list[str]:
    """Rows of a MATLAB char array, which HDF5 holds transposed."""
    codes = np.atleast_2d(np.asarray(item[()]))
    if codes.dtype.kind not in "iu" or codes.size > 1_000_000:
        return [""]
    return ["".join(chr(int(c)) for c in row if c).strip() for row in codes.T]


def _objects(texts: list[str]) -> np.ndarray:
    out = np.empty(len(texts), dtype=object)
    out[:] = texts
    return out


def _attribute(item: Any, name: str) -> str:
    try:
        value = item.attrs.get(name)
    except (OSError, KeyError, TypeError, ValueError):
        return ""
    if value is None:
        return ""
    if isinstance(value, np.ndarray):
        value = (
            b"".join(value.ravel()) if value.dtype.kind == "S" else " ".join(map(str, value.flat))
        )
    return clean(value)


def _signal_and_axes(group: Any) -> tuple[str, list[str]]:
    """The names of the signal and of its axes: attributes of the group, or, in older files, of the
    signal itself (signal = 1, axes = "y:x") or of each axis (axis = 1, 2, ...)."""
    signal, axes = _attribute(group, "signal"), group.attrs.get("axes")
    if not signal or signal not in group:
        marked = [k for k, v in group.items() if _attribute(v, "signal") in ("1", "1.0")]
        signal = marked[0] if marked else ""
    if axes is None and signal:
        axes = _attribute(group[signal], "axes") or None
    if axes is None:
        numbered = sorted((_attribute(v, "axis"), k) for k, v in group.items())
        return signal, [k for number, k in numbered if number.isdigit()]
    names = [clean(a) for a in np.atleast_1d(axes)]
    if len(names) == 1:
        names = [part for part in re.split(r"[:,;\[\] ]+", names[0]) if part]
    return signal, names


def _nexus(file: Any, given: Given) -> list[Block]:
    """NXdata groups: a signal and the axes it names."""
    import h5py

    found: list[NamedArray] = []

    def visit(path: str, group: Any) -> None:
        if not isinstance(group, h5py.Group) or _attribute(group, "NX_class") != "NXdata":
            return
        signal, names = _signal_and_axes(group)
        if signal not in group or not names or names[-1] not in group:
            return
        title = clean(group["title"][()]) if "title" in group else path.rsplit("/", 1)[-1]
        y, x = group[signal], group[names[-1]]
        if y.size > given.limits.cells or y.dtype.kind not in "fiu" or x.dtype.kind not in "fiu":
            return
        where = f"{path}#"  # each group has an axis of its own
        found.append(
            NamedArray(where, "signal", np.asarray(y[()]), _attribute(y, "long_name"), title)
        )
        found.append(NamedArray(where, "axis", np.asarray(x[()]), _attribute(x, "units"), ""))

    file.visititems(visit)
    return blocks_of(found, given) if found else []
