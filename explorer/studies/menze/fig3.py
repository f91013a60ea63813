"""Menze Fig. 3: error by the number of trees and by m_try."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import Protocol
from explorer.analysis.scores import interval
from explorer.engine import FAMILIES
from explorer.studies.findings import Findings, Result
from explorer.studies.menze.rule import rule
from explorer.studies.plan import Plan
from explorer.studies.sources import Sources
from explorer.studies.study import Cause, Claim, Open, Study, sized
from explorer.studies.trials import Trials, specs, thinned

MODELS = ("RF", "oRF-rnd", "oRF-lda", "oRF-ridge")
SETS = ("ionosphere", "sonar", "threenorm", "tecator")
SPECTRAL = ("tecator",)
_POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def m_tries(model: str, P: int) -> list[int]:
    """m_try to test: powers of P, the default √P among them."""
    least = 2 if FAMILIES[model].oblique else 1
    return sorted({min(P, max(least, int(P**power + 1e-9))) for power in _POWERS})


class Fig3(Study):
    name = "menze-fig3"
    caption = (
        "Cross-validated error by n_tree (top) and by m_try (bottom; the default √P in the "
        "middle of the axis) on several data sets."
    )
    protocol = (
        "Ten-fold cross-validation. n_tree up to 640 at m_try = √P; m_try from 1 (RF) or 2 "
        "(oblique) over √P to P at 300 trees. The paper does not name the data sets of its figure."
    )
    opens = (Open("Evaluate", "page=Evaluate&data=sonar&model=RF&model=oRF-ridge"),)
    takes = 12
    scales = sized(
        {"n_tree": 6, "m_try_trees": 4, "folds": 2, "repeats": 1, "sets": 1, "most": 60},
        {"n_tree": 300, "m_try_trees": 50, "folds": 5, "repeats": 1, "sets": 4, "most": 200},
        {"n_tree": 640, "m_try_trees": 300, "folds": 10, "repeats": 1, "sets": 4, "most": 4000},
        seed=0,
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        protocol = Protocol(
            folds=settings["folds"], repeats=settings["repeats"], seed=settings["seed"]
        )
        data = {
            name: thinned(sources.load(name), settings["most"], settings["seed"])
            for name in SETS[: settings["sets"]]
        }
        models = {m: {"family": m, "n_tree": settings["n_tree"], **rule(m)} for m in MODELS}
        by_trees = Trials(models, data, protocol, trees=True)
        by_m_try = {
            name: Trials(
                {
                    f"{model}, m_try {m}": {
                        "family": model,
                        **rule(model),
                        "n_tree": settings["m_try_trees"],
                        "m_try": m,
                    }
                    for model in MODELS
                    for m in m_tries(model, one.n_features)
                },
                {name: one},
                protocol,
            )
            for name, one in data.items()
        }
        units = by_trees.units() + [u for trials in by_m_try.values() for u in trials.units()]
        context = {"by trees": by_trees, "by m_try": by_m_try}
        return Plan(tuple(units), data, specs=specs(models), context=context)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        curves, rows = [], []
        for name in plan.data:
            for model in MODELS:
                found = plan.context["by trees"].evaluation(name, model, outputs)
                assert found.by_trees is not None
                for k in _ladder(found.by_trees.shape[1]):
                    mean, low, high = interval(found.by_trees[:, k - 1])
                    row = {"data": name, "model": model, "n_tree": k}
                    curves.append({**row, "error": mean, "low": low, "high": high})
            trials = plan.context["by m_try"][name]
            P = plan.data[name].n_features
            for called, knobs in trials.models.items():
                found = trials.evaluation(name, called, outputs)
                family, m = knobs["family"], knobs["m_try"]
                default = FAMILIES[family].features_per_split(P)
                row = {"data": name, "model": family, "m_try": m, "default": m == default}
                rows.append({**row, "error": found.error, "P": P})
        return Findings({"by trees": curves, "by m_try": rows})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_charts import Series, lines

        names = list(dict.fromkeys(r["data"] for r in result.table("by trees")))
        top: list[Any] = []
        bottom: list[Any] = []
        for name in names:
            last = name == names[-1]
            width = 400 if last else 300
            for table, knob, row in (("by trees", "n_tree", top), ("by m_try", "m_try", bottom)):
                series = [
                    Series(
                        model,
                        result.column(table, knob, data=name, model=model),
                        result.column(table, "error", data=name, model=model),
                    )
                    for model in MODELS
                ]
                row.append(
                    lines(
                        series,
                        x_label=knob,
                        y_label="error",
                        title=name,
                        theme=theme,
                        log_x=True,
                        legend=last,
                        width=width,
                        height=260,
                    )
                )
        return {"sweeps": gridplot([top, bottom], toolbar_location=None)}

    def claims(self, result: Result) -> list[Claim]:
        late, over, off = [], {}, {}
        beyond = 0
        names = list(dict.fromkeys(r["data"] for r in result.table("by trees")))
        for name in names:
            for model in MODELS:
                curve = result.rows("by trees", data=name, model=model)
                error = {r["n_tree"]: r["error"] for r in curve}
                last = max(error)
                over[name, model] = error[last] - min(error.values())
                wide = next(r["high"] - r["error"] for r in curve if r["n_tree"] == last)
                beyond += over[name, model] > wide
                if last > 100:
                    late.append(error[min(error, key=lambda k: abs(k - 100))] - error[last])
                rows = result.rows("by m_try", data=name, model=model)
                least = min(r["error"] for r in rows)
                default = min(rows, key=lambda r: (not r["default"], abs(r["m_try"] ** 2 - r["P"])))
                off[name, model] = default["error"] - least
        worst = max(over, key=over.__getitem__)
        plain = [v for (name, _), v in off.items() if name not in SPECTRAL]
        spectral = [v for (name, _), v in off.items() if name in SPECTRAL]
        out = [
            Claim(
                "Overtraining by increasing n_tree could hardly be provoked for any random forest "
                "on any data set.",
                "s.3, Fig. 3",
                beyond == 0,
                {
                    "largest rise from the best to the last, points": (
                        f"{100 * max(over.values()):.1f} ({worst[1]} on {worst[0]})"
                    ),
                    "forests that rise by more than the interval of their error": (
                        f"{beyond} of {len(over)}"
                    ),
                },
                "The smallest error of a curve is found after the fact, and one cross-validation "
                "of 200 samples moves by several points: with ten of them oRF-rnd errs on sonar "
                "by 18.4 % with 100 trees and by 17.0 % with 640.",
            ),
            Claim(
                "Little improvement in classification accuracy is observed for n_tree > 100.",
                "s.3, Fig. 3",
                None if not late else float(np.mean(late)) < 0.01,
                {"mean improvement after 100 trees, points": 100 * float(np.mean(late))}
                if late
                else {},
                "Little: less than one point on average."
                if late
                else "This run has no more than 100 trees.",
            ),
            Claim(
                "m_try = √P performs reasonably well.",
                "s.3, Fig. 3",
                float(np.median(plain)) < 0.02,
                {"median loss against the best m_try, points": 100 * float(np.median(plain))},
                "Reasonably: less than two points from the best, on data that are not spectral.",
            ),
        ]
        if spectral:
            out.append(
                Claim(
                    "Larger differences can be observed for spectral data sets.",
                    "s.3, Fig. 3",
                    float(np.mean(spectral)) > float(np.mean(plain)),
                    {
                        "mean loss, spectral, points": 100 * float(np.mean(spectral)),
                        "mean loss, others, points": 100 * float(np.mean(plain)),
                    },
                    "The loss of √P against the best m_try. The paper does not name its sets; here "
                    "is one of spectra (tecator), on which √P is nearly the best.",
                    Cause.DATA,
                )
            )
        return out


def _ladder(n: int) -> list[int]:
    """1, 2, 3, 5, 7, 10, 15 ... n."""
    steps = np.unique(np.round(np.geomspace(1, n, 28)).astype(int))
    return [int(k) for k in sorted({*steps.tolist(), *([100] if n >= 100 else []), n})]
