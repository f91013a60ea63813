"""Mass spectra on one axis: every spectrum has its own m/z, so peaks are summed into equal bins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Given, counted

BIN_WIDTH = 1.0
_MOST_BINS = 20_000


def binned(
    spectra: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], given: Given
) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    """Centres of the bins, intensities [n, bins] summed in each, and a sentence that says so.

    Bins are 1 m/z wide and centred on whole numbers, wider by whole factors if there would be more
    than 20 000 of them.
    """
    full = [(x, y) for x, y in spectra if x.size and np.isfinite(x).all()]
    if not full:
        raise given.refuse("holds mass spectra without a single peak.")
    low = min(float(x.min()) for x, _ in full)
    high = max(float(x.max()) for x, _ in full)
    if not (0 <= low <= high < 1e7):
        raise given.refuse("holds masses outside 0 to 10 million; it is damaged. Export it again.")
    width = BIN_WIDTH * max(1, int(np.ceil((high - low + 1) / _MOST_BINS)))
    first = int(np.floor(low / width + 0.5))
    bins = int(np.floor(high / width + 0.5)) - first + 1
    bins = max(bins, 2)
    given.limits.check_shape(len(spectra), bins)
    out = np.zeros((len(spectra), bins))
    for row, (x, y) in zip(out, spectra, strict=True):
        if x.size:
            places = (np.floor(x / width + 0.5) - first).astype(np.intp)
            row[:] = np.bincount(places, np.nan_to_num(y), minlength=bins)[:bins]
    centres = width * (first + counted(bins))
    return centres, out, f"Mass spectra were summed into bins of {width:g} m/z to share one axis."
