"""EMSA/MAS spectra (.msa, ISO 22029): "#KEY : value" lines, then values or pairs."""

from __future__ import annotations

import re

import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.units import unit_in

_FIELD = re.compile(r"#\s*([A-Za-z-]+)\s*:\s*(.*)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def is_emsa(lines: list[str]) -> bool:
    return any(re.match(r"#\s*FORMAT\s*:\s*EMSA", line, re.I) for line in lines[:5])


def read_emsa(lines: list[str], given: Given) -> list[Block]:
    """The axis of values alone is OFFSET + k XPERCHAN; pairs have their own."""
    fields: dict[str, str] = {}
    rows: list[str] = []
    for line in lines:
        match = _FIELD.match(line)
        if match is not None:
            fields.setdefault(match[1].upper().rstrip("-"), match[2].strip())
        elif fields and line.strip():
            rows.append(line)
    numbers = np.array([float(v) for row in rows for v in _NUMBER.findall(row)])
    if fields.get("DATATYPE", "Y").upper().startswith("XY"):
        x, y = numbers[: numbers.size // 2 * 2].reshape(-1, 2).T
    else:
        step, first = (_value(fields.get(key, "")) for key in ("XPERCHAN", "OFFSET"))
        y = numbers
        x = (first or 0.0) + (step or 1.0) * np.arange(y.size)
    if y.size < 2:
        raise given.refuse("is an EMSA file without values. Export the spectrum again.")
    about = {key.lower(): value for key, value in fields.items() if len(value) < 100}
    unit = unit_in(fields.get("XUNITS", "")) or unit_in(fields.get("XLABEL", ""))
    return [Block(x, y, unit, fields.get("YUNITS", ""), (fields.get("TITLE", ""),), about)]


def _value(text: str) -> float | None:
    match = _NUMBER.search(text)
    return float(match[0]) if match else None
