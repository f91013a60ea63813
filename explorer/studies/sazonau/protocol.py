"""What Sazonau's five experiments share: two data sets, one forest, two-fold again and again.

Section 3: "the dataset is splitted to two equal parts"; each trains a forest that the other
tests; "a mean test error is calculated"; all is repeated, and averages are given with 95 %
intervals over the repeats. Folds are random, so they are not stratified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from explorer.analysis import Protocol
from explorer.analysis.model import derived_seed
from explorer.analysis.protocols import TrainTestSplit
from explorer.analysis.scores import interval
from explorer.data import Dataset
from explorer.engine import FAMILIES, ForestSpec
from explorer.studies.plan import Plan, Unit
from explorer.studies.sources import Sources

SETS = {"heart": "heart", "breast_cancer": "breast"}  # ours -> the paper's name
FAMILY = "RF-thresholds"
SHARED = (
    "Both data sets of the paper, cut into two random halves: each trains a forest that the other "
    "tests, and the mean of the two errors is one repeat. Leaves of five, five random thresholds, "
    "information gain, k = the root of the number of features unless it is varied."
)


def spec_of(**knobs: Any) -> ForestSpec:
    """The paper's forest (Algorithm 2, s.3) with some knobs changed."""
    return FAMILIES[FAMILY].replace(**knobs)


def halves(
    data: Dataset, repeats: int, first: int, seed: int
) -> Iterator[tuple[int, TrainTestSplit]]:
    """(seed of the forest, split) of both halves of repeats first ... first + repeats - 1."""
    for repeat in range(first, first + repeats):
        own = Protocol(
            "k-fold", folds=2, stratified=False, grouped=False, seed=derived_seed(seed, repeat)
        )
        for split in own.splits(data):
            yield derived_seed(seed, repeat, split.fold, 1), split


def blocks(repeats: int, size: int) -> list[tuple[int, int]]:
    """(first, how many) of each block of repeats."""
    return [(first, min(size, repeats - first)) for first in range(0, repeats, size)]


def plan_blocks(
    sources: Sources,
    settings: Mapping[str, Any],
    function: Any,
    size: int,
    specs: Mapping[str, ForestSpec],
    **arguments: Any,
) -> Plan:
    """A unit per data set and block of repeats."""
    data = {name: sources.load(name) for name in SETS}
    units = [
        Unit(
            f"{name}/repeats {first + 1}-{first + count}",
            function,
            {"first": first, "repeats": count, "seed": settings["seed"], **arguments},
            (name,),
        )
        for name in SETS
        for first, count in blocks(settings["repeats"], size)
    ]
    return Plan(tuple(units), data, specs={k: v.to_dict() for k, v in specs.items()})


def of_set(outputs: Mapping[str, Any], name: str) -> list[Any]:
    """Outputs of one data set's units, in order."""
    return [out for key, out in outputs.items() if key.startswith(f"{name}/")]


def bands(values: Any) -> np.ndarray:
    """float64[3, n]: mean, low and high of the columns of values [repeats, n]."""
    return np.array([interval(column) for column in np.asarray(values, np.float64).T]).T


def paired(difference: Any) -> dict[str, float]:
    """Mean of differences with its 95 % interval."""
    mean, low, high = interval(difference)
    return {"mean": mean, "low": low, "high": high}


def opened(name: str, page: str, *models: str) -> str:
    """A link's query for one of the two data sets and some models."""
    chosen = "".join(f"&model={m}" for m in models)
    return f"page={page}&data={name}{chosen}"


def rows_of(x: str, values: Sequence[Any], curve: np.ndarray, data: str) -> list[dict[str, Any]]:
    """Rows (data, x, error, low, high) of a curve with its band."""
    return [
        {"data": data, x: v, "error": e, "low": lo, "high": hi}
        for v, e, lo, hi in zip(values, *curve, strict=True)
    ]
