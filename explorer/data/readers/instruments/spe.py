"""Princeton Instruments .spe (WinSpec 2.x, LightField 3.x), from the published header."""

from __future__ import annotations

import re
import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean, floats
from explorer.data.readers.instruments.units import unit_in

_HEADER = 4100
_TYPES = {0: "<f4", 1: "<i4", 2: "<i2", 3: "<u2", 5: "<f8", 6: "<u1", 8: "<u4"}


def read_spe(given: Given) -> list[Block]:
    head = given.part(0, _HEADER, "the header")
    width, height = (struct.unpack("<H", head[at : at + 2])[0] for at in (42, 656))
    frames = struct.unpack("<i", head[1446:1450])[0]
    kind = _TYPES.get(struct.unpack("<h", head[108:110])[0])
    if kind is None or min(width, height, frames) < 1:
        raise given.refuse("is not a Princeton .spe file, as its name says, or it is damaged.")
    if height > 64:
        raise given.refuse(
            f"holds pictures of {width} x {height} pixels, not spectra. Bin the rows, or export "
            "spectra as text."
        )
    count = width * height * frames
    data = given.part(_HEADER, count * np.dtype(kind).itemsize, "the spectra")
    y = floats(data, kind).reshape(frames * height, width)
    order = head[3101]
    x, unit, notes = np.arange(1.0, width + 1), "", []
    measured = _wavelengths(given, head, width)
    if measured is not None:
        x, unit = measured, "nm"
    elif head[3098] and 0 < order <= 5:
        x = np.polyval(np.array(struct.unpack("<6d", head[3263:3311]))[::-1], x)
        unit = unit_in(clean(head[3018:3058])) or "nm"
    else:
        notes.append("The file holds no calibration: the axis counts pixels.")
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(y))) if len(y) > 1 else ("",)
    return [Block(x, y, unit, "counts", names, {"date": clean(head[20:30])}, notes=notes)]


def _wavelengths(given: Given, head: bytes, width: int) -> np.ndarray | None:
    """The axis that LightField (version 3) writes as text at the end of the file."""
    version, at = struct.unpack("<f", head[1992:1996])[0], struct.unpack("<Q", head[678:686])[0]
    if not 3 <= version < 10 or not _HEADER <= at < len(given.content):
        return None
    match = re.search(rb"<Wavelength\b[^>]*>([^<]{3,})</Wavelength>", given.content[at:])
    if match is None:
        return None
    try:
        x = np.array([float(part) for part in match[1].split(b",")])
    except ValueError:
        return None
    return x if x.size == width and np.isfinite(x).all() else None
