"""Every kernel that walks over a forest's arrays, called for hostile files and for huge numbers.

Run it as a program, in a process of its own and with NUMBA_BOUNDSCHECK=1: an index that is out of
bounds is then an IndexError, where it would otherwise damage memory or end the process.
"""

import io
import json
import sys
import warnings

import numpy as np

from explorer.engine import FAMILIES, Forest, Plane
from explorer.engine.flat import flatten
from explorer.engine.measures import anova_counts, meetings, node_sums, permutation_drops

from .forged_forests import forgeries
from .toys import blobs, grown

X, Y = blobs(1, n=40, P=4, K=3)
SIDE = np.linspace(0.0, 1.0, 6)
ACCEPTING = ("RF", "oRF-mixed", "RR-RF")
SAVED = ("RF", "FRANK", "RR-RF", "oRF-ridge", "CART")


def saved(forest):
    out = io.BytesIO()
    forest.save(out)
    return out.getvalue()


def use(forest, X):
    """Ask a forest everything that leads into a kernel."""
    forest.predict_proba(X, threads=1)
    forest.apply(X, threads=1)
    if forest.spec.missing == "accept":
        gaps = X.copy()
        gaps[::3, ::2] = np.nan
        forest.predict_proba(gaps, threads=1)
        forest.apply(gaps, threads=1)
        if len(X) == forest.training.codes.size and forest.has_oob:
            permutation_drops(forest, X=gaps, threads=1, take=lambda first, drop: None)
            anova_counts(forest, X=gaps, threads=1, tables=True)
    low, high = np.maximum(X.min(axis=0), -8e307), np.minimum(X.max(axis=0), 8e307)
    across = Plane.axes(0, 1, (low[0], high[0]), (low[1], high[1]), X[0])
    slanted = Plane(low, high / 2 - low / 2, np.linspace(0.5, 1.0, low.size))
    a, b = np.column_stack([0 * SIDE, SIDE]), np.column_stack([0 * SIDE + 1, SIDE])
    for plane in (across, slanted):
        picture = forest.posterior_on(plane, 7, 9, threads=1)
        assert np.isfinite(picture).all()
        flat = flatten(forest, plane)
        if flat is not None:
            flat.cross(a, b, threads=1)
            flat.predict_proba(a, threads=1)
    node_sums(forest)
    if forest.has_oob:
        _ = forest.oob_error
        meetings(forest, threads=1).proximity(threads=1)
    if len(X) == forest.training.codes.size:
        anova_counts(forest, X=X, threads=1, tables=True)
        if forest.has_oob:
            permutation_drops(forest, X=X, threads=1, take=lambda first, drop: None)
    for tree in forest:
        str(tree)


def hostile_files(seed, count):
    """Files that are whole as zips and wrong as forests are refused, or do no harm."""
    samples = [saved(grown(name, X, Y, n_tree=3)) for name in SAVED]
    samples.append(saved(grown("RF", X, Y, n_tree=3, scaling="rank")))
    gaps = X.copy()
    gaps[::5, 1] = np.nan
    samples += [saved(grown(name, gaps, Y, n_tree=3, missing="accept")) for name in ACCEPTING]
    refused, wrong = 0, []
    for what, data in forgeries(samples, count, seed):
        try:
            forest = Forest.load(io.BytesIO(data))
        except ValueError as error:
            if not str(error).startswith("This file is "):
                wrong.append((what, str(error)))
            refused += 1
            continue
        try:
            use(forest, X)
        except IndexError as error:
            wrong.append((what, repr(error)))
    return {"refused": refused, "wrong": wrong}


def huge(rng, n, P):
    """Columns near the largest number, with both signs and with small ones among them."""
    tops = rng.choice([1.0, 1e150, 1e300, 8e307, 1.7e308], size=P)
    return rng.uniform(-1, 1, size=(n, P)) * tops


def huge_numbers(seed, count):
    """Forests of all families on numbers near 1e308 grow, answer, and come back from a file."""
    rng = np.random.default_rng(seed)
    wrong = []
    for k in range(count):
        name = list(FAMILIES)[k % len(FAMILIES)]
        n = int(rng.choice([20, 60, 400]))
        data, y = huge(rng, n, 4), np.arange(n) % 3
        scaling = str(rng.choice(["none", FAMILIES[name].scaling, "rank", "zscore"]))
        try:
            forest = grown(name, data, y, n_tree=2, scaling=scaling)
            use(forest, data)
            use(Forest.load(io.BytesIO(saved(forest))), data)
        except (IndexError, AssertionError, ValueError) as error:
            wrong.append((name, scaling, repr(error)))
    return {"wrong": wrong}


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # overflows are what this is about
    what = {"hostile_files": hostile_files, "huge_numbers": huge_numbers}[sys.argv[1]]
    print(json.dumps(what(int(sys.argv[2]), int(sys.argv[3]))))
