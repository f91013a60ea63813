"""Horiba LabSpec XML: axes in a tree of numbered fields, spectra as rows of a matrix."""

from __future__ import annotations

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, stack
from explorer.data.readers.instruments.units import unit_in
from explorer.data.readers.instruments.xml import numbers, parsed

_VALUES, _KIND, _UNIT, _AXES, _TITLE = (
    "0x7D6CD4DB", "0x6D707974", "0x7C696E75", "0x7B697861", "0x6C7469D9",
)  # fmt: skip


def read_labspec_xml(given: Given) -> list[Block]:
    root = parsed(given)
    axes: dict[str, tuple[np.ndarray, str]] = {}
    quantity = ""
    for group in root.iter("LSX"):
        if group.get("ID") != _AXES:
            continue
        for axis in group:
            parts = {part.get("ID"): part for part in axis}
            kind = (parts[_KIND].text or "").strip() if _KIND in parts else ""
            unit = (parts[_UNIT].text or "").strip() if _UNIT in parts else ""
            if kind == "Intens":
                quantity = unit
            elif _VALUES in parts:
                axes.setdefault(kind, (numbers(parts[_VALUES].text), unit))
    rows = [numbers(row.text) for row in root.iter("LSX_Row")]
    if "Spectr" not in axes or not rows:
        raise given.refuse("is a LabSpec XML file without spectra. Save it again in LabSpec.")
    x, unit = axes["Spectr"]
    if len({row.size for row in rows}) != 1 or rows[0].size != x.size:
        raise given.refuse("is a LabSpec XML file whose rows are not as long as its axis.")
    each: dict[str, list[str]] = {}
    if "X" in axes and "Y" in axes and axes["X"][0].size * axes["Y"][0].size == len(rows):
        across, up = np.meshgrid(axes["X"][0], axes["Y"][0])
        each = {
            "x": [f"{v:g}" for v in across.ravel()],
            "y": [f"{v:g}" for v in up.ravel()],
        }
    title = next((e.text for e in root.iter("LSX") if e.get("ID") == _TITLE and e.text), "")
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(rows))) if len(rows) > 1 else ("",)
    return [Block(x, stack(rows), unit_in(unit), quantity, names, {"title": title}, each)]
