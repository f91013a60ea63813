"""PerkinElmer .sp (one spectrum) and .fsm (a map), from their block layout.

"PEPE", 40 bytes of description, then { id (2 bytes), size (4), data }; block 120 holds others
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean, floats
from explorer.data.readers.instruments.units import unit_in

_NESTED, _RANGE, _POINTS, _X_LABEL, _Y_LABEL, _VALUES, _NAME, _ALIAS = (
    120, -29838, -29835, -29833, -29832, -29828, -29827, -29823,
)  # fmt: skip
_IMAGE, _PIXEL = 5100, 5105


def read_perkinelmer(given: Given) -> list[Block]:
    found: dict[int, bytes] = {}
    pixels: list[bytes] = []
    for number, data in _blocks(given):
        if number == _PIXEL:
            pixels.append(data)
        else:
            found.setdefault(number, data)
    return _map(given, found, pixels) if pixels else _single(given, found)


def _single(given: Given, found: dict[int, bytes]) -> list[Block]:
    if _RANGE not in found or _VALUES not in found:
        raise given.refuse(
            "is a PerkinElmer file without a spectrum in it. Export it as .sp, .asc or CSV."
        )
    first, last = struct.unpack("<dd", found[_RANGE][2:18])
    y = floats(found[_VALUES][6:], "<f8")
    if _POINTS in found:
        y = y[: struct.unpack("<i", found[_POINTS][2:6])[0]]
    unit = unit_in(_text(found.get(_X_LABEL, b"")))
    about = {"name": _text(found.get(_ALIAS, b"")), "file": _text(found.get(_NAME, b""))}
    return [
        Block(np.linspace(first, last, y.size), y, unit, _text(found.get(_Y_LABEL, b"")),
              metadata=about)
    ]  # fmt: skip


def _map(given: Given, found: dict[int, bytes], pixels: list[bytes]) -> list[Block]:
    """Steps and starts of x, y and the spectral axis stand in the block of the image."""
    image = found.get(_IMAGE, b"")
    at = 2 + struct.unpack("<h", image[:2])[0]
    x_step, y_step, _, first, last = struct.unpack("<5d", image[at : at + 40])
    x_start, y_start = struct.unpack("<2d", image[at + 56 : at + 72])
    width = struct.unpack("<i", image[at + 80 : at + 84])[0]
    points = min(len(p) for p in pixels) // 4
    y = np.array([floats(p, "<f4", points) for p in pixels])
    axis = np.linspace(first, last, points)
    count = len(pixels)
    width = width if 0 < width <= count else count
    inner = dict(_walk(given.content, _inside(given), len(given.content)))
    unit = unit_in(_text(inner.get(_X_LABEL, b""))) or "cm-1"
    each = {
        "x": [f"{x_start + x_step * (k % width):g}" for k in range(count)],
        "y": [f"{y_start + y_step * (k // width):g}" for k in range(count)],
    }
    names = tuple(f"{given.stem} {k + 1}" for k in range(count))
    return [Block(axis, y, unit, _text(inner.get(_Y_LABEL, b"")), names, {}, each)]


def _inside(given: Given) -> int:
    """Where the first nested block of a map begins; the end if there is none."""
    place = given.content.find(struct.pack("<h", _NESTED), 44, 4096)
    return place if place >= 0 else len(given.content)


def _blocks(given: Given) -> Iterator[tuple[int, bytes]]:
    yield from _walk(given.content, 44, len(given.content))


def _walk(content: bytes, at: int, end: int) -> Iterator[tuple[int, bytes]]:
    while at + 6 <= end:
        number, size = struct.unpack("<hi", content[at : at + 6])
        at += 6
        if number == _NESTED:
            continue  # its own blocks follow at once
        if size < 0 or at + size > end:
            return
        yield number, content[at : at + size]
        at += size


def _text(data: bytes) -> str:
    return clean(data[4:].decode("latin-1")) if len(data) > 4 else ""
