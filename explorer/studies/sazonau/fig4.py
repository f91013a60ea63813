"""Sazonau Fig. 4: importance of every variable, by out-of-bag permutation, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis.importance import permutation_importance
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
    plan_blocks,
    spec_of,
)
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Printed, Study, sized

LOW = 1 / 6  # of the largest importance: "comparably low"
COUNTS = {"heart": (5, 5), "breast_cancer": (20, 22)}  # low variables, printed in s.4.4
NEAR = 2  # variables by which a count read off a graph may differ


def importances(
    data: Dataset, *, trees: int, first: int, repeats: int, seed: int, threads: int | None
) -> Any:
    """Eq. 8 of every variable, mean of both halves: [repeats, P]."""
    out = np.empty((repeats, 2, data.n_features))
    for i, (own_seed, split) in enumerate(halves(data, repeats, first, seed)):
        part = data.take(split.train)
        forest = fit(
            spec_of(n_tree=trees, vote="bayesian"), part.X, part.y, seed=own_seed, threads=threads
        )
        out[i // 2, i % 2], _ = permutation_importance(forest, part, seed=own_seed, threads=threads)
    return out.mean(axis=1)


class Fig4(Study):
    name = "sazonau-fig4"
    caption = (
        "How much the out-of-bag error of 15 trees grows when one variable is permuted, with 95 % "
        "intervals over repeats."
    )
    protocol = SHARED + " 20 repeats, 15 trees; importance by eq. 8 on each half."
    printed = (
        Printed("heart: variables of 13 with importance near 0", 5, "s.4.4"),
        Printed("breast: variables of 30 with little importance", "20 to 22", "s.4.4"),
    )
    opens = (Open("Importance", opened("breast_cancer", "Importance", "RF-thresholds")),)
    takes = 4
    scales = sized(
        tiny={"repeats": 2, "trees": 5, "seed": 0},
        quick={"repeats": 20, "trees": 15, "seed": 0},
        full={"repeats": 20, "trees": 15, "seed": 0},
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        trees = settings["trees"]
        specs = {"RF-thresholds": spec_of(n_tree=trees, vote="bayesian")}
        return plan_blocks(sources, settings, importances, 5, specs, trees=trees)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows = []
        for name in SETS:
            mean, low, high = bands(np.concatenate(of_set(outputs, name)))
            features = plan.data[name].feature_names
            rows += [
                {"data": name, "feature": f, "importance": m, "low": lo, "high": hi}
                for f, m, lo, hi in zip(features, mean, low, high, strict=True)
            ]
        return Findings({"importance": rows})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from explorer.views.study_rows import Marks, study_rows

        out = {}
        for name, short in SETS.items():
            rows = sorted(result.rows("importance", data=name), key=lambda r: -r["importance"])
            columns = {k: [r[k] for r in rows] for k in ("importance", "low", "high")}
            out[name] = study_rows(
                [r["feature"] for r in rows],
                [Marks("RF", columns["importance"], columns["low"], columns["high"])],
                theme=theme,
                title=short,
                x_label="growth of the out-of-bag error",
                line_at=0.0,
                bars=True,
            )
        return out

    def claims(self, result: Result) -> list[Claim]:
        out = []
        sentences = {
            "heart": "Dataset heart has 5 out of 13 variables with comparably low importance rates "
            "near 0.",
            "breast_cancer": "Breast is revealed having approximately from 20 to 22 out of 30 "
            "variables with comparably little importance just slightly greater than 0.",
        }
        for name, sentence in sentences.items():
            values = np.array(result.column("importance", "importance", data=name))
            low = int((values < LOW * values.max()).sum())
            least, most = COUNTS[name]
            out.append(
                Claim(
                    sentence,
                    "s.4.4",
                    least - NEAR <= low <= most + NEAR,
                    {
                        "variables below a sixth of the largest importance": low,
                        "printed": str(least) if least == most else f"{least} to {most}",
                        "smallest and largest importance": f"{values.min():+.4f}, "
                        f"{values.max():+.4f}",
                    },
                    "The paper reads its counts off the graph; here low means below a sixth of "
                    f"the largest, and a count within {NEAR} of the printed one agrees.",
                )
            )
        share = {
            name: float(np.mean(np.array(v) < LOW * max(v)))
            for name in SETS
            if (v := result.column("importance", "importance", data=name))
        }
        out.append(
            Claim(
                "More of breast's variables are of little importance than of heart's, which may "
                "lead to more efficient variable selection.",
                "s.4.4",
                share["breast_cancer"] > share["heart"],
                {f"{SETS[n]}, share of low variables": s for n, s in share.items()},
            )
        )
        return out
