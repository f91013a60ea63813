"""Features with few distinct values are cut as by trying every cut, and leave no trace behind."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, grow
from explorer.engine.kernels.levels import LEVELS
from explorer.engine.kernels.scratch import make_bench

from . import calls, naive


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("K", [2, 3, 7, 26])
@pytest.mark.parametrize("n", [2, 3, 17, 90, 700])
def test_the_best_cut_between_levels_is_the_twins(n, K, criterion, rng):
    for levels in (2, 9, 70):
        for weighted in (False, True):
            y = rng.integers(0, K, n)
            values = np.floor(rng.uniform(0, levels, n) + 0.3 * y)
            w = rng.choice([0.3, 1.0, 2.5], n) if weighted else np.ones(n)
            found = calls.level_cut(values, y, w, K, criterion)
            every = naive.cuts(values, y, w, K, criterion)
            if not every:
                assert found is None
                continue
            gains = {(a, b): g for g, a, b in every}
            gain, below, above = found
            assert gain == pytest.approx(gains[below, above], abs=1e-10 * w.sum())
            assert gain == pytest.approx(max(gains.values()), abs=1e-10 * w.sum())


@pytest.mark.parametrize("K", [2, 3, 11])
def test_levels_and_sorted_samples_give_the_same_cut_to_the_bit(K, rng):
    """Gini sums of whole weights are exact, so both searches must agree in every bit."""
    for n in (5, 60, 255, 256, 257, 3000):
        for levels in (2, 16, 250, LEVELS):
            y = rng.integers(0, K, n)
            values = rng.integers(0, levels, n).astype(float) + y
            w = rng.integers(1, 4, n).astype(float)
            cut = calls.best_cut(values, y, w, K, "gini")
            if np.unique(values).size <= LEVELS:
                assert calls.level_cut(values, y, w, K, "gini") == cut
            if cut is not None:
                assert calls.level_cut(values, y, w, K, "gini", floor=cut[0]) is None


def test_a_search_clears_what_it_filled(rng):
    bench = make_bench(500, 5)
    for K in (5, 2):
        for levels in (LEVELS, 7):
            values = rng.integers(0, levels, 500).astype(float)
            calls.level_cut(values, rng.integers(0, K, 500), np.ones(500), K, "gini", bench=bench)
            assert not bench.cells.any()
            assert not bench.seen.any()
            assert not bench.words.any()


def test_few_and_many_distinct_values_grow_the_same_trees(rng):
    """One more distinct value in a row outside every bag moves a feature to the other search."""
    n = LEVELS + 600
    y = rng.integers(0, 6, n)
    X = rng.integers(0, 300, (n, 4)).astype(float) + 5 * y[:, None]
    weight = np.ones(n)
    weight[: LEVELS + 1] = 0.0  # never in a bag
    wide = X.copy()
    wide[: LEVELS + 1] = np.arange(LEVELS + 1)[:, None] / 7 + 1000
    spec = FAMILIES["RF"].replace(n_tree=6)
    few = grow(spec, X, y, sample_weight=weight)
    many = grow(spec, wide, y, sample_weight=weight)
    for name in ("feature", "left", "cut", "gain", "counts"):
        assert np.array_equal(getattr(few, name), getattr(many, name)), name


@pytest.mark.parametrize("K", [2, 3, 9])
def test_classes_present_at_a_node_are_numbered_without_gaps(K, rng):
    for kept in ([0, K - 1], list(range(K)), [K - 1, K - 2]):
        y = rng.choice(kept, 40)
        y[: len(kept)] = kept
        w = rng.uniform(0.5, 2, 40)
        codes, totals = calls.present_classes(y, w, K)
        distinct, expected = np.unique(y, return_inverse=True)
        assert np.array_equal(codes, expected)
        assert np.array_equal(totals, np.bincount(y, weights=w, minlength=K)[distinct])


@pytest.mark.parametrize("n", [300, 2000, 9000])
@pytest.mark.parametrize("K", [3, 8, 40])
def test_bounds_for_many_classes_hide_no_cut(n, K, rng):
    """Buckets are left unsorted only where no cut inside can win."""
    for strength in (0.0, 0.3, 3.0):
        y = rng.integers(0, K, n)
        values = rng.normal(size=n) + strength * y
        gain, below, above = calls.best_cut(values, y, np.ones(n), K, "gini")
        order = np.argsort(values)
        left = np.cumsum(np.eye(K)[y[order]], axis=0)[:-1]
        right = left[-1] + np.eye(K)[y[order[-1]]] - left
        size = np.arange(1, n)
        total = np.bincount(y, minlength=K)
        gains = (left**2).sum(1) / size + (right**2).sum(1) / (n - size) - (total**2).sum() / n
        assert gain == pytest.approx(gains.max(), abs=1e-9 * n)
        at = int(gains.argmax())
        assert (below, above) == (values[order[at]], values[order[at + 1]])
