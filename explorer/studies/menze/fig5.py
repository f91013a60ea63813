"""Menze Fig. 5: bias and variance of RF, oRF-ridge and oRF-rnd, by kind of data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import bias_variance
from explorer.studies.findings import Findings, Result
from explorer.studies.menze import contest
from explorer.studies.menze.printed import KINDS
from explorer.studies.plan import Plan
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study

MODELS = ("RF", "oRF-rnd", "oRF-ridge")
PAIRS = (("RF", "oRF-ridge"), ("oRF-rnd", "oRF-ridge"))
_ENOUGH = 3


class Fig5(Study):
    name = "menze-fig5"
    caption = (
        "Difference in squared bias and in variance between RF and oRF-ridge (left) and between "
        "oRF-rnd and oRF-ridge (right), a point per data set; above zero oRF-ridge has less."
    )
    protocol = (
        "Ensemble votes of the repeated cross-validation of Table 1, taken as a regression: over "
        "the repeats, the squared distance of the mean vote from the label is the bias, the "
        "spread of the votes the variance."
    )
    opens = (Open("Evaluate", "page=Evaluate&data=tecator&model=RF&model=oRF-ridge&model=oRF-rnd"),)
    scales = contest.SCALES
    kept_in = contest.LOG
    takes_folder = True

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        return contest.plan_contest(settings, sources, MODELS)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows = []
        for found in contest.evaluations(plan, outputs):
            parts = bias_variance(found)
            rows.append(
                {
                    "data": found.dataset,
                    "kind": plan.context["chosen"][found.dataset].kind,
                    "model": found.model,
                    "bias2": parts.mean_bias2,
                    "variance": parts.mean_variance,
                    "error": found.error,
                }
            )
        return Findings({"parts": rows})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_charts import boxes

        plots = [
            [
                boxes(
                    [(kind, _gaps(result, kind, part, *pair)) for kind in KINDS],
                    y_label=f"{part}: {pair[0]} - {pair[1]}",
                    title=f"{'Squared bias' if part == 'bias2' else 'Variance'}, "
                    f"{pair[0]} less {pair[1]}",
                    theme=theme,
                    width=380,
                    height=260,
                )
                for part in ("bias2", "variance")
            ]
            for pair in PAIRS
        ]
        return {"bias and variance": gridplot(plots, toolbar_location=None)}

    def claims(self, result: Result) -> list[Claim]:
        def judge(
            sentence: str, kinds: tuple[str, ...], part: str, pair: tuple[str, str], sign: int
        ) -> Claim:
            gaps = [g for kind in kinds for g in _gaps(result, kind, part, *pair)]
            where = "s.4, Fig. 5"
            if len(gaps) < _ENOUGH:
                why = f"Only {len(gaps)} data sets of this kind here; give more with --data."
                return Claim(sentence, where, None, {}, why)
            middle = float(np.median(gaps))
            share = float(np.mean([sign * g > 0 for g in gaps]))
            return Claim(
                sentence,
                where,
                sign * middle > 0,
                {
                    f"median {part} of {pair[0]} less that of {pair[1]}": middle,
                    "share of data sets with that sign": share,
                    "data sets": len(gaps),
                },
            )

        return [
            judge(
                "The advantage of RF on factorial data is due to a lower bias.",
                ("factorial",),
                "bias2",
                PAIRS[0],
                -1,
            ),
            judge(
                "The higher accuracy of oRF on spectral and numerical data correlates with a lower "
                "bias.",
                ("numerical", "spectral"),
                "bias2",
                PAIRS[0],
                1,
            ),
            judge("Variance is slightly lower for oRF.", KINDS, "variance", PAIRS[0], 1),
            judge(
                "oRF-rnd suffers from high bias when compared to oRF-ridge.",
                KINDS,
                "bias2",
                PAIRS[1],
                1,
            ),
        ]


def _gaps(result: Result, kind: str, part: str, one: str, other: str) -> list[float]:
    """Differences of a part between two models, per data set of a kind."""
    a = {r["data"]: r[part] for r in result.rows("parts", kind=kind, model=one)}
    b = {r["data"]: r[part] for r in result.rows("parts", kind=kind, model=other)}
    return [a[name] - b[name] for name in a]
