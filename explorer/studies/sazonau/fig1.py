"""Sazonau Fig. 1: test error against the number of trees, and its zigzag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.data import Dataset
from explorer.engine import grow
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
from explorer.studies.study import Claim, Open, Study, sized

# what an even number of trees does with as many votes for one class as for the other
TIES = {
    "first class": "goes to the first class, as in our forests",
    "second class": "goes to the second class",
    "coin": "is decided by a coin (half an error)",
    "error": "is no decision and counts as an error",
}


def errors_by_trees(
    data: Dataset, *, trees: int, first: int, repeats: int, seed: int, threads: int | None
) -> Any:
    """Error of each repeat after 1 ... trees votes, under each rule for ties: [4, repeats, m]."""
    out = np.empty((len(TIES), repeats, 2, trees))
    count = np.arange(1, trees + 1)
    for i, (own_seed, split) in enumerate(halves(data, repeats, first, seed)):
        forest = grow(
            spec_of(n_tree=trees, seed=own_seed),
            data.X[split.train],
            data.y[split.train],
            threads=threads,
        )
        leaves = forest.apply(data.X[split.test], threads=threads)
        votes = forest.classes[forest.winner[forest.leaf_at[:-1] + leaves]] == 1
        balance = 2 * votes.cumsum(axis=1) - count  # > 0 where the second class leads
        y = data.y[split.test, None] == 1
        to_first, to_second = (balance > 0) != y, (balance >= 0) != y
        rules = (to_first, to_second, (to_first + 1.0 * to_second) / 2, to_first | to_second)
        for rule, wrong in enumerate(rules):
            out[rule, i // 2, i % 2] = wrong.mean(axis=0)
    return out.mean(axis=2)


class Fig1(Study):
    name = "sazonau-fig1"
    caption = (
        "Test error of 1 to 20 trees on heart and breast, with 95 % intervals. It falls as trees "
        "are added, and the paper sees it rise at every even number."
    )
    protocol = SHARED + " 50 repeats, 1 to 20 trees, simple voting."
    opens = (
        Open("Evaluate", opened("heart", "Evaluate", "RF-thresholds~n_tree:20", "RF~n_tree:20")),
    )
    takes = 5
    scales = sized(
        tiny={"repeats": 2, "trees": 6, "seed": 0},
        quick={"repeats": 50, "trees": 20, "seed": 0},
        full={"repeats": 50, "trees": 20, "seed": 0},
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        trees = settings["trees"]
        specs = {"RF-thresholds": spec_of(n_tree=trees)}
        return plan_blocks(sources, settings, errors_by_trees, 10, specs, trees=trees)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, arrays = [], {}
        for name in SETS:
            errors = np.concatenate(of_set(outputs, name), axis=1)
            arrays[name] = errors
            for rule, values in zip(TIES, errors, strict=True):
                mean, low, high = bands(values)
                rows += [
                    {"data": name, "tie": rule, "trees": m + 1, "error": mean[m]}
                    | {"low": low[m], "high": high[m]}
                    for m in range(settings["trees"])
                ]
        return Findings({"errors": rows}, arrays)

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        return {name: self._draw(result, name, theme) for name in SETS}

    def _draw(self, result: Result, name: str, theme: str) -> Any:
        from explorer.views.study_lines import Curve, study_lines

        series = []
        for place, rule in ((0, "first class"), (1, "error")):
            found = result.rows("errors", data=name, tie=rule)
            columns = {k: [r[k] for r in found] for k in ("trees", "error", "low", "high")}
            words = "tie: first class" if rule == "first class" else "tie: error"
            series.append(
                Curve(
                    words,
                    columns["trees"],
                    columns["error"],
                    columns["low"],
                    columns["high"],
                    place=place,
                )
            )
        return study_lines(
            series, theme=theme, title=SETS[name], x_label="trees, m", y_label="test error"
        )

    def claims(self, result: Result) -> list[Claim]:
        falls: dict[str, Any] = {}
        fell = []
        for name in SETS:
            errors = result.arrays[name][0]
            step = paired(errors[:, 0] - errors[:, -1])
            fell.append(step["low"] > 0)
            falls[f"{SETS[name]}, 1 tree"] = errors[:, 0].mean()
            falls[f"{SETS[name]}, {errors.shape[1]} trees"] = errors[:, -1].mean()
        steps = {
            (name, rule): self._steps(result.arrays[name][k])
            for name in SETS
            for k, rule in enumerate(TIES)
        }
        numbers = {
            f"{SETS[name]}, tie {rule}": f"{100 * s['mean']:+.2f} points "
            f"({100 * s['low']:+.2f} to {100 * s['high']:+.2f})"
            for (name, rule), s in steps.items()
        }
        own = all(steps[name, "first class"]["low"] > 0 for name in SETS)
        strict = all(steps[name, "error"]["low"] > 0 for name in SETS)
        return [
            Claim(
                "The generalization error is decreased as the number of trees m in RF is "
                "increased.",
                "s.4.1",
                all(fell),
                falls,
            ),
            Claim(
                "The average test error has a zigzag-like shape: RF with m-1 trees performs "
                "slightly better than RF with m trees if m is an even number.",
                "s.4.1",
                own or strict,
                numbers,
                self._why(own, strict),
                condition="" if own else "a tied vote is counted as an error",
            ),
        ]

    @staticmethod
    def _steps(errors: np.ndarray) -> dict[str, float]:
        """Error at even m minus error at m - 1, averaged over m, with its interval over repeats."""
        m = errors.shape[1] // 2
        return paired((errors[:, 1 : 2 * m : 2] - errors[:, 0 : 2 * m : 2]).mean(axis=1))

    @staticmethod
    def _why(own: bool, strict: bool) -> str:
        fact = (
            "The paper does not say what becomes of a tied vote. With a coin, m trees and m - 1 "
            "trees err equally often in expectation, so there is no zigzag to see; "
        )
        if own:
            return fact + "with ties given to the first class it is small, and it is there."
        if strict:
            return fact + (
                "with ties given to the first class it is lost in the noise; it is as the paper "
                "draws it only if a tie is counted as an error (as sign() of votes -1 and +1 does)."
            )
        return fact + "neither is it seen here if ties count as errors."
