"""Galactic (Thermo GRAMS) .spc, all three forms: little-endian, big-endian, and the old one.

Written from Galactic's published description of the format. The library spc-io, with which the
tests compare, reads the first form only.

    header (512 bytes; old form 256) [x values] { subheader (32) [x values] y values } [log text]
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Block, Given, clean, floats

_SHORT, _MULTI, _LABELS, _OWN_X, _X_VALUES = 0x01, 0x04, 0x20, 0x40, 0x80
_FLOAT = -128
_X_UNITS = {
    1: "cm-1", 2: "um", 3: "nm", 4: "s", 5: "min", 6: "Hz", 7: "kHz", 8: "MHz", 9: "m/z", 10: "ppm",
    13: "cm-1", 14: "eV", 18: "degrees", 30: "",
}  # fmt: skip
_Y_KINDS = {
    1: "interferogram", 2: "absorbance", 3: "Kubelka-Munk", 4: "counts", 5: "volts", 10: "log(1/R)",
    11: "percent", 12: "intensity", 13: "relative intensity", 14: "energy", 128: "transmission",
    129: "reflectance", 131: "emission",
}  # fmt: skip


def read_spc(given: Given) -> list[Block]:
    version = given.content[1]
    if version == 0x4D:
        return _read_old(given)
    return _read_new(given, "<" if version == 0x4B else ">")


def _read_new(given: Given, end: str) -> list[Block]:
    head = given.part(0, 512, "the header")
    flags = head[0]
    exponent, points = struct.unpack(end + "bi", head[3:4] + head[4:8])
    first, last = struct.unpack(end + "dd", head[8:24])
    count = max(1, struct.unpack(end + "i", head[24:28])[0])
    log_at = struct.unpack(end + "I", head[248:252])[0]
    about: dict[str, Any] = {"comment": head[88:218], **_log(given, log_at, end)}
    about["instrument"] = head[45:54]
    unit, quantity = _kinds(head[28], head[29], head[218:248] if flags & _LABELS else b"")
    at = 512
    x: NDArray[np.float64] | None = None
    if flags & _X_VALUES and not flags & _OWN_X:
        _check(points, given)
        x = floats(given.part(at, 4 * points, "the x values"), end + "f4")
        at += 4 * points
    elif not flags & _OWN_X:
        _check(points, given)
        x = np.linspace(first, last, points)
    blocks: list[Block] = []
    times: list[float] = []
    rows: list[NDArray[np.float64]] = []
    for k in range(count):
        if k and at + 32 > len(given.content):
            break  # some writers count one spectrum more than they write
        sub = given.part(at, 32, f"the header of spectrum {k + 1}")
        own_exponent, own_points = sub[1], struct.unpack(end + "i", sub[16:20])[0]
        time = struct.unpack(end + "f", sub[4:8])[0]
        at += 32
        power = struct.unpack("b", bytes([own_exponent]))[0] if flags & _MULTI else exponent
        if flags & _MULTI and exponent == _FLOAT:
            power = _FLOAT
        if flags & _OWN_X:
            _check(own_points, given)
            x = floats(given.part(at, 4 * own_points, "the x values"), end + "f4")
            at += 4 * own_points
            points = own_points
        y, at = _values(given, at, points, power, bool(flags & _SHORT), end)
        if flags & _OWN_X:
            assert x is not None
            blocks.append(
                Block(x, y, unit, quantity, (_numbered(given, k, count),), about,
                      {"z": [f"{time:g}"]})
            )  # fmt: skip
        else:
            rows.append(y)
            times.append(time)
    if rows:
        assert x is not None
        names = tuple(_numbered(given, k, len(rows)) for k in range(len(rows)))
        each = {"z": [f"{t:g}" for t in times]} if len(rows) > 1 else {}
        blocks.append(Block(x, np.array(rows), unit, quantity, names, about, each))
    return blocks


def _read_old(given: Given) -> list[Block]:
    head = given.part(0, 256, "the header")
    flags = head[0]
    exponent = struct.unpack("<h", head[2:4])[0]
    points_f, first, last = struct.unpack("<fff", head[4:16])
    if not (np.isfinite([points_f, first, last]).all() and 1 < points_f < 1e9):
        raise given.refuse("looks like an old Galactic SPC file, but its header is damaged.")
    points = int(points_f)
    _check(points, given)
    x = np.linspace(first, last, points)
    unit, quantity = _kinds(head[16], head[17], head[194:224] if flags & _LABELS else b"")
    sub = head[224:256]
    at = 256
    rows, times = [], []
    size = points * (2 if flags & _SHORT else 4)
    while True:
        power = struct.unpack("b", sub[1:2])[0]
        if not flags & _MULTI or power == 0:
            power = exponent
        y, at = _values(given, at, points, power, bool(flags & _SHORT), "old")
        rows.append(y)
        times.append(f"{struct.unpack('<f', sub[4:8])[0]:g}")
        if not flags & _MULTI or at + 32 + size > len(given.content):
            break
        sub = given.part(at, 32, "a subheader")
        at += 32
    names = tuple(_numbered(given, k, len(rows)) for k in range(len(rows)))
    each = {"z": times} if len(rows) > 1 else {}
    return [Block(x, np.array(rows), unit, quantity, names, {"comment": head[64:194]}, each)]


def _values(
    given: Given, at: int, points: int, power: int, short: bool, end: str
) -> tuple[NDArray[np.float64], int]:
    """The y values at a place, and the place after them."""
    size = 2 * points if short and power != _FLOAT else 4 * points
    data = given.part(at, size, "the y values")
    order = "<" if end == "old" else end
    if power == _FLOAT:
        y = floats(data, order + "f4")
    elif short:
        y = floats(data, order + "i2") * 2.0 ** (power - 16)
    elif end == "old":  # the two halves of each number are the wrong way round
        halves = np.frombuffer(data, "<u2").reshape(-1, 2).astype(np.int64)
        whole = (halves[:, 0] << 16 | halves[:, 1]).astype(np.uint32).view(np.int32)
        y = whole.astype(np.float64) * 2.0 ** (power - 32)
    else:
        y = floats(data, order + "i4") * 2.0 ** (power - 32)
    return y, at + size


def _check(points: int, given: Given) -> None:
    if not 0 < points <= len(given.content):
        raise given.refuse(f"says that it has {points} points. It is damaged; export it again.")


def _kinds(x_kind: int, y_kind: int, labels: bytes) -> tuple[str, str]:
    unit, quantity = _X_UNITS.get(x_kind, ""), _Y_KINDS.get(y_kind, "")
    words = [clean(part) for part in labels.split(b"\x00")[:2]]
    if words and words[0] and not unit:
        from explorer.data.readers.instruments.units import unit_in

        unit = unit_in(words[0])
    if len(words) > 1 and words[1]:
        quantity = words[1]
    return unit, quantity


def _log(given: Given, at: int, end: str) -> dict[str, str]:
    """KEY = VALUE lines of the text at the end of the file."""
    if not 512 <= at <= len(given.content) - 64:
        return {}
    size, _, text_at = struct.unpack(end + "III", given.content[at : at + 12])
    if not 0 < text_at <= size <= len(given.content) - at:
        return {}
    text = given.content[at + text_at : at + size].split(b"\x00")[0].decode("cp1252", "replace")
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {key: value for key, value in pairs if not key.strip().startswith("~")}


def _numbered(given: Given, k: int, count: int) -> str:
    return "" if count == 1 else f"{given.stem} {k + 1}"
