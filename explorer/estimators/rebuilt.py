"""A grown forest with another vote, or without the data that it remembers."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..engine import Forest


def impure(forest: Forest) -> bool:
    """Whether any leaf holds more than one class."""
    return bool((np.count_nonzero(forest.counts, axis=1) > 1).any())


def _rebuilt(forest: Forest, **changes: Any) -> Forest:
    spec, classes, n_features, scaling, training, arrays, first = forest.__getstate__()
    parts = {"spec": spec, "training": training} | changes
    return Forest(parts["spec"], classes, n_features, scaling, parts["training"], arrays, first)


def voting(forest: Forest, vote: str) -> Forest:
    """The forest, its trees counted another way."""
    return _rebuilt(forest, spec=forest.spec.replace(vote=vote))


def without_data(forest: Forest) -> Forest:
    """The forest without the training samples, as a pickle holds it."""
    return _rebuilt(forest, training=replace(forest.training, X=None))
