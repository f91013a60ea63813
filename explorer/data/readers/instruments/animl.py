"""AnIML: XML with series of numbers; one series that is the axis, others that depend on it."""

from __future__ import annotations

import base64
from xml.etree import ElementTree

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, floats
from explorer.data.readers.instruments.units import unit_in
from explorer.data.readers.instruments.xml import local, parsed

_KINDS = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}


def read_animl(given: Given) -> list[Block]:
    root = parsed(given)
    blocks = []
    for step in root.iter():
        if local(step) != "ExperimentStep":
            continue
        for group in step.iter():
            if local(group) == "SeriesSet":
                blocks += _set(group, step.get("name", ""))
    if not blocks:
        raise given.refuse(
            "is an AnIML file that holds single results, not spectra: no series of numbers has an "
            "axis. Export the spectra themselves."
        )
    return blocks


def _set(group: ElementTree.Element, name: str) -> list[Block]:
    length = int(group.get("length", "0"))
    axis, unit, rows, titles = None, "", [], []
    for series in group:
        if local(series) != "Series":
            continue
        values = _values(series, length)
        if values.size < 2:
            continue
        if series.get("dependency") == "independent" and axis is None:
            axis = values
            unit = next((u.get("label", "") for u in series if local(u) == "Unit"), "")
        else:
            rows.append(values)
            titles.append(series.get("name", ""))
    return [
        Block(axis, row, unit_in(unit), title, (name,))
        for row, title in zip(rows, titles, strict=True)
        if axis is not None and row.size == axis.size
    ]


def _values(series: ElementTree.Element, length: int) -> np.ndarray:
    for part in series:
        kind = local(part)
        if kind == "IndividualValueSet":
            return np.array([float(e.text or "nan") for e in part])
        if kind == "EncodedValueSet":
            raw = base64.b64decode(part.text or "")
            return floats(raw, _KINDS.get(series.get("seriesType", ""), "<f4"))
        if kind == "AutoIncrementedValueSet" and 0 < length < 10_000_000:
            start, step = (float("".join(e.itertext())) for e in list(part)[:2])
            return start + step * np.arange(length)
    return np.empty(0)
