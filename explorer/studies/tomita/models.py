"""The forests of Tomita s.2.4-2.6 and how d, the number of candidate splits, is chosen."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.transforms import Affine, Corruption, RandomScaling, Rotation
from explorer.engine import FAMILIES, Forest, ForestSpec, grow

Floats = NDArray[np.float64]
MODELS = ("RF", "RF(r)", "F-RC", "FRANK", "RR-RF", "RR-RF(r)")
REPRESENTATIONS = ("raw", "rotated", "scaled", "affine", "corrupted")
# s.3.1: nodes of less than 10 samples are leaves, for all methods
_LEAF = 9


def spec_of(model: str, n_tree: int, seed: int) -> ForestSpec:
    """A forest of the paper; RF(r) is RF on ranks."""
    base = FAMILIES["RF" if model == "RF(r)" else model]
    changes: dict[str, Any] = {"n_tree": n_tree, "seed": seed, "min_leaf": _LEAF}
    if model == "RF(r)":
        changes["scaling"] = "rank"
    return base.replace(**changes)


def candidates(model: str, p: int, most: float = 2.0) -> list[int]:
    """d to choose from (s.3.1): 1 ... p up to five features, else powers of p.

    F-RC and FRANK also p^1.5 and p^2; ``most`` is the largest power.
    """
    if p <= 5:
        found = list(range(1, p + 1))
    else:
        found = [max(1, round(p**power)) for power in (0.25, 0.5, 0.75, 1.0)]
    if model in ("F-RC", "FRANK"):
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


def represented(representation: str, X: Floats, test: Floats, seed: int) -> tuple[Floats, Floats]:
    """Training and test rows in one of the five representations (s.2.3)."""
    if representation == "raw":
        return X, test
    if representation == "corrupted":
        return Corruption(seed=seed).map(X), Corruption(seed=seed + 1).map(test)
    transform: Any = {"rotated": Rotation, "scaled": RandomScaling, "affine": Affine}[
        representation
    ]
    return transform(seed=seed).map(X), transform(seed=seed).map(test)
