"""Sazonau s.3 and eq. 4: does the split function or the voting matter, and what the bound says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import strength
from explorer.analysis.model import fit
from explorer.data import Dataset
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan
from explorer.studies.sazonau.protocol import (
    SETS,
    SHARED,
    bands,
    halves,
    of_set,
    opened,
    paired,
    plan_blocks,
    spec_of,
)
from explorer.studies.sources import Sources
from explorer.studies.study import Cause, Claim, Open, Study, sized

WAYS: Mapping[str, Mapping[str, Any]] = {
    "information gain, simple voting": {},
    "gini, simple voting": {"criterion": "gini"},
    "information gain, weighted": {"vote": "weighted"},
    "information gain, Bayesian": {"vote": "bayesian"},
}
PLAIN, GINI, WEIGHTED, BAYESIAN = WAYS
LITTLE = 0.01  # a mean difference of error up to which "no significant difference" stands


def errors_by_way(
    data: Dataset, *, trees: int, first: int, repeats: int, seed: int, threads: int | None
) -> dict[str, Any]:
    """Error of each repeat with each way [repeats, ways]; strength, correlation, bound, error."""
    errors = np.empty((repeats, 2, len(WAYS)))
    alike = []
    for i, (own_seed, split) in enumerate(halves(data, repeats, first, seed)):
        train = data.take(split.train)
        for at, knobs in enumerate(WAYS.values()):
            spec = spec_of(n_tree=trees, **knobs)
            forest = fit(spec, train.X, train.y, seed=own_seed, threads=threads)
            wrong = forest.predict(data.X[split.test], threads=threads) != data.y[split.test]
            errors[i // 2, i % 2, at] = wrong.mean()
            if not knobs:
                found = strength(forest, train, threads=threads)
                alike.append([found.strength, found.correlation, found.bound, float(wrong.mean())])
    return {"errors": errors.mean(axis=1), "strength": np.array(alike)}


class Settings(Study):
    name = "sazonau-settings"
    caption = (
        "Test error with two split functions and three ways of voting, with 95 % intervals; and "
        "the bound of eq. 4 by strength and correlation, beside the error that was measured."
    )
    protocol = (
        SHARED + " 15 trees. The paper gives no numbers for these comparisons. Strength and "
        "correlation are measured on out-of-bag samples (Breiman 2001)."
    )
    opens = (
        Open(
            "Evaluate", opened("heart", "Evaluate", "RF-thresholds", "RF-thresholds~vote:weighted")
        ),
    )
    takes = 10
    scales = sized(
        tiny={"repeats": 2, "trees": 7, "seed": 0},
        quick={"repeats": 50, "trees": 15, "seed": 0},
        full={"repeats": 200, "trees": 15, "seed": 0},
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        specs = {name: spec_of(**knobs) for name, knobs in WAYS.items()}
        return plan_blocks(sources, settings, errors_by_way, 10, specs, trees=settings["trees"])

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, bounds, arrays = [], [], {}
        for name in SETS:
            units = of_set(outputs, name)
            errors = np.concatenate([unit["errors"] for unit in units])
            arrays[name] = errors
            rows += [
                {"data": name, "way": way, "error": e, "low": lo, "high": hi}
                for way, e, lo, hi in zip(WAYS, *bands(errors), strict=True)
            ]
            means = np.nanmean(np.concatenate([unit["strength"] for unit in units]), axis=0)
            what = ("strength", "correlation", "bound", "error")
            bounds.append({"data": name, **dict(zip(what, map(float, means), strict=True))})
        return Findings({"errors": rows, "bounds": bounds}, arrays)

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from explorer.views.study_lines import Curve, study_lines

        out = {}
        for name, short in SETS.items():
            error, low, high = (
                result.column("errors", c, data=name) for c in ("error", "low", "high")
            )
            out[name] = study_lines(
                [Curve("test error", list(range(1, len(WAYS) + 1)), error, low, high)],
                theme=theme,
                title=f"{short}: " + ", ".join(f"{i + 1} {way}" for i, way in enumerate(WAYS)),
                x_label="way",
                y_label="test error",
            )
        return out

    def claims(self, result: Result) -> list[Claim]:
        def gap(way: str) -> dict[str, dict[str, float]]:
            at, plain = list(WAYS).index(way), list(WAYS).index(PLAIN)
            return {
                short: paired(result.arrays[name][:, at] - result.arrays[name][:, plain])
                for name, short in SETS.items()
            }

        gini, weighted, bayesian = gap(GINI), gap(WEIGHTED), gap(BAYESIAN)
        votes = {"weighted": weighted, "Bayesian": bayesian}
        better = [one["high"] < 0 for found in votes.values() for one in found.values()]
        bounds = {row["data"]: row for row in result.table("bounds")}
        return [
            Claim(
                "There is no significant difference in performance while comparing to Gini "
                "impurity on both datasets.",
                "s.3",
                all(abs(one["mean"]) < LITTLE for one in gini.values()),
                {
                    f"{short}, error with gini minus information gain, {k}": v
                    for short, one in gini.items()
                    for k, v in one.items()
                },
                cause=Cause.CHANCE,
                margin=f"a mean difference of less than {100 * LITTLE:g} points",
            ),
            Claim(
                "RF with weighted and Bayesian combination scheme performs just slightly better on "
                "the given datasets than RF with simple voting.",
                "s.3",
                all(better),
                {
                    f"{short}, {way} minus simple voting, {k}": v
                    for way, found in votes.items()
                    for short, one in found.items()
                    for k, v in one.items()
                },
                "" if all(better) else _why(weighted),
                Cause.CHANCE,
                margin="the 95 % interval of the difference is below zero on both sets",
            ),
            Claim(
                "The upper bound for the generalization error is given by correlation times "
                "(1 / strength squared - 1).",
                "eq. 4",
                all(row["bound"] > row["error"] for row in bounds.values()),
                {
                    f"{SETS[name]}, {k}": v
                    for name, row in bounds.items()
                    for k, v in row.items()
                    if k != "data"
                },
                "The bound is of a forest of very many trees; it is above the error, and loose.",
                Cause.DETAIL,
            ),
        ]


def _why(weighted: Mapping[str, Mapping[str, float]]) -> str:
    if all(one["mean"] == 0 for one in weighted.values()):
        return (
            "Trees err about equally often on their training samples, so their weights are nearly "
            "equal, and an odd number of them never outvotes a majority; the Bayesian vote's gain "
            "is smaller than chance can tell."
        )
    return "The gain is not there, or smaller than chance can tell."
