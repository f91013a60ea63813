"""Trials: models x data sets under a protocol, in units of a few fits, and their evaluations.

A model is named and described by plain knobs, so that a unit can be kept and sent:
``{"family": "RF", "n_tree": 100}``, ``{"baseline": "svm-linear", "cost": 1e5}``, or a family whose
number of trees is tuned, ``{"family": "RF", "trees": [20, 40, 80]}``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorer.analysis import Evaluation, Protocol
from explorer.analysis.evaluation import Run, RunLog, planned_runs
from explorer.analysis.model import derived_seed
from explorer.analysis.scores import error_by_trees
from explorer.baselines import BASELINES, inner_folds
from explorer.data import Dataset
from explorer.engine import FAMILIES, Forest, ForestSpec, grow
from explorer.studies.plan import Unit, identity


@dataclass(frozen=True)
class TunedForest:
    """A family whose n_tree is chosen by cross-validated error (Menze s.3); ties go to fewer trees.

    trees: what to choose from. One forest of the most trees per fold tells the error at all.
    """

    spec: ForestSpec
    trees: tuple[int, ...]
    name: str
    folds: int = 3

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        seed: int = 0,
        threads: int | None = None,
        cancel: Any = None,
    ) -> Forest:
        X, y = np.asarray(X), np.asarray(y)
        trees = sorted(self.trees)
        wrong = np.zeros(len(trees))
        spec = self.spec.replace(n_tree=trees[-1], seed=seed)
        options: dict[str, Any] = {"threads": threads, "cancel": cancel}
        for train, test in inner_folds(X, y, groups, self.folds, seed):
            kept = None if groups is None else np.asarray(groups)[train]
            forest = grow(spec, X[train], y[train], groups=kept, **options)
            curve = error_by_trees(forest, X[test], y[test], threads=threads)
            wrong += curve[np.array(trees) - 1] * test.size
        best = trees[int(np.round(wrong, 9).argmin())]
        return grow(spec.replace(n_tree=best), X, y, groups=groups, **options)


def recipe(knobs: Mapping[str, Any]) -> Any:
    """What can be fitted, from a model's plain knobs."""
    rest = dict(knobs)
    if "baseline" in rest:
        return dataclasses.replace(BASELINES[rest.pop("baseline")], **rest)
    family = rest.pop("family")
    trees = rest.pop("trees", None)
    spec = FAMILIES[family].replace(**rest)
    return spec if trees is None else TunedForest(spec, tuple(trees), family)


def spec_row(knobs: Mapping[str, Any]) -> dict[str, Any]:
    """A model's exact recipe for the record: every knob, defaults too."""
    made = recipe(knobs)
    if isinstance(made, ForestSpec):
        return made.to_dict()
    if isinstance(made, TunedForest):
        return {**made.spec.to_dict(), "n_tree": list(made.trees), "folds": made.folds}
    return {"baseline": made.name, **dataclasses.asdict(made)}


_RUNS: dict[Any, tuple[list[Run], str]] = {}


def _planned(
    made: Any, data: Dataset, protocol: Protocol, test: Dataset | None
) -> tuple[list[Run], str]:
    """`planned_runs`, remembered for the data set at hand: a hundred splits take a while."""
    if protocol.kind == "oob" or test is not None:
        return planned_runs(made, data, protocol, test=test)
    key = identity(data), protocol
    found = _RUNS.get(key)
    if found is None:
        found = planned_runs(made, data, protocol)
        _RUNS.clear()
        _RUNS[key] = found
    return found


def try_out(
    data: Dataset,
    test: Dataset | None = None,
    *,
    model: Mapping[str, Any],
    protocol: Mapping[str, Any],
    first: int,
    last: int,
    trees: bool,
    threads: int | None,
) -> Any:
    """Runs first ... last-1 of a protocol: what `RunLog.part` gives."""
    made, plan = recipe(model), Protocol(**protocol)
    runs, _ = _planned(made, data, plan, test)
    log = RunLog(made, data, test, trees, grouped=plan.grouped)
    for number in range(first, last):
        log.run(number, runs[number], plan.seed, threads, None)
    return log.part()


@dataclass(frozen=True)
class Trials:
    """Models x data sets under one protocol (whose seed is shared, so that tests can be paired).

    models: name -> knobs. data: name -> data set; tests: name -> its own test set, where it has
    one. block: fits per unit. trees: whether to follow the error by number of trees.
    """

    models: Mapping[str, Mapping[str, Any]]
    data: Mapping[str, Dataset]
    protocol: Protocol
    tests: Mapping[str, Dataset] = field(default_factory=dict)
    block: int = 1
    trees: bool = False

    def all_data(self) -> dict[str, Dataset]:
        """Data sets of the plan: test sets stand beside the others."""
        return {**self.data, **{_test(name): test for name, test in self.tests.items()}}

    def units(self) -> list[Unit]:
        """All units: the data sets with the longest work first, so that cores end together."""
        order = sorted(self.data, key=lambda name: -self.data[name].X.size)
        return [
            Unit(key, try_out, arguments, given)
            for name in order
            for model in self.models
            for key, arguments, given in self._units(name, model)
        ]

    def _units(self, name: str, model: str) -> list[tuple[str, dict[str, Any], tuple[str, ...]]]:
        knobs = self.models[model]
        runs, _ = self._runs(name, model)
        given: tuple[str, ...] = (name, _test(name)) if name in self.tests else (name,)
        found = []
        for first in range(0, len(runs), self.block):
            last = min(first + self.block, len(runs))
            # no more repeats than the unit needs: a run of more repeats goes on with its units
            protocol = dataclasses.replace(self.protocol, repeats=runs[last - 1].repeat + 1)
            arguments = {
                "model": dict(knobs),
                "protocol": dataclasses.asdict(protocol),
                "trees": self.trees,
                "first": first,
                "last": last,
            }
            found.append((f"{name} · {model} · {first + 1} to {last}", arguments, given))
        return found

    def _runs(self, name: str, model: str) -> tuple[list[Run], str]:
        made = recipe(self.models[model])
        return _planned(made, self.data[name], self.protocol, self.tests.get(name))

    def evaluation(self, name: str, model: str, outputs: Mapping[str, Any]) -> Evaluation:
        """The evaluation of a model on a data set, from the units' outputs."""
        made = recipe(self.models[model])
        _, words = self._runs(name, model)
        log = RunLog(made, self.data[name], self.tests.get(name), self.trees)
        for key, _, _ in self._units(name, model):
            log.join(outputs[key])
        return log.record(model, words)

    def evaluations(self, outputs: Mapping[str, Any]) -> list[Evaluation]:
        """Every model on every data set, as `analysis.compare` takes them."""
        return [
            self.evaluation(name, model, outputs) for name in self.data for model in self.models
        ]


def thinned(data: Dataset, most: int, seed: int = 0) -> Dataset:
    """At most so many samples, drawn at random, classes in their shares."""
    if data.n_samples <= most:
        return data
    return data.split(1.0 - most / data.n_samples, derived_seed(seed, 17))[0].replace(
        name=data.name, title=data.title
    )


def _test(name: str) -> str:
    return f"{name}, test set"


def specs(models: Mapping[str, Mapping[str, Any]] | Sequence[str]) -> dict[str, Any]:
    """Exact recipes by name, for `Plan.specs`."""
    named = models if isinstance(models, Mapping) else {m: {"family": m} for m in models}
    return {name: spec_row(knobs) for name, knobs in named.items()}
