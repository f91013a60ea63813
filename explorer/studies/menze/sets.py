"""Chooses the data of Menze's tables: the paper's sets that can be had, and others by their names.

Nothing stands in for a set of the paper under that set's name: spectra of ours are listed as what
they are, and sets that are not here are named as missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.data import Dataset, catalogue
from explorer.studies.menze.printed import NOT_THE_SAME, PAPER_SETS, MenzeSet
from explorer.studies.plan import Missing
from explorer.studies.sources import FOLDER, Sources
from explorer.studies.trials import thinned

# binary spectral data of ours, which the paper has not
OUR_SPECTRA: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("tecator", "tecator", {}),
    ("coffee_instant", "coffee_instant", {}),
    ("spectra_ir (simulated)", "spectra_ir", {"replicates": 1}),
    ("spectra_mrs (simulated)", "spectra_mrs", {}),
    ("digits 2-4 (8 x 8 pixels)", "digits", {"task": "2-4"}),
    ("digits 3-8 (8 x 8 pixels)", "digits", {"task": "3-8"}),
    ("digits even-odd (8 x 8 pixels)", "digits", {"task": "even-odd"}),
)
_FEW_LEVELS = 10  # values of a factorial feature at most
_MANY = 30  # features of a spectrum at least
_ALIKE = 0.8  # median correlation of neighbouring features in a spectrum at least


@dataclass(frozen=True)
class Chosen:
    """A data set with its kind and, where it is one of the forty, what the paper printed."""

    data: Dataset
    kind: str
    printed: MenzeSet | None


def guess_kind(data: Dataset) -> str:
    """Kind of a data set by rule: few levels per feature, many alike neighbours, or neither."""
    levels = [np.unique(column).size for column in data.X.T]
    if max(levels) <= _FEW_LEVELS and np.array_equal(data.X, np.round(data.X)):
        return "factorial"
    if data.axis is not None:
        return "spectral"
    if data.n_features >= _MANY:
        X = data.X - data.X.mean(axis=0)
        scale = np.sqrt((X**2).sum(axis=0))
        X = X[:, scale > 0] / scale[scale > 0]
        if np.median((X[:, 1:] * X[:, :-1]).sum(axis=0)) >= _ALIKE:
            return "spectral"
    return "numerical"


def choose_sets(
    settings: Mapping[str, Any], sources: Sources
) -> tuple[dict[str, Chosen], tuple[str, ...], tuple[Missing, ...]]:
    """Name -> data set; notes on what was changed or left out; what is missing.

    settings: "generated" (samples of the synthetic sets), "most" (samples of any set), "sets"
    (how many at most, None for all), "seed".
    """
    found: dict[str, Chosen] = {}
    missing: list[Missing] = []
    notes: list[str] = []
    taken: set[str] = set()
    for wanted in PAPER_SETS:
        data = _find(wanted, settings, sources, taken)
        if data is None:
            missing.append(Missing(f"{wanted.number} {wanted.name}", wanted.why_missing))
        else:
            _add(found, notes, settings, wanted.name, data, wanted.kind, wanted)
    for title, name, knobs in OUR_SPECTRA:
        data = sources.load(name, **knobs).replace(groups=None)
        _add(found, notes, settings, title, data, "spectral", None)
    for name in sources.files:
        if name in taken:
            continue
        data = sources.from_folder(name)
        assert data is not None
        if data.n_classes > 2:
            notes.append(f"{name} is left out: {data.n_classes} classes; the paper's have two.")
        else:
            _add(found, notes, settings, name, data, guess_kind(data), None)
    found, notes = _without_twins(found, notes)
    return *_some(found, settings["sets"], notes), tuple(missing)


def _without_twins(
    found: dict[str, Chosen], notes: list[str]
) -> tuple[dict[str, Chosen], list[str]]:
    """The same samples under two names are one data set."""
    first: dict[str, str] = {}
    for name, chosen in list(found.items()):
        twin = first.setdefault(chosen.data.digest(), name)
        if twin != name:
            del found[name]
            notes = [note for note in notes if not note.startswith(name)]
            notes.append(f"{name} is left out: it is the same as {twin}.")
    return found, notes


def _some(
    found: dict[str, Chosen], most: int | None, notes: list[str]
) -> tuple[dict[str, Chosen], tuple[str, ...]]:
    """At most so many: the user's own first, the three kinds in turn."""
    if most is None or len(found) <= most:
        return found, tuple(notes)
    turn: dict[tuple[bool, str], int] = {}
    order = {}
    for name, chosen in found.items():
        other = chosen.data.citation != FOLDER
        turn[other, chosen.kind] = turn.get((other, chosen.kind), 0) + 1
        order[name] = (other, turn[other, chosen.kind])
    kept = set(sorted(found, key=order.__getitem__)[:most])
    left = [name for name in found if name not in kept]
    notes = [n for n in notes if not n.startswith(tuple(left))]
    notes.append(f"Left out at this scale: {', '.join(left)}.")
    return {name: chosen for name, chosen in found.items() if name in kept}, tuple(notes)


def _find(
    wanted: MenzeSet, settings: Mapping[str, Any], sources: Sources, taken: set[str]
) -> Dataset | None:
    for name in wanted.names:
        data = sources.from_folder(name)
        if data is not None:
            taken.add(name.lower())
            return data
    for name in wanted.names:
        entry = catalogue().get(name)
        if entry is not None and name not in NOT_THE_SAME:
            knobs = {"n": settings["generated"]} if "n" in entry.knobs else {}
            seed = {"seed": settings["seed"]} if "seed" in entry.knobs else {}
            return sources.load(name, **knobs, **seed)
    return None


def _add(
    found: dict[str, Chosen],
    notes: list[str],
    settings: Mapping[str, Any],
    name: str,
    data: Dataset,
    kind: str,
    printed: MenzeSet | None,
) -> None:
    small = thinned(data.replace(name=name), settings["most"], settings["seed"])
    if small.n_samples < data.n_samples:
        notes.append(f"{name}: {small.n_samples} of {data.n_samples} samples, drawn at random.")
    if printed is None:
        notes.append(f"{name} is not one of the paper's data sets; it is taken as {kind}.")
    found[name] = Chosen(small, kind, printed)
