"""The data of Do's tables: the paper's sets where they are available, others named as such.

Of the 25 sets one comes with us; a folder (``--data``) may hold more. Without a folder, sets of
ours of a like shape are run beside it, and called other than the paper's wherever they are named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.data import Dataset
from explorer.studies.do.printed import LOO, SPLIT, TEN, PaperSet
from explorer.studies.plan import Missing
from explorer.studies.sources import Sources

SMALL = 300  # fewer samples: leave-one-out, else ten folds (s.3.1)


@dataclass(frozen=True)
class Task:
    """A two-class data set to run: class 1 is the +1 class. number: in the paper; 0 for others."""

    name: str
    number: int
    data: Dataset
    protocol: str
    random: int  # n', features per node
    trees: int  # k
    test: Dataset | None = None
    note: str = ""


# ours, of a shape like those of Table 1 (more features than samples): name, knobs
LIKE_HIGH: tuple[tuple[str, dict[str, Any]], ...] = (
    ("coffee_instant", {}),
    ("coffee_origin", {}),
    ("spectra_ir", {"n": 72, "p": 2000, "effect": 0.5}),
    ("spectra_mrs", {"n": 60, "p": 2000, "effect": 0.5}),
    ("trunk", {"n": 62, "p": 1000}),
    ("digits", {"task": "3-8", "features": "f2", "size": 20}),
)
# and like those of Table 2 (few features, many samples)
LIKE_STANDARD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("heart", {}),
    ("ionosphere", {}),
    ("sonar", {}),
    ("wine", {}),
    ("digits", {}),
    ("threenorm", {"n": 1000}),
    ("ringnorm", {"n": 1000}),
)


def two_classes(data: Dataset, positive: tuple[str, ...] = ()) -> Dataset:
    """Class 1: the first of the names that is there, else the rarest class; class 0: the rest."""
    names = [name.lower() for name in data.class_names]
    wanted = [names.index(p) for p in positive if p in names]
    counts = data.class_counts
    code = wanted[0] if wanted else int(np.where(counts > 0, counts, counts.max() + 1).argmin())
    chosen = data.class_names[code]
    rest = [n for n in data.class_names if n != chosen]
    other = rest[0] if len(rest) == 1 else "rest"
    return data.replace(y=(data.y == code).astype(np.intp), class_names=(other, chosen), truth=None)


def tasks(
    paper: tuple[PaperSet, ...], likes: tuple[tuple[str, dict[str, Any]], ...], sources: Sources
) -> tuple[list[Task], list[Missing], list[str]]:
    """What can be run, what is missing of the paper's, and sentences on what differs."""
    found: list[Task] = []
    missing: list[Missing] = []
    used: set[str] = set()
    for one in paper:
        task, why = _paper_task(one, sources, used)
        if task is None:
            missing.append(Missing(f"{one.number} {one.title}", why))
        else:
            found.append(task)
    others = _folder_tasks(paper, sources, used) if sources.files else _ours(likes, sources)
    notes = [f"{t.name}: {t.note}" for t in found if t.note]
    notes.append(
        f"{len(found)} of the paper's {len(paper)} data sets could be had; "
        f"{len(others)} others of a like shape are run beside them, under their own names."
    )
    return found + others, missing, notes


def _paper_task(one: PaperSet, sources: Sources, used: set[str]) -> tuple[Task | None, str]:
    name = f"{one.number} {one.title}"
    for file in one.files:
        train, test = (sources.from_folder(f"{file}_{part}") for part in ("train", "test"))
        if train is not None and test is not None:
            used |= {f"{file}_train", f"{file}_test"}
            both = [two_classes(d.replace(title=name), one.positive) for d in (train, test)]
            return Task(name, one.number, both[0], SPLIT, one.random, one.trees, both[1]), ""
        data = sources.from_folder(file)
        if data is None:
            continue
        used.add(file)
        if abs(data.n_features - one.dimensions) > one.dimensions // 5000:  # of genes, one
            return None, (
                f"{file} in the folder has {data.n_features} features, the paper's "
                f"{one.dimensions}: another data set."
            )
        return _whole(one, name, data), ""
    if one.catalogue:
        return _whole(one, name, sources.load(one.catalogue)), ""
    return None, (
        f"Not ours to give out; put {one.files[0]}.csv"
        + (f" (or {one.files[0]}_train.csv and _test.csv)" if one.protocol == SPLIT else "")
        + " into a folder and name it with --data."
    )


def _whole(one: PaperSet, name: str, data: Dataset) -> Task:
    """A set in one piece; where the paper had a test set, its rule for others decides."""
    data = two_classes(data.replace(title=name), one.positive)
    note, protocol = "", one.protocol
    if protocol == SPLIT:
        protocol = LOO if data.n_samples < SMALL else TEN
        note = f"the paper's training and test parts are not known here; {protocol} instead."
    if data.n_features != one.dimensions:
        note += f" {data.n_features} features, the paper's has {one.dimensions}."
    if data.n_samples != one.samples:
        note += f" {data.n_samples} samples, the paper's has {one.samples}."
    return Task(name, one.number, data, protocol, one.random, one.trees, None, note.strip())


def _ours(likes: tuple[tuple[str, dict[str, Any]], ...], sources: Sources) -> list[Task]:
    return [_other(name, sources.load(name, **knobs)) for name, knobs in likes]


def _folder_tasks(paper: tuple[PaperSet, ...], sources: Sources, used: set[str]) -> list[Task]:
    """Files of the folder that are not the paper's, if their shape is like those of its sets."""
    slim = max(one.dimensions / one.samples for one in paper) < 1
    found = []
    for name in sources.files:
        if name in used or name.endswith(("_train", "_test")):
            continue
        data = sources.from_folder(name)
        if data is None:
            continue
        ratio = data.n_features / data.n_samples
        if (ratio <= 0.3 and data.n_features >= 3) if slim else ratio > 1:
            found.append(_other(name, data))
    return found


def _other(name: str, data: Dataset) -> Task:
    P = data.n_features
    random = min(100, P // 2) if P > 64 else max(2, round(P**0.5))
    protocol = LOO if data.n_samples < SMALL else TEN
    trees = 200 if P > 64 else 50
    named = data.replace(groups=None)
    return Task(name, 0, two_classes(named), protocol, random, trees)


def smaller(task: Task, most: int) -> Task:
    """The task with at most so many samples, classes in their shares."""
    if task.data.n_samples <= most:
        return task
    left, _ = task.data.split(1 - most / task.data.n_samples, 1)
    return replace(task, data=left, note=f"{most} samples.")
