"""mzML mass spectra, summed into bins on one axis.

Read with the standard library's XML parser: the arrays are base64 text, packed or not. pyteomics
would need psims, which needs a database package.
"""

from __future__ import annotations

import base64
import zlib
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments import numpress
from explorer.data.readers.instruments.block import Block, Given, floats
from explorer.data.readers.instruments.massaxis import binned
from explorer.data.readers.instruments.xml import local, parsed

_MZ, _INTENSITY = "MS:1000514", "MS:1000515"
_TYPES = {"MS:1000521": "<f4", "MS:1000523": "<f8", "MS:1000519": "<i4", "MS:1000522": "<i8"}
_ZLIB, _LEVEL, _TIME = "MS:1000574", "MS:1000511", "MS:1000016"
_NUMPRESS = {  # how numbers are packed, and whether zlib packed them once more
    "MS:1002312": (numpress.LINEAR, False), "MS:1002746": (numpress.LINEAR, True),
    "MS:1002313": (numpress.PIC, False), "MS:1002747": (numpress.PIC, True),
    "MS:1002314": (numpress.SLOF, False), "MS:1002748": (numpress.SLOF, True),
}  # fmt: skip


def read_mzml(given: Given) -> list[Block]:
    root = parsed(given)
    shared = {
        group.get("id", ""): _terms(group, {})
        for group in root.iter()
        if local(group) == "referenceableParamGroup"
    }
    pairs, names, levels, times = [], [], [], []
    cells = 0
    for spectrum in root.iter():
        if local(spectrum) != "spectrum":
            continue
        arrays = _arrays(spectrum, shared, given)
        x, y = arrays.get(_MZ), arrays.get(_INTENSITY)
        if x is None or y is None or x.size != y.size or not x.size:
            continue
        cells += x.size
        if cells > given.limits.cells:
            raise given.refuse("holds too many peaks. Export fewer spectra.")
        pairs.append((x, y))
        names.append(spectrum.get("id", f"{given.stem} {len(pairs)}"))
        said = {k: v for e in spectrum.iter() for k, v in _terms(e, shared).items()}
        levels.append(said.get(_LEVEL, ""))
        times.append(said.get(_TIME, ""))
    if not pairs:
        raise given.refuse("is an mzML file without mass spectra. Export them again.")
    x, y, note = binned(pairs, given)
    each = {"ms level": levels, "scan start time": times}
    return [Block(x, y, "m/z", "intensity", tuple(names), {}, each, [note])]


def _terms(element: ElementTree.Element, shared: dict[str, dict[str, str]]) -> dict[str, str]:
    """The controlled terms of an element by accession, those of its groups too."""
    found: dict[str, str] = {}
    for part in element:
        if local(part) == "cvParam":
            found[part.get("accession", "")] = part.get("value", "")
        elif local(part) == "referenceableParamGroupRef":
            found |= shared.get(part.get("ref", ""), {})
    return found


def _arrays(
    spectrum: ElementTree.Element, shared: dict[str, dict[str, str]], given: Given
) -> dict[str, NDArray[np.float64]]:
    found: dict[str, NDArray[np.float64]] = {}
    for element in spectrum.iter():
        if local(element) != "binaryDataArray":
            continue
        terms = _terms(element, shared)
        kind = next((k for k in (_MZ, _INTENSITY) if k in terms), None)
        form = next((f for a, f in _TYPES.items() if a in terms), None)
        if kind is None or form is None:
            continue
        packing, twice = next((v for a, v in _NUMPRESS.items() if a in terms), ("", False))
        text = next((e.text for e in element if local(e) == "binary"), None) or ""
        raw = base64.b64decode(text)
        if _ZLIB in terms or twice:
            raw = zlib.decompressobj().decompress(raw, given.limits.bytes)
        if not packing:
            found[kind] = floats(raw, form)
            continue
        try:
            found[kind] = numpress.unpacked(raw, packing)
        except ValueError as error:
            raise given.refuse(f"is damaged: {error}. Copy or export it again.") from None
    return found
