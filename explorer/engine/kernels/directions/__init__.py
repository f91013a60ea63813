"""The registry of split families: one line per direction.

A direction lives in its own file with a step ``NAME(table, knobs, node, work, split) -> bool``
and an entry point ``grow_NAME``. It is imported, and compiled, when a forest first asks for it.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..scratch import CHUNK

LINEAR = frozenset({"m_try", "subspace"})
GROUPED = LINEAR | {"grouping"}  # tells two groups of classes apart


@dataclass(frozen=True)
class Direction:
    """What the engine must know of a split family before it is imported."""

    module: str
    knobs: frozenset[str]  # knobs of a spec that this split heeds, beside those all heed
    ranks: bool = False  # reads dense ranks
    columns: bool = True  # reads the data by columns
    weighted: bool = True  # stores weights of features, so that a split may use several
    linear: bool = True  # fits a linear model at the node
    # shape of Model.extra for a model of up to g unknowns, n rows, m features
    extra: Callable[[int, int, int], tuple[int, int]] = lambda g, n, m: (0, 0)
    units: bool = False  # compares features in their own units
    least: int = 1  # fewest features worth drawing when m_try follows a rule

    @property
    def grow(self) -> Any:
        name = self.module
        return getattr(importlib.import_module(f"{__name__}.{name}"), f"grow_{name}")


def _LEAVE_OUT(g: int, n: int, m: int) -> tuple[int, int]:
    """Four vectors and three tables; pages that are never touched cost nothing."""
    return 4 + 3 * g, max(n, g, CHUNK)


DIRECTIONS: dict[str, Direction] = {
    "axis": Direction(
        "axis", LINEAR | {"rotate"}, ranks=True, columns=False, weighted=False, linear=False
    ),
    "thresholds": Direction(
        "thresholds", LINEAR | {"rotate", "n_thresholds"}, weighted=False, linear=False
    ),
    "random": Direction("random", LINEAR, least=2),
    "ridge": Direction("ridge", GROUPED | {"lambdas", "tuning"}, least=2, extra=_LEAVE_OUT),
    "lda": Direction("ridge", GROUPED, least=2),
    "logistic": Direction(
        "logistic", GROUPED | {"lambdas"}, least=2, extra=lambda g, n, m: (2 * g + 2, g + 1)
    ),
    "psvm": Direction("psvm", GROUPED | {"cost", "balance"}, least=2),
    "sparse": Direction(
        "sparse",
        frozenset({"n_candidates", "n_combine", "vary_combine"}),
        linear=False,
        units=True,
    ),
    "cap": Direction("cap", LINEAR | {"n_thresholds"}, least=2, units=True),
    "perceptron": Direction(
        "perceptron",
        LINEAR | {"n_thresholds"},
        least=2,
        extra=lambda g, n, m: (n, m + 1),
        units=True,  # where it falls back to the central axis
    ),
    "mixed": Direction(
        "mixed", GROUPED | {"lambdas", "tuning"}, ranks=True, least=2, extra=_LEAVE_OUT
    ),
}
