"""Owns how a Table travels from the child process: JSON and one array, no pickle."""

from __future__ import annotations

import io
import json

import numpy as np

from explorer.data.axis import SpectralAxis
from explorer.data.readers.table import Table, objects

MAGIC = b"table\n"


def pack(table: Table) -> bytes:
    """A Table as bytes that `unpack` turns back; places of rows travel as text."""
    n = table.n_rows
    described = {
        "names": table.names,
        "columns": [
            c if isinstance(c, int) else [None if v is None else str(v) for v in c]
            for c in table.columns
        ],
        "flags": sorted(table.flags),
        "extra": {
            key: {"text": column.dtype == object, "cells": column.tolist()}
            for key, column in table.extra.items()
        },
        "label": table.label,
        "axis": None
        if table.axis is None
        else {
            "values": table.axis.values.tolist(),
            "name": table.axis.name,
            "unit": table.axis.unit,
            "reversed": table.axis.reversed,
        },
        "groups": None if table.groups is None else table.groups.tolist(),
        "sample_names": table.sample_names,
        "citation": table.citation,
        "notes": table.notes,
        "places": [table.where(i) for i in range(n)],
    }
    stream = io.BytesIO()
    np.save(stream, table.block, allow_pickle=False)
    head = json.dumps(described).encode()
    return len(head).to_bytes(8, "little") + head + stream.getvalue()


def unpack(data: bytes) -> Table:
    """The Table in what `pack` made."""
    size = int.from_bytes(data[:8], "little")
    d = json.loads(data[8 : 8 + size])
    block = np.load(io.BytesIO(data[8 + size :]), allow_pickle=False)
    axis = d["axis"]
    places = d["places"]
    return Table(
        d["names"],
        np.array(block, order="C"),
        [c if isinstance(c, int) else objects(c) for c in d["columns"]],
        places.__getitem__,
        frozenset(d["flags"]),
        {
            key: objects(c["cells"]) if c["text"] else np.array(c["cells"], np.float64)
            for key, c in d["extra"].items()
        },
        d["label"],
        None
        if axis is None
        else SpectralAxis(np.array(axis["values"]), axis["name"], axis["unit"], axis["reversed"]),
        None if d["groups"] is None else np.array(d["groups"], np.intp),
        None if d["sample_names"] is None else tuple(d["sample_names"]),
        citation=d["citation"],
        notes=d["notes"],
    )
