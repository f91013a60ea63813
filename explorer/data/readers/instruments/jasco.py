"""JASCO .jws: the OLE form (through `olefile`) and the older form of Spectra Manager 1."""

from __future__ import annotations

import io
import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean, floats

_X_UNITS = {0x10000100: "cm-1", 0x10000103: "nm", 0x10000106: "cm-1", 0x10000101: "cm-1"}
_Y_KINDS = {0: "transmittance", 1: "reflectance", 2: "reflectance", 3: "absorbance",
            14: "intensity"}  # fmt: skip
_OLD_HEADER = 0x84


def read_jasco(given: Given) -> list[Block]:
    if given.content.startswith(b"L~S "):
        return _read_old(given)
    import olefile

    with olefile.OleFileIO(io.BytesIO(given.content)) as ole:
        if not (ole.exists("DataInfo") and ole.exists("Y-Data")):
            raise given.refuse(
                "holds no JASCO spectrum. Open it in Spectra Manager and export it as text."
            )
        info = ole.openstream("DataInfo").read()
        data = ole.openstream("Y-Data").read()
        sample = ole.openstream("SampleInfo").read() if ole.exists("SampleInfo") else b""
    channels, points = struct.unpack("<ii", info[12:16] + info[20:24])
    first, last, _step = struct.unpack("<3d", info[24:48])
    x_unit = struct.unpack("<i", info[48:52])[0]
    kinds = struct.unpack("<i", info[52:56])
    if not (0 < points <= len(data) // 4 and 0 < channels < 100):
        raise given.refuse("is a JASCO file whose numbers of points do not agree. Export it again.")
    y = floats(data, "<f4")[: points * min(channels, len(data) // 4 // points)]
    y = y.reshape(-1, points)
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(y))) if len(y) > 1 else ("",)
    about = {"sample name": _sample_name(sample)}
    unit = _X_UNITS.get(x_unit, "")
    return [
        Block(np.linspace(first, last, points), y, unit, _Y_KINDS.get(kinds[0], ""), names, about)
    ]


def _sample_name(data: bytes) -> str:
    """The first text of the sample's record: its length in bytes, then UTF-16."""
    if len(data) < 8:
        return ""
    size = struct.unpack("<i", data[4:8])[0]
    return clean(data[8 : 8 + size].decode("utf-16-le", "replace")) if 0 < size < 500 else ""


def _read_old(given: Given) -> list[Block]:
    """Points, first, last and step stand in the header; the values are the end of the file."""
    head = given.part(0, 0x140, "the header")
    points = struct.unpack("<i", head[_OLD_HEADER : _OLD_HEADER + 4])[0]
    first, last, step = struct.unpack("<3d", head[_OLD_HEADER + 4 : _OLD_HEADER + 28])
    unit = _X_UNITS.get(struct.unpack("<i", head[0xA0:0xA4])[0], "")
    expected = round((last - first) / step) + 1 if step else 0
    if points < 2 or expected != points or 4 * points > len(given.content) - 0x140:
        raise given.refuse("is an old JASCO file with a damaged header. Export it as text.")
    y = floats(given.content[-4 * points :], "<f4")
    about = {"instrument": given.content[0x140:0x160], "sample name": given.content[0x180:0x1C0]}
    return [Block(np.linspace(first, last, points), y, unit, "", metadata=about)]
