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
from explorer.studies.study import Cause, Claim, Open, Study, sized

MODELS = ("CART", "RF", "oblique-tree", "oRF-ridge")
BOOK, ANEW = "book", "drawn anew"
_STRAIGHT = 1e-6  # of the window: a piece of the boundary within it of an axis is parallel to it
CLOSER = 0.005  # share of the plane by which a boundary must be closer to the true one
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
        "centres per class, and again around centres that are drawn anew. CART is pruned by "
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
        draws = range(settings["seed"], settings["seed"] + settings["draws"])
        data = {f"{BOOK} {d}": sources.load("book_mixture", n=settings["n"], seed=d) for d in draws}
        data |= {
            f"{ANEW} {d}": sources.load("mixture", n=settings["n"], centres=d, seed=d)
            for d in draws
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
        share, away = "axis-parallel share of the boundary", "plane unlike Bayes"

        def mean(model: str, what: str, kind: str) -> float:
            rows = [r for r in result.rows("maps", model=model) if r["data"].startswith(kind)]
            return float(np.mean([row[what] for row in rows]))

        stairs = {m: mean(m, share, BOOK) for m in MODELS}
        numbers: dict[str, float] = {}
        closer = {}
        for kind in (BOOK, ANEW):
            numbers |= {
                f"{kind}: share of the plane where {m} and Bayes differ": mean(m, away, kind)
                for m in MODELS
            }
            numbers |= {f"{kind}: error of {m}": mean(m, "error", kind) for m in MODELS}
            gap = mean("RF", away, kind) - mean("oRF-ridge", away, kind)
            closer[kind] = gap > CLOSER
        return [
            Claim(
                "Even when pooling many trees the boundary imposed by the RF keeps its blocked, "
                "or stair-like topology.",
                "s.4, Fig. 4",
                stairs["RF"] > 0.5 and stairs["oRF-ridge"] < 0.1,
                {f"axis-parallel share of {m}'s boundary": v for m, v in stairs.items()},
                "RF's stairs are finer than a pixel in places, where the boundary as traced cuts "
                "their corners.",
            ),
            Claim(
                "The oRF adapts closely to the true boundary of the underlying distribution, "
                "where RF extrapolates through axis-parallel splits.",
                "s.4, Fig. 4",
                closer[BOOK] or closer[ANEW],
                numbers,
                f"Means over {result.settings['draws']} draws of each mixture. Which forest is "
                "closer depends on where the centres lie: the figure shows one draw.",
                Cause.CHANCE,
                "" if closer[BOOK] else "the centres are drawn anew instead of the book's",
                f"closer on more than {100 * CLOSER:g} % of the plane",
            ),
        ]
