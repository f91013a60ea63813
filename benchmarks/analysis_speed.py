"""Speed of analysis against its bars, as ratios within one run.

    python benchmarks/analysis_speed.py [--quick]

Each measurement is the best of several, after one call that compiles; the two sides of a ratio
take turns, so that a busy machine slows both.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance as sklearn_permutation

from explorer import analysis, data
from explorer.analysis.importance import permutation_importance
from explorer.engine import FAMILIES, grow, measures


def in_turns(sides: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """Fewest seconds of each side, the sides taking turns."""
    for run in sides.values():
        run()
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(times):
        for name, run in sides.items():
            before = time.perf_counter()
            run()
            found[name].append(time.perf_counter() - before)
    return {name: min(seconds) for name, seconds in found.items()}


def say(what: str, ratio: float, bar: float, below: bool, detail: str) -> None:
    good = ratio <= bar if below else ratio >= bar
    sign = "<=" if below else ">="
    print(f"{'ok  ' if good else 'MISS'} {what}: {ratio:.2f} (bar {sign} {bar:g})   {detail}")


def spectra(n: int = 200, p: int = 700):
    return data.load("spectra_ir", n=n, p=p)


def two_features(leaves: float, family: str, n_tree: int):
    """A forest on two features with about as many leaves per tree."""
    best, gap = None, np.inf
    for n in (30, 60, 120, 200, 300, 450):
        d = data.load("mixture").take(np.arange(min(n, 200)))
        if n > 200:
            truth = data.load("mixture").truth
            X, y = truth.sample(n, np.random.default_rng(0))
            d = d.replace(X=X, y=y, sample_names=None, groups=None)
        forest = grow(FAMILIES[family].replace(n_tree=n_tree), d.X, d.y)
        away = abs(len(forest.counts) / n_tree - leaves)
        if away < gap:
            best, gap = (forest, d), away
    return best


def maps(times: int) -> None:
    d = spectra()
    planes = {
        "two channels": analysis.feature_plane(d, 100, 500),
        "two components": analysis.component_plane(d),
    }
    for family in ("RF", "oRF-ridge"):
        forest = grow(FAMILIES[family].replace(n_tree=300), d.X, d.y)
        small, flat = two_features(len(forest.counts) / 300, family, 300)
        for name, plane in planes.items():
            options = {"boundary": "none", "truth": False}
            found = in_turns(
                {
                    "700": lambda f=forest, p=plane, o=options: analysis.posterior_map(
                        f, d, p, 300, 300, **o
                    ),
                    "2": lambda f=small, e=flat, o=options: analysis.posterior_map(
                        f, e, None, 300, 300, **o
                    ),
                },
                times,
            )
            leaves = f"{len(forest.counts) / 300:.0f} and {len(small.counts) / 300:.0f} leaves"
            say(
                f"map of P = 700 over P = 2, {family}, {name}",
                found["700"] / found["2"],
                3,
                True,
                f"{1e3 * found['700']:.1f} and {1e3 * found['2']:.1f} ms, {leaves} per tree",
            )


def proximities(times: int) -> None:
    truth = data.load("twonorm").truth
    X, y = truth.sample(1000, np.random.default_rng(0))
    d = data.load("twonorm").replace(X=X, y=y)
    forest = grow(FAMILIES["RF"].replace(n_tree=300), d.X, d.y)
    sklearn = RandomForestClassifier(300, random_state=0).fit(d.X, d.y)
    bags = forest.bags()  # sklearn does not tell its own; any will do for the time

    def with_numpy():
        leaves = sklearn.apply(d.X)
        same, both = np.zeros((2, 1000, 1000), np.int32)
        for t in range(300):
            out = bags[t] == 0
            pair = out[:, None] & out[None, :]
            both += pair
            same += pair & (leaves[:, t][:, None] == leaves[:, t][None, :])
        return same / np.maximum(both, 1)

    found = in_turns(
        {"numpy": with_numpy, "ours": lambda: measures.meetings(forest).proximity()}, times
    )
    say(
        "proximity, 1000 samples x 300 trees, over sklearn's apply and numpy",
        found["numpy"] / found["ours"],
        10,
        False,
        f"{1e3 * found['ours']:.1f} and {1e3 * found['numpy']:.0f} ms",
    )
    whole = in_turns({"record": lambda: analysis.proximity(forest, d)}, times)
    print(f"     the whole record, MDS and prototypes included: {1e3 * whole['record']:.0f} ms")


def anova(times: int) -> None:
    for name, d in (("200 x 700", spectra()), ("300 x 20", data.load("threenorm", n=300))):
        for family in ("oRF-ridge", "oRF-lda", "oRF-log"):
            spec = FAMILIES[family].replace(n_tree=300)
            forest = grow(spec, d.X, d.y)
            found = in_turns(
                {
                    "grow": lambda s=spec, d=d: grow(s, d.X, d.y),
                    "anova": lambda f=forest: measures.anova_counts(f),
                },
                times,
            )
            say(
                f"ANOVA over growing, {family}, {name}",
                found["anova"] / found["grow"],
                0.5,
                True,
                f"{1e3 * found['anova']:.0f} and {1e3 * found['grow']:.0f} ms",
            )


def permutation(times: int, features: int) -> None:
    d = spectra()
    forest = grow(FAMILIES["RF"].replace(n_tree=300), d.X, d.y)
    ours = in_turns({"ours": lambda: permutation_importance(forest, d)}, times)["ours"]
    # sklearn permutes one feature after the other; a quick run times some and scales them up
    some = d.select(np.arange(features))
    few = RandomForestClassifier(300, random_state=0).fit(some.X, some.y)
    before = time.perf_counter()
    sklearn_permutation(few, some.X, some.y, n_repeats=1, random_state=0)
    theirs = (time.perf_counter() - before) * d.n_features / features
    say(
        "permutation importance, 300 trees, 200 x 700, over sklearn.inspection",
        theirs / ours,
        5,
        False,
        f"{1e3 * ours:.0f} ms and {theirs:.1f} s ({features} of 700 features timed)",
    )
    slanted = grow(FAMILIES["oRF-ridge"].replace(n_tree=300), d.X, d.y)
    found = in_turns({"ridge": lambda: permutation_importance(slanted, d)}, times)
    print(f"     of oRF-ridge: {1e3 * found['ridge']:.0f} ms")


def boundaries(times: int) -> None:
    d = data.load("mixture")
    for family in ("RF", "oRF-ridge"):
        forest = grow(FAMILIES[family].replace(n_tree=100), d.X, d.y)
        found = in_turns(
            {
                kind: lambda f=forest, k=kind: analysis.posterior_map(
                    f, d, None, 300, 300, boundary=k, truth=False
                )
                for kind in ("none", "raster", "exact")
            },
            times,
        )
        print(
            f"     map of 100 trees, 300 x 300, {family}: "
            + ", ".join(f"boundary {k} {1e3 * v:.1f} ms" for k, v in found.items())
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    quick = parser.parse_args().quick
    times = 3 if quick else 9
    maps(times)
    proximities(3)
    anova(times)
    permutation(times, 20 if quick else 700)
    boundaries(times)


if __name__ == "__main__":
    main()
