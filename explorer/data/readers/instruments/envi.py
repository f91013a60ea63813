"""ENVI: a text header (.hdr) and a file of raw numbers; images and spectral libraries."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.units import unit_in
from explorer.data.readers.refused import shown

_TYPES = {1: "u1", 2: "i2", 3: "i4", 4: "f4", 5: "f8", 12: "u2", 13: "u4", 14: "i8", 15: "u8"}
_NO_AXIS = "The header gives no wavelengths: the axis counts bands."


def header(text: str) -> dict[str, str]:
    """The fields of a header, by name in lower case; braces are taken off.

    Read once from top to bottom, in time that grows with its length: headers come from uploads.
    """
    found: dict[str, str] = {}
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        key, equals, value = lines[at].partition("=")
        at += 1
        key, value = key.strip().lower(), value.strip()
        if not equals or not key or "{" in key or "}" in key:
            continue
        if value.startswith("{") and "}" not in value:
            end = next((k for k in range(at, len(lines)) if "}" in lines[k]), None)
            if end is None:  # no further field can be closed either: read each as one line
                lines[at:] = [line.replace("{", "") for line in lines[at:]]
            else:
                value = "\n".join([value, *lines[at : end + 1]])
                at = end + 1
        if value.startswith("{"):
            value = value[1:].partition("}")[0]
        found[key] = value.strip()
    return found


@dataclass(frozen=True)
class Layout:
    """How the numbers lie in the file. dtype: with its byte order. offset: bytes before them.
    interleave: "bsq" (band after band), "bil" (bands of a line) or "bip" (bands of a pixel).
    ignore: the value that means "no data", or None."""

    lines: int
    samples: int
    bands: int
    dtype: np.dtype
    offset: int
    interleave: str
    ignore: float | None

    @property
    def nbytes(self) -> int:
        return self.lines * self.samples * self.bands * self.dtype.itemsize

    @property
    def stored(self) -> tuple[int, int, int]:
        """The shape as it lies in the file."""
        return {
            "bil": (self.lines, self.bands, self.samples),
            "bip": (self.lines, self.samples, self.bands),
        }.get(self.interleave, (self.bands, self.lines, self.samples))

    @property
    def to_cube(self) -> tuple[int, int, int]:
        """The transposition that makes (lines, samples, bands) of it."""
        return {"bil": (0, 2, 1), "bip": (0, 1, 2)}.get(self.interleave, (1, 2, 0))


def layout_of(found: dict[str, str], refuse: Callable[[str], Exception]) -> Layout:
    """The layout that a header describes; `refuse` makes the error of a header that does not."""
    try:
        samples, lines, bands = (int(float(found[k])) for k in ("samples", "lines", "bands"))
    except (KeyError, ValueError, OverflowError):
        raise refuse(
            "is an ENVI header without the number of samples, lines and bands. Write the image "
            "again."
        ) from None
    code = found.get("data type", "4").strip()
    if code in ("6", "9"):
        raise refuse("is an ENVI image of complex numbers. Write their magnitude as an image.")
    try:
        kind = _TYPES[int(code)]
        offset = int(found.get("header offset", "0") or 0)
    except (KeyError, ValueError):
        raise refuse(
            f"is an ENVI header with data type {shown(code)}, which is not known. Write the image "
            "as float."
        ) from None
    if min(samples, lines, bands) < 1 or offset < 0:
        raise refuse("is an ENVI header of an empty image. Write the image again.")
    interleave = found.get("interleave", "bsq").strip().lower()
    if interleave not in ("bsq", "bil", "bip"):
        raise refuse(f"has the interleave {shown(interleave)}; it can be bsq, bil or bip.")
    order = ">" if found.get("byte order", "0").strip() == "1" else "<"
    ignore = None
    with contextlib.suppress(ValueError):
        ignore = float(found.get("data ignore value", ""))
    return Layout(lines, samples, bands, np.dtype(order + kind), offset, interleave, ignore)


def positions_of(found: dict[str, str], points: int) -> tuple[np.ndarray, str, list[str]]:
    """The axis of a header: positions [points], their unit, and a note if it gives none."""
    wave = _numbers(found.get("wavelength", ""))
    if len(wave) != points:
        return np.arange(1.0, points + 1), "", [_NO_AXIS]
    unit = unit_in(found.get("wavelength units", ""))
    return wave, unit or (_likely(wave) if wave.min() > 0 else ""), []


def read_envi(given: Given) -> list[Block]:
    found = header(given.content.decode("utf-8", "replace"))
    data_name, raw = _data_file(given)
    layout = layout_of(found, given.refuse)
    lines, samples, bands = layout.lines, layout.samples, layout.bands
    need, start = layout.nbytes, layout.offset
    if start + need > len(raw):
        raise given.refuse(
            f"describes {need} bytes of data, and {shown(data_name)} has {len(raw) - start}. Copy "
            "both files again."
        )
    count = samples * lines * bands
    given.limits.check_shape(count // max(1, bands), bands)
    cells = np.frombuffer(raw, layout.dtype, count, start).astype(np.float64)
    if layout.ignore is not None:
        cells[cells == layout.ignore] = np.nan
    library = "library" in found.get("file type", "").lower()
    if library:
        y = cells.reshape(lines, samples) if bands == 1 else cells.reshape(bands * lines, samples)
        names = _names(found.get("spectra names", ""), len(y), given)
        each: dict[str, list[str]] = {}
    else:
        cube = cells.reshape(layout.stored).transpose(layout.to_cube)
        y = cube.reshape(lines * samples, bands)
        names = tuple(f"{given.stem} {k + 1}" for k in range(len(y)))
        each = {
            "column": [str(k % samples) for k in range(len(y))],
            "row": [str(k // samples) for k in range(len(y))],
        }
    points = y.shape[1]
    x, unit, notes = positions_of(found, points)
    if any(name.endswith((".bsp", ".dmt")) for name in given.beside):
        from explorer.data.readers.instruments.agilent import _axis

        axes = (_axis(c, points) for n, c in given.beside.items() if n.endswith((".bsp", ".dmt")))
        own = next((axis for axis in axes if axis is not None), None)
        if notes and own is not None:
            x, unit, notes = own, "cm-1", []
        elif not notes and not unit_in(found.get("wavelength units", "")):
            unit = "cm-1"
    scale = found.get("reflectance scale factor", "")
    with contextlib.suppress(ValueError):
        y = y / (float(scale) or 1.0)
    return [Block(x, y, unit, found.get("y axis title", ""), names,
                  {"description": found.get("description", "")}, each, notes)]  # fmt: skip


def _data_file(given: Given) -> tuple[str, bytes]:
    """The file beside that holds the numbers: the header's name with another ending, or none."""
    stem = given.stem.lower()
    if stem in given.beside:  # image.dat.hdr describes image.dat; image.hdr may describe image
        return stem, given.beside[stem]
    usable = {n: c for n, c in given.beside.items() if not n.endswith((".hdr", ".bsp", ".seq"))}
    if not usable:
        raise given.refuse(
            "is the header of an ENVI image; the file with the numbers (same name, .dat, .img, "
            ".sli or no ending) is missing. Choose both files together."
        )
    return max(usable.items(), key=lambda item: len(item[1]))


def _numbers(text: str) -> np.ndarray:
    out = []
    for part in text.replace("\n", " ").split(","):
        try:
            out.append(float(part))
        except ValueError:
            if part.strip():
                return np.empty(0)
    return np.array(out)


def _names(text: str, count: int, given: Given) -> tuple[str, ...]:
    names = [part.strip() for part in text.replace("\n", " ").split(",")]
    if len(names) != count:
        return tuple(f"{given.stem} {k + 1}" for k in range(count))
    return tuple(names)


def _likely(x: np.ndarray) -> str:
    """Remote sensing writes wavelengths without a unit: below 100 they are micrometres."""
    if x.max() < 100:
        return "um"
    return "nm" if x.max() < 2600 and x[0] < x[-1] else ""
