"""Menze Fig. 2: split directions from LDA to PCA as the ridge penalty grows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import Directions, directions
from explorer.data import Dataset
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized

KINDS = ("pca", "lda", "ridge", "pls")


def find_directions(data: Dataset, *, penalties: list[float], threads: int | None) -> Any:
    """Directions of PCA, LDA, PLS and of the ridge path, in standardised features."""
    found = directions(data, kinds=KINDS, lambdas=penalties)
    lda, pca = found.kind.index("lda"), found.kind.index("pca")
    rows = [
        {
            "direction": found.label[i],
            "kind": found.kind[i],
            "penalty": None if np.isnan(found.penalty[i]) else found.penalty[i],
            "degrees from LDA": found.angle(i, lda),
            "degrees from PCA": found.angle(i, pca),
            "correlation": found.correlation[i],
            "variance": found.variance[i],
        }
        for i in range(len(found.kind))
    ]
    return {"rows": rows, "unit": found.unit, "mean": found.mean, "scale": found.scale}


class Fig2(Study):
    name = "menze-fig2"
    caption = (
        "Cuts of the oblique node models on the same samples. LDA follows the class label, PCA "
        "the spread of the data; ridge regression moves from the first towards the second as its "
        "penalty grows."
    )
    protocol = (
        "One node with all samples of a correlated two-class set in two features, standardised; "
        "ridge penalties 10^-5 ... 10^5. The paper does not say which samples it drew: here two "
        "long clouds at an angle, which overlap."
    )
    opens = (Open("Nodes", "page=Nodes&data=clouds&d.n=200&d.width=1.0&d.gap=2.0&d.angle=30"),)
    takes = 5
    scales = sized(
        {"n": 60},
        {"n": 200},
        {"n": 200},
        penalties=[10.0**i for i in range(-5, 6)],
        seed=0,
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        data = sources.load(
            "clouds", n=settings["n"], width=1.0, gap=2.0, angle=30.0, seed=settings["seed"]
        )
        unit = Unit(
            "directions", find_directions, {"penalties": settings["penalties"]}, ("clouds",)
        )
        return Plan((unit,), {"clouds": data})

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        found, data = outputs["directions"], plan.data["clouds"]
        arrays = {name: found[name] for name in ("unit", "mean", "scale")}
        return Findings({"directions": found["rows"]}, {**arrays, "X": data.X, "y": data.y})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from explorer.views.directions_figure import DirectionsFigure

        rows, arrays = result.table("directions"), result.arrays
        penalty = np.array([np.nan if r["penalty"] is None else r["penalty"] for r in rows])
        nothing = np.zeros(len(rows))
        record = Directions(
            tuple(r["kind"] for r in rows),
            tuple(r["direction"] for r in rows),
            penalty,
            ("x1", "x2"),
            arrays["mean"],
            arrays["scale"],
            arrays["unit"],
            arrays["unit"] / arrays["scale"],
            nothing,
            nothing,
            ("1", "2"),
            np.arange(len(arrays["y"])),
        )
        view = DirectionsFigure(theme)
        view.figure.update(width=560, height=320, sizing_mode="fixed")
        view.update(record, arrays["X"][:, 0], arrays["X"][:, 1], arrays["y"], 1.0)
        view.restyle(theme)
        return {"directions": view.figure}

    def claims(self, result: Result) -> list[Claim]:
        ridge = result.rows("directions", kind="ridge")
        first, last = ridge[0], ridge[-1]
        variance = [r["variance"] for r in ridge]
        to_pca = [r["degrees from PCA"] for r in ridge]
        pls = next(r for r in result.table("directions") if r["kind"] == "pls")
        return [
            Claim(
                "With λ = 0 the ridge direction points towards maximal correlation with the class "
                "labels, similar to LDA.",
                "s.2, Fig. 2",
                first["degrees from LDA"] < 1.0,
                {"degrees from LDA at the smallest λ": first["degrees from LDA"]},
            ),
            Claim(
                "Regularization biases the optimal LDA-like projection towards one which has "
                "higher data support.",
                "Fig. 2",
                variance[-1] > variance[0] and all(np.diff(variance) > -1e-9),
                {"variance, smallest λ": variance[0], "variance, largest λ": variance[-1]},
            ),
            Claim(
                "With λ >> 1 it may point towards highest data variation and data support, more "
                "directing towards the PCA-like solution.",
                "s.2, Fig. 2",
                to_pca[-1] < to_pca[0],
                {
                    "degrees from PCA, smallest λ": to_pca[0],
                    "degrees from PCA, largest λ": last["degrees from PCA"],
                    "degrees from PCA, first PLS component": pls["degrees from PCA"],
                },
                "Towards, not as far as: it turns part of the way and stops at the first component "
                "of partial least squares, the limit of ridge regression; it would reach PCA only "
                "where both agree.",
            ),
        ]
