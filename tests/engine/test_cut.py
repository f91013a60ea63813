"""The cut search finds what trying every cut finds: the best, the lowest on ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from . import calls, naive
from .toys import SLOW

CRITERIA = ("gini", "entropy")
# below, at and above the size from which samples are dropped into buckets, and well above it
SIZES = (2, 3, 17, 40, 41, 42, 90, 333)


def agree(values, y, w, K, criterion):
    """The kernel's cut is one of the best cuts, and says what it gains."""
    found = calls.best_cut(values, y, w, K, criterion)
    every = naive.cuts(values, y, w, K, criterion)
    if not every:
        assert found is None
        return
    gain, below, above = found
    gains = {(a, b): g for g, a, b in every}
    scale = w.sum()
    assert (below, above) in gains, "not a cut between neighbours"
    assert gain == pytest.approx(gains[below, above], abs=1e-10 * scale)
    assert gain == pytest.approx(max(gains.values()), abs=1e-10 * scale)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("K", [2, 3, 7])
@pytest.mark.parametrize("n", SIZES)
def test_the_best_cut_is_found(n, K, criterion, rng):
    for tied in (False, True):
        for weighted in (False, True):
            y = rng.integers(0, K, n)
            values = rng.normal(size=n) + 0.7 * y
            if tied:
                values = np.round(values * 2) / 2
            w = rng.choice([0.3, 1.0, 2.5], n) if weighted else np.ones(n)
            agree(values, y, w, K, criterion)


@pytest.mark.parametrize("n", SIZES)
def test_ties_go_to_the_lowest_value(n, rng):
    """Whole weights make Gini sums exact enough to tie; the twin breaks ties downwards too."""
    for K in (2, 3):
        for _ in range(10):
            values = rng.integers(0, 12, n).astype(float)
            y = rng.integers(0, K, n)
            found = calls.best_cut(values, y, np.ones(n), K, "gini")
            every = naive.cuts(values, y, np.ones(n), K, "gini")
            if not every:
                assert found is None
                continue
            top = max(g for g, _, _ in every)
            lowest = min(a for g, a, _ in every if g >= top - 1e-9 * n)
            assert found[1] == lowest


def test_a_mirror_image_is_cut_at_the_lower_of_its_two_best_places():
    for n in (3, 30, 60):  # one class between two halves of the other
        values = np.arange(3.0 * n)
        y = np.repeat([0, 1, 0], n)
        gain, below, above = calls.best_cut(values, y, np.ones(3 * n), 2, "gini")
        assert (below, above) == (n - 1, n)
        assert gain == pytest.approx(naive.best_cut(values, y, np.ones(3 * n), 2, "gini")[0])


@pytest.mark.parametrize("n", [5, 50, 500])
def test_values_in_clumps_and_gaps_hide_no_cut(n, rng):
    """Buckets of equal width: nearly all samples in one of them, a few far away."""
    for K in (2, 4):
        y = rng.integers(0, K, n)
        values = rng.normal(size=n) * 1e-9 + 1e-9 * y
        values[rng.integers(n)] = 1e6
        values[rng.integers(n)] = -1e3
        agree(values, y, np.ones(n), K, "gini")


@pytest.mark.parametrize("n", [6, 60])
@pytest.mark.parametrize("scale", [1e-300, 1e300, 1e307])
def test_scale_does_not_matter(n, scale, rng):
    values, y = rng.normal(size=n), rng.integers(0, 2, n)
    here = calls.best_cut(values, y, np.ones(n), 2, "gini")
    there = calls.best_cut(values * scale, y, np.ones(n), 2, "gini")
    assert there[0] == here[0]
    assert there[1] == here[1] * scale


@pytest.mark.parametrize("n", [8, 80])
def test_equal_values_cannot_be_cut(n):
    assert calls.best_cut(np.full(n, 2.5), np.arange(n) % 2, np.ones(n), 2, "gini") is None


@pytest.mark.parametrize("n", [8, 80])
def test_only_a_gain_above_the_floor_is_reported(n, rng):
    values, y = rng.normal(size=n), rng.integers(0, 2, n)
    gain, below, _ = calls.best_cut(values, y, np.ones(n), 2, "gini")
    assert calls.best_cut(values, y, np.ones(n), 2, "gini", floor=gain * 1.001) is None
    assert calls.best_cut(values, y, np.ones(n), 2, "gini", floor=gain * 0.999)[1] == below


@pytest.mark.parametrize("n", [8, 80])
def test_a_node_that_no_cut_improves_is_cut_all_the_same(n):
    """Exclusive or: each cut gains nothing, but growing must go on."""
    values, y = np.repeat([0.0, 1.0], n), np.tile([0, 1], n)
    gain, below, above = calls.best_cut(values, y, np.ones(2 * n), 2, "gini")
    assert (gain, below, above) == (pytest.approx(0.0), 0.0, 1.0)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    n=st.integers(1, 120),
    K=st.integers(2, 5),
    distinct=st.integers(1, 60),
    criterion=st.sampled_from(CRITERIA),
    skew=st.sampled_from([1.0, 5.0, 40.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_node_is_cut_as_the_twin_cuts_it(n, K, distinct, criterion, skew, seed):
    rng = np.random.default_rng(seed)
    palette = rng.normal(size=distinct) ** 3 * skew ** rng.normal(size=distinct)
    values = rng.choice(palette, n)
    y = np.minimum(rng.integers(0, K, n), rng.integers(0, K, n))
    w = rng.choice([0.1, 1.0, 3.0, 1e3], n)
    agree(values, y, w, K, criterion)


def test_the_midpoint_keeps_both_sides_apart():
    tiny = np.nextafter(0.0, 1.0)
    for a, b in [
        (0.0, 1.0),
        (1.0, np.nextafter(1.0, 2.0)),
        (-1e308, 1e308),
        (1e308, 1.7e308),
        (0.0, tiny),
        (-tiny, 0.0),
        (-tiny, tiny),
    ]:
        c = calls.midpoint(a, b)
        assert a <= c < b
    assert calls.midpoint(1.0, 2.0) == 1.5
