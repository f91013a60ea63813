"""Jitted steps made callable from Python: the one file that knows the kernels' signatures."""

import numba
import numpy as np

from explorer.engine.kernels import cut, impurity, rng, tridiagonal
from explorer.engine.kernels.directions import DIRECTIONS, ridge
from explorer.engine.kernels.levels import best_level_cut
from explorer.engine.kernels.present import with_present_classes
from explorer.engine.kernels.scratch import Node, make_bench, make_model

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
def _rotate_columns(G, b, A, vec, sums):
    tridiagonal.reduce(G, b, b.size, vec)
    tridiagonal.rotate_columns(G, b.size, A, A.shape[1], sums)


def reduced(G, b, A):
    """(T, Q'b, Q'A) of the tridiagonal reduction G = Q T Q'."""
    G, b, A = np.array(G, float), np.array(b, float), np.array(A, float)
    n = b.size
    vec = np.empty((8, n + 1))
    _rotate_columns(G, b, A, vec, np.empty(512))
    beside = vec[1, : n - 1]
    return np.diag(vec[0, :n]) + np.diag(beside, 1) + np.diag(beside, -1), b, A


@numba.njit
def _left_out_errors(group, rows, n, m, w, lambdas, model):
    mean, total = 0.0, 0.0
    for i in range(n):
        mean += w[i] * model.target[i]
        total += w[i]
    floor, lift = ridge.reduced_system(n, m, w, mean / total, model)
    ridge.choose_left_out(group, rows, 0, n, m, mean / total, total, lambdas, floor, lift, model)
    return model.vec[ridge.ERROR, : lambdas.size].copy()


def left_out_errors(Z, target, w, lambdas, groups=None):
    """Squared leave-one-out (or leave-one-group-out) errors of the ridge at each lambda.

    Z: [n, m], standardised with w; rows of a group stand next to each other.
    """
    n, m = Z.shape
    extra = DIRECTIONS["ridge"].extra(min(m, n) + 1, n, m)
    model = make_model(n, 2, m, len(lambdas), extra)
    model.Z[:m] = Z.T
    model.target[:] = target
    group = np.empty(0, np.int32) if groups is None else np.asarray(groups, np.int32)
    rows = np.arange(n, dtype=np.int32)
    return _left_out_errors(group, rows, n, m, w.astype(float), np.asarray(lambdas, float), model)


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


@numba.njit
def _best_level_cut(rank, levels, rows, y, w, totals, criterion, floor, bench):
    return best_level_cut(rank, levels, rows, 0, rows.size, y, w, totals, criterion, floor, bench)


def level_cut(values, y, w, K, criterion, floor=-np.inf, bench=None):
    """As ``best_cut``, by the search for features with few distinct values."""
    distinct, rank = np.unique(values, return_inverse=True)
    bench = make_bench(len(values), K) if bench is None else bench
    gain, low, high = _best_level_cut(
        rank.astype(np.uint32),
        distinct.size,
        np.arange(len(values), dtype=np.int32),
        y.astype(np.int32),
        np.ascontiguousarray(w, float),
        np.bincount(y, weights=w, minlength=K),
        CRITERION[criterion],
        float(floor),
        bench,
    )
    return None if low < 0 else (gain, distinct[low], distinct[high])


@numba.njit(_nrt=False)
def _present(node, bench, codes):
    found = with_present_classes(node, bench)
    for i in range(codes.size):
        codes[i] = found.y[i]
    return found.totals.size


def present_classes(y, w, K):
    """(codes, class sums) of the classes that are present."""
    n = len(y)
    rows, none = np.arange(n, dtype=np.int32), np.empty(0, np.int32)
    totals = np.bincount(y, weights=w, minlength=K)
    node = Node(rows, 0, n, none, 0, 0, y.astype(np.int32), np.asarray(w, float), totals, none)
    bench, codes = make_bench(n, K), np.empty(n, np.int32)
    present = _present(node, bench, codes)
    return codes, totals if present == K else bench.pair[2, :present]
