"""Menze Fig. 1: what correlation does to a univariate tree and to the marginals it looks at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import feature_plane, partition, tree_depths, tree_drawing
from explorer.analysis.contours import stacked
from explorer.data import Dataset
from explorer.engine import FAMILIES, grow
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized

SIDES = ("as drawn", "correlated")
_BINS = 24
_TREE = {"n_tree": 1, "m_try": "all", "bootstrap": "none"}


def grow_tree(data: Dataset, *, threads: int | None) -> dict[str, Any]:
    """One univariate tree of full depth: cells, drawing, size, and the horizontal marginals."""

    forest = grow(FAMILIES["RF"].replace(**_TREE), data.X, data.y, threads=threads)
    plane = feature_plane(data)
    cells = partition(forest, data, 0, plane)
    tree = tree_drawing(forest, data)
    across = data.X[:, 0]
    edges = np.histogram_bin_edges(across, _BINS)
    marginal = np.array([np.histogram(across[data.y == k], edges)[0] for k in (0, 1)])
    shares = marginal / marginal.sum(axis=1, keepdims=True)
    leaf = tree.is_leaf
    return {
        "leaves": int(leaf.sum()),
        "depth": int(tree_depths(forest)[0]),
        "overlap of the marginals": float(shares.min(axis=0).sum()),
        "lines": stacked(cells.lines),
        "edges": edges,
        "marginal": marginal,
        "segments": tree.segments,
        "leaf places": np.column_stack([tree.x, tree.y])[leaf],
        "leaf class": tree.winner[leaf],
        "window": np.array([*plane.x_range, *plane.y_range]),
        "X": data.X,
        "y": data.y,
    }


class Fig1(Study):
    name = "menze-fig1"
    caption = (
        "A separable pair of clouds (left) and the same samples after they were correlated "
        "(right): the cells of a univariate tree, the tree, and the marginals that it looks at."
    )
    protocol = (
        "One univariate tree of full depth on all samples; then the same normal random number is "
        "added to both features of every sample, and a tree is grown again. The paper gives no "
        "numbers for this figure: clouds 2 apart with a spread of 0.35, offset 3."
    )
    opens = (
        Open("Boundaries", "data=pair&d.offset=3&model=RF&model=oRF-ridge"),
        Open("Nodes", "data=pair&d.offset=3&model=RF&model=oRF-ridge&page=Nodes"),
    )
    takes = 5
    scales = sized({"n": 60}, {"n": 200}, {"n": 200}, offset=3.0, seed=0)

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        offsets = dict(zip(SIDES, (0.0, settings["offset"]), strict=True))
        data = {
            side: sources.load("pair", n=settings["n"], offset=offset, seed=settings["seed"])
            for side, offset in offsets.items()
        }
        units = tuple(Unit(side, grow_tree, {}, (side,)) for side in SIDES)
        spec = FAMILIES["RF"].replace(**_TREE).to_dict()
        return Plan(units, data, specs={"univariate tree": spec})

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        numbers = ("leaves", "depth", "overlap of the marginals")
        rows = [{"data": s, **{name: outputs[s][name] for name in numbers}} for s in SIDES]
        arrays = {
            f"{side}, {name}": value
            for side in SIDES
            for name, value in outputs[side].items()
            if name not in numbers
        }
        return Findings({"trees": rows}, arrays)

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_maps import small_map, small_tree, two_histograms

        columns = []
        for side in SIDES:
            a = {
                k.removeprefix(f"{side}, "): v
                for k, v in result.arrays.items()
                if k.startswith(side)
            }
            window = a["window"]
            columns.append(
                [
                    small_map(
                        window[:2],
                        window[2:],
                        points=(a["X"][:, 0], a["X"][:, 1], a["y"]),
                        boundary=a["lines"],
                        title=side.capitalize(),
                        theme=theme,
                    ),
                    small_tree(a["segments"], a["leaf places"], a["leaf class"], theme=theme),
                    two_histograms(a["edges"], a["marginal"], x_label="x1", theme=theme),
                ]
            )
        rows = [list(row) for row in zip(*columns, strict=True)]
        return {"pair": gridplot(rows, toolbar_location=None, merge_tools=True)}

    def claims(self, result: Result) -> list[Claim]:
        before, after = (result.rows("trees", data=side)[0] for side in SIDES)
        return [
            Claim(
                "The initial segmentation problem is simple.",
                "Fig. 1, caption",
                before["depth"] <= 3,
                {"leaves": before["leaves"], "depth": before["depth"]},
            ),
            Claim(
                "If features are correlated, the marginal distributions overlap strongly.",
                "Fig. 1, caption",
                after["overlap of the marginals"] > 2 * before["overlap of the marginals"],
                {
                    "overlap before": before["overlap of the marginals"],
                    "overlap after": after["overlap of the marginals"],
                },
            ),
            Claim(
                "That leads to highly nested decision rules and complex decision boundaries.",
                "Fig. 1, caption",
                after["depth"] > before["depth"] and after["leaves"] > 2 * before["leaves"],
                {
                    "leaves before": before["leaves"],
                    "leaves after": after["leaves"],
                    "depth before": before["depth"],
                    "depth after": after["depth"],
                },
            ),
        ]
