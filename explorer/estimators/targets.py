"""What is to be predicted: one or several columns of labels, and the weights of their classes.

A forest knows one column of classes. Several outputs are grown as one: every combination of
labels that occurs is a class (a "label powerset"), so a leaf knows which labels come together;
the posterior of one output is the sum over the combinations that agree in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target


@dataclass(frozen=True)
class Targets:
    """Labels of the training samples, coded."""

    classes: list[np.ndarray]  # the sorted labels of every output
    codes: np.ndarray  # int64[n, outputs]
    joint: np.ndarray  # int64[J, outputs] the combinations that occur
    joint_code: np.ndarray  # int64[n] number of each sample's combination
    oob: bool  # whether an out-of-bag score is defined

    @classmethod
    def read(cls, y: np.ndarray) -> "Targets":
        check_classification_targets(y)
        kind = type_of_target(y)
        columns = y[:, None] if y.ndim == 1 else y
        pairs = [np.unique(column, return_inverse=True) for column in columns.T]
        codes = np.stack([inverse.ravel() for _, inverse in pairs], axis=1)
        joint, joint_code = np.unique(codes, axis=0, return_inverse=True)
        judged = kind not in ("multiclass-multioutput", "unknown")
        return cls([classes for classes, _ in pairs], codes, joint, joint_code.ravel(), judged)

    @property
    def outputs(self) -> int:
        return len(self.classes)


def dense_labels(y: Any) -> Any:
    if issparse(y):
        raise ValueError("sparse multilabel-indicator for y is not supported.")
    return y


def marginals(proba: np.ndarray, joint: np.ndarray, sizes: list[int]) -> list[np.ndarray]:
    """Posterior of every output, float64[n, K] each, from that of the combinations."""
    return [
        proba @ (joint[:, k][:, None] == np.arange(size)).astype(float)
        for k, size in enumerate(sizes)
    ]


ClassWeight = dict | str | list | None


def class_factors(
    class_weight: ClassWeight, targets: Targets, weight: np.ndarray | None = None
) -> np.ndarray:
    """Weight of each sample by its classes, float64[n]; outputs are multiplied."""
    given: list[Any]
    if isinstance(class_weight, list | tuple):
        given = list(class_weight)
        if len(given) != targets.outputs:
            raise ValueError(
                f"class_weight has {len(given)} entries, but y has {targets.outputs} column(s); "
                "give one dict per column."
            )
    else:
        given = [class_weight] * targets.outputs
    out = np.ones(len(targets.codes))
    for k, one in enumerate(given):
        out *= _per_class(one, targets, k, weight)[targets.codes[:, k]]
    return out


def _per_class(one: Any, targets: Targets, k: int, weight: np.ndarray | None) -> np.ndarray:
    classes, codes = targets.classes[k], targets.codes[:, k]
    if one is None:
        return np.ones(classes.size)
    if isinstance(one, str):
        if one not in ("balanced", "balanced_subsample"):
            raise ValueError(
                f"class_weight is {one!r}; use 'balanced', 'balanced_subsample', a dict from "
                "class to weight, or None."
            )
        sums = np.bincount(codes, weight, minlength=classes.size)
        there = sums > 0
        return np.divide(sums.sum(), there.sum() * sums, out=np.zeros(classes.size), where=there)
    if not isinstance(one, dict):
        raise ValueError(
            f"class_weight is {one!r}; use 'balanced', 'balanced_subsample', a dict from class to "
            "weight, or None."
        )
    names = classes.tolist()
    unknown = [name for name in one if name not in names]
    if unknown:
        raise ValueError(
            f"class_weight names the class {unknown[0]!r}, which y does not have; "
            f"its classes are {', '.join(map(str, names))}."
        )
    return np.array([float(one.get(name, 1.0)) for name in names])


def balance_in_bag(targets: Targets, weight: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Factors that give all classes of a tree's bag the same weight ("balanced_subsample")."""

    def factors(times: np.ndarray) -> np.ndarray:
        return class_factors("balanced", targets, times * weight)

    return factors
