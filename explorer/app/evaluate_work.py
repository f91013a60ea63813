"""Owns the road to the Evaluate page's records: out of bag at once, cross-validation in runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer import analysis
from explorer.app.cache import Cache
from explorer.app.node_work import grown_forest
from explorer.app.prepare import is_ready, prepare
from explorer.app.work import Source, refuse_too_large
from explorer.engine import FAMILIES, ForestSpec

SHOW_SECONDS = 0.4  # between two pictures of one cross-validation
STRAIGHT = ("axis", "thresholds")  # splits that look at one feature
MOST_RUNS = 1000


@dataclass(frozen=True)
class Contest:
    """The forests to judge on one data set: their names, letters first, and their specs."""

    source: Source
    names: tuple[str, ...]
    specs: tuple[ForestSpec, ...]


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


def out_of_bag(contest: Contest, cache: Cache, cancel: threading.Event) -> Iterator[Results | None]:
    """Every forest as it is grown, judged by the trees that never saw a sample."""
    found: list[Any] = []
    faults: list[str] = []
    for name, spec in zip(contest.names, contest.specs, strict=True):
        forest = grown_forest(contest.source, spec, cache, cancel)
        try:
            found.append(analysis.out_of_bag(forest, contest.source.data, name=name))
            faults.append("")
        except ValueError as error:
            found.append(None)
            faults.append(str(error))
        yield None
    places = tuple(range(len(found)))
    yield Results(contest, "oob", tuple(found), tuple(faults), places)


def with_rival(contest: Contest) -> tuple[list[str], list[ForestSpec], list[int]]:
    """Names, specs and places with a straight forest first, and at least one other.

    A verdict weighs slanted against straight cuts; what is missing for that is added.
    """
    places = list(range(len(contest.names)))
    straight = [i for i in places if contest.specs[i].split in STRAIGHT]
    trees = contest.specs[0].n_tree
    names, specs = list(contest.names), list(contest.specs)
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
) -> Iterator[Results | None]:
    """All forests on the same splits, fold by fold; results whenever there are new ones."""
    data = contest.source.data
    names, specs, places = with_rival(contest)
    protocol = analysis.Protocol(folds=folds, repeats=repeats)
    if folds * repeats > MOST_RUNS:
        raise ValueError(f"At most {MOST_RUNS} runs are tried at once; choose fewer repeats.")
    for spec in specs:
        refuse_too_large(spec, data)
        if not is_ready(spec):
            prepare(spec)
            yield None
    rows = [
        analysis.evaluation_steps(spec, data, protocol, name=name, trees=False, cancel=cancel)
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


def curves(results: Results, positive: int) -> Iterator[tuple[tuple[Any, ...], str]]:
    """One ROC per evaluation (None where there is none), and why one is missing."""
    found: list[Any] = []
    why = ""
    for evaluation in results.evaluations:
        try:
            found.append(
                None if evaluation is None else analysis.averaged_roc(evaluation, positive)
            )
        except ValueError as error:
            found.append(None)
            why = str(error)
    yield tuple(found), why
