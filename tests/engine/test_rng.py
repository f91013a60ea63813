"""Each tree has random numbers of its own, known from (seed, t) alone."""

import numpy as np
import pytest
import scipy.stats

from explorer.engine import ForestSpec, grow

from . import calls, naive
from .toys import blobs


@pytest.mark.parametrize(("seed", "t"), [(0, 0), (1, 0), (0, 1), (2**63 - 1, 999_999)])
def test_the_generator_is_xoshiro_seeded_by_splitmix(seed, t):
    twin = naive.TreeRandom(seed, t)
    raw, unit, _ = calls.draws(seed, t, 20)
    assert raw.tolist() == [twin.draw() for _ in range(20)]
    assert unit.tolist() == [(twin.draw() >> 11) / 2**53 for _ in range(20)]


def test_uniform_and_normal_numbers_are_that():
    _, unit, bell = calls.draws(5, 3, 20_000)
    assert scipy.stats.kstest(unit, "uniform").pvalue > 1e-3
    assert scipy.stats.kstest(bell, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(bell[:-1], bell[1:])[0, 1]) < 0.03


def test_trees_and_seeds_do_not_share_numbers():
    streams = {calls.draws(s, t, 4)[0].tobytes() for s in range(20) for t in range(50)}
    assert len(streams) == 1000


@pytest.mark.parametrize("how", ["with", "without", "none"])
def test_bags_equal_the_twin_and_leave_out_rows_of_no_weight(how):
    X, y = blobs(1, n=40, K=2)
    weight = np.ones(40)
    weight[[3, 17]] = 0.0
    forest = grow(ForestSpec(n_tree=4, bootstrap=how, seed=9), X, y, sample_weight=weight)
    usable = np.flatnonzero(weight)
    for t, times in enumerate(forest.bags()):
        np.testing.assert_array_equal(times, naive.bag(9, t, usable, 40, how))
        assert not times[[3, 17]].any()
    np.testing.assert_array_equal(forest.bags(1, 3), forest.bags()[1:3])


def test_a_bag_without_replacement_holds_what_a_bootstrap_holds_on_average():
    X, y = blobs(1, n=1000, K=2)
    spec = ForestSpec(n_tree=20, max_depth=1)
    twice = grow(spec, X, y).bags()
    once = grow(spec.replace(bootstrap="without"), X, y).bags()
    assert (twice.sum(axis=1) == 1000).all()
    assert (once.sum(axis=1) == 632).all()
    assert once.max() == 1
    assert abs((twice > 0).mean() - 0.632) < 0.01
