"""TriVista .tvf (S&I): XML with one frame of numbers per spectrum and the axis beside it."""

from __future__ import annotations

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, stack
from explorer.data.readers.instruments.xml import local, numbers, parsed


def read_trivista(given: Given) -> list[Block]:
    root = parsed(given)
    blocks = []
    for document in root.iter():
        if local(document) != "Document":
            continue
        axis, unit = np.empty(0), ""
        rows = []
        for element in document.iter():
            if local(element) == "xDim":
                for part in element.iter():
                    values = part.get("ValueArray") or part.get("Values") or part.text
                    found = numbers((values or "").replace("|", ";"), ";")
                    if found.size > 2:
                        axis = found[1:] if found[0] == found.size - 1 else found
                    unit = part.get("Unit") or unit
            elif local(element) == "Frame":
                rows.append(numbers(element.text, ";"))
        rows = [row for row in rows if row.size > 1]
        if not rows:
            continue
        points = rows[0].size
        rows = [row for row in rows if row.size == points]
        notes = []
        if axis.size != points:
            axis, unit = np.arange(1.0, points + 1), ""
            notes.append("The file gives no axis: it counts pixels.")
        names = tuple(f"{given.stem} {k + 1}" for k in range(len(rows))) if len(rows) > 1 else ("",)
        blocks.append(
            Block(axis, stack(rows), _unit(unit), document.get("DataLabel", ""), names, notes=notes)
        )
    return blocks


def _unit(word: str) -> str:
    return {"Nanometer": "nm", "nanometer": "nm", "RelWavenumber": "cm-1"}.get(word, word)
