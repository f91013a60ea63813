"""MS-Numpress: the packed numbers of mzML (Teleman et al., Mol. Cell. Proteomics 13 (2014) 1537).

Linear prediction for m/z, positive whole numbers and short logarithms for intensities. Integers are
written in half bytes: a first one says how many leading ones are left out.
"""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

LINEAR, PIC, SLOF = "linear", "pic", "slof"
_FIXED_POINT = 8
_MOST = 50_000_000  # half bytes of one array


def unpacked(data: bytes, kind: str) -> NDArray[np.float64]:
    """The numbers; ValueError where the bytes are cut short."""
    if len(data) > _MOST // 2:
        raise ValueError("the packed numbers are too long")
    if kind == SLOF:
        return _short_logs(data)
    if kind == PIC:
        return np.array(_integers(data, 0), np.float64)
    return _linear(data)


def _scale(data: bytes) -> float:
    if len(data) < _FIXED_POINT:
        raise ValueError("the packed numbers are cut short")
    scale: float = struct.unpack(">d", data[:_FIXED_POINT])[0]
    if not np.isfinite(scale) or scale == 0:
        raise ValueError("the packed numbers have no scale")
    return scale


def _short_logs(data: bytes) -> NDArray[np.float64]:
    scale = _scale(data)
    body = data[_FIXED_POINT : _FIXED_POINT + (len(data) - _FIXED_POINT) // 2 * 2]
    with np.errstate(over="ignore"):
        return np.exp(np.frombuffer(body, "<u2") / scale) - 1.0


def _linear(data: bytes) -> NDArray[np.float64]:
    """Two first numbers of 32 bits, then what each differs from the line through the two before."""
    scale = _scale(data)
    size = (len(data) - _FIXED_POINT) // 4
    first = [struct.unpack_from("<I", data, _FIXED_POINT + 4 * k)[0] for k in range(min(2, size))]
    if size < 2:
        return np.array(first, np.float64) / scale
    values = [*first]
    for difference in _integers(data, _FIXED_POINT + 8):
        values.append(2 * values[-1] - values[-2] + difference)
    return np.array(values, np.float64) / scale


def _integers(data: bytes, at: int) -> list[int]:
    """Signed 32-bit integers in half bytes, the upper half first; a 0 at the end may fill up."""
    halves = [half for byte in data[at:] for half in (byte >> 4, byte & 15)]
    found: list[int] = []
    place = 0
    while place < len(halves):
        head = halves[place]
        if place == len(halves) - 1 and head == 0:
            break  # half a byte that only fills the last one
        place += 1
        ones = head > 8
        left_out = head - 8 if ones else head
        count = 8 - left_out
        if place + count > len(halves):
            raise ValueError("the packed numbers are cut short")
        value = 0
        for k in range(count):
            value |= halves[place + k] << (4 * k)
        if ones:
            value |= (0xFFFFFFFF << (4 * count)) & 0xFFFFFFFF
        place += count
        found.append(value - (1 << 32) if value >= 1 << 31 else value)
    return found
