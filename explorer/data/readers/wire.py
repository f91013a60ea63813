"""How a Table is sent from the child process: JSON and arrays, no pickle.

    length of the JSON | JSON | numbers | codes of text columns, ...

Text is sent as levels and codes, because a column of text repeats itself and would otherwise be
many times larger here than in the file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.readers.refused import FileRefused, Limits
from explorer.data.readers.table import Numbered, Table, objects

MAGIC = b"table\n"
_SPARE = 1 << 20  # bytes for headers


def _most_text(limits: Limits) -> int:
    return limits.bytes // 2


def largest_answer(limits: Limits) -> int:
    """Bytes of the largest answer of a child: two numbers per cell, and half the file in text."""
    return _SPARE + _most_text(limits) + 16 * limits.cells


def pack(table: Table, limits: Limits | None = None) -> bytes:
    """A Table as bytes that `unpack` turns back; FileRefused where it is over the limits."""
    arrays: list[NDArray[Any]] = [table.block]

    def text(cells: Iterable[Any]) -> dict[str, Any]:
        levels: dict[str | None, int] = {}
        kept = (None if v is None else str(v) for v in cells)
        codes = np.fromiter((levels.setdefault(v, len(levels)) for v in kept), np.int32)
        arrays.append(codes)
        return {"levels": list(levels), "codes": len(arrays) - 1}

    def numbers(values: Any) -> dict[str, int]:
        arrays.append(np.asarray(values))
        return {"numbers": len(arrays) - 1}

    axis = table.axis
    described = {
        "names": table.names,
        "columns": [c if isinstance(c, int) else text(c) for c in table.columns],
        "flags": sorted(table.flags),
        "extra": {
            key: text(column) if column.dtype == object else numbers(column)
            for key, column in table.extra.items()
        },
        "label": table.label,
        "axis": None
        if axis is None
        else {
            "values": numbers(axis.values),
            "name": axis.name,
            "unit": axis.unit,
            "reversed": axis.reversed,
        },
        "groups": None if table.groups is None else numbers(table.groups),
        "sample_names": None if table.sample_names is None else text(table.sample_names),
        "image_shape": table.image_shape,
        "citation": table.citation,
        "notes": table.notes,
        "places": _places(table, numbers, text),
        "format": table.format,
    }
    head = json.dumps(described).encode()
    if limits is not None and len(head) > _most_text(limits):
        raise FileRefused(
            f"The table holds {len(head) / 1e6:.0f} MB of text; at most "
            f"{_most_text(limits) / 1e6:g} MB can be read. Leave out columns of text."
        )
    stream = io.BytesIO()
    for array in arrays:
        np.save(stream, array, allow_pickle=False)
    head += b" " * (-(len(MAGIC) + 8 + len(head)) % 64)  # so that numbers are aligned
    return len(head).to_bytes(8, "little") + head + stream.getbuffer()


def _places(
    table: Table,
    numbers: Callable[[Any], dict[str, Any]],
    text: Callable[[Iterable[Any]], dict[str, Any]],
) -> dict[str, Any]:
    """Places of rows: one word and a number each, as a rule; else as text."""
    where, n = table.where, table.n_rows
    if isinstance(where, Numbered):
        return {"word": where.word, "at": numbers(where.numbers(n))}
    return {"text": text([where(i) for i in range(n)])}


def unpack(data: bytes | memoryview) -> Table:
    """The Table in what `pack` made. Its numbers are a view of ``data``."""
    data = memoryview(data)
    size = int.from_bytes(data[:8], "little")
    d = json.loads(bytes(data[8 : 8 + size]))
    arrays = _arrays(data[8 + size :])

    def text(found: dict[str, Any]) -> NDArray[np.object_]:
        return objects(found["levels"])[arrays[found["codes"]]]

    def cells(found: dict[str, Any]) -> NDArray[Any]:
        return text(found) if "levels" in found else arrays[found["numbers"]]

    axis, groups, names, places = d["axis"], d["groups"], d["sample_names"], d["places"]
    where: Callable[[int], str]
    if "word" in places:
        at = cells(places["at"])
        where = Numbered(places["word"], lambda n: at[:n])
    else:
        where = text(places["text"]).__getitem__
    return Table(
        d["names"],
        arrays[0],
        [c if isinstance(c, int) else text(c) for c in d["columns"]],
        where,
        frozenset(d["flags"]),
        {key: cells(found) for key, found in d["extra"].items()},
        d["label"],
        None
        if axis is None
        else SpectralAxis(cells(axis["values"]), axis["name"], axis["unit"], axis["reversed"]),
        None if groups is None else cells(groups).astype(np.intp),
        None if names is None else tuple(text(names)),
        None if d["image_shape"] is None else tuple(d["image_shape"]),
        citation=d["citation"],
        notes=d["notes"],
        format=d["format"],
    )


def _arrays(data: memoryview) -> list[NDArray[Any]]:
    """The arrays of an answer, one after the other, without copies."""
    out: list[NDArray[Any]] = []
    while data.nbytes:
        # a header is short; what follows it is looked at, not copied
        stream = io.BytesIO(bytes(data[: 1 << 12]))
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError("an unknown version")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
        begin = stream.tell()
        if dtype.hasobject:
            raise ValueError("objects")
        count = int(np.prod(shape, dtype=np.int64))
        flat = np.frombuffer(data, dtype, count, begin)
        array = flat.reshape(shape, order="F" if fortran else "C")
        out.append(np.require(array, requirements=["C", "A", "W"]))
        data = data[begin + flat.nbytes :]
    return out
