"""Bringing spectra with axes of their own onto one grid.

    each spectrum --prepared--> rising, in one unit, without NaN at its ends --interpolated--> grid

The grid is proposed (`propose_grid`), may be changed, and is then applied (`align`). What was done
to the spectra is said in sentences; what cannot be brought onto the grid is left out with a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.measured.prepared import Preparation, Prepared, without
from explorer.data.measured.spectra import NotRead, Spectrum
from explorer.data.readers.instruments.block import counted
from explorer.data.readers.refused import FileRefused, Limits, shown

METHODS = ("linear", "spline")
_MOST_POINTS = 20_000
MOST_CELLS = Limits().cells
_MOST_AXES = 1000  # with which each axis is compared
_SHARE_OF_RANGE = 0.5
_ROWS_AT_ONCE = 32


@dataclass(frozen=True, eq=False)
class Grid:
    """One axis for all spectra.

    values: float64 [p], rising. unit: of the values. method: "linear" or "spline". cut: regions
    (low, high) that were taken out. as_measured: all spectra have these positions already. notes:
    how the grid was found.
    """

    values: NDArray[np.float64]
    unit: str = ""
    method: str = "linear"
    cut: tuple[tuple[float, float], ...] = ()
    as_measured: bool = False
    notes: tuple[str, ...] = ()

    @property
    def low(self) -> float:
        return float(self.values[0])

    @property
    def high(self) -> float:
        return float(self.values[-1])

    @property
    def step(self) -> float:
        """The median distance of two positions."""
        return float(np.median(np.diff(self.values)))

    @property
    def words(self) -> str:
        """The grid in a sentence: "1740 points from 400 to 3798 cm-1 at steps of 1.95"."""
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"{self.values.size} points from {self.low:g} to {self.high:g}{unit} "
            f"at steps of {self.step:.4g}"
        )


@dataclass(frozen=True, eq=False)
class Aligned:
    """X: float64 [n, p], one row per spectrum that is on the grid. kept: which spectra these are.
    left_out: the others, with reasons. notes: what was done."""

    X: NDArray[np.float64]
    axis: SpectralAxis
    kept: NDArray[np.intp]
    left_out: tuple[NotRead, ...]
    notes: tuple[str, ...]


def propose_grid(
    spectra: Sequence[Spectrum],
    unit: str | None = None,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    method: str = "linear",
    cut: Sequence[tuple[float, float]] = (),
) -> Grid:
    """A grid over the common range, with the usual step, in the usual unit.

    What is given is taken as it is. Spectra that would leave less than half of the usual range in
    common are not counted; `align` leaves them out by name. Regions in which a spectrum has a gap,
    and the regions in `cut`, are not part of the grid.
    """
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; it can be 'linear' or 'spline'.")
    if not spectra:
        raise FileRefused("There are no spectra to align.")
    if step is not None and not step > 0:
        raise FileRefused(f"The step must be above 0; it is {step:g}.")
    target = usual_unit(spectra) if unit is None else unit
    preparation = Preparation(target)
    ready = [p for p in map(preparation.ready, spectra) if isinstance(p, Prepared)]
    if not ready:
        raise FileRefused(f"No spectrum has an axis that can be given in {target or 'one unit'}.")
    notes: list[str] = []
    # equal axes are usual, and are looked at once
    first = {p.key: p for p in ready}
    weights = Counter(p.key for p in ready)
    axes = list(first.values())
    kept = _agreeing(axes, weights, low, high)
    if len(kept) < len(axes):
        n = sum(weights.values()) - sum(weights[p.key] for p in kept)
        notes.append(f"{n} spectra with another range are not counted in the common range.")
    begin = max(p.low for p in kept) if low is None else low
    end = min(p.high for p in kept) if high is None else high
    if not begin < end:
        raise FileRefused(
            f"The spectra have no range in common ({begin:g} to {end:g}). Set the range, or read "
            "fewer files."
        )
    plain = low is None and high is None and step is None
    if plain and len(kept) == 1:
        values = kept[0].x
        notes.append("All spectra have the same axis; nothing was interpolated.")
        as_measured = True
    else:
        width = step if step is not None else _usual_step(kept, weights)
        count = int(np.floor((end - begin) / width * (1 + 1e-12))) + 1
        if not 2 <= count <= _MOST_POINTS:
            raise FileRefused(
                f"A step of {width:g} from {begin:g} to {end:g} gives {count} points; it must give "
                f"2 to {_MOST_POINTS}. Change the step or the range."
            )
        values = begin + width * counted(count)
        as_measured = False
    values = _without_gaps(values, kept, notes)
    for region in cut:
        values = without(values, region)
    if cut:
        words = ", ".join(f"{min(r):g} to {max(r):g}" for r in cut)
        notes.append(f"Cut out: {words} {target}".rstrip() + ".")
    if values.size < 2:
        raise FileRefused("Nothing is left of the axis. Cut out less, or widen the range.")
    regions = tuple((float(min(r)), float(max(r))) for r in cut)
    return Grid(values, target, method, regions, as_measured, tuple(notes))


def align(spectra: Sequence[Spectrum], grid: Grid, most_cells: int = MOST_CELLS) -> Aligned:
    """The spectra on the grid, those that do not reach over it left out with a reason.

    most_cells: values of all of them on the grid; more are a FileRefused.
    """
    if len(spectra) * grid.values.size > most_cells:
        raise FileRefused(
            f"{len(spectra)} spectra on an axis of {grid.values.size} points are "
            f"{len(spectra) * grid.values.size} values; at most {most_cells} can be taken. Choose "
            "a larger step or a narrower range, or read fewer files."
        )
    left_out: list[NotRead] = []
    rows: dict[tuple[float, ...] | bytes, list[tuple[int, Prepared]]] = {}
    counts: Counter[str] = Counter()
    preparation = Preparation(grid.unit)
    for k, spectrum in enumerate(spectra):
        ready = preparation.ready(spectrum)
        if isinstance(ready, str):
            left_out.append(NotRead(spectrum.file, ready))
            continue
        # an axis may end half a step early: rounding in the file
        slack = 0.51 * ready.step
        if ready.low > grid.low + slack or ready.high < grid.high - slack:
            left_out.append(NotRead(spectrum.file, _short(spectrum, ready, grid)))
            continue
        if ready.done:
            counts.update(ready.done)
        rows.setdefault(ready.key, []).append((k, ready))
    kept = np.array(sorted(k for group in rows.values() for k, _ in group), np.intp)
    if not kept.size:
        raise FileRefused(
            f"No spectrum reaches over the grid ({grid.words}). "
            f"{left_out[0].reason if left_out else ''}".strip()
        )
    X = np.empty((kept.size, grid.values.size))
    place = {int(k): i for i, k in enumerate(kept)}
    for group in rows.values():
        x = group[0][1].x
        # a few rows at a time stay in the processor's cache
        for begin in range(0, len(group), _ROWS_AT_ONCE):
            part = group[begin : begin + _ROWS_AT_ONCE]
            Y = np.array([ready.y for _, ready in part])
            X[[place[k] for k, _ in part]] = interpolated(x, Y, grid.values, grid.method)
    axis = SpectralAxis.of_unit(grid.values, grid.unit)
    notes = [*grid.notes, *(f"{_many(n)} {what}" for what, n in counts.most_common())]
    if left_out:
        notes.append(f"{_many(len(left_out))} left out because of the axis.")
    return Aligned(X, axis, kept, tuple(left_out), tuple(notes))


def interpolated(
    x: NDArray[np.float64], Y: NDArray[np.float64], at: NDArray[np.float64], method: str
) -> NDArray[np.float64]:
    """Rows of Y at other positions; x rises. Positions just outside take the value at the end."""
    if x.size == at.size and np.array_equal(x, at):
        return Y
    inside = np.clip(at, x[0], x[-1])
    if method == "spline" and x.size >= 4:
        from scipy.interpolate import CubicSpline

        return np.asarray(CubicSpline(x, Y, axis=1)(inside), np.float64)
    right = np.clip(np.searchsorted(x, inside), 1, x.size - 1)
    share = (inside - x[right - 1]) / (x[right] - x[right - 1])
    out = np.take(Y, right - 1, axis=1)
    out *= 1 - share
    after = np.take(Y, right, axis=1)
    after *= share
    out += after
    return out


def usual_unit(spectra: Sequence[Spectrum]) -> str:
    """The unit that most spectra have; "" only if none has one."""
    counts = Counter(s.unit for s in spectra if s.unit)
    return counts.most_common(1)[0][0] if counts else ""


def _agreeing(
    axes: list[Prepared], weights: Counter[bytes], low: float | None, high: float | None
) -> list[Prepared]:
    """Axes that have at least half of the usual range in common.

    They are taken in turn, those first whose range most spectra share, while half of the usual
    width stays in common.
    """
    if low is not None and high is not None:
        covering = [p for p in axes if p.low <= high and p.high >= low]
        return covering or list(axes)
    lows, highs = np.array([p.low for p in axes]), np.array([p.high for p in axes])
    often = np.array([weights[p.key] for p in axes])
    usual = float(np.median(np.repeat(highs - lows, often)))
    # where every spectrum has an axis of its own, each is compared with the most frequent ones
    top = np.argsort(-often, kind="stable")[:_MOST_AXES]
    low_of, high_of, often = lows[top], highs[top], often[top]
    shared = np.array(
        [
            (often * np.clip(np.minimum(high_of, b) - np.maximum(low_of, a), 0, None)).sum()
            / (b - a)
            for a, b in zip(lows, highs, strict=True)
        ]
    )
    kept: list[Prepared] = []
    begin, end = -np.inf, np.inf
    for k in np.argsort(-shared, kind="stable"):
        narrowed = max(begin, lows[k]), min(end, highs[k])
        if not kept or narrowed[1] - narrowed[0] >= _SHARE_OF_RANGE * usual:
            kept.append(axes[k])
            begin, end = narrowed
    return kept


def _usual_step(axes: list[Prepared], weights: Counter[bytes]) -> float:
    steps = np.repeat([p.step for p in axes], [weights[p.key] for p in axes])
    return float(np.median(steps))


def _without_gaps(
    values: NDArray[np.float64], axes: list[Prepared], notes: list[str]
) -> NDArray[np.float64]:
    """The grid without positions that lie in a gap of some spectrum, if half of it stays."""
    regions = _joined({gap for p in axes for gap in p.gaps})
    left = values
    if regions:
        ends = np.array(regions).T
        after = np.searchsorted(ends[0], values, side="left") - 1  # the region that begins before
        left = values[(after < 0) | (values >= ends[1][after])]
    if left.size == values.size:
        return values
    if left.size < 0.5 * values.size:
        notes.append("Gaps in the spectra cover more than half of the axis; they were bridged.")
        return values
    words = ", ".join(f"{low:g} to {high:g}" for low, high in regions[:3])
    notes.append(f"Left out, for nothing was measured there: {words}.")
    return left


def _joined(regions: set[tuple[float, float]]) -> list[tuple[float, float]]:
    """Regions in order, those that overlap made one."""
    out: list[tuple[float, float]] = []
    for low, high in sorted(regions):
        if out and low < out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], high)
        else:
            out.append((low, high))
    return out


def _short(spectrum: Spectrum, ready: Prepared, grid: Grid) -> str:
    return (
        f"{shown(spectrum.name)} reaches from {ready.low:g} to {ready.high:g}, not over the grid "
        f"({grid.low:g} to {grid.high:g} {grid.unit}".rstrip()
        + "). Narrow the range to keep it."
    )


def _many(n: int) -> str:
    return "1 spectrum was" if n == 1 else f"{n} spectra were"
