"""Sazonau Fig. 3: ROC curves of a forest and of a single tree, averaged by thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.analysis import AveragedRoc, average_curves
from explorer.analysis.model import fit
from explorer.data import Dataset
from explorer.engine import ForestSpec
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan
from explorer.studies.sazonau.protocol import (
    SETS,
    SHARED,
    halves,
    of_set,
    opened,
    plan_blocks,
    spec_of,
)
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized

if TYPE_CHECKING:
    from explorer.views.study_lines import Curve

MODELS = {"RF": 15, "single tree": 1}  # trees
GRID = np.linspace(0.01, 0.99, 99)
FIELDS = ("false_positive", "true_positive")


def scores(
    data: Dataset, *, first: int, repeats: int, seed: int, threads: int | None
) -> dict[str, Any]:
    """Posteriors of the second class for every test sample of every half, and the truth."""
    truth: list[Any] = []
    rows: dict[str, list[Any]] = {name: [] for name in MODELS}
    for own_seed, split in halves(data, repeats, first, seed):
        truth.append(data.y[split.test] == 1)
        for name, trees in MODELS.items():
            spec = spec_of(n_tree=trees, vote="bayesian")
            rows[name].append(second_class(data, split, spec, own_seed, threads))
    return {"truth": truth, **rows}


def second_class(
    data: Dataset, split: Any, spec: ForestSpec, seed: int, threads: int | None
) -> np.ndarray:
    """P(second class) of the test samples; nothing is learned where the training half is pure."""
    forest = fit(spec, data.X[split.train], data.y[split.train], seed=seed, threads=threads)
    return forest.predict_proba(data.X[split.test], threads=threads)[:, -1]


def averaged(parts: list[Any], name: str) -> AveragedRoc:
    """The average curve of one model over all halves."""
    curves = [
        (truth, score) for p in parts for truth, score in zip(p["truth"], p[name], strict=True)
    ]
    return average_curves(curves, points=30, model=name)


def roc_rows(data: str, model: str, roc: AveragedRoc) -> list[dict[str, Any]]:
    """A row per threshold, with both intervals."""
    return [
        {"data": data, "model": model, "threshold": t}
        | {
            f"{field}{end}": getattr(roc, field + end)[i]
            for field in FIELDS
            for end in ("", "_low", "_high")
        }
        for i, t in enumerate(roc.thresholds)
    ]


def roc_series(result: Result, data: str, models: Mapping[str, str]) -> list[Curve]:
    """Curves of a table "roc" for drawing; models: name in the table -> name at the line's end."""

    from explorer.views.study_lines import Curve

    out = []
    for place, (model, words) in enumerate(models.items()):
        column = {
            f"{field}{end}": np.array(
                result.column("roc", f"{field}{end}", data=data, model=model), float
            )
            for field in FIELDS
            for end in ("", "_low", "_high")
        }
        out.append(
            Curve(
                words,
                column["false_positive"],
                column["true_positive"],
                column["true_positive_low"],
                column["true_positive_high"],
                (column["false_positive_low"], column["false_positive_high"]),
                place=place,
            )
        )
    return out


def roc_figure(result: Result, data: str, models: Mapping[str, str], theme: str) -> Any:
    from explorer.views.study_lines import study_lines

    return study_lines(
        roc_series(result, data, models),
        theme=theme,
        title=SETS[data],
        x_label="false positive rate",
        y_label="true positive rate",
        percent=False,
        x_range=(0.0, 1.0),
        y_range=(-0.02, 1.02),
        dots=False,
        chance=True,
        height=380,
    )


def height_over(result: Result, data: str, upper: str, lower: str) -> np.ndarray:
    """How far one model's mean curve lies above another's, at false positive rates 1 % ... 99 %."""
    at = []
    for model in (upper, lower):
        across, up = (np.array(result.column("roc", f, data=data, model=model)) for f in FIELDS)
        order = np.lexsort((up, across))
        at.append(np.interp(GRID, across[order], up[order]))
    return at[0] - at[1]


class Fig3(Study):
    name = "sazonau-fig3"
    caption = (
        "True against false positive rate of 15 trees and of a single one, averaged at equal "
        "thresholds, with vertical and horizontal 95 % intervals."
    )
    protocol = SHARED + (
        " 20 repeats, 15 trees and one tree with the same k, Bayesian combination (trees weighted "
        "by 1 - training error). The positive class is not named; here it is the second one."
    )
    opens = (
        Open("Evaluate", opened("heart", "Evaluate", "RF-thresholds", "RF-thresholds~n_tree:1")),
    )
    takes = 4
    scales = sized(
        tiny={"repeats": 2, "seed": 0},
        quick={"repeats": 20, "seed": 0},
        full={"repeats": 20, "seed": 0},
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        specs = {m: spec_of(n_tree=n, vote="bayesian") for m, n in MODELS.items()}
        return plan_blocks(sources, settings, scores, 5, specs)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, areas = [], []
        for name in SETS:
            for model in MODELS:
                roc = averaged(of_set(outputs, name), model)
                rows += roc_rows(name, model, roc)
                areas.append(
                    {"data": name, "model": model, "auc": roc.auc}
                    | {"low": roc.auc_low, "high": roc.auc_high}
                )
        return Findings({"roc": rows, "auc": areas})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        names = {"RF": "RF, 15 trees", "single tree": "single tree"}
        return {name: roc_figure(result, name, names, theme) for name in SETS}

    def claims(self, result: Result) -> list[Claim]:
        better: dict[str, Any] = {}
        widths: dict[str, Any] = {}
        above, narrow = [], []
        for name, short in SETS.items():
            gap = height_over(result, name, "RF", "single tree")
            above.append(gap.min() >= -0.005)
            for model in MODELS:
                better[f"{short}, AUC of {model}"] = result.column(
                    "auc", "auc", data=name, model=model
                )[0]
            better[f"{short}, least height of RF over the tree"] = float(gap.min())
            for field, words in (("true_positive", "vertical"), ("false_positive", "horizontal")):
                wide = {m: self._width(result, name, m, field) for m in MODELS}
                narrow.append(wide["RF"] < wide["single tree"])
                widths[f"{short}, {words}, RF / tree"] = wide["RF"] / wide["single tree"]
        return [
            Claim(
                "The ROC curve for RF lays northwest to the tree ROC points on the whole range.",
                "s.4.3",
                all(above),
                better,
            ),
            Claim(
                "The ROC curve for RF has considerably more confident intervals for both vertical "
                "and horizontal directions.",
                "s.4.3",
                all(narrow),
                widths,
                "Mean widths of the 95 % intervals between the curves' ends; below 1, the forest's "
                "are narrower.",
            ),
        ]

    @staticmethod
    def _width(result: Result, data: str, model: str, field: str) -> float:
        """Mean width of the intervals where the curve is neither at its start nor at its end."""
        rows = result.rows("roc", data=data, model=model)
        inside = [r for r in rows if 0.01 < r["false_positive"] < 0.99]
        wide = [r[f"{field}_high"] - r[f"{field}_low"] for r in inside]
        return float(np.mean(wide)) if wide else float("nan")
