"""What a forest remembers of its training data, and growing trees on it."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import check, missing
from .growing import Progress, grow_trees, knobs_for, table_for
from .pruning import prune_trees
from .reweighting import TreeWeight, grow_reweighted
from .scaling import Scaling
from .spec import ForestSpec


@dataclass(frozen=True)
class Training:
    """What a forest remembers of its training data."""

    codes: np.ndarray  # int32[n] class codes
    weight: np.ndarray  # float64[n] sample weights
    digest: str  # blake2b of X, y, weights and groups
    X: np.ndarray | None = None  # float64[n, P]; a forest read from a file has none
    groups: np.ndarray | None = None  # int32[n] codes, equal for replicates of one object
    centre: np.ndarray | None = None  # float64[P] means of scaled features, for missing values


def training_of(
    X: np.ndarray, codes: np.ndarray, weight: np.ndarray, groups: np.ndarray | None
) -> Training:
    """What a forest remembers of checked training data."""
    digest = digest_of(X, codes, weight, groups)
    sealed = None if groups is None else check.read_only(groups)
    return Training(check.read_only(codes), check.read_only(weight), digest, X, sealed)


def grow_arrays(
    spec: ForestSpec,
    training: Training,
    scaling: Scaling,
    n_class: int,
    first: int,
    last: int,
    progress: Progress | None = None,
    cancel: Any = None,
    threads: int | None = None,
    tree_weight: TreeWeight | None = None,
) -> dict[str, np.ndarray]:
    """Grow trees first ... last-1 of a spec on remembered data: the arrays of a Forest."""
    assert training.X is not None
    X = scaling.transform(training.X)
    gaps = spec.missing == "accept" and missing.has_gaps(X)
    table = table_for(spec, X, training.codes, training.weight, training.groups, threads, gaps)
    knobs = knobs_for(spec, X.shape[1], n_class, table.member_at.size - 1)
    if tree_weight is not None:
        return grow_reweighted(
            spec, table, knobs, first, last, tree_weight, progress, cancel, threads
        )
    if spec.prune:
        return prune_trees(spec, table, knobs, first, last, progress, cancel, threads)
    return grow_trees(spec, table, knobs, first, last, progress, cancel, threads)


def digest_of(
    X: np.ndarray, codes: np.ndarray, weight: np.ndarray, groups: np.ndarray | None
) -> str:
    """A fingerprint of training data."""
    h = hashlib.blake2b(digest_size=16)
    for a in (X, codes, weight) if groups is None else (X, codes, weight, groups):
        h.update(repr((a.dtype.str, a.shape)).encode())
        h.update(memoryview(np.ascontiguousarray(a)).cast("B"))
    return h.hexdigest()
