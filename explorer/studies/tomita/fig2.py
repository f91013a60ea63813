"""Tomita Fig. 2: posteriors on raw, affine and corrupted sparse parity, and their distances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.analysis import hellinger
from explorer.analysis.posterior_index import posterior_index
from explorer.data import Dataset
from explorer.studies.findings import Findings, Result
from explorer.studies.plan import Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Cause, Claim, Open, Printed, Study, sized
from explorer.studies.tomita.models import candidates, fit_best, represented, spec_of

MODELS = ("RF", "F-RC", "FRANK", "RR-RF", "RR-RF(r)")
SIDES = ("raw", "affine", "corrupted")
_FRESH = 2000


def on_plane(p: int, pixels: int) -> np.ndarray:
    """Pixel centres of the X1-X2 plane with X3 = -0.5 and the rest 0, float64[pixels^2, p]."""
    at = -1 + 2 * (np.arange(pixels) + 0.5) / pixels
    points = np.zeros((pixels * pixels, p))
    points[:, 0], points[:, 1] = np.tile(at, pixels), np.repeat(at, pixels)
    points[:, 2] = -0.5
    return points


def estimate(
    data: Dataset,
    *,
    model: str,
    representation: str,
    n_tree: int,
    most: float,
    pixels: int,
    seed: int,
    threads: int | None,
) -> dict[str, Any]:
    """A forest's posterior on the plane, and its distance from the truth there and elsewhere."""
    assert data.truth is not None
    plane = on_plane(data.n_features, pixels)
    fresh, _ = data.truth.sample(_FRESH, np.random.default_rng(50_000 + seed))
    ask = np.concatenate([plane, fresh])
    X, there = represented(representation, data.X, ask, seed)
    if representation == "corrupted":
        there = ask  # trained on corrupted samples, asked about the space as it is
    ds = candidates(model, data.n_features, most)
    forest, d, seconds = fit_best(spec_of(model, n_tree, seed), ds, X, data.y, threads)
    posterior = forest.predict_proba(there, threads=threads)
    far = hellinger(posterior, data.truth.posterior(ask))
    return {
        "d": d,
        "seconds": seconds,
        "Hellinger distance on the plane": float(far[: len(plane)].mean()),
        "Hellinger distance on fresh samples": float(far[len(plane) :].mean()),
        "posterior": posterior[: len(plane)].reshape(pixels, pixels, 2).astype(np.float32),
    }


class Fig2(Study):
    name = "tomita-fig2"
    caption = (
        "The true posterior of sparse parity and its estimates by five forests, trained on raw, "
        "affine-transformed and corrupted samples; below, the mean pointwise Hellinger distance."
    )
    protocol = (
        "p = 10, p* = 3, 1000 training samples, 500 trees; d chosen by out-of-bag error. Maps in "
        "the X1-X2 plane with X3 = -0.5 and the rest 0. The distance is averaged over that plane "
        "(and, in the table, over fresh samples) and over ten draws; the paper does not say over "
        "which points."
    )
    printed = (Printed("p", 10, "s.3.1"), Printed("training samples", 1000, "s.3.1"))
    opens = (
        Open("Posterior", "page=Posterior&data=parity&model=RF&model=F-RC&model=FRANK&model=RR-RF"),
        Open(
            "Posterior",
            "page=Posterior&data=parity&transform=corruption&model=RF&model=F-RC&model=FRANK",
        ),
    )
    takes = 20
    scales = sized(
        {"n": 100, "n_tree": 5, "draws": 1, "pixels": 12, "most": 1.0},
        {"n": 1000, "n_tree": 50, "draws": 1, "pixels": 60, "most": 2.0},
        {"n": 1000, "n_tree": 500, "draws": 10, "pixels": 100, "most": 2.0},
        p=10,
        seed=0,
    )

    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        draws = range(settings["seed"], settings["seed"] + settings["draws"])
        data = {
            f"parity {i}": sources.load("parity", n=settings["n"], p=settings["p"], seed=i)
            for i in draws
        }
        units = [
            Unit(
                f"parity {i} · {side} · {m}",
                estimate,
                {
                    "model": m,
                    "representation": side,
                    "n_tree": settings["n_tree"],
                    "most": settings["most"],
                    "pixels": settings["pixels"],
                    "seed": i,
                },
                (f"parity {i}",),
            )
            for i in draws
            for side in SIDES
            for m in reversed(MODELS)
        ]
        specs = {m: spec_of(m, settings["n_tree"], settings["seed"]).to_dict() for m in MODELS}
        return Plan(tuple(units), data, specs=specs)

    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        rows, arrays = [], {}
        for i, name in enumerate(plan.data):
            for side in SIDES:
                for m in MODELS:
                    found = outputs[f"{name} · {side} · {m}"]
                    row = {k: v for k, v in found.items() if k != "posterior"}
                    rows.append({"data": name, "representation": side, "model": m, **row})
                    if i == 0:
                        arrays[f"{side}, {m}"] = posterior_index(found["posterior"])
        first = next(iter(plan.data.values()))
        assert first.truth is not None
        pixels = settings["pixels"]
        true = first.truth.posterior(on_plane(first.n_features, pixels))
        arrays["truth"] = posterior_index(true.reshape(pixels, pixels, 2))
        return Findings({"distances": rows}, arrays)

    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        from bokeh.layouts import gridplot

        from explorer.views.study_charts import Series, lines
        from explorer.views.study_maps import small_map

        def one(image: Any, title: str) -> Any:
            window = (-1.0, 1.0)
            return small_map(
                window, window, image=image, title=title, theme=theme, size=170, ticks=False
            )

        rows = [[one(result.arrays["truth"], f"Truth, {side}") for side in SIDES]]
        rows += [[one(result.arrays[f"{side}, {m}"], m) for side in SIDES] for m in MODELS]
        far = self._means(result)
        at = list(range(1, len(SIDES) + 1))
        chart = lines(
            [Series(m, at, [far[side, m] for side in SIDES]) for m in MODELS],
            x_label="",
            y_label="Hellinger distance",
            title="Mean pointwise Hellinger distance",
            theme=theme,
            percent=False,
            ticks=at,
            tick_labels=dict(zip(at, SIDES, strict=True)),
            width=520,
        )
        return {"posteriors": gridplot(rows, toolbar_location=None), "distances": chart}

    def _means(self, result: Result) -> dict[tuple[str, str], float]:
        name = "Hellinger distance on the plane"
        return {
            (side, m): float(
                np.mean(result.column("distances", name, representation=side, model=m))
            )
            for side in SIDES
            for m in MODELS
        }

    def _cause(self, result: Result) -> Cause | None:
        """One draw of the samples moves these distances by some hundredths."""
        few = result.settings["draws"] < self.scales["full"]["draws"]
        return Cause.SCALE if few else None

    def claims(self, result: Result) -> list[Claim]:
        far = self._means(result)

        def shown(*sides: str) -> dict[str, Any]:
            return {f"{side}, {m}": far[side, m] for side in sides for m in MODELS}

        best_raw = sorted(MODELS, key=lambda m: far["raw", m])[:2]
        worse = {m: far["corrupted", m] - far["raw", m] for m in MODELS}
        total = {m: sum(far[side, m] for side in SIDES) for m in MODELS}
        moved = {m: far["affine", m] - far["raw", m] for m in MODELS}
        return [
            Claim(
                "On the raw sparse parity problem F-RC and FRANK give estimates of the posteriors "
                "closest to the true posteriors.",
                "s.3.1, Fig. 2",
                set(best_raw) == {"F-RC", "FRANK"},
                shown("raw"),
            ),
            Claim(
                "All methods except for RR-RF(r) are affected by affine transformations; FRANK is "
                "slightly less affected than F-RC.",
                "s.3.1, Fig. 2",
                all(moved[m] > 0.02 for m in ("RF", "F-RC", "FRANK"))
                and abs(moved["RR-RF(r)"]) < 0.05
                and moved["FRANK"] < moved["F-RC"],
                {f"growth of the distance, {m}": v for m, v in moved.items()},
                "Affected: the distance grows by more than 0.02. RR-RF is left out of the check: "
                "like RR-RF(r) it has little to lose, as its distance is that of a guess already; "
                "and so has RF where its raw distance is no smaller than theirs.",
                self._cause(result),
            ),
            Claim(
                "Both F-RC and RR-RF are vulnerable to data corruption, while FRANK, RR-RF(r) and "
                "RF are robust to it.",
                "s.3.1, Fig. 2",
                min(worse["F-RC"], worse["RR-RF"])
                > max(worse["FRANK"], worse["RR-RF(r)"], worse["RF"]),
                {f"growth of the distance, {m}": v for m, v in worse.items()},
                "RR-RF can hardly become worse where its raw estimate is a guess.",
                self._cause(result),
            ),
            Claim(
                "Across all three sparse parity representations, FRANK performs the best.",
                "s.3.1, Fig. 2",
                total["FRANK"] == min(total.values()),
                {f"mean over representations, {m}": v / 3 for m, v in total.items()},
            ),
        ]
