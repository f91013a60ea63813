"""The contest behind tables 4 to 9: LibSVM, RF-C4.5 and RF-ODT on two-class data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.analysis import Protocol
from explorer.studies.do.printed import LOO, MEASURES, MODELS, TABLE4, TEN, PaperSet
from explorer.studies.do.sets import Task, smaller, tasks
from explorer.studies.do.statistics import both_tests
from explorer.studies.findings import Findings, Table
from explorer.studies.plan import Plan
from explorer.studies.sources import Sources
from explorer.studies.trials import Trials, specs

FEWEST = 5  # of the paper's data sets, below which its sentences about them are not tested
COST = 1e5  # of LibSVM on the 15 high-dimensional sets (s.3.1)
PROTOCOL = (
    "Two-class problems; leave-one-out below 300 samples, ten folds above, the paper's test set "
    "where it has one. Number of trees and n' from Table 3; for sets that are not the paper's "
    "200 trees and n' = 100 (50 trees and the root of P where there are few features). LibSVM is "
    "linear with c = 10^5 on standardised features, decided by the sign; the paper does not say "
    "whether it scales, nor how deep its C4.5 trees may grow."
)


def knobs_of(model: str, task: Task, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A model's recipe on a data set."""
    if model == "LibSVM":
        return {"baseline": "svm-linear", "cost": COST, "calibrated": False}
    trees = min(task.trees, settings["trees"] or task.trees)
    return {"family": model, "n_tree": trees, "m_try": min(task.random, task.data.n_features)}


def trial(task: Task, models: tuple[str, ...], settings: Mapping[str, Any]) -> Trials:
    """The models on one data set, all on the same splits."""
    folds = settings["folds"] or (10 if task.protocol == TEN else None)
    seed = settings["seed"]
    if task.test is not None:
        protocol, block = Protocol(seed=seed), 1
    elif folds is None and task.protocol == LOO:
        protocol, block = Protocol("leave-one-out", seed=seed), 16
    else:
        protocol, block = Protocol("k-fold", folds=folds or 10, seed=seed), 1
    return Trials(
        {m: knobs_of(m, task, settings) for m in models},
        {task.name: task.data},
        protocol,
        {} if task.test is None else {task.name: task.test},
        block=block,
    )


def chosen_tasks(
    paper: tuple[PaperSet, ...], likes: Any, sources: Sources, settings: Mapping[str, Any]
) -> tuple[list[Task], Any, list[str]]:
    """All tasks, at the size of the scale."""
    found, missing, notes = tasks(paper, likes, sources)
    if settings["sets"] is not None:
        found = sorted(found, key=lambda t: t.number == 0)[: settings["sets"]]
    if settings["most"] is not None:
        found = [smaller(task, settings["most"]) for task in found]
    if settings["folds"] is not None:
        notes = [*notes, f"Quick: {settings['folds']} folds and at most {settings['trees']} trees."]
    return found, missing, notes


@dataclass(frozen=True)
class ContestPlan(Plan):
    """A plan that remembers its tasks and how each is tried."""

    tasks: tuple[Task, ...] = ()
    trials: tuple[Trials, ...] = ()


def plan_contest(
    paper: tuple[PaperSet, ...],
    likes: Any,
    models: tuple[str, ...],
    settings: Mapping[str, Any],
    sources: Sources,
) -> ContestPlan:
    """Every model on every set that can be had."""
    found, missing, notes = chosen_tasks(paper, likes, sources, settings)
    trials = tuple(trial(task, models, settings) for task in found)
    data = {name: d for t in trials for name, d in t.all_data().items()}
    recipes = {
        f"{model}, {task.name}": recipe
        for task, t in zip(found, trials, strict=True)
        for model, recipe in specs(t.models).items()
    }
    units = tuple(unit for t in trials for unit in t.units())
    return ContestPlan(
        units, data, tuple(missing), recipes, tuple(notes), tasks=tuple(found), trials=trials
    )


def contest_rows(plan: Plan, outputs: Mapping[str, Any]) -> Table:
    """A row per data set and model: the four measures in per cent, and what was printed."""
    assert isinstance(plan, ContestPlan)
    rows = []
    for task, t in zip(plan.tasks, plan.trials, strict=True):
        for model in t.models:
            e = t.evaluation(task.name, model, outputs)
            values = (e.precision[1], e.recall[1], e.f1[1], e.accuracy)
            row: dict[str, Any] = {"data": task.name, "number": task.number, "model": model}
            row |= {m: 100 * float(v) for m, v in zip(MEASURES, values, strict=True)}
            if 1 <= task.number <= 15:
                line = TABLE4[task.number - 1, :, MODELS.index(model)]
                row |= {f"printed {m}": float(v) for m, v in zip(MEASURES, line, strict=True)}
            row["protocol"] = e.protocol
            rows.append(row)
    return rows


def counted(rows: Table) -> Table:
    """Rows that the tests are made of: the paper's own sets, once there are enough of them."""
    own = [row for row in rows if row["number"]]
    return own if len({row["data"] for row in own}) >= FEWEST else rows


def values_of(rows: Table, model: str, measure: str) -> np.ndarray:
    return np.array([row[measure] for row in rows if row["model"] == model])


def tests_of(rows: Table, measure: str, others: tuple[str, ...]) -> dict[str, Any]:
    """Both tests of RF-ODT against each other model."""
    kept = counted(rows)
    mine = values_of(kept, "RF-ODT", measure)
    return {other: both_tests(mine, values_of(kept, other, measure)) for other in others}


def findings(rows: Table, others: tuple[str, ...], measures: tuple[str, ...]) -> Findings:
    """The results, and the tests of every measure."""
    table = [
        {"measure": measure, "against": other, **found.row()}
        for measure in measures
        for other, found in tests_of(rows, measure, others).items()
    ]
    return Findings({"results": rows, "tests": table})


def scope(rows: Table) -> str:
    """On which data sets something was measured, in words."""
    numbers = {row["data"]: row["number"] for row in rows}
    own = sum(1 for n in numbers.values() if n)
    if own == len(numbers):
        return f"Measured on {own} of the paper's data sets."
    return f"Measured on {own} of the paper's data sets and on {len(numbers) - own} others."


def judged(rows: Table, holds: bool) -> tuple[bool | None, str]:
    """A verdict and its remark: without enough of the paper's own sets there is none."""
    own = len({row["data"] for row in rows if row["number"]})
    if own >= FEWEST:
        return holds, scope(counted(rows))
    return None, (
        f"{scope(rows)} What the paper says of its own sets is not tested with fewer than "
        f"{FEWEST} of them; on these it would {'' if holds else 'not '}hold."
    )
