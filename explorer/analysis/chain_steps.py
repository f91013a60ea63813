"""What every step of a chain does to the spectra: the classes' means after each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.class_spectra import thinned
from explorer.data import Dataset
from explorer.data.transforms.base import Transform

Floats = NDArray[np.float64]
ROWS = 24  # spectra that are prepared to show a step
POINTS = 60  # of a mean that is drawn small


def means_after_steps(dataset: Dataset, steps: Sequence[Transform]) -> tuple[Floats, ...]:
    """Means of the classes, float64[K, at most 60 points], after each step; NaN for a class
    without spectra. Computed on some of the spectra, in the classes' shares."""
    part = dataset.take(thinned(dataset.y, ROWS))
    out = []
    for step in steps:
        part = step.apply(part)
        at = np.unique(np.linspace(0, part.n_features - 1, POINTS).round().astype(np.intp))
        means = np.full((part.n_classes, at.size), np.nan)
        for k in np.unique(part.y):
            means[k] = part.X[part.y == k][:, at].mean(axis=0)
        out.append(means)
    return tuple(out)
