"""Tomita Fig. S1: do percentiles and z-scores protect oblique forests as ranks do?"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.studies.findings import Result
from explorer.studies.study import Cause, Claim, Open, sized
from explorer.studies.tomita.simulations import PROBLEMS, SAME, SEVERE, TITLES, Simulation

PLAIN = ("F-RC", "RR-RF")
SIDES = ("raw", "scaled, scripts", "affine, scripts", "corrupted, scripts")


def with_scaling(model: str, suffix: str) -> str:
    """F-RC on ranks has a name of its own."""
    return "FRANK" if (model, suffix) == ("F-RC", "r") else f"{model}({suffix})"


class FigS1(Simulation):
    name = "tomita-figs1"
    caption = (
        "Error by p of F-RC and RR-RF on features as they are, on ranks (FRANK, r), percentiles "
        "(n) and z-scores (z), after the data were scaled, rotated and scaled, or corrupted."
    )
    protocol = (
        "As Fig. 4, with the three ways of scaling features of s.2.5. The text quotes the figure; "
        "the supplement itself could not be had. Scaling and corruption as in the authors' scripts."
    )
    opens = (
        Open(
            "Evaluate",
            "page=Evaluate&data=trunk&transform=affine&model=F-RC&model=F-RC~scaling%3Azscore",
        ),
    )
    models = tuple(
        name
        for model in PLAIN
        for name in (model, *(with_scaling(model, suffix) for suffix in ("r", "n", "z")))
    )
    representations = SIDES
    takes = 35
    scales = sized(
        {"parity p": [6], "trunk p": [4], "parity train": 80, "trunk train": 40, "test": 200}
        | {"parity trees": 5, "trunk trees": 5, "trials": 1, "most": 1.0},
        {"parity p": [10], "trunk p": [10, 50], "parity train": 1000, "trunk train": 100}
        | {"test": 1000, "parity trees": 40, "trunk trees": 40, "trials": 1, "most": 1.5},
        {"parity p": [2, 5, 10, 20, 40], "trunk p": [10, 50, 100, 500], "parity train": 1000}
        | {"trunk train": 100, "test": 10_000, "parity trees": 500, "trunk trees": 1000}
        | {"trials": 10, "most": 2.0},
        seed=0,
    )

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        grid = [
            [self.chart(result, q, side, "error", theme, f"{TITLES[q]}, {side}") for q in PROBLEMS]
            for side in SIDES
        ]
        return {"scaling of features": gridplot(grid, toolbar_location=None)}

    def claims(self, result: Result) -> list[Claim]:
        def mean(problem: str, side: str, model: str) -> float:
            return float(np.mean(list(self.curve(result, problem, side, model).values())))

        def apart(side: str, suffix: str) -> dict[str, float]:
            """How much larger the error is than that on ranks."""
            return {
                f"{with_scaling(m, suffix)} minus {with_scaling(m, 'r')}, {TITLES[q]}, {side}": (
                    mean(q, side, with_scaling(m, suffix)) - mean(q, side, with_scaling(m, "r"))
                )
                for q in PROBLEMS
                for m in PLAIN
            }

        units = {
            what: gap
            for side in ("scaled, scripts", "affine, scripts")
            for suffix in ("n", "z")
            for what, gap in apart(side, suffix).items()
        }
        corrupted = {
            what: gap
            for suffix in ("n", "z")
            for what, gap in apart("corrupted, scripts", suffix).items()
        }
        small = Cause.SCALE if result.scale != "full" else None
        return [
            Claim(
                "Both normalization and z-scoring have a similar robustifying effect as rank "
                "transformations on scaling and affine transformations.",
                "s.3.3, Fig. S1",
                max(units.values()) < SEVERE,
                units,
                "The error on percentiles or z-scores minus that on ranks, means over p.",
                small,
                margin=f"similar is less than {SEVERE} worse",
            ),
            Claim(
                "Normalization and z-scoring do not help with data corruption.",
                "s.3.3, Fig. S1",
                float(np.mean(list(corrupted.values()))) > SAME,
                corrupted,
                "The error on percentiles or z-scores minus that on ranks, means over p.",
                small,
                margin=f"ranks are better by more than {SAME} on average",
            ),
        ]
