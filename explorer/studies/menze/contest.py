"""The nine classifiers of Menze s.3: one set of trials behind Tables 1, 2 and Fig. 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.analysis import Comparison, Evaluation, Protocol, compare
from explorer.studies.menze.printed import MODELS
from explorer.studies.menze.rule import rule
from explorer.studies.menze.sets import Chosen, choose_sets
from explorer.studies.plan import Plan
from explorer.studies.sources import Sources
from explorer.studies.study import sized
from explorer.studies.trials import Trials, specs

LOG = "menze-contest"
PROTOCOL = (
    "Nine classifiers, ten repeats of a ten-fold cross-validation on every data set (stratified; "
    "the paper does not say). RF and RF-rnd choose among 20, 40 ... 640 trees in an inner "
    "three-fold cross-validation, oblique forests have 300 trees; m_try = √P. CART is pruned by "
    "ten-fold cross-validation. svm, knn and adaboost are tuned as in s.3. Error: mean over the "
    "100 test sets; ROC AUC: over all test samples of a repeat, mean over repeats. A classifier "
    "is as good as the best where a paired Wilcoxon test at 5 % finds no difference (100 test "
    "sets for the error, 10 repeats for the AUC). Synthetic sets: the sample sizes are not "
    "stated; 300 here."
)
SCALES = sized(
    {"repeats": 2, "folds": 2, "n_tree": 5, "tune": [], "most": 60, "sets": 3, "generated": 60},
    {"repeats": 2, "folds": 3, "n_tree": 100, "tune": [], "most": 120, "sets": 10}
    | {"generated": 120},
    {"repeats": 10, "folds": 10, "n_tree": 300, "tune": [20, 40, 80, 160, 320, 640]}
    | {"most": 4000, "sets": None, "generated": 300},
    seed=0,
)


def knobs(model: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A classifier of the paper as plain knobs."""
    if model == "knn":
        return {"baseline": model, "paper": True}
    if model in ("svm", "adaboost"):
        return {"baseline": model}
    if model == "CART":
        return {"family": model}
    if model in ("RF", "RF-rnd") and settings["tune"]:
        return {"family": model, "trees": list(settings["tune"])}
    return {"family": model, "n_tree": settings["n_tree"], **rule(model)}


def contest(
    settings: Mapping[str, Any], chosen: Mapping[str, Chosen], models: Sequence[str] = MODELS
) -> Trials:
    """The trials of some classifiers on the chosen sets."""
    protocol = Protocol(
        "k-fold", folds=settings["folds"], repeats=settings["repeats"], seed=settings["seed"]
    )
    return Trials(
        {model: knobs(model, settings) for model in models},
        {name: one.data for name, one in chosen.items()},
        protocol,
        block=settings["folds"] if settings["tune"] else 1,
    )


def plan_contest(
    settings: Mapping[str, Any], sources: Sources, models: Sequence[str] = MODELS
) -> Plan:
    chosen, notes, missing = choose_sets(settings, sources)
    trials = contest(settings, chosen, models)
    return Plan(
        tuple(trials.units()),
        trials.all_data(),
        missing,
        specs(trials.models),
        notes,
        {"chosen": chosen, "trials": trials},
    )


def evaluations(plan: Plan, outputs: Mapping[str, Any]) -> list[Evaluation]:
    return plan.context["trials"].evaluations(outputs)


def comparisons(found: Sequence[Evaluation]) -> dict[str, Comparison]:
    """Error and 1 - AUC, each tested as the paper does."""
    return {
        "error": compare(found, measure="error"),
        "1 - AUC": compare(found, measure="1 - AUC"),
    }


def counts(result: Any, kind: str | None, measure: str) -> dict[str, int]:
    """How often each classifier was best or as good as the best, most often first (Table 2)."""
    column = f"as good, {measure}"
    rows = [r for r in result.table("cells") if kind is None or r["kind"] == kind]
    found = {m: sum(bool(r[column]) for r in rows if r["model"] == m) for m in MODELS}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def mean_of(rows: Sequence[Mapping[str, Any]], column: str, model: str) -> float:
    return float(np.mean([r[column] for r in rows if r["model"] == model]))
