"""The .ts files of the UCR/UEA time series archives (aeon, sktime)."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.data.axis import SpectralAxis
from explorer.data.readers.columns import missing, number
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, objects
from explorer.data.readers.text import as_utf8, lines_of


def read_ts(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """One case per line, "v,v,...,v:label"; dimensions of a case, also parted by ":", are joined.

    Cases must be of equal length, without time stamps and with class labels.
    """
    text, note = as_utf8(content, name)
    lines = lines_of(text.decode("utf-8"))
    notes = [note] if note else []
    start = None
    tags: dict[str, str] = {}
    for i, line in enumerate(lines):
        stripped = line.strip()
        if stripped.lower() == "@data":
            start = i + 1
            break
        if stripped.startswith("@"):
            key, *value = stripped[1:].split(None, 1)
            tags[key.lower()] = value[0].strip() if value else ""
    if start is None:
        raise FileRefused(f"{shown(name)} has no @data line. Check that the file is complete.")
    if tags.get("timestamps", "false").lower() == "true":
        raise FileRefused(
            f"{shown(name)} has time stamps in its cells. Save it without them, at equal steps."
        )
    if tags.get("classlabel", "true").lower().split(" ")[0] != "true":
        raise FileRefused(f"{shown(name)} has no class labels (@classLabel false).")
    rows: list[list[float]] = []
    labels: list[str | None] = []
    numbers: list[int] = []
    widths: list[int] = []
    for i, line in enumerate(lines[start:], start + 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        *dimensions, label = line.strip().split(":")
        if not dimensions:
            raise FileRefused(f"Line {i} has no ':' before a label. Check that line.")
        cells = [d.split(",") for d in dimensions]
        these = [len(c) for c in cells]
        widths = widths or these
        if these != widths:
            raise FileRefused(
                f"Line {i} has {sum(these)} values where the first case has {sum(widths)}. Series "
                "must be of equal length; cut or resample them."
            )
        limits.check_shape(len(rows) + 1, sum(widths))
        rows.append([_value(cell, i, k) for k, cell in enumerate(c for d in cells for c in d)])
        labels.append(label.strip() or None)
        numbers.append(i)
    if not rows:
        raise FileRefused(f"{shown(name)} has no case after @data. Check that it is complete.")
    if len(widths) > 1:
        names = [f"d{d + 1}t{t + 1}" for d, w in enumerate(widths) for t in range(w)]
        notes.append(f"{len(widths)} dimensions of each case were joined.")
        axis = None
    else:
        names = [f"t{t + 1}" for t in range(widths[0])]
        axis = SpectralAxis(np.arange(1.0, widths[0] + 1), "time step")
    return Table(
        names,
        np.array(rows),
        list(range(len(names))),
        lambda row: f"line {numbers[row]}",
        extra={"class": objects(labels)},
        label="class",
        axis=axis,
        citation=tags.get("problemname", ""),
        notes=notes,
    )


def _value(cell: str, line: int, k: int) -> float:
    if missing(cell):
        return np.nan
    value = number(cell)
    if value is None:
        raise FileRefused(
            f"Line {line}, value {k + 1} is {shown(cell)}, which is not a number. Correct it."
        )
    return value
