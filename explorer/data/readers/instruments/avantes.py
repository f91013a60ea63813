"""Avantes AvaSoft 7 (.ROH, .TRM, ...) and 8 (.RFL8, .RAW8, ...), from their layout."""

from __future__ import annotations

import struct

import numpy as np

from explorer.data.readers.instruments.block import Block, Given, clean, floats

_HEADER8 = 328
_FIRST_PIXEL8 = 0x59
_KINDS8 = {
    ".rfl8": "reflectance",
    ".tra8": "transmittance",
    ".trm8": "transmittance",
    ".abs8": "absorbance",
}
_HEADER7, _POLYNOMIAL7, _PIXELS7 = 100, 74, 79


def read_avasoft8(given: Given) -> list[Block]:
    """Wavelengths, sample, dark and reference, each as float32, after a header."""
    first, last = struct.unpack("<HH", given.part(_FIRST_PIXEL8, 4, "the header"))
    n = last - first + 1
    if n < 2:
        raise given.refuse("is an AvaSoft 8 file with a damaged header. Export it again.")
    wave, sample, dark, reference = (
        floats(given.part(_HEADER8 + 4 * n * k, 4 * n, "the spectrum"), "<f4") for k in range(4)
    )
    ending = "." + given.plain.lower().rsplit(".", 1)[-1].removesuffix("x")
    quantity = _KINDS8.get(ending, "counts")
    notes = []
    if given.content[5] > 1:
        notes.append(f"The file holds {given.content[5]} spectra; the first was read.")
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (sample - dark) / (reference - dark)
        if quantity in ("reflectance", "transmittance"):
            y = 100 * share
        elif quantity == "absorbance":
            y = -np.log10(share)
        else:
            y = sample
    about = {"spectrometer": clean(given.content[14:23])}
    y = np.where(np.isfinite(y), y, np.nan)
    return [Block(wave, y, "nm", quantity, metadata=about, notes=notes)]


def read_avasoft7(given: Given) -> list[Block]:
    """All numbers are float32: a header of 100 with the polynomial of the axis, then counts.

    A transmittance or absorbance file has three numbers per pixel: sample, reference and dark.
    """
    values = floats(given.content, "<f4")
    if values.size < _HEADER7 + 5 or not 60 <= values[0] < 100:
        raise given.refuse(
            "is not text and is not a file of AvaSoft 7, as its name says. Export it as text."
        )
    first, last = values[_PIXELS7], values[_PIXELS7 + 1]
    n = int(last - first) + 1 if 0 <= first < last < values.size else 0
    if n < 2 or _HEADER7 + n > values.size:
        raise given.refuse("is an AvaSoft 7 file with a damaged header. Export it as text.")
    pixels = first + np.arange(n)
    x = np.polyval(values[_POLYNOMIAL7 : _POLYNOMIAL7 + 5][::-1], pixels)
    y, quantity = values[_HEADER7 : _HEADER7 + n], "counts"
    ending = given.plain.lower().rsplit(".", 1)[-1]
    three = values[_HEADER7 : _HEADER7 + 3 * n]
    if ending in ("trm", "tit", "abs", "rfl") and three.size == 3 * n and _in_turn(three):
        sample, reference, dark = three.reshape(n, 3).T
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (sample - dark) / (reference - dark)
            y = -np.log10(share) if ending == "abs" else 100 * share
        y = np.where(np.isfinite(y), y, np.nan)
        quantity = "absorbance" if ending == "abs" else "transmittance"
    number = "".join(chr(int(c)) for c in values[1:10] if 32 < c < 127)
    return [Block(x, y, "nm", quantity, metadata={"spectrometer": number})]


def _in_turn(values: np.ndarray) -> bool:
    """Whether three curves lie number by number: each is then smoother than their mixture."""
    apart = np.abs(np.diff(values.reshape(-1, 3), axis=0)).sum()
    return bool(apart < np.abs(np.diff(values)).sum())
