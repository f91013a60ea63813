"""Menze Fig. 4: decision boundaries of one tree and of a forest, univariate and oblique."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import feature_plane, posterior_map
from explorer.analysis.contours import stacked
from explorer.data import Dataset
from explorer.engine import grow
from explorer.studies.findings import Findings, Result
from explorer.studies.menze.rule import as_printed
from explorer.studies.plan import Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized

MODELS = ("CART", "RF", "oblique-tree", "oRF-ridge")
_STRAIGHT = 1e-6  # of the window: a piece of the boundary within it of an axis is parallel to it
_SHORT = 1e-4  # of the window: shorter pieces are left out


def draw_map(
    data: Dataset, *, family: str, n_tree: int, pixels: int, seed: int, threads: int | None
) -> dict[str, Any]:
    """The map of one model, its boundary, and how it compares with the truth."""

    spec = as_printed(family)
    spec = spec.replace(seed=seed, **({"n_tree": n_tree} if spec.n_tree > 1 else {}))
    forest = grow(spec, data.X, data.y, threads=threads)
    plane = feature_plane(data)
    found = posterior_map(forest, data, plane, pixels, pixels, threads=threads)
    assert found.true_posterior is not None
    assert found.bayes_boundary is not None
    assert data.truth is not None
    wrong = (found.winner != found.true_posterior.argmax(axis=2)).mean()
    # the error that the map makes under the true distribution
    fresh, labels = data.truth.sample(20_000, np.random.default_rng(seed + 1))
    error = (forest.predict(fresh, threads=threads) != labels).mean()
    return {
        "error": float(error),
        "Bayes error": data.truth.bayes_error,
        "plane unlike Bayes": float(wrong),
        "mean Hellinger distance": found.mean_hellinger,
        "axis-parallel share of the boundary": parallel_share(found.boundary, plane.size),
        "image": found.index,
        "boundary": stacked(found.boundary),
        "bayes": stacked(found.bayes_boundary),
        "window": np.array([*plane.x_range, *plane.y_range]),
    }


def parallel_share(lines: Any, size: Any) -> float:
    """Share of a boundary's length that runs parallel to an axis."""
    along = total = 0.0
    for line in lines:
        step = np.abs(np.diff(np.asarray(line, np.float64), axis=0) / np.asarray(size))
        length = np.sqrt((step**2).sum(axis=1))
        step, length = step[length > _SHORT], length[length > _SHORT]
        total += float(length.sum())
        along += float(length[step.min(axis=1) <= _STRAIGHT].sum())
    return along / total if total else 0.0


class Fig4(Study):
    name = "menze-fig4"
    caption = (
        "A pruned univariate tree (CART), RF, a single oblique tree and oRF on the same samples. "
        "Solid: the learned boundary; dashed: the Bayes boundary."
    )
    protocol = (
        "The mixture of [16] (Elements of Statistical Learning): 200 samples around the book's ten "
        "centres per class. CART is pruned by "
        "ten-fold cross-validation, the others are applied out of the box (300 trees; the paper "
        "does not say). Errors on 20 000 fresh samples."
    )
    opens = (
        Open(
            "Boundaries",
            "data=book_mixture&model=CART&model=RF&model=oblique-tree&model=oRF-ridge",
        ),
    )
    takes = 15
    scales = sized(
        {"n": 80, "n_tree": 10, "pixels": 40, "draws": 1},
        {"n": 200, "n_tree": 300, "pixels": 200, "draws": 10},
        {"n": 200, "n_tree": 300, "pixels": 300, "draws": 50},
        seed=0,
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        data = {
            f"mixture {draw}": sources.load("book_mixture", n=settings["n"], seed=draw)
            for draw in range(settings["seed"], settings["seed"] + settings["draws"])
        }
        units = [
            Unit(
                f"{name} · {family}",
                draw_map,
                {
                    "family": family,
                    "n_tree": settings["n_tree"],
                    "pixels": settings["pixels"] if i == 0 else min(60, settings["pixels"]),
                    "seed": settings["seed"],
                },
                (name,),
            )
            for i, name in enumerate(data)
            for family in MODELS
        ]
        specs = {family: as_printed(family).to_dict() for family in MODELS}
        return Plan(tuple(units), data, specs=specs)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, arrays = [], {}
        for i, name in enumerate(plan.data):
            for family in MODELS:
                found = outputs[f"{name} · {family}"]
                for part in ("image", "boundary", "bayes", "window"):
                    value = found.pop(part)
                    if i == 0:
                        arrays[f"{family}, {part}"] = value
                rows.append({"data": name, "model": family, **found})
        first = next(iter(plan.data.values()))
        return Findings({"maps": rows}, {**arrays, "X": first.X, "y": first.y})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_maps import small_map

        a = result.arrays
        maps = [
            small_map(
                a[f"{m}, window"][:2],
                a[f"{m}, window"][2:],
                image=a[f"{m}, image"],
                points=(a["X"][:, 0], a["X"][:, 1], a["y"]),
                boundary=a[f"{m}, boundary"],
                bayes=a[f"{m}, bayes"],
                title=m,
                theme=theme,
                size=300,
            )
            for m in MODELS
        ]
        return {"boundaries": gridplot([maps[:2], maps[2:]], toolbar_location=None)}

    def claims(self, result: Result) -> list[Claim]:
        mean = {
            m: {
                name: float(np.mean(result.column("maps", name, model=m)))
                for name in (
                    "error",
                    "plane unlike Bayes",
                    "mean Hellinger distance",
                    "axis-parallel share of the boundary",
                )
            }
            for m in MODELS
        }
        share = "axis-parallel share of the boundary"
        away = "plane unlike Bayes"
        return [
            Claim(
                "Even when pooling many trees the boundary imposed by the RF keeps its blocked, "
                "or stair-like topology.",
                "s.4, Fig. 4",
                mean["RF"][share] > 0.5 and mean["oRF-ridge"][share] < 0.1,
                {f"axis-parallel share of {m}'s boundary": mean[m][share] for m in MODELS},
                "RF's stairs are finer than a pixel in places, where the boundary as traced cuts "
                "their corners.",
            ),
            Claim(
                "The oRF adapts closely to the true boundary of the underlying distribution, "
                "where RF extrapolates through axis-parallel splits.",
                "s.4, Fig. 4",
                mean["oRF-ridge"][away] < mean["RF"][away],
                {f"share of the plane where {m} and Bayes differ": mean[m][away] for m in MODELS}
                | {f"error of {m} on fresh samples": mean[m]["error"] for m in MODELS},
                f"Mean over {result.settings['draws']} draws of the mixture.",
            ),
        ]
