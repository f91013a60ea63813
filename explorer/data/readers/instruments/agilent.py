"""Agilent Resolutions Pro: images (.dat, .dmd tiles, .seq interferograms) and single .bsp spectra.

An image is a header of 1020 bytes and float32 values, band after band. Its axis stands in the .bsp
or .dmt file of the same name: a step, the number of its first multiple, and how many there are.
"""

from __future__ import annotations

import io
import re
import struct

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Block, Given, clean, counted, floats

_IMAGE_HEADER = 1020
_AXIS = re.compile(
    rb"\x08\x00\x00\x00(.{8})\x04\x00\x00\x00(.{4})\x04\x00\x00\x00(.{4})(.{4})", re.DOTALL
)
_NO_AXIS = "The file with the axis ({}) is missing: the axis counts channels."


def read_agilent(given: Given) -> list[Block]:
    bands = struct.unpack("<i", given.part(9, 4, "the header"))[0]
    columns, rows = struct.unpack("<HH", given.part(24, 4, "the header"))
    count = bands * columns * rows
    if bands < 1 or count < 1:
        raise given.refuse("is an Agilent image with a damaged header. Export it again.")
    data = given.part(_IMAGE_HEADER, 4 * count, "the image")
    cube = floats(data, "<f4").reshape(bands, rows * columns)
    x, notes, unit = None, [], "cm-1"
    for name, content in given.beside.items():
        if name.endswith((".bsp", ".dmt")) and x is None:
            x = _axis(content, bands)
    if given.plain.lower().endswith((".seq", ".drd")):
        x, unit = np.arange(1.0, bands + 1), "points"
        notes.append("These are interferograms, not spectra; their axis counts points.")
    elif x is None:
        x, unit = np.arange(1.0, bands + 1), ""
        notes.append(_NO_AXIS.format(".bsp or .dmt"))
    pixels = rows * columns
    each = {
        "column": [str(k % columns) for k in range(pixels)],
        "row": [str(k // columns) for k in range(pixels)],
    }
    names = tuple(f"{given.stem} {k + 1}" for k in range(pixels))
    return [Block(x, cube.T, unit, "", names, {}, each, notes)]


def read_ole(given: Given) -> list[Block]:
    """A .bsp: spectra in streams of an OLE file; other OLE files are old office documents."""
    import olefile

    with olefile.OleFileIO(io.BytesIO(given.content)) as ole:
        streams = {
            "/".join(path): ole.openstream(path).read()
            for path in ole.listdir()
            if path[0] == "Spectra" and path[-1] != "IndexTable"
        }
        office = ole.exists("Workbook") or ole.exists("WordDocument") or ole.exists("Book")
    if office or not streams:
        what = (
            "is an old Excel or Word file. Save it as .xlsx or CSV."
            if office
            else "is a compound file of a program that is not known here. Export it as text."
        )
        raise given.refuse(what)
    blocks = []
    for data in streams.values():
        match = _AXIS.search(data)
        if match is None:
            continue
        step, first, points = _numbers(match)
        size = struct.unpack("<i", match[4])[0]
        if not 0 < points == size // 8 or match.end() + size > len(data):
            continue
        y = floats(data[match.end() : match.end() + size], "<f8")
        words = [
            clean(w) for w in re.findall(rb"[\x20-\x7e]{6,}", data[match.end() + size :][:600])
        ]
        unit = "cm-1" if "Wavenumber" in words else ""
        quantity = next((w for w in words if w in ("Absorbance", "Transmittance")), "")
        blocks.append(Block(step * (first + counted(points)), y, unit, quantity))
    return blocks


def _axis(content: bytes, bands: int) -> NDArray[np.float64] | None:
    for match in _AXIS.finditer(content):
        step, first, points = _numbers(match)
        if points == bands and 0 < step < 1e6 and abs(first) < 1e9:
            return step * (first + counted(points))
    return None


def _numbers(match: re.Match[bytes]) -> tuple[float, int, int]:
    return (
        struct.unpack("<d", match[1])[0],
        struct.unpack("<i", match[2])[0],
        struct.unpack("<i", match[3])[0],
    )
