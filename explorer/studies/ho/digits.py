"""The digits of Ho's experiments: where they come from, and how they are divided.

The paper's 70 000 images of the NIST competition cannot be had. scikit-learn's 1797 digits stand
in, said aloud in every result; a folder of one's own may hold better ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import Protocol
from explorer.analysis.protocols import TrainTestSplit
from explorer.data import Dataset
from explorer.data.bundled.digits import vectors
from explorer.studies.plan import Missing
from explorer.studies.sources import Sources

FEATURES = ("f1", "f2")
FOLDS = 7  # 60,000 train and 10,000 test: six to one
FAMILIES_OF = {"CAP": "RDF-CAP", "PER": "RDF-PER"}
FILES = ("nist", "mnist", "optdigits")
SIDE = 20
NIST = "NIST handwritten digits, 60 000 + 10 000 images of 20 x 20 binary pixels"
WHY = (
    "The 1992 competition's images are no longer given out in this form. {}, enlarged to 20 x 20 "
    "and made binary, are used instead: fewer samples, so trees are smaller than printed. A file "
    "nist.csv (400 pixels, label last) in a folder given by --data is taken first."
)
PROTOCOL = (
    "Raw binary pixels (f1, 400 components) and these with conjunctions and disjunctions of "
    "neighbours (f2, 852); trees are grown until every leaf holds a single class, on all training "
    "samples. The paper trains on 60,000 and tests on 10,000 images; here seven-fold "
    "cross-validation keeps its six to one."
)


def digits(sources: Sources, features: str) -> tuple[Dataset, Missing | None]:
    """Ho's feature vectors of the user's images, or of scikit-learn's."""
    for name in FILES:
        found = sources.from_folder(name)
        if found is not None:
            why = WHY.format(f"The {found.n_samples} digits of {name} in the folder")
            return own_digits(found, features), None if name == "nist" else Missing(NIST, why)
    ours = sources.load("digits", features=features, size=SIDE)
    return ours, Missing(NIST, WHY.format("scikit-learn's 1797 digits of 8 x 8 grey pixels"))


def own_digits(data: Dataset, features: str) -> Dataset:
    """Feature vectors of a table of square images, one row each."""
    side = math.isqrt(data.n_features)
    if side * side != data.n_features or side < 8:
        raise ValueError(
            f"'{data.name}' has {data.n_features} columns, which is no square image of at least "
            "8 x 8 pixels; give one column per pixel and the label last."
        )
    low, high = float(data.X.min()), float(data.X.max())
    grey = 16.0 * (data.X - low) / max(high - low, 1e-12)
    X, names = vectors(grey.reshape(-1, side, side), features, SIDE)
    return data.replace(X=X, feature_names=tuple(names), image_shape=(SIDE, SIDE), axis=None)


def fold_of(data: Dataset, fold: int, seed: int) -> TrainTestSplit:
    """One of the seven divisions into training and test samples."""
    parts = Protocol("k-fold", folds=FOLDS, seed=seed).splits(data)
    return next(split for split in parts if split.fold == fold)


def correct(g: np.ndarray, y: Any, classes: np.ndarray) -> np.ndarray:
    """bool[n]: the largest discriminant is the true class's, and alone (s.5: ties are rejected)."""
    top = np.sort(g, axis=1)
    return (classes[g.argmax(axis=1)] == y) & (top[:, -1] > top[:, -2] + 1e-9)


def planned(
    sources: Sources, settings: Mapping[str, Any]
) -> tuple[dict[str, Dataset], tuple[Missing, ...]]:
    """Both kinds of vectors (fewer samples where ``most`` says so), and what is missing."""
    data, missing = {}, set()
    for features in FEATURES:
        found, lacks = digits(sources, features)
        most = settings["most"]
        if most is not None and found.n_samples > most:
            _, found = found.split(most / found.n_samples, settings["seed"])
        data[features] = found
        missing |= set() if lacks is None else {lacks}
    return data, tuple(missing)
