"""One spectrum made ready for a grid: in the grid's unit, rising, without NaN at its ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.measured.spectra import Spectrum
from explorer.data.readers.instruments.units import convert, convertible
from explorer.data.readers.refused import shown

_MOST_AXES = 1000  # kept while spectra are made ready
_WIDE_GAP = 5.0  # in usual steps: wider is a gap, narrower is bridged


@dataclass(frozen=True, eq=False)
class Prepared:
    """x: rising, distinct. y: finite. gaps: regions without a measured point. done: what was done,
    in words that go on "3 spectra were ...". key: equal for equal axes. step: the median one."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    gaps: tuple[tuple[float, float], ...]
    done: tuple[str, ...]
    key: bytes
    step: float

    @property
    def low(self) -> float:
        return float(self.x[0])

    @property
    def high(self) -> float:
        return float(self.x[-1])


@dataclass(frozen=True, eq=False)
class _Axis:
    """What is known of one axis in one unit. x: rising. order: the points of the file in this order
    ("" as they are, "turned"), or None if values at one position must be averaged first."""

    x: NDArray[np.float64]
    order: str | None
    gaps: tuple[tuple[float, float], ...]
    key: bytes
    step: float


class Preparation:
    """Makes spectra ready for one unit. Spectra that share their axis (the same array) are usual in
    a folder: what is known of an axis is worked out once."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        # the array is kept beside what is known of it, so that its id stays its own
        self._known: dict[tuple[int, str], tuple[NDArray[np.float64], _Axis]] = {}

    def ready(self, spectrum: Spectrum) -> Prepared | str:
        """The spectrum made ready, or the reason why it cannot be."""
        x, y, unit = spectrum.x, spectrum.y, self.unit
        done: list[str] = []
        if spectrum.unit != unit:
            if not spectrum.unit or not unit:
                if unit:
                    done.append(f"taken to be in {unit}, for their files do not say.")
            elif convertible(spectrum.unit, unit):
                done.append(f"converted from {spectrum.unit} to {unit}.")
            else:
                return (
                    f"{shown(spectrum.name)} is measured in {spectrum.unit}, which cannot be given "
                    f"in {unit}. Align these spectra on their own."
                )
        axis = self._axis(x, spectrum.unit)
        if axis.order is not None and np.isfinite(y).all():
            if axis.order == "turned":
                y = y[::-1]
                done.append("turned around, for their axis falls.")
            return Prepared(axis.x, y, axis.gaps, tuple(done), axis.key, axis.step)
        if spectrum.unit != unit and spectrum.unit and unit:
            x = convert(x, spectrum.unit, unit)
        return _one_by_one(spectrum, x, y, done)

    def _axis(self, x: NDArray[np.float64], unit: str) -> _Axis:
        known = self._known.get((id(x), unit))
        if known is not None:
            return known[1]
        rising = convert(x, unit, self.unit) if unit and self.unit else x
        order: str | None = None
        steps = np.diff(rising)
        if rising.size > 1 and np.isfinite(rising).all():
            if (steps > 0).all():
                order = ""
            elif (steps < 0).all():
                order, rising, steps = "turned", rising[::-1], -steps[::-1]
        gaps, step = _gaps(rising, steps) if order is not None else ((), 0.0)
        axis = _Axis(rising, order, gaps, rising.tobytes(), step)
        if len(self._known) < _MOST_AXES:
            self._known[id(x), unit] = (x, axis)
        return axis


def prepare(spectrum: Spectrum, unit: str) -> Prepared | str:
    """One spectrum made ready, or the reason why it cannot be; see `Preparation` for many."""
    return Preparation(unit).ready(spectrum)


def _one_by_one(
    spectrum: Spectrum, x: NDArray[np.float64], y: NDArray[np.float64], done: list[str]
) -> Prepared | str:
    """A spectrum with missing values, or with an axis that does not run one way."""
    good = np.isfinite(x) & np.isfinite(y)
    if not good.all():
        inside = np.flatnonzero(good)
        if inside.size < 2:
            return f"{shown(spectrum.name)} has fewer than two values that are numbers."
        ends = good.size - (inside[-1] - inside[0] + 1)
        if ends:
            done.append("cut at the ends, where nothing was measured (NaN).")
        if not good[inside[0] : inside[-1] + 1].all():
            done.append("bridged or cut where values are missing inside.")
        x, y = x[good], y[good]
    steps = np.diff(x)
    if not (steps > 0).all():
        if (steps < 0).all():
            x, y = x[::-1], y[::-1]
            done.append("turned around, for their axis falls.")
        else:
            x, y = _sorted(x, y)
            done.append("sorted by their axis, and values at one position averaged.")
        if x.size < 2:
            return f"{shown(spectrum.name)} has one position only."
        steps = np.diff(x)
    gaps, usual = _gaps(x, steps)
    return Prepared(x, y, gaps, tuple(done), x.tobytes(), usual)


def _gaps(
    x: NDArray[np.float64], steps: NDArray[np.float64]
) -> tuple[tuple[tuple[float, float], ...], float]:
    """Regions without a measured point on a rising axis, and its median step."""
    usual = float(np.median(steps))
    wide = np.flatnonzero(steps > _WIDE_GAP * usual) if usual > 0 else np.empty(0, int)
    # uneven axes (prisms, mass spectra) have wide steps by nature: then none of them is a gap
    if 0 < wide.size <= 5:
        return tuple((float(x[k]), float(x[k + 1])) for k in wide), usual
    return (), usual


def without(values: NDArray[np.float64], region: tuple[float, float]) -> NDArray[np.float64]:
    """The positions that do not lie inside a region; its ends stay."""
    low, high = min(region), max(region)
    return values[~((values > low) & (values < high))]


def _sorted(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By position; the mean of the values where a position occurs more than once."""
    distinct, place = np.unique(x, return_inverse=True)
    if distinct.size == x.size:
        order = np.argsort(x, kind="stable")
        return x[order], y[order]
    total = np.bincount(place.ravel(), y)
    return distinct, total / np.bincount(place.ravel())
