"""Small data and small forests that several tests share."""

import numpy as np
from hypothesis import HealthCheck

from explorer.engine import FAMILIES, grow
from explorer.engine.forest import ARRAYS

SLOW = (HealthCheck.too_slow,)  # a busy machine is no failure


def blobs(seed=0, n=60, P=4, K=3, decimals=None):
    """K Gaussian clouds; ``decimals`` rounds the values, which makes ties."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    X = rng.normal(size=(n, P)) + 1.2 * rng.normal(size=(K, P))[y]
    return (X if decimals is None else np.round(X, decimals)), y


def small(name, n_tree=5, **knobs):
    """A family as its paper has it, with few trees."""
    spec = FAMILIES[name]
    return spec.replace(n_tree=min(n_tree, spec.n_tree), **knobs)


def grown(name, X, y, n_tree=5, sample_weight=None, **knobs):
    return grow(small(name, n_tree, **knobs), X, y, sample_weight=sample_weight)


def stump(split, X, y, sample_weight=None, **knobs):
    """The root of one tree on all rows and features: (features -> weight as array, node)."""
    spec = FAMILIES["RF"].replace(
        split=split, n_tree=1, m_try="all", bootstrap="none", max_depth=1, **knobs
    )
    node = grow(spec, X, y, sample_weight=sample_weight).tree(0).nodes[0]
    weights = np.zeros(X.shape[1])
    weights[node.features] = node.weights
    return weights, node


def same(a, b):
    """Whether two forests are equal to the bit."""
    return all(
        getattr(a, name).dtype == getattr(b, name).dtype
        and getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for name in ARRAYS
    )
