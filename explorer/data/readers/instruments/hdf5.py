"""HDF5 and its kin (NeXus, MATLAB 7.3, NetCDF 4, PTIR, ...), through `h5py`, from memory.

An HDF5 file may name other files: links into them, numbers that lie in them, parts of them put
together. The names come from whoever wrote the file, so none of them is ever opened: arrays are
read by `_read` and links are followed by `_inside`, and by nothing else.
"""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from explorer.data.readers.instruments.arrays import NamedArray, blocks_of
from explorer.data.readers.instruments.block import Block, Given, clean
from explorer.data.readers.refused import shown

_MOST_ARRAYS = 5000


def opened(content: bytes) -> Any:
    """The file, from memory."""
    import h5py

    return h5py.File(io.BytesIO(content), "r")


def read_hdf5(given: Given) -> list[Block]:
    with opened(given.content) as file:
        nexus = _nexus(file, given)
        if nexus:
            return nexus
        return blocks_of(named_arrays(file, given), given)


def named_arrays(file: Any, given: Given) -> list[NamedArray]:
    """Every array of numbers or texts in the file, within the limits."""
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
        values = _values(item, file, given)
        if values is None:
            return
        group, _, name = path.rpartition("/")
        unit = _attribute(item, "units") or _attribute(item, "unit")
        found.append(NamedArray(group, name, values, unit, _attribute(item, "long_name")))

    file.visititems(visit)
    return found


def _read(item: Any, given: Given) -> Any:
    """All of an array."""
    _check_own(item, given)
    return item[()]


def _check_own(item: Any, given: Given) -> None:
    """Refuse an array whose values do not lie in this file."""
    if item.external or item.is_virtual:
        raise given.refuse(
            f"keeps array {shown(item.name)} in another file, which is never opened. Save the "
            "numbers in the file itself."
        )


def _inside(group: Any, path: str, most_links: int = 8) -> Any:
    """A part of a group; None if there is none, or if a link to it leads into another file."""
    import h5py

    here = group.file if path.startswith("/") else group
    for name in filter(None, path.split("/")):
        link = here.get(name, getlink=True) if isinstance(here, h5py.Group) else None
        if isinstance(link, h5py.SoftLink) and most_links:
            here = _inside(here, link.path, most_links - 1)
        elif isinstance(link, h5py.HardLink):
            here = here[name]
        else:
            return None
    return here if path.strip("/") else None


def _values(item: Any, file: Any, given: Given) -> np.ndarray | None:
    """Numbers as they are; MATLAB's texts and cells of texts as objects; else None."""
    import h5py

    kind = _attribute(item, "MATLAB_class")
    if item.dtype.kind in "fiu" and kind != "char":
        return np.atleast_1d(np.asarray(_read(item, given)))
    if kind == "char":
        return _objects(_characters(item, given))
    if h5py.check_ref_dtype(item.dtype) is h5py.Reference:
        if item.size > 100_000:
            return None
        texts = []
        for reference in np.asarray(_read(item, given)).ravel():
            target = file[reference]
            if _attribute(target, "MATLAB_class") != "char":
                return None
            texts.append("".join(_characters(target, given)))
        return _objects(texts)
    if item.dtype.kind in "SO" and item.size <= 100_000:
        if not _is_text(item):
            return None
        _check_own(item, given)
        cells = np.asarray(item.asstr(errors="replace")[()]).ravel()
        return _objects([str(c) for c in cells])
    return None


def _is_text(item: Any) -> bool:
    import h5py

    return h5py.check_string_dtype(item.dtype) is not None


def _characters(item: Any, given: Given) -> list[str]:
    """Rows of a MATLAB char array, which HDF5 holds transposed."""
    if item.dtype.kind not in "iu" or (item.size or 0) > 1_000_000:
        return [""]
    codes = np.atleast_2d(np.asarray(_read(item, given)))
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


def is_matlab(file: Any) -> bool:
    """Whether MATLAB wrote the file, by the attributes that it writes."""
    parts = (_inside(file, name) for name in file)
    return any("MATLAB_class" in p.attrs for p in (file, *parts) if p is not None)


def _signal_and_axes(group: Any) -> tuple[str, list[str]]:
    """The names of the signal and of its axes: attributes of the group, or, in older files, of the
    signal itself (signal = 1, axes = "y:x") or of each axis (axis = 1, 2, ...)."""
    signal, axes = _attribute(group, "signal"), group.attrs.get("axes")
    parts = {name: part for name in group if (part := _inside(group, name)) is not None}
    if _inside(group, signal) is None:
        marked = [k for k, v in parts.items() if _attribute(v, "signal") in ("1", "1.0")]
        signal = marked[0] if marked else ""
    if axes is None and signal:
        axes = _attribute(_inside(group, signal), "axes") or None
    if axes is None:
        numbered = sorted((_attribute(v, "axis"), k) for k, v in parts.items())
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
        if not names:
            return
        y, x = _inside(group, signal), _inside(group, names[-1])
        for part in (y, x):
            if not isinstance(part, h5py.Dataset) or part.dtype.kind not in "fiu":
                return
            if not 0 < (part.size or 0) <= given.limits.cells:
                return
        named = _inside(group, "title")
        is_named = isinstance(named, h5py.Dataset) and named.size == 1
        title = clean(np.ravel(_read(named, given))[0]) if is_named else path.rsplit("/", 1)[-1]
        where = f"{path}#"  # each group has an axis of its own
        found.append(
            NamedArray(
                where, "signal", np.asarray(_read(y, given)), _attribute(y, "long_name"), title
            )
        )
        found.append(
            NamedArray(where, "axis", np.asarray(_read(x, given)), _attribute(x, "units"), "")
        )

    file.visititems(visit)
    return blocks_of(found, given) if found else []
