"""The registry of split families: one line per direction.

A direction lives in its own file with a step ``NAME(table, knobs, node, work, split) -> bool``
and an entry point ``grow_NAME``. It is imported, and compiled, when a forest first asks for it.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LINEAR = frozenset({"m_try", "subspace"})


@dataclass(frozen=True)
class Direction:
    """What the engine must know of a split family before it is imported."""

    module: str
    knobs: frozenset[str]  # knobs of a spec that this split heeds, beside those all heed
    ranks: bool = False  # reads dense ranks
    columns: bool = True  # reads the data by columns
    oblique: bool = True  # may weigh several features
    linear: bool = True  # fits a linear model at the node
    # shape of Model.extra for a model of up to g unknowns, n rows, m features
    extra: Callable[[int, int, int], tuple[int, int]] = lambda g, n, m: (0, 0)
    least: int = 1  # fewest features worth drawing when m_try follows a rule

    @property
    def grow(self) -> Any:
        name = self.module
        return getattr(importlib.import_module(f"{__name__}.{name}"), f"grow_{name}")


DIRECTIONS: dict[str, Direction] = {
    "axis": Direction(
        "axis", LINEAR | {"rotate"}, ranks=True, columns=False, oblique=False, linear=False
    ),
    "thresholds": Direction(
        "thresholds", LINEAR | {"rotate", "n_thresholds"}, oblique=False, linear=False
    ),
    "random": Direction("random", LINEAR, least=2),
    "ridge": Direction("ridge", LINEAR | {"lambdas"}, least=2),
    "lda": Direction("ridge", LINEAR, least=2),
    "logistic": Direction(
        "logistic", LINEAR | {"lambdas"}, least=2, extra=lambda g, n, m: (2 * g + 2, g + 1)
    ),
    "psvm": Direction("psvm", LINEAR | {"cost", "balance"}, least=2),
    "sparse": Direction(
        "sparse", frozenset({"n_candidates", "n_combine", "vary_combine"}), linear=False
    ),
    "cap": Direction("cap", LINEAR | {"n_thresholds"}, least=2),
    "perceptron": Direction(
        "perceptron", LINEAR | {"n_thresholds"}, least=2, extra=lambda g, n, m: (n, m + 1)
    ),
    "mixed": Direction("mixed", LINEAR | {"lambdas"}, ranks=True, least=2),
}
