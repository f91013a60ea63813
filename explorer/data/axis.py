"""The spectral axis: where the columns of a spectrum are measured, and its direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Wavenumbers and chemical shifts are drawn from high to low, by the habit of both crafts.
_DRAWN_REVERSED = {"cm-1", "ppm"}
_NAME_OF_UNIT = {
    "cm-1": "wavenumber",
    "nm": "wavelength",
    "um": "wavelength",
    "ppm": "chemical shift",
    "eV": "energy",
    "Hz": "frequency",
    "s": "time",
    "m/z": "mass to charge",
}
_UNIT_SPELLINGS = {
    "cm-1": "cm-1",
    "cm^-1": "cm-1",
    "cm⁻¹": "cm-1",
    "1/cm": "cm-1",
    "nm": "nm",
    "nanometer": "nm",
    "nanometers": "nm",
    "um": "um",
    "µm": "um",
    "μm": "um",
    "micrometer": "um",
    "micrometers": "um",
    "micron": "um",
    "microns": "um",
    "ppm": "ppm",
    "ev": "eV",
    "hz": "Hz",
    "s": "s",
    "seconds": "s",
    "m/z": "m/z",
}


def spell_unit(text: str) -> str | None:
    """One spelling for a unit of a spectral axis ("1/CM" gives "cm-1"); None if it is not one."""
    return _UNIT_SPELLINGS.get(text.strip().strip("()[]").lower())


@dataclass(frozen=True, eq=False)
class SpectralAxis:
    """The abscissa of spectra: one value per feature.

    values: float64 [p], strictly increasing or strictly decreasing, read-only.
    name: what is on the axis ("wavenumber"); unit: its unit ("cm-1"), "" where it is not known.
    reversed: True if pictures run from high to low (wavenumbers, ppm).
    """

    values: NDArray[np.float64]
    name: str = "channel"
    unit: str = ""
    reversed: bool = False

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64, order="C", ndmin=1)
        if values.ndim != 1:
            raise ValueError(
                f"A spectral axis is one row of values; these have shape {values.shape}."
            )
        if not np.isfinite(values).all():
            where = int(np.flatnonzero(~np.isfinite(values))[0]) + 1
            raise ValueError(f"Value {where} of the spectral axis is not a finite number.")
        steps = np.diff(values)
        if values.size > 1 and not ((steps > 0).all() or (steps < 0).all()):
            sign = np.sign(steps[0])
            where = int(np.flatnonzero(np.sign(steps) != sign)[0]) + 2 if sign else 2
            raise ValueError(
                f"The spectral axis turns or repeats at value {where} ({values[where - 1]:g}); "
                "it must rise all the way or fall all the way. Sort the columns by it first."
            )
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    @classmethod
    def of_unit(cls, values: ArrayLike, unit: str = "") -> SpectralAxis:
        """The axis with the name and drawing direction that belong to its unit."""
        spelled = spell_unit(unit) or unit.strip()
        name = _NAME_OF_UNIT.get(spelled, "axis")
        return cls(np.asarray(values, np.float64), name, spelled, spelled in _DRAWN_REVERSED)

    @property
    def label(self) -> str:
        """What to write along the axis: "wavenumber (cm⁻¹)"."""
        unit = self.unit.replace("-1", "\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ONE}")
        return f"{self.name} ({unit})" if unit else self.name

    def take(self, features: ArrayLike) -> SpectralAxis | None:
        """The axis of a selection of features; None if the selection no longer runs one way."""
        values = self.values[np.asarray(features)]
        steps = np.diff(values)
        if values.size > 1 and not ((steps > 0).all() or (steps < 0).all()):
            return None
        return SpectralAxis(values, self.name, self.unit, self.reversed)
