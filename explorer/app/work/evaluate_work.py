"""Records of the Evaluate page: out of bag at once, cross-validation run by run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer import analysis
from explorer.app.state.baselines import BaselineSpec, Recipe
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.grow_job import refuse_too_large
from explorer.app.work.kernel_compile import is_ready, prepare
from explorer.app.work.node_work import grown_forest
from explorer.app.work.requests import Source, load_source
from explorer.data import Chain
from explorer.engine import FAMILIES, ForestSpec
from explorer.sentences import sentence_of

SHOW_SECONDS = 0.7  # between two pictures of one cross-validation
MOST_RUNS = 1000


@dataclass(frozen=True)
class Contest:
    """The forests to judge on one data set: their names, letters first, and their specs.

    raw: the data before a preparation that learns from them, and prepare: its steps, which are
    then fitted on the training part of every split; None where nothing is learned.
    """

    source: Source
    names: tuple[str, ...]
    specs: tuple[Recipe, ...]
    raw: Source | None = None
    prepare: Chain | None = None


@dataclass(frozen=True)
class Results:
    """Evaluations of all forests; None and a sentence for one that cannot be judged so.

    places: of each among the compared models, -1 for one that was added for comparison.
    verdict: from cross-validation only. done and wanted count runs.
    """

    contest: Contest
    kind: str
    evaluations: tuple[Any, ...]
    faults: tuple[str, ...]
    places: tuple[int, ...]
    verdict: Any = None
    done: int = 1
    wanted: int = 1


@dataclass(frozen=True)
class Sweeps:
    """Error by m_try of all forests; None for one that draws no features.

    values: all that are tried, of which ``done`` are; now: m_try of each forest as it is.
    """

    contest: Contest
    values: tuple[int, ...]
    sweeps: tuple[Any, ...]
    now: tuple[int, ...]
    done: int
    wanted: int


def contest_of(
    source: Source,
    names: tuple[str, ...],
    specs: tuple[Recipe, ...],
    recipe: DataRecipe,
    cache: Cache,
) -> Contest:
    """The contest; where a preparation step learns from the data, with the data before it."""
    steps = recipe.steps()
    if not any(step.learned() for step in steps[: len(recipe.chain)]):
        return Contest(source, names, specs)
    return Contest(source, names, specs, load_source(recipe.plain(), cache), Chain(steps))


def out_of_bag(contest: Contest, cache: Cache, cancel: threading.Event) -> Iterator[Results | None]:
    """Every forest as it is grown, judged by the trees that never saw a sample."""
    found: list[Any] = []
    faults: list[str] = []
    for name, spec in zip(contest.names, contest.specs, strict=True):
        if isinstance(spec, BaselineSpec):
            found.append(None)
            faults.append(f"{name} has no trees, so no out-of-bag error: press Try them.")
            continue
        forest = grown_forest(contest.source, spec, cache, cancel)
        try:
            found.append(analysis.out_of_bag(forest, contest.source.data, name=name))
            faults.append("")
        except ValueError as error:
            found.append(None)
            faults.append(sentence_of(error))
        yield None
    places = tuple(range(len(found)))
    yield Results(contest, "oob", tuple(found), tuple(faults), places)


def with_rival(contest: Contest) -> tuple[list[str], list[Recipe], list[int]]:
    """Names, specs and places with a straight forest first, and at least one other.

    A verdict weighs slanted against straight cuts; what is missing for that is added.
    """
    places = list(range(len(contest.names)))
    forests = [(i, s) for i, s in enumerate(contest.specs) if isinstance(s, ForestSpec)]
    straight = [i for i, spec in forests if not spec.oblique]
    trees = forests[0][1].n_tree if forests else 100
    names: list[str] = list(contest.names)
    specs: list[Recipe] = list(contest.specs)
    if not straight:
        places = [-1, *places]
        names.insert(0, "RF, for comparison")
        specs.insert(0, FAMILIES["RF"].replace(n_tree=trees))
        return names, specs, places
    places.sort(key=lambda i: i != straight[0])
    names, specs = [names[i] for i in places], [specs[i] for i in places]
    if len(names) < 2:
        names.append("oRF-ridge, for comparison")
        specs.append(FAMILIES["oRF-ridge"].replace(n_tree=trees))
        places.append(-1)
    return names, specs, places


def cross_validate(
    contest: Contest, folds: int, repeats: int, cancel: threading.Event
) -> Iterator[Results | str | None]:
    """All forests on the same splits, fold by fold; results whenever there are new ones."""
    data = (contest.raw or contest.source).data
    names, specs, places = with_rival(contest)
    protocol = analysis.Protocol(folds=folds, repeats=repeats)
    if folds * repeats > MOST_RUNS:
        raise ValueError(f"At most {MOST_RUNS} runs are tried at once; choose fewer repeats.")
    for name, spec in zip(names, specs, strict=True):
        if isinstance(spec, BaselineSpec):
            continue
        refuse_too_large(spec, data)
        yield from _compiled(name, spec)
    rows = [
        analysis.evaluation_steps(
            spec,
            data,
            protocol,
            name=name,
            trees=False,
            prepare=contest.prepare,
            cancel=cancel,
        )
        for name, spec in zip(names, specs, strict=True)
    ]
    last = 0.0
    faults = ("",) * len(rows)
    while True:
        steps = []
        for row in rows:
            step = next(row, None)
            if step is None:
                return
            steps.append(step)
            yield None
        done, wanted = steps[0][0], steps[0][1]
        if done == wanted or time.perf_counter() - last > SHOW_SECONDS:
            found = tuple(record() for _, _, record in steps)
            judged = analysis.judge(list(found)) if done >= min(folds, wanted) else None
            yield Results(contest, "cv", found, faults, tuple(places), judged, done, wanted)
            last = time.perf_counter()


def _compiled(name: str, spec: ForestSpec) -> Iterator[str | None]:
    """Words, then silence once the kernels of a forest are ready."""
    if not is_ready(spec):
        yield f"{name} is being compiled, once on this machine: 15 s to a minute"
        prepare(spec)
        yield None


def m_try_values(n_features: int) -> tuple[int, ...]:
    """At most eight values from 1 to P, evenly spread by ratio, √P among them."""
    some = np.geomspace(1, n_features, 7)
    return tuple(sorted({*np.rint(some).astype(int).tolist(), max(1, round(n_features**0.5))}))


def sweep_m_try(contest: Contest, cancel: threading.Event) -> Iterator[Sweeps | str | None]:
    """Every forest with each value of m_try, value by value; what there is after each."""
    data = contest.source.data
    values = m_try_values(data.n_features)
    turned = [
        s if isinstance(s, ForestSpec) and s.m_try is not None else None for s in contest.specs
    ]
    specs = [s for s in turned if s is not None]
    if not specs:
        raise ValueError("None of these forests draws features at a node; m_try is no knob here.")
    oob = all(s.bootstrap != "none" for s in specs)
    protocol = analysis.Protocol("oob", repeats=3) if oob else analysis.Protocol(folds=5)
    for name, spec in zip(contest.names, turned, strict=True):
        if spec is not None:
            refuse_too_large(spec.replace(m_try=data.n_features), data)
            yield from _compiled(name, spec)
    now = tuple(0 if s is None else s.features_per_split(data.n_features) for s in turned)
    rows = [
        None
        if spec is None
        else analysis.sweep_steps(spec, data, "m_try", values, protocol, name=name, cancel=cancel)
        for name, spec in zip(contest.names, turned, strict=True)
    ]
    for done in range(1, len(values) + 1):
        records: list[Any] = []
        for row in rows:
            records.append(None if row is None else next(row)[2]())
            yield None
        yield Sweeps(contest, values, tuple(records), now, done, len(values))


CURVES: dict[str, Callable[[Any, int], Any]] = {
    "ROC": analysis.averaged_roc,
    "Precision and recall": analysis.precision_recall,
    "Calibration": analysis.calibration,
}


def curves(results: Results, kind: str, positive: int) -> Iterator[tuple[tuple[Any, ...], str]]:
    """One curve of a kind per evaluation (None where there is none), and why one is missing."""
    found: list[Any] = []
    why = ""
    for evaluation in results.evaluations:
        try:
            found.append(None if evaluation is None else CURVES[kind](evaluation, positive))
        except ValueError as error:
            found.append(None)
            why = sentence_of(error)
    yield tuple(found), why
