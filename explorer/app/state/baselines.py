"""What the app knows about the baselines before one is fitted: names, knobs and bounds.

scikit-learn is imported when the first of them is fitted, not when the app starts.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from explorer.data import Knob
from explorer.engine import ForestSpec

CHOSEN = "chosen by cross-validation"
LARGEST = {"svm": 4000, "svm-linear": 4000, "adaboost": 20_000, "knn": 50_000}  # samples


@dataclass(frozen=True)
class BaselineChoice:
    """A knob of a baseline: its label, what more does, the values offered, and its bounds."""

    label: str
    knob: Knob
    values: tuple[float, ...]


_POWERS = tuple(10.0**i for i in range(-5, 6))
CHOICES: dict[str, BaselineChoice] = {
    "cost": BaselineChoice(
        "Cost, C",
        Knob("Penalty for samples on the wrong side; more follows single samples.", 1e-5, 1e5),
        _POWERS,
    ),
    "width": BaselineChoice(
        "Kernel width",
        Knob("How far a sample has influence; more gives a smoother boundary.", 1e-3, 1e3),
        (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
    ),
    "neighbours": BaselineChoice(
        "Neighbours, k",
        Knob("Nearest samples that vote; more give a smoother boundary.", 1, 500, default=1),
        (1, 2, 3, 5, 8, 16, 32, 64, 128),
    ),
    "iterations": BaselineChoice(
        "Rounds",
        Knob("Trees, each grown on what the ones before got wrong.", 1, 500, default=1),
        (1, 2, 5, 10, 20, 30, 40, 50, 100, 200),
    ),
}
BASELINES: dict[str, tuple[str, ...]] = {
    "svm": ("width", "cost"),
    "svm-linear": ("cost",),
    "knn": ("neighbours",),
    "adaboost": ("iterations",),
}


@dataclass(frozen=True)
class BaselineSpec:
    """A baseline before it is fitted; a knob at None is chosen by the paper's cross-validation."""

    name: str
    cost: float | None = None
    width: float | None = None
    neighbours: int | None = None
    iterations: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in BASELINES:
            raise ValueError(f"There is no baseline '{self.name}'.")
        for name, choice in CHOICES.items():
            value = getattr(self, name)
            if value is None:
                continue
            if name not in BASELINES[self.name]:
                raise ValueError(f"The baseline {self.name} has no {choice.label.lower()}.")
            object.__setattr__(self, name, choice.knob.check(choice.label, value))
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**31:
            raise ValueError("A seed is a whole number from 0 to 2147483647.")

    def replace(self, **changes: Any) -> BaselineSpec:
        return dataclasses.replace(self, **changes)

    @property
    def settings(self) -> dict[str, Any]:
        """The baseline's own knobs with their values, None where cross-validation chooses."""
        return {name: getattr(self, name) for name in BASELINES[self.name]}

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Any:
        """Fit it; this is where scikit-learn is imported."""
        from explorer.baselines import BASELINES as RECIPES

        recipe = dataclasses.replace(RECIPES[self.name], **self.settings)
        chosen = self.seed if seed is None else seed
        options = {"threads": threads, "progress": progress, "cancel": cancel}
        return recipe.fit(X, y, groups=groups, seed=chosen, **options)


Recipe = ForestSpec | BaselineSpec


NO_FORESTS = "There are no trees to look into: choose a forest among the models."


def forests_of(specs: tuple[Recipe, ...]) -> tuple[ForestSpec, ...]:
    """The models that are forests; pages that look into trees leave the others out."""
    return tuple(spec for spec in specs if isinstance(spec, ForestSpec))


def left_out(specs: tuple[Recipe, ...], letters: str) -> str:
    """A sentence about the models that have no trees; empty if all have."""
    out = [
        f"{letters[i]} {spec.name}"
        for i, spec in enumerate(specs)
        if isinstance(spec, BaselineSpec)
    ]
    if not out:
        return ""
    verb = "has" if len(out) == 1 else "have"
    return f"{' and '.join(out)} {verb} no trees and {'is' if len(out) == 1 else 'are'} left out."


def baseline_in_words(spec: BaselineSpec) -> str:
    """What is set of a model without trees."""
    fixed = [f"{name} {value:g}" for name, value in spec.settings.items() if value is not None]
    return ", ".join(fixed) or "tuned by cross-validation"
