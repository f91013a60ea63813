"""Warming: after it, nothing compiles again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.engine import FAMILIES, warm
from explorer.engine.kernels.directions import DIRECTIONS

# other data, classes, widths, options and planes than warming used; then count what was compiled
ASK = """
import pickle, sys
import numpy as np
from explorer.engine import FAMILIES, Plane, grow
rng = np.random.default_rng(1)
weight = rng.random(300)
X = rng.normal(size=(300, 7)).astype(np.float32)
y = np.array(["a", "b"])[(X[:, 0] + X[:, 1] > 0).astype(int)]
at = np.zeros(7)
for name in {families!r}:
    for knobs in (dict(), dict(scaling="zscore", vote="bayesian", seed=5), dict(scaling="rank")):
        forest = grow(FAMILIES[name].replace(n_tree=9, **knobs), X, y, sample_weight=weight)
        for f in (forest, forest.take(4), forest.extend(11), pickle.loads(pickle.dumps(forest))):
            f.predict(X), f.apply(X), f.oob_error
            f.posterior_on(Plane.axes(2, 5, (-1, 1), (-1, 1), at), 40, 70)
            f.posterior_on(Plane(at, rng.normal(size=7), rng.normal(size=7)), 40, 70, trees=3)
hits = misses = 0
for module in [m for k, m in sys.modules.items() if k.startswith("explorer.engine.kernels")]:
    for thing in vars(module).values():
        if hasattr(thing, "stats") and hasattr(thing, "py_func"):
            hits += sum(thing.stats.cache_hits.values())
            misses += sum(thing.stats.cache_misses.values())
print(hits, misses)
"""


def _python(code: str, cache: Path) -> str:
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"EXPLORER_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout


@pytest.mark.parametrize("processes", [1, 2])
def test_a_second_process_compiles_nothing_after_warming(tmp_path: Path, processes: int) -> None:
    # two families only: a full compile takes minutes. They share all but the growing kernels.
    names = ["RF", "F-RC"]
    call = f"warm(families={names!r}, processes={processes})"
    _python(f"from explorer.engine import warm; {call}", tmp_path)
    hits, misses = map(int, _python(ASK.format(families=names), tmp_path).split())
    assert misses == 0
    assert hits >= 9  # two growing, ranks, columns, leaves, votes, out of bag, bags, two drawing


def test_warming_without_names_covers_every_file_of_splits() -> None:
    steps = sys.modules[warm.__module__]._steps(list(FAMILIES))
    growing = [what for what, _ in steps if what.startswith("growing")]
    assert len(growing) == len({direction.module for direction in DIRECTIONS.values()})
    named = {name for what in growing for name in what.removeprefix("growing ").split(", ")}
    assert named == set(FAMILIES)


def test_warming_reports_every_step_and_the_end() -> None:
    seen: list[tuple[int, int, str]] = []
    warm(lambda *step: seen.append(step), ["RF"])
    done, totals, words = zip(*seen, strict=True)
    assert list(done) == list(range(totals[0] + 1))
    assert words[0] == "growing RF"
    assert words[-1] == "ready"


def test_warming_an_unknown_family_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'pines'.*choose from CART, RF"):
        warm(families=["pines"])
