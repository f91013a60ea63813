"""`Directions`: the directions that different node models choose on the same samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import ForestSpec, grow

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
LAMBDAS = tuple(10.0**i for i in range(-5, 6))  # Menze s.2, step 4a
KINDS = ("pca", "lda", "ridge", "pls", "logistic", "psvm", "cap")
_LABELS = {
    "pca": "PCA",
    "lda": "LDA",
    "pls": "PLS",
    "logistic": "logistic",
    "psvm": "proximal SVM",
    "cap": "central axis",
}


@dataclass(frozen=True, eq=False)
class Directions(Record):
    """Split directions on one set of samples (Menze Fig. 2). D directions, m features.

    kind: D of KINDS; label: D names; penalty: float64[D], lambda of a ridge direction, else NaN.
    feature_names: m; mean, scale: float64[m], with which features were standardised.
    unit: float64[D, m], directions of unit length in standardised features, turned so that the
        second group has the larger scores; weights: float64[D, m] = unit / scale, on the
        features as they are (normals of the splitting planes).
    correlation: float64[D], squared correlation of the scores with the two groups; variance:
        float64[D], of the scores: the two terms of Menze eq. 3.
    groups: the names of the two groups; rows: intp[n].
    """

    kind: tuple[str, ...]
    label: tuple[str, ...]
    penalty: Floats
    feature_names: tuple[str, ...]
    mean: Floats
    scale: Floats
    unit: Floats
    weights: Floats
    correlation: Floats
    variance: Floats
    groups: tuple[str, str]
    rows: NDArray[np.intp]

    def objective(self, penalty: float) -> Floats:
        """Menze eq. 3 of every direction: corr^2 var / (var + lambda'), float64[D]."""
        return self.correlation * self.variance / (self.variance + penalty)

    def angle(self, i: int, j: int) -> float:
        """Degrees between two directions' cuts, 0 ... 90, in standardised features."""
        return float(np.degrees(np.arccos(min(1.0, abs(float(self.unit[i] @ self.unit[j]))))))

    def angle_of(self, weights: ArrayLike, j: int) -> float:
        """Degrees between the cut with these weights on the features as they are, and cut j."""
        own = np.asarray(weights, np.float64) * self.scale
        cosine = abs(float(own @ self.unit[j])) / float(np.linalg.norm(own))
        return float(np.degrees(np.arccos(min(1.0, cosine))))

    def to_frame(self) -> pandas.DataFrame:
        """One row per direction."""
        import pandas

        table = {
            "direction": list(self.label),
            "lambda": self.penalty,
            "correlation": self.correlation,
            "variance": self.variance,
        }
        for j, name in enumerate(self.feature_names):
            table[f"weight({name})"] = self.weights[:, j]
        return pandas.DataFrame(table)


def directions(
    dataset: Dataset,
    rows: ArrayLike | None = None,
    features: ArrayLike | None = None,
    *,
    kinds: Sequence[str] = KINDS,
    lambdas: Sequence[float] = LAMBDAS,
    cost: float = 1.0,
) -> Directions:
    """The directions of several node models on some samples and features of a data set.

    Features are standardised first (Menze s.2, step 3), but for the central axis, which Ho
    (s.2) takes on the features as they are. PCA and PLS give their first component; the others
    are the root's direction of the engine's own family. lambdas: path of the ridge. cost: c of
    the proximal SVM (Do eq. 3). More than two classes are first divided into two groups as the
    engine does at a node (Ho s.2).
    """
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise ValueError(
            f"There is no direction {sorted(unknown)[0]!r}; choose among {', '.join(KINDS)}."
        )
    index = np.arange(dataset.n_samples) if rows is None else np.asarray(rows, np.intp)
    columns = np.arange(dataset.n_features) if features is None else np.asarray(features, np.intp)
    X, y = dataset.X[np.ix_(index, columns)], dataset.y[index]
    if np.unique(y).size < 2:
        raise ValueError("These samples are of one class; a direction needs two to part.")
    mean, scale = X.mean(axis=0), X.std(axis=0)
    if not (scale > 0).any():
        raise ValueError("These samples are all alike; no direction parts them.")
    scale = np.where(scale > 0, scale, 1.0)
    Z = (X - mean) / scale
    target, groups = two_groups(Z, y, dataset.class_names)
    found: list[tuple[str, str, float, Floats]] = []
    for kind in kinds:
        if kind == "pca":
            found.append((kind, _LABELS[kind], np.nan, np.linalg.svd(Z, full_matrices=False)[2][0]))
        elif kind == "pls":
            # the first component of PLS1 points along the covariances with the target
            found.append((kind, _LABELS[kind], np.nan, Z.T @ (target - target.mean())))
        elif kind == "ridge":
            for penalty in lambdas:
                spec = _spec("ridge", lambdas=(float(penalty),))
                label = f"ridge, lambda {penalty:g}"
                found.append((kind, label, float(penalty), _root(spec, X, target) * scale))
        else:
            spec = _spec(kind, cost=cost) if kind == "psvm" else _spec(kind)
            found.append((kind, _LABELS[kind], np.nan, _root(spec, X, target) * scale))
    unit = np.array([u / np.linalg.norm(u) for _, _, _, u in found]).reshape(-1, columns.size)
    scores = Z @ unit.T
    away = target - target.mean()
    covariance = scores.T @ away / len(away)
    unit = unit * np.where(covariance < 0, -1.0, 1.0)[:, None]
    variance = scores.var(axis=0)
    correlation = covariance**2 / np.maximum(variance, 1e-300) / away.var()
    return Directions(
        tuple(kind for kind, _, _, _ in found),
        tuple(label for _, label, _, _ in found),
        np.array([penalty for _, _, penalty, _ in found]),
        tuple(dataset.feature_names[j] for j in columns),
        mean,
        scale,
        unit,
        unit / scale,
        np.minimum(correlation, 1.0),
        variance,
        groups,
        index,
    )


def two_groups(
    Z: Floats, y: NDArray[np.intp], names: tuple[str, ...]
) -> tuple[Floats, tuple[str, str]]:
    """Classes divided into two groups, -1 and +1, as the engine does at a node (Ho s.2).

    The two classes whose means are farthest apart anchor the groups; the others join the nearer.
    """
    classes = np.unique(y)
    means = np.array([Z[y == k].mean(axis=0) for k in classes])
    gaps = ((means[:, None, :] - means[None, :, :]) ** 2).sum(axis=2)
    first, last = np.unravel_index(np.triu(gaps).argmax(), gaps.shape)
    side = np.where(gaps[first] <= gaps[last], -1.0, 1.0)
    side[first], side[last] = -1.0, 1.0
    of = dict(zip(classes.tolist(), side, strict=True))
    words = tuple(
        ", ".join(names[k] for k in classes if of[int(k)] == sign) for sign in (-1.0, 1.0)
    )
    return np.array([of[int(k)] for k in y]), words  # type: ignore[return-value]


def _spec(split: str, **knobs: Any) -> ForestSpec:
    return ForestSpec(split=split, n_tree=1, m_try="all", bootstrap="none", max_depth=1, **knobs)


def _root(spec: ForestSpec, X: Floats, target: Floats) -> Floats:
    """Weights of the root on all features, zero for those it does not weigh."""
    root = grow(spec, X, target.astype(np.intp), threads=1).tree(0).nodes[0]
    if root.is_leaf:
        raise ValueError(f"The {spec.split} model finds no direction on these samples.")
    out = np.zeros(X.shape[1])
    out[root.features] = root.weights
    return out
