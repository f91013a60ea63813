"""The forests of Tomita s.2.4-2.6, how d is chosen, and the five representations of data.

Where the authors' published scripts (github tyler-tomita/RandomerForest) do otherwise than the
paper says, both can be run: READINGS. The scripts draw scaling factors log-uniformly from
[1e-5, 1e5]; those of sparse parity are 1e-5, 1 and 1e5 for the three relevant features and 1 for
the rest. They corrupt the training samples only, and for 500 features the largest d is 10 p, not
p^2.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.transforms import Corruption, RandomScaling, Rotation
from explorer.engine import FAMILIES, Forest, ForestSpec, grow

Floats = NDArray[np.float64]
MODELS = ("RF", "RF(r)", "F-RC", "FRANK", "RR-RF", "RR-RF(r)")
REPRESENTATIONS = ("raw", "rotated", "scaled", "affine", "corrupted")
READINGS = ("paper", "scripts")
# suffixes of s.2.5: rank, percentile ("n" for normalised) and z-score
SCALINGS = {"r": "rank", "n": "percentile", "z": "zscore"}
_WIDE = 500  # features from which the scripts' largest d is 10 p
# s.3.1: nodes of less than 10 samples are leaves, for all methods
_LEAF = 9


def spec_of(model: str, n_tree: int, seed: int) -> ForestSpec:
    """A forest of the paper; a suffix (r), (n) or (z) says how its features are scaled (s.2.5)."""
    changes: dict[str, Any] = {"n_tree": n_tree, "seed": seed, "min_leaf": _LEAF}
    if model in FAMILIES:
        return FAMILIES[model].replace(**changes)
    name, _, suffix = model.removesuffix(")").partition("(")
    return FAMILIES[name].replace(scaling=SCALINGS[suffix], **changes)


def candidates(model: str, p: int, most: float = 2.0, reading: str = "paper") -> list[int]:
    """d to choose from (s.3.1): 1 ... p up to five features, else powers of p.

    F-RC and FRANK also p^1.5 and p^2; ``most`` is the largest power. The scripts try 10 p instead
    of these two where there are 500 features or more.
    """
    if p <= 5:
        found = list(range(1, p + 1))
    else:
        found = [max(1, round(p**power)) for power in (0.25, 0.5, 0.75, 1.0)]
    if spec_of(model, 1, 0).split == "sparse":
        if reading == "scripts" and p >= _WIDE:
            found.append(10 * p)
        else:
            found += [max(1, round(p**power)) for power in (1.5, 2.0) if power <= most]
    return sorted(set(found))


def with_d(spec: ForestSpec, d: int) -> ForestSpec:
    return spec.replace(n_candidates=d) if spec.split == "sparse" else spec.replace(m_try=d)


def fit_best(
    spec: ForestSpec, ds: list[int], X: Floats, y: NDArray[np.intp], threads: int | None
) -> tuple[Forest, int, float]:
    """(forest, d, seconds) of the d with the smallest out-of-bag error; ties go to the smaller."""
    best: tuple[Forest, int, float] | None = None
    least = np.inf
    for d in ds:
        before = time.perf_counter()
        forest = grow(with_d(spec, d), X, y, threads=threads)
        seconds = time.perf_counter() - before
        error = float(forest.oob_error[-1])
        if best is None or error < least - 1e-12:
            best, least = (forest, d, seconds), error
    assert best is not None
    return best


def represented(
    representation: str,
    X: Floats,
    test: Floats,
    seed: int,
    reading: str = "paper",
    relevant: int = 0,
) -> tuple[Floats, Floats]:
    """Training and test rows in one of the five representations (s.2.3).

    reading: "paper", or "scripts" (see the head of this module). relevant: of sparse parity, how
    many features decide the class; 0 for all other data.
    """
    if representation == "raw":
        return X, test
    if representation == "corrupted":
        kept = reading == "scripts"
        return Corruption(seed=seed).map(X), test if kept else Corruption(seed=seed + 1).map(test)
    if representation in ("rotated", "affine"):
        turn = Rotation(seed=seed)
        X, test = turn.map(X), turn.map(test)
    if representation in ("scaled", "affine"):
        factors = scale_factors(X.shape[1], seed, reading, relevant)
        X, test = X * factors, test * factors
    return X, test


def scale_factors(p: int, seed: int, reading: str, relevant: int = 0) -> Floats:
    """What each of p features is multiplied by, float64[p]."""
    if reading == "paper":
        return RandomScaling(seed=seed).factors(p)
    if relevant:
        factors = np.ones(p)
        factors[:relevant] = np.array([1e-5, 1.0, 1e5])[:relevant]
        return factors
    return RandomScaling(spacing="log", seed=seed).factors(p)
