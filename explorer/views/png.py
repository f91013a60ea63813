"""Draws an array of bytes with a palette as a PNG, without a browser."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np


def indexed_png(index: Any, palette: Sequence[str]) -> bytes:
    """A PNG of uint8 [h, w], row 0 lowest, coloured by up to 256 colours "#RRGGBB"."""
    rows = np.asarray(index, np.uint8)[::-1]
    h, w = rows.shape
    if len(palette) > 256 or (rows.size and int(rows.max()) >= len(palette)):
        raise ValueError(f"A palette of {len(palette)} colours does not fit this picture.")
    colours = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour in palette)
    # every line begins with the number of its filter: 0, none
    lines = np.concatenate([np.zeros((h, 1), np.uint8), rows], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", w, h, 8, 3, 0, 0, 0)
    parts = (b"IHDR", head), (b"PLTE", colours), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
