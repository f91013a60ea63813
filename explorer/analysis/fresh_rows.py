"""Fresh samples from the truth, and how well a model does on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.model import class_columns, spread
from explorer.analysis.posterior_map import hellinger
from explorer.data import Dataset

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FreshRows:
    """Samples no model has seen: X float64[n, P], y intp[n], their true posterior float64[n, K]."""

    X: Floats
    y: NDArray[np.intp]
    posterior: Floats


@dataclass(frozen=True, eq=False)
class FreshScore:
    """wrong: float64[n], 1 where the model names another class; distances: float64[n], Hellinger
    distance of its posterior from the true one."""

    wrong: Floats
    distances: Floats

    @property
    def error(self) -> float:
        return float(self.wrong.mean())

    @property
    def hellinger(self) -> float:
        return float(self.distances.mean())


def fresh_rows(dataset: Dataset, n: int = 1000, seed: int = 77) -> FreshRows | None:
    """n samples from the truth, the same for the same data; None where no truth is known."""
    if dataset.truth is None:
        return None
    X, y = dataset.truth.sample(n, np.random.default_rng(seed))
    return FreshRows(X, y, dataset.truth.posterior(X))


def score_fresh(model: Any, dataset: Dataset, rows: FreshRows, **options: Any) -> FreshScore:
    """How a model does on fresh samples; options go to its ``predict_proba``."""
    estimate = spread(
        model.predict_proba(rows.X, **options), class_columns(model, dataset), dataset.n_classes
    )
    wrong = (estimate.argmax(axis=1) != rows.y).astype(np.float64)
    return FreshScore(wrong, hellinger(estimate, rows.posterior))
