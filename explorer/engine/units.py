"""Where the units of features matter: which forests depend on them, and whether they differ."""

from dataclasses import dataclass

import numpy as np

from .kernels.directions import DIRECTIONS
from .spec import ForestSpec

MUCH = 100.0  # a ratio of spreads above this deserves a word


def depends_on_units(spec: ForestSpec) -> bool:
    """Whether multiplying a column by a constant can change the forest.

    Rotations, random combinations of features and central axes mix features as they are; every
    other split looks at one feature at a time or standardises them at the node. Any scaling
    (rank, percentile, zscore) takes the units out.
    """
    return spec.scaling == "none" and (bool(spec.rotate) or DIRECTIONS[spec.split].units)


@dataclass(frozen=True)
class Spreads:
    """The columns of the largest and the smallest standard deviation (constants left out)."""

    widest: int
    narrowest: int
    ratio: float


def uneven_spreads(X: np.ndarray) -> Spreads | None:
    """Which columns differ by more than ``MUCH`` in spread; None if none do."""
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)  # of the known values
    varies = np.flatnonzero(high > low)
    if varies.size < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X[:, varies].std(axis=0)
        for k in np.flatnonzero(np.isnan(spread)):
            column = X[:, varies[k]]
            spread[k] = column[~np.isnan(column)].std()
        reach = 0.5 * (high[varies] - low[varies])
        spread = np.where(np.isfinite(spread) & (spread > 0), spread, reach)
        ratio = float(spread.max() / spread.min())
    if not ratio > MUCH:
        return None
    return Spreads(int(varies[spread.argmax()]), int(varies[spread.argmin()]), ratio)


def units_remark(name: str, spec: ForestSpec, X: np.ndarray, columns: list[str]) -> str | None:
    """What to tell a person about a forest that mixes units; None where there is nothing to say."""
    if not depends_on_units(spec):
        return None
    spreads = uneven_spreads(X)
    if spreads is None:
        return None
    return (
        f"{name} mixes features in their own units, and their spreads differ by a factor of "
        f"{spreads.ratio:.3g}: {columns[spreads.widest]} outweighs "
        f"{columns[spreads.narrowest]}. Set scaling='zscore' or scaling='rank', or standardise "
        "the data first."
    )
