"""Sazonau Fig. 5: forests on all variables, on the more important half and on the other half."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from explorer.data import Dataset
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan, Unit
from explorer.studies.sazonau.fig3 import averaged, height_over, roc_figure, roc_rows, second_class
from explorer.studies.sazonau.fig4 import importances
from explorer.studies.sazonau.protocol import SETS, SHARED, halves, opened, paired, spec_of
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized

PARTS = {"all": "all variables", "more": "more important half", "less": "less important half"}


def half_scores(
    data: Dataset, *, part: str, trees: int, repeats: int, seed: int, threads: int | None
) -> dict[str, Any]:
    """Posteriors of a forest on one part of the variables, after ranking all of them."""
    worth = importances(data, trees=trees, first=0, repeats=repeats, seed=seed, threads=threads)
    order = np.argsort(-worth.mean(axis=0), kind="stable")
    half = (data.n_features + 1) // 2
    chosen = {"all": order, "more": order[:half], "less": order[half:]}[part]
    left = data.select(np.sort(chosen))
    spec = spec_of(n_tree=trees, vote="bayesian")
    truth, score, area = [], [], []
    for own_seed, split in halves(left, repeats, 0, seed):
        truth.append(left.y[split.test] == 1)
        score.append(second_class(left, split, spec, own_seed, threads))
        area.append(roc_auc_score(truth[-1], score[-1]))
    names = [left.feature_names[i] for i in range(left.n_features)]
    auc = np.array(area).reshape(repeats, 2).mean(axis=1)
    return {"truth": truth, part: score, "auc": auc, "features": names}


class Fig5(Study):
    name = "sazonau-fig5"
    caption = (
        "ROC curves of 7 trees on all variables, on the half that ranks higher in importance and "
        "on the half that ranks lower."
    )
    protocol = SHARED + (
        " 20 repeats, 7 trees, Bayesian combination. Variables are ranked by their importance over "
        "all repeats, test halves included, as the paper does; of 13 variables 7 are the more "
        "important half (the paper does not say)."
    )
    opens = (Open("Evaluate", opened("breast_cancer", "Evaluate", "RF-thresholds~n_tree:7")),)
    takes = 6
    scales = sized(
        tiny={"repeats": 2, "trees": 3, "seed": 0},
        quick={"repeats": 20, "trees": 7, "seed": 0},
        full={"repeats": 20, "trees": 7, "seed": 0},
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        data = {name: sources.load(name) for name in SETS}
        units = [
            Unit(f"{name}/{part}", half_scores, {"part": part, **settings}, (name,))
            for name in SETS
            for part in PARTS
        ]
        spec = spec_of(n_tree=settings["trees"], vote="bayesian")
        return Plan(tuple(units), data, specs={"RF-thresholds": spec.to_dict()})

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, areas, arrays = [], [], {}
        for name in SETS:
            for part in PARTS:
                found = outputs[f"{name}/{part}"]
                rows += roc_rows(name, part, averaged([found], part))
                arrays[f"{name}/{part}"] = found["auc"]
                area = paired(found["auc"])
                areas.append(
                    {"data": name, "part": part, "auc": area["mean"]}
                    | {"low": area["low"], "high": area["high"]}
                    | {"features": ", ".join(found["features"])}
                )
        return Findings({"roc": rows, "auc": areas}, arrays)

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        return {name: roc_figure(result, name, PARTS, theme) for name in SETS}

    def _difference(self, result: Result, data: str, one: str, other: str) -> dict[str, float]:
        return paired(result.arrays[f"{data}/{one}"] - result.arrays[f"{data}/{other}"])

    def claims(self, result: Result) -> list[Claim]:
        worse: dict[str, Any] = {}
        lower = []
        for name, short in SETS.items():
            for other in ("all", "more"):
                gap = height_over(result, name, other, "less")
                away = self._difference(result, name, other, "less")
                lower.append(away["low"] > 0 and gap.min() >= -0.005)
                worse[f"{short}, AUC of {other} minus less"] = away["mean"]
                worse[f"{short}, least height of {other} over less"] = float(gap.min())
        heart, breast = (self._difference(result, name, "more", "all") for name in SETS)
        return [
            Claim(
                "RF which is trained using the subset of less important variables has "
                "significantly lower performance rates in ROC space: all ROC points are "
                "positioned southeast.",
                "s.4.5",
                all(lower),
                worse,
            ),
            Claim(
                "Elimination of 50% less important variables causes a slight decline of RF "
                "classification performance on heart dataset.",
                "s.4.5",
                _sign(heart, -1),
                {"AUC of the more important half minus all": _words(heart)},
                _remark(heart, "-0.0002 (-0.0023 to +0.0018): no decline"),
            ),
            Claim(
                "Removing 50% of less important variables on breast dataset leads to rising of RF "
                "performance.",
                "s.4.5",
                _sign(breast, 1),
                {"AUC of the more important half minus all": _words(breast)},
                _remark(breast, "+0.0014 (+0.0009 to +0.0018): a rise, but a very small one"),
            ),
            Claim(
                "Selection of more important variables does not lead to significant rises of RF "
                "classification rates in ROC space.",
                "s.5",
                heart["low"] <= 0 and breast["low"] <= 0,
                {"heart": _words(heart), "breast": _words(breast)},
            ),
        ]


def _sign(away: Mapping[str, float], wanted: int) -> bool | None:
    """Whether a difference has the wanted sign; None where its interval holds 0."""
    if away["low"] <= 0 <= away["high"]:
        return None
    return bool(np.sign(away["mean"]) == wanted)


def _remark(away: Mapping[str, float], longer: str) -> str:
    """What a longer run says where this one cannot tell."""
    if not away["low"] <= 0 <= away["high"]:
        return ""
    return (
        "The interval over the repeats holds 0, so as many repeats as the paper's cannot tell. "
        f"With 300 repeats it was {longer}."
    )


def _words(away: Mapping[str, float]) -> str:
    return f"{away['mean']:+.4f} ({away['low']:+.4f} to {away['high']:+.4f})"
