"""Menze Fig. 8: sample proximity of RF and oRF, and how much their first component explains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import proximity
from explorer.data import Dataset
from explorer.engine import grow
from explorer.studies.findings import Findings, Result
from explorer.studies.menze.rule import as_printed
from explorer.studies.plan import Missing, Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Study, sized
from explorer.studies.trials import thinned

MODELS = ("RF", "oRF-ridge")
SETS = ("spectra_mrs", "spectra_ir", "tecator", "coffee_instant", "sonar", "ionosphere", "heart")
SHOWN = 3  # components of the pairs plot
COMPONENTS = 6


def place_samples(
    data: Dataset, *, family: str, n_tree: int, seed: int, threads: int | None
) -> dict[str, Any]:
    """Principal coordinates of the samples, what they explain, and how the first tells classes."""
    spec = as_printed(family).replace(n_tree=n_tree, seed=seed)
    forest = grow(spec, data.X, data.y, groups=data.groups)
    found = proximity(forest, data, components=COMPONENTS, threads=threads)
    first = found.coordinates[:, 0]
    groups = [first[data.y == k] for k in range(data.n_classes)]
    between = sum(g.size * (g.mean() - first.mean()) ** 2 for g in groups)
    return {
        "explained": found.explained,
        "coordinates": found.coordinates[:, :SHOWN],
        "share of the first coordinate that is between classes": float(
            between / max(((first - first.mean()) ** 2).sum(), 1e-300)
        ),
    }


class Fig8(Study):
    name = "menze-fig8"
    caption = (
        "Samples on the principal coordinates of their proximity: oRF above the diagonal, RF "
        "below it. Right: variance explained by each coordinate, on more data sets."
    )
    protocol = (
        "Proximity: how often two samples, both out of bag, share a leaf; principal coordinates "
        "of the distances. 3000 trees, 300 when quick (the paper does not say)."
    )
    opens = (Open("Proximity", "page=Proximity&data=spectra_mrs&model=RF&model=oRF-ridge"),)
    takes = 8
    scales = sized(
        {"n_tree": 30, "sets": 1, "most": 60},
        {"n_tree": 300, "sets": 7, "most": 400},
        {"n_tree": 3000, "sets": 7, "most": 4000},
        seed=0,
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        data = {
            name: thinned(sources.load(name), settings["most"], settings["seed"])
            for name in SETS[: settings["sets"]]
        }
        units = [
            Unit(
                f"{name} · {family}",
                place_samples,
                {"family": family, "n_tree": settings["n_tree"], "seed": settings["seed"]},
                (name,),
            )
            for name in data
            for family in MODELS
        ]
        missing = (Missing("MRS yeast 1 and 2", "Magnetic resonance spectra not published."),)
        specs = {m: as_printed(m).replace(n_tree=settings["n_tree"]).to_dict() for m in MODELS}
        return Plan(tuple(units), data, missing, specs)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows = []
        for name in plan.data:
            for model in MODELS:
                found = outputs[f"{name} · {model}"]
                explained = np.zeros(COMPONENTS)
                explained[: found["explained"].size] = found["explained"]
                row: dict[str, Any] = {"data": name, "model": model}
                row |= {f"component {c + 1}": explained[c] for c in range(COMPONENTS)}
                between = "share of the first coordinate that is between classes"
                rows.append({**row, between: found[between]})
        first = next(iter(plan.data))
        arrays = {m: outputs[f"{first} · {m}"]["coordinates"] for m in MODELS}
        return Findings({"explained": rows}, {**arrays, "y": plan.data[first].y})

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_charts import Series, lines, small_chart
        from explorer.views.study_maps import small_map

        rf, orf = (_unit(result.arrays[m]) for m in MODELS)
        y = result.arrays["y"]
        size = min(rf.shape[1], orf.shape[1])
        pairs: list[list[Any]] = []
        for i in range(size):
            row: list[Any] = []
            for j in range(size):
                at = orf if j > i else rf
                if i == j:
                    plot = small_chart(f"component {i + 1}", theme, 180, 180)
                    plot.axis.visible = False
                    plot.scatter([0], [0], size=0)
                    row.append(plot)
                else:
                    row.append(
                        small_map(
                            (-1.1, 1.1),
                            (-1.1, 1.1),
                            points=(at[:, j], at[:, i], y),
                            title="oRF" if j > i else "RF",
                            theme=theme,
                            size=180,
                            ticks=False,
                        )
                    )
            pairs.append(row)
        names = list(dict.fromkeys(r["data"] for r in result.table("explained")))
        right = []
        for name in names:
            series = []
            for m in MODELS:
                found = result.rows("explained", data=name, model=m)[0]
                x = list(range(1, COMPONENTS + 1))
                series.append(Series(m, x, [found[f"component {c}"] for c in x]))
            right.append(
                lines(
                    series,
                    x_label="component",
                    y_label="explained",
                    title=name,
                    theme=theme,
                    width=400 if name == names[-1] else 300,
                    height=210,
                    legend=name == names[-1],
                )
            )
        return {
            "places": gridplot(pairs, toolbar_location=None),
            "explained": gridplot(right, ncols=3, toolbar_location=None),
        }

    def claims(self, result: Result) -> list[Claim]:
        names = list(dict.fromkeys(r["data"] for r in result.table("explained")))
        row = {(r["data"], r["model"]): r for r in result.table("explained")}
        first = {n: [row[n, m]["component 1"] for m in MODELS] for n in names}
        second = {n: [row[n, m]["component 2"] for m in MODELS] for n in names}
        share = "share of the first coordinate that is between classes"
        between = {m: [row[n, m][share] for n in names] for m in MODELS}
        return [
            Claim(
                "We find for all data sets the variance explained by the first eigen-space of the "
                "oRF to be much larger than that of the RF.",
                "s.5, Fig. 8",
                all(orf > rf for rf, orf in first.values()),
                {f"{n}: RF, oRF": f"{rf:.3f}, {orf:.3f}" for n, (rf, orf) in first.items()},
            ),
            Claim(
                "For higher components the opposite is true.",
                "s.5, Fig. 8",
                sum(rf > orf for rf, orf in second.values()) > len(names) / 2,
                {
                    f"{n}, component 2: RF, oRF": f"{rf:.3f}, {orf:.3f}"
                    for n, (rf, orf) in second.items()
                },
                "As shares of the whole variance.",
            ),
            Claim(
                "Inter-sample differences in the oRF proximity correlate well with the first "
                "eigen-direction, representing the learned inter-class difference.",
                "s.5, Fig. 8",
                float(np.median(between["oRF-ridge"])) > 0.5,
                {f"median {share}, {m}": float(np.median(between[m])) for m in MODELS},
            ),
        ]


def _unit(places: Any) -> Any:
    """Coordinates scaled so that the largest is 1, each component by itself."""
    return places / np.maximum(np.abs(places).max(axis=0), 1e-300)
