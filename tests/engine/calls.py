"""Jitted steps made callable from Python: the one file that knows the kernels' signatures."""

import numba
import numpy as np

from explorer.engine.kernels import cut, impurity, rng, tridiagonal
from explorer.engine.kernels.scratch import make_bench

CRITERION = {"gini": impurity.GINI, "entropy": impurity.ENTROPY}


@numba.njit
def _best_cut(v, y, w, totals, criterion, floor, bench):
    return cut.best_cut(v, y, w, v.size, totals, criterion, floor, bench)


def best_cut(values, y, w, K, criterion, floor=-np.inf):
    """(gain, value below the cut, value above), or None where no cut beats ``floor``."""
    values = np.ascontiguousarray(values, float)
    w = np.ascontiguousarray(w, float)
    totals = np.bincount(y, weights=w, minlength=K)
    bench = make_bench(values.size, K)
    gain, il, ir = _best_cut(
        values, y.astype(np.int32), w, totals, CRITERION[criterion], float(floor), bench
    )
    return None if il < 0 else (gain, values[il], values[ir])


@numba.njit
def _worth(counts, criterion):
    return impurity.worth(counts, criterion)


def worth(counts, criterion):
    return _worth(np.asarray(counts, float), CRITERION[criterion])


@numba.njit
def _split_information(left, right):
    return impurity.split_information(left, right)


def split_information(left, right):
    return _split_information(float(left), float(right))


@numba.njit
def midpoint(a, b):
    return cut.midpoint(a, b)


@numba.njit
def _ridge_path(G, b, lambdas, coef, vec):
    tridiagonal.ridge_path(G, b, b.size, lambdas, coef, vec)


def ridge_path(G, b, lambdas):
    """Solutions of (G + lambda I) x = b, one row per lambda."""
    n = len(b)
    lambdas = np.asarray(lambdas, float)
    coef = np.empty((len(lambdas), n))
    _ridge_path(np.array(G, float), np.array(b, float), lambdas, coef, np.empty((8, n + 1)))
    return coef


@numba.njit
def _draws(seed, t, count):
    state = np.empty(4, np.uint64)
    rng.seed_tree(state, seed, t)
    raw = np.empty(count, np.uint64)
    for i in range(count):
        raw[i] = rng.draw(state)
    unit = np.empty(count)
    for i in range(count):
        unit[i] = rng.uniform(state)
    bell = np.empty(count)
    for i in range(count):
        bell[i] = rng.normal(state)
    return raw, unit, bell


def draws(seed, t, count):
    """(uint64, uniform, normal) numbers of tree t, one after the other."""
    return _draws(np.uint64(seed), t, count)
