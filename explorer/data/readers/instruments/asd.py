"""ASD FieldSpec files (.asd), versions 1 to 8, from the maker's published description.

The library pyASDReader, with which the tests compare, opens paths only.
"""

from __future__ import annotations

import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, floats

_KINDS = {0: "raw", 1: "reflectance", 2: "radiance", 4: "irradiance", 6: "transmittance"}
_FORMATS = {0: "<f4", 1: "<i4", 2: "<f8"}
_HEADER = 484


def read_asd(given: Given) -> list[Block]:
    head = given.part(0, _HEADER, "the header")
    kind, (first, step) = head[186], struct.unpack("<ff", head[191:199])
    form, (channels,) = _FORMATS.get(head[199]), struct.unpack("<H", head[204:206])
    if form is None or channels < 2 or not (np.isfinite([first, step]).all() and step > 0):
        raise given.refuse("begins like an ASD file, but its header is damaged. Copy it again.")
    size = int(form[2:]) * channels
    y = floats(given.part(_HEADER, size, "the spectrum"), form)
    quantity = _KINDS.get(kind, "")
    notes = []
    if head[:3] != b"ASD" and kind == 1:
        reference = _reference(given, _HEADER + size, size, form)
        if reference is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                y = np.where(reference != 0, y / reference, np.nan)
        else:
            quantity = "raw"
            notes.append("The white reference is missing: these are raw counts, not reflectance.")
    x = first + step * np.arange(channels)
    year, month, day = (struct.unpack("<h", head[at : at + 2])[0] for at in (170, 168, 166))
    about = {
        "comment": head[3:160],
        "date": f"{year + 1900:04d}-{month + 1:02d}-{day:02d}",
        "instrument": str(struct.unpack("<H", head[400:402])[0]),
    }
    return [Block(x, y, "nm", quantity, metadata=about, notes=notes)]


def _reference(given: Given, at: int, size: int, form: str) -> np.ndarray | None:
    """The white reference after its own header (flag, two times, a text with its length)."""
    if at + 20 > len(given.content):
        return None
    words = struct.unpack("<H", given.content[at + 18 : at + 20])[0]
    start = at + 20 + words
    if start + size > len(given.content):
        return None
    reference = floats(given.content[start : start + size], form)
    return reference if np.isfinite(reference).all() and (reference != 0).any() else None
