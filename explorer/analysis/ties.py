"""Which of several models is best on the same samples, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_ROUNDING = 1e-12


def best_or_tied(
    samples: Sequence[Floats], groups: NDArray[np.intp] | None = None
) -> frozenset[int]:
    """The models within one paired standard error of the best one, by their places.

    samples: one array per model, [n], a loss per sample (small is good), NaN where the model was
    not judged on that sample. All models are compared on the samples that all were judged on. The
    best is the one with the smallest mean; another one ties with it if the mean of their
    differences, sample by sample, is at most the standard error of that mean. A single place is a
    winner. Empty where nothing can be said: fewer than two models, arrays of unlike lengths or
    fewer than two samples in common.

    groups: [n], equal for replicates of one object. They are nearly copies, so the standard error
    is taken over groups, each counted by the mean of its samples.
    """
    if len(samples) < 2 or len({s.size for s in samples}) > 1:
        return frozenset()
    table = np.asarray(samples, np.float64)
    known = ~np.isnan(table).any(axis=0)
    table = table[:, known]
    if groups is not None and groups.size == known.size:
        _, member = np.unique(groups[known], return_inverse=True)
        size = np.bincount(member)
        table = np.stack([np.bincount(member, row) / size for row in table])
    if table.shape[1] < 2:
        return frozenset()
    best = int(table.mean(axis=1).argmin())
    gap = table - table[best]
    error = gap.std(axis=1, ddof=1) / np.sqrt(gap.shape[1])
    near = gap.mean(axis=1) <= error * (1.0 + 1e-4) + _ROUNDING
    return frozenset(int(i) for i in np.flatnonzero(near))
