"""ARFF files (Weka), through `scipy.io.arff`, in the child process."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from explorer.data.readers.columns import number
from explorer.data.readers.refused import FileRefused, Limits, reason, shown
from explorer.data.readers.table import Table, objects
from explorer.data.readers.text import as_utf8, lines_of


def read_arff(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """Numeric, nominal and date attributes. A last nominal attribute is the label."""
    from scipy.io import arff

    text, note = as_utf8(content, name)
    whole = text.decode("utf-8")
    lines = lines_of(whole)
    start = next((i + 1 for i, s in enumerate(lines) if s.strip().lower() == "@data"), None)
    if start is None:
        raise FileRefused(f"{shown(name)} has no @data line. Check that the file is complete.")
    places = [
        i for i, s in enumerate(lines[start:], start + 1) if s.strip() and s.strip()[0] != "%"
    ]
    if not places:
        raise FileRefused(f"{shown(name)} has no row after @data. Check that it is complete.")
    if lines[places[0] - 1].lstrip().startswith("{"):
        raise FileRefused(f"{shown(name)} is a sparse ARFF file. Save it in the dense form.")
    n_attributes = sum(s.strip().lower().startswith("@attribute") for s in lines[:start])
    limits.check_shape(len(places), n_attributes)
    try:
        data, meta = arff.loadarff(io.StringIO(whole))
    except NotImplementedError as error:
        raise FileRefused(
            f"{shown(name)} has an attribute that cannot be read ({reason(error)}). Keep numeric "
            "and nominal attributes."
        ) from None
    except Exception as error:  # scipy raises seven kinds here; the file is searched for the reason
        raise FileRefused(_reason(lines, start, places, name, error)) from None
    names = list(meta.names())
    columns = []
    for attribute in names:
        values = data[attribute]
        if values.dtype.kind == "S":
            cells = [v.decode("utf-8", "replace") for v in values]
            columns.append(objects([None if c == "?" else c for c in cells]))
        elif values.dtype.kind == "M":
            columns.append(objects([str(v) for v in values]))
        else:
            columns.append(values.astype(np.float64))
    table = Table.of_columns(names, columns, lambda row: f"line {places[row]}")
    if names and meta[names[-1]][0] == "nominal":
        table.label = names[-1]
    table.citation = str(meta.name)
    table.notes += [note] if note else []
    return table


def _reason(lines: list[str], start: int, places: list[int], name: str, error: Exception) -> str:
    """Where the trouble is: a row of the wrong length, a cell that is no number or no level."""
    kinds = [
        line.strip().rsplit(None, 1)[-1].lower()
        for line in lines[:start]
        if line.strip().lower().startswith("@attribute")
    ]
    for place in places:
        cells = next(csv.reader([lines[place - 1]], quotechar="'", skipinitialspace=True), [])
        if len(cells) != len(kinds):
            return (
                f"Line {place} has {len(cells)} cells for {len(kinds)} attributes. Complete it, or "
                "check for a stray comma."
            )
        for j, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
            plain = kind in ("numeric", "real", "integer")
            if plain and cell.strip() != "?" and number(cell) is None:
                return (
                    f"Line {place}, attribute {j + 1} holds {shown(cell)}, which is not a number. "
                    "Correct that cell."
                )
    return f"{shown(name)} is not a sound ARFF file ({str(error)[:100]}). Save it again."
