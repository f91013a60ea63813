"""A toy study, for tests of the machinery: sums of a data set's columns, in units."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from explorer.data import load
from explorer.engine import FAMILIES, grow
from explorer.studies import Claim, Findings, Missing, Plan, Study, Unit
from explorer.studies.citations import MENZE
from explorer.studies.study import sized


def column_sum(data, *, column: int, threads: int | None, trip: str = "") -> dict[str, Any]:
    """A sum, an array, and a number that is not finite; a file named ``trip`` is an accident."""
    if trip and Path(trip).exists():
        raise RuntimeError("an accident")
    forest = grow(FAMILIES["RF"].replace(n_tree=3, seed=column), data.X, data.y, threads=threads)
    return {
        "sum": data.X[:, column].sum(),
        "oob": forest.oob_error,
        "none": np.nan,
        "seconds": float(os.getpid()),
    }


class Toy(Study):
    name = "toy"
    paper = MENZE
    where = "Fig. 0"
    title = caption = protocol = "A toy."
    many_units = False
    scales = sized({"columns": 6}, {"columns": 6}, {"columns": 6}, seed=0, trip="")

    def plan(self, settings, sources):
        data = {"iris": load("iris")}
        columns = range(settings["columns"])
        units = [
            Unit(f"{j}", column_sum, {"column": j % 4, "trip": settings["trip"]}, ("iris",))
            for j in columns
        ]
        return Plan(tuple(units), data, (Missing("BSE 1", "It was never published."),))

    def gather(self, settings, plan, outputs):
        rows = [{"column": key, **found} for key, found in outputs.items()]
        oob = np.array([row.pop("oob") for row in rows])
        return Findings({"sums": rows}, {"oob": oob})

    def draw(self, result, theme="light"):
        from explorer.views.chart import chart

        plot = chart(width=300, height=200, sizing_mode="fixed")
        plot.line([0, 1], [0, 1])
        return {"toy": plot}

    def claims(self, result):
        return [Claim("Sums are sums.", "s.0", True, {"first": result.table("sums")[0]["sum"]})]
