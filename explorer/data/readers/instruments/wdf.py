"""Renishaw WiRE files (.wdf): single spectra, series and maps, from their public block layout.

    { name (4 bytes), id (4), size (8), data }     WDF1 header, DATA, XLST axis, ORGN positions

The library renishawWiRE, with which the tests compare, opens paths only and does not end on a
block of size 0.
"""

from __future__ import annotations

import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean, floats

_UNITS_XLST = {0: "", 1: "cm-1", 2: "cm-1", 3: "nm", 4: "eV", 5: "um", 6: "counts", 7: "eV"}
_ORIGINS = {2: "spectrum number", 3: "x (um)", 4: "y (um)", 5: "z (um)", 10: "temperature"}


def read_wdf(given: Given) -> list[Block]:
    places = _blocks(given)
    if "WDF1" not in places or "DATA" not in places or "XLST" not in places:
        raise given.refuse("is a Renishaw WiRE file without spectra. Save the measurement again.")
    head = given.part(0, 512, "the header")
    points, capacity, count = struct.unpack("<Iqq", head[0x3C:0x50])
    _, x_length, origins = struct.unpack("<III", head[0x54:0x60])
    if not (0 < points <= len(given.content) and 0 < count <= len(given.content)):
        raise given.refuse("is a Renishaw WiRE file in which no spectrum was measured.")
    if points * count * 4 > len(given.content):
        raise given.refuse("is damaged or cut short: spectra are missing. Copy it again.")
    at, _ = places["XLST"]
    unit = _UNITS_XLST.get(struct.unpack("<i", given.part(at + 4, 4, "the axis"))[0], "")
    x = floats(given.part(at + 8, 4 * x_length, "the axis"), "<f4")
    at, _ = places["DATA"]
    y = floats(given.part(at, 4 * points * count, "the spectra"), "<f4").reshape(count, points)
    notes = []
    if count < capacity:
        notes.append(f"The measurement was stopped after {count} of {capacity} spectra.")
    about = {
        "title": head[0xF0:0x190],
        "operator": head[0xD0:0xF0],
        "laser (cm-1)": f"{struct.unpack('<f', head[0x9C:0xA0])[0]:g}",
    }
    each = _origins(given, places, origins, capacity, count) if count > 1 else {}
    title = clean(head[0xF0:0x190]) or given.stem
    names = tuple(f"{title} {k + 1}" for k in range(count)) if count > 1 else ("",)
    return [Block(x, y, unit, "intensity", names, about, each, notes)]


def _blocks(given: Given) -> dict[str, tuple[int, int]]:
    """Where the data of each block begins, and its size; the first block of a name counts."""
    places: dict[str, tuple[int, int]] = {}
    at = 0
    while at + 16 <= len(given.content):
        name = given.content[at : at + 4].decode("latin-1")
        size = struct.unpack("<q", given.content[at + 8 : at + 16])[0]
        if size < 16:
            break
        places.setdefault(name, (at + 16, size - 16))
        at += size
    return places


def _origins(
    given: Given, places: dict[str, tuple[int, int]], lists: int, capacity: int, count: int
) -> dict[str, list[str]]:
    """Positions of the spectra of a map or series: one list of float64 per coordinate."""
    if "ORGN" not in places or not 0 < capacity <= len(given.content):
        return {}
    at, _ = places["ORGN"]
    out: dict[str, list[str]] = {}
    at += 4
    for _ in range(min(lists, 20)):
        if at + 24 + 8 * capacity > len(given.content):
            break
        kind, _unit = struct.unpack("<II", given.content[at : at + 8])
        label = clean(given.content[at + 8 : at + 24])
        values = np.frombuffer(given.content, "<f8", capacity, at + 24)[:count]
        at += 24 + 8 * capacity
        kind &= 0x7FFFFFFF
        if kind in _ORIGINS:
            out[_ORIGINS[kind] or label] = [f"{v:.6g}" for v in values]
    return out
