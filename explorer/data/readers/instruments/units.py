"""Units of spectral axes: found in the words of a header, and converted into each other."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import spell_unit

# Longer and surer signs first; "wavenumber" alone says cm-1, "wavelength" alone says nothing sure.
_SIGNS = (
    ("cm-1", r"cm\s*\^?\s*[-\u2212\u207b\u00af]\s*[1\u00b9]|cm\u207b\u00b9|1\s*/\s*cm|wavenumber|"
             r"raman\s*shift|cm\s*\u00b9|\brel\.?\s*1/cm"),
    ("nm", r"\bnm\b|nanomet(er|re)s?|\[nm\]"),
    ("um", r"[\u00b5\u03bc]m\b|\bum\b|micromet(er|re)s?|microns?"),
    ("ppm", r"\bppm\b|chemical\s*shift"),
    ("m/z", r"\bm\s*/\s*z\b|\bmass\b.*charge|\bm/e\b"),
    ("eV", r"\bev\b|electron\s*volts?"),
    ("Hz", r"\bhz\b|hertz"),
    ("s", r"\bseconds?\b|\bsec\b"),
)  # fmt: skip
_SIGNS_COMPILED = [(unit, re.compile(pattern, re.IGNORECASE)) for unit, pattern in _SIGNS]
_FACTOR = {"nm": 1.0, "um": 1e3}  # wavelength in nm = value times this
_PRODUCT = {"cm-1": 1e7, "eV": 1239.8419843320026}  # or this over the value
_OPTICAL = ("nm", "um", "cm-1", "eV")


def unit_in(words: str) -> str:
    """The unit that a column header or a metadata field names; "" if it names none."""
    plain = words.strip()[:200]
    spelled = spell_unit(plain)
    if spelled:
        return spelled
    for unit, pattern in _SIGNS_COMPILED:
        if pattern.search(plain):
            return unit
    return ""


def unit_of_column(name: str, x: NDArray[np.float64]) -> str:
    """The unit that the name of an axis says; a wavelength without one is nm or um, by its size."""
    unit = unit_in(name)
    if unit or not re.match(r"\s*#?(wave|wvl|wl\b|lambda)", name, re.IGNORECASE):
        return unit
    known = x[np.isfinite(x)]
    if known.size and known.min() >= 100 and known.max() < 30_000:
        return "nm"
    return "um" if known.size and known.min() > 0.05 and known.max() < 100 else ""


def convertible(unit: str, into: str) -> bool:
    """Whether positions in one unit can be given in another."""
    return unit == into or (unit in _OPTICAL and into in _OPTICAL)


def convert(x: NDArray[np.float64], unit: str, into: str) -> NDArray[np.float64]:
    """Positions in another unit: nm, um, cm-1 and eV of light; a position of 0 gives NaN.

    Raman shifts are differences of wavenumbers and must not be converted; the caller knows.
    """
    if unit == into:
        return x
    if not convertible(unit, into):
        raise ValueError(
            f"Positions in {unit or 'an unknown unit'} cannot be converted to {into or 'none'}."
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        nm = x * _FACTOR[unit] if unit in _FACTOR else _PRODUCT[unit] / x
        out = nm / _FACTOR[into] if into in _FACTOR else _PRODUCT[into] / nm
    return np.where(np.isfinite(out), out, np.nan)
