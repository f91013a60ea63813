"""The correlation dial (Menze s.4, Fig. 6): one random scalar added to all features."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.data.transforms.base import Floats, Transform, knob, noted, seed_knob

_NOTICE = 0.01


class PrecisionWarning(UserWarning):
    """Rounding has begun to take the class signal."""


@dataclass(frozen=True)
class CorrelationDial(Transform):
    """x + 10^power s 1 with s ~ N(0, 1), one scalar per sample: features become collinear.

    Menze turns power from 0 to 15. Where float64 ends: a number near 10^k is rounded to a step of
    about 2^-52 10^k, so features of unit spread lose this share of it (rms, threenorm):

        power    <= 12    13      14     15     16
        step      2e-4   2e-3    0.02   0.1-0.5   2
        lost      5e-5   5e-4    0.5 %   5 %     45 %

    i.e. they are intact to 1 % up to 10^14, visibly rounded at 10^15, and all but gone at 10^16;
    data of spread u lose the same at a power lower by log10(1/u) (absorbances that vary by 0.01:
    two steps earlier). `rounding` measures the loss, `apply` writes it into the notes and warns
    (`PrecisionWarning`) from 1 % of the spread on, so a forest that fails there is not blamed.

    The truth stays exact for Gaussian classes and simulated spectra (their covariance gains one
    term), also after invertible maps; it is the truth of the real numbers before rounding. It is
    None otherwise. `map` draws scalars for the rows it gets: take another seed for test data.
    """

    power: float = knob(3.0, "Size of the scalar, as a power of ten.", -6.0, 16.0)
    seed: int = seed_knob()

    def offsets(self, n: int) -> Floats:
        """10^power s, float64 [n, 1]."""
        rng = np.random.default_rng([self.seed, 4])
        return 10.0**self.power * rng.standard_normal((n, 1))

    def map(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, np.float64)
        return rows + self.offsets(len(rows))

    def rounding(self, X: ArrayLike) -> float:
        """What rounding takes: rms error of x after the dial, relative to the features' spread.

        0 is nothing, 1 is a feature that is all rounding. The largest over the features that vary.
        """
        rows = np.asarray(X, np.float64)
        offset = self.offsets(len(rows))
        # Exact: the sum minus its larger part is representable (Sterbenz, Dekker's two-sum)
        total = rows + offset
        kept = total - offset
        lost = (rows - kept) + (offset - (total - kept))
        spread = rows.std(axis=0)
        vary = spread > 0
        if not vary.any():
            return 0.0
        return float((np.sqrt(np.square(lost).mean(axis=0))[vary] / spread[vary]).max())

    def apply(self, dataset: Dataset) -> Dataset:
        lost = self.rounding(dataset.X)
        sentence = f"Correlated: a random scalar of size 10^{self.power:g} added to each sample"
        if lost >= _NOTICE:
            sentence += f"; rounding has taken {100 * lost:.0f} % of a feature's spread."
            warnings.warn(
                f"At 10^{self.power:g} float64 rounds {100 * lost:.0f} % of a feature's spread in "
                f"'{dataset.name}' away; what a forest loses here is not its own fault. "
                "Turn the dial down to keep the class signal.",
                PrecisionWarning,
                stacklevel=2,
            )
        else:
            sentence += f" (rounding: {lost:.0e} of a feature's spread)."
        truth = dataset.truth
        return noted(
            dataset,
            sentence,
            X=self.map(dataset.X),
            truth=None if truth is None else truth.with_offset(10.0**self.power),
        )
