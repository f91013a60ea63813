"""Draws a table of the shape of Forest cover type: for times, not for errors.

Ten measures that depend on each other, one of four areas, one of forty soils, and two classes in
the shares of the two largest ones, told by slanted and by straight rules together.
"""

from __future__ import annotations

import numpy as np

from explorer.data import Dataset

CLASSES = ("1", "2")  # Spruce-Fir and Lodgepole Pine in the file of UCI
SPRUCE, PINE = 211_840, 283_301
FULL = SPRUCE + PINE
AREAS, SOILS = 4, 40


def cover_shape(n: int, seed: int) -> Dataset:
    """n samples of 54 features; the same for the same seed."""
    rng = np.random.default_rng(seed)
    measures = rng.standard_normal((n, 10)) @ (np.eye(10) + 0.3 * rng.standard_normal((10, 10)))
    area = rng.integers(AREAS, size=n)
    soil = np.minimum(rng.geometric(0.08, size=n) - 1, SOILS - 1)
    lift = rng.standard_normal(SOILS)
    score = measures[:, 0] + 0.8 * measures[:, 1] * (area > 1) + np.sin(2 * measures[:, 2])
    score += lift[soil] + 0.5 * rng.standard_normal(n)
    y = (score > np.quantile(score, SPRUCE / FULL)).astype(np.intp)
    X = np.zeros((n, 10 + AREAS + SOILS))
    X[:, :10] = np.round(measures, 2)
    X[np.arange(n), 10 + area] = 1.0
    X[np.arange(n), 10 + AREAS + soil] = 1.0
    names = [f"measure {j + 1}" for j in range(10)]
    names += [f"area {j + 1}" for j in range(AREAS)] + [f"soil {j + 1}" for j in range(SOILS)]
    return Dataset(
        name="cover shape",
        title="A table of the shape of Forest cover type",
        X=X,
        y=y,
        class_names=("Spruce-Fir", "Lodgepole Pine"),
        feature_names=tuple(names),
    )
