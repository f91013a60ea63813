"""Cuts by hand: what they gain, by counting; and that the best slanted one beats straight ones."""

import numpy as np
import pytest

from explorer.analysis.hand_cut import cut_search, hand_cut
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def clouds():
    return load("clouds")  # long thin clouds at 45 degrees


def gini(codes):
    _, counts = np.unique(codes, return_counts=True)
    return 1 - ((counts / counts.sum()) ** 2).sum() if len(codes) else 0.0


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_a_cut_gains_what_counting_says(clouds, family):
    forest = grow(FAMILIES[family].replace(n_tree=2, m_try=2, seed=0), clouds.X, clouds.y)
    search = cut_search(forest, clouds, 1, 0, (0, 1))
    assert search.before == pytest.approx(gini(search.y))
    for angle, cut in ((0.0, 0.1), (37.0, -0.4), (-90.0, 0.0)):
        found = hand_cut(search, angle, cut)
        turn = np.deg2rad(angle)
        left = search.z @ [np.cos(turn), np.sin(turn)] <= cut
        after = left.mean() * gini(search.y[left]) + (~left).mean() * gini(search.y[~left])
        assert found.gained == pytest.approx(search.before - after)
        assert found.after == pytest.approx(after)
        assert found.counts.sum() == len(search.y)
        assert found.gains.max() <= search.best.max() + 1e-12


def test_a_slanted_cut_of_slanted_clouds_beats_every_straight_one(clouds):
    forest = grow(FAMILIES["RF"].replace(n_tree=1, m_try=2, seed=0), clouds.X, clouds.y)
    search = cut_search(forest, clouds, 0, 0, (0, 1))
    assert search.angles[search.straight] in (-90.0, 0.0)
    assert search.best[search.slanted] > 2 * search.best[search.straight]
    assert abs(abs(search.angles[search.slanted]) - 45) < 10


def test_the_forests_own_straight_cut_is_the_best_straight_one(clouds):
    """With both features to look at, RF takes the best cut of one feature: a mark to find."""
    forest = grow(FAMILIES["RF"].replace(n_tree=1, m_try=2, seed=3), clouds.X, clouds.y)
    search = cut_search(forest, clouds, 0, 0, (0, 1))
    assert search.chosen == pytest.approx(search.best[search.straight])
    best = hand_cut(search, search.angles[search.straight], search.best_cut[search.straight])
    assert best.gained == pytest.approx(search.chosen)
