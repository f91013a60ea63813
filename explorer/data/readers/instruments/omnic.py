"""Thermo Nicolet OMNIC (.spa, .spg, .srs), through `spectrochempy-omnic`, from the bytes."""

from __future__ import annotations

import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.units import unit_in

_DIRECTORY = 304
_SPECTRUM_HEADER = 2
_WITH_PLACE = (3, 4, 27, 102, 103)  # values, comments, history, interferograms


def read_omnic(given: Given) -> list[Block]:
    import logging

    logging.getLogger("spectrochempy-omnic").setLevel(logging.CRITICAL)
    from spectrochempy_omnic.reader.read_omnic import OMNICReader

    kind = _kind(given)
    note = ""
    if kind != ".srs":
        _check_places(given)
    # the package reads some texts up to a zero and goes on for ever where none comes
    content = given.content + bytes(512)
    found = OMNICReader(content, suffix=kind)
    if found.data is None and kind == ".spa":
        found = OMNICReader(content, suffix=kind, interferogram="sample")
        note = "This is an interferogram, not a spectrum; its axis counts points."
    if found.data is None:
        raise given.refuse(
            "is a Thermo OMNIC file without a spectrum in it. Save the spectrum again in OMNIC, or "
            "export it as CSV or JCAMP-DX."
        )
    y = np.asarray(found.data, np.float64)
    y = y.reshape(-1, y.shape[-1])
    labels = [] if found.y_labels is None else list(np.asarray(found.y_labels, object).ravel())
    names = tuple(str(label) for label in labels if isinstance(label, str))
    if len(names) != len(y):
        title = str(found.name or found.original_name or "")
        names = (title,) if len(y) == 1 else tuple(f"{given.stem} {k + 1}" for k in range(len(y)))
    unit = unit_in(f"{found.x_units or ''}") or unit_in(f"{found.x_title or ''}")
    if "interferogram" in str(found.title).lower() or "data points" in str(found.x_title).lower():
        unit = "points"
        note = note or "This is an interferogram, not a spectrum; its axis counts points."
    about = {"description": str(found.description or "")}
    x = np.arange(y.shape[1], dtype=float) if found.x is None else np.asarray(found.x, float)
    return [Block(x, y, unit, str(found.title or ""), names, about, notes=[note] if note else [])]


def _check_places(given: Given) -> None:
    """Places and sizes must lie inside the file: the package makes what they ask for."""
    size = len(given.content)
    for at in range(_DIRECTORY, size - 16, 16):
        key = given.content[at]
        place, length = struct.unpack("<II", given.content[at + 2 : at + 10])
        if key in (0, 1):
            break
        wrong = key in _WITH_PLACE and place + length > size
        if key == _SPECTRUM_HEADER and not wrong:
            wrong = place + 208 > size
            if not wrong:
                points = struct.unpack("<I", given.content[place + 4 : place + 8])[0]
                wrong = 4 * points > size
        if wrong:
            raise given.refuse("is damaged or cut short. Copy or export it again.")


def _kind(given: Given) -> str:
    """A group if its directory names several spectra; the two kinds begin with the same words."""
    if given.content.startswith(b"Spectral Exte"):
        return ".srs"
    lines = struct.unpack("<H", given.part(294, 2, "the directory"))[0]
    keys = given.content[_DIRECTORY : _DIRECTORY + 16 * lines : 16]
    return ".spg" if keys.count(_SPECTRUM_HEADER) > 1 else ".spa"
