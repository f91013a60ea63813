"""Votes, leaves and nearest samples of one sample, against one tree at a time."""

import numpy as np
import pytest

from explorer.analysis import explain
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def wine():
    return load("wine")


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "Ho"])
def test_votes_and_leaves_are_those_of_each_tree_by_itself(wine, family):
    if family not in FAMILIES:
        family = next(name for name in FAMILIES if FAMILIES[name].bootstrap == "none")
    forest = grow(FAMILIES[family].replace(n_tree=12, seed=1), wine.X, wine.y)
    found = explain(forest, wine, 70)
    assert found.truth == wine.y[70]
    for t in range(12):
        tree = forest.tree(t)
        leaf = tree.nodes[int(found.leaf[t])]
        assert leaf.is_leaf
        assert leaf.counts.argmax() == found.votes[t]
        alone = forest.part(t, t + 1).predict_proba(wine.X[70:71])[0]
        assert alone.argmax() == found.votes[t]
    np.testing.assert_allclose(found.posterior, forest.predict_proba(wine.X[70:71])[0])
    if forest.has_oob:
        assert np.array_equal(found.fresh, forest.bags()[:, 70] == 0)
    else:
        assert not found.fresh.any()


def test_the_nearest_samples_share_most_leaves(wine):
    forest = grow(FAMILIES["RF"].replace(n_tree=30, seed=0), wine.X, wine.y)
    found = explain(forest, wine, 5, nearest=7)
    ends = forest.apply(wine.X)
    alike = (ends == ends[5]).mean(axis=1)
    alike[5] = -1
    assert np.array_equal(found.nearest, np.argsort(-alike, kind="stable")[:7])
    np.testing.assert_allclose(found.nearness, np.sort(alike)[::-1][:7])


def test_a_sample_measured_later_has_no_class_and_no_tree_saw_it(wine):
    forest = grow(FAMILIES["RF"].replace(n_tree=10, seed=0), wine.X, wine.y)
    found = explain(forest, wine, wine.X[3])
    assert (found.sample, found.truth) == (-1, -1)
    assert found.fresh.all()
    assert found.nearest[0] == 3
    with pytest.raises(ValueError, match="There is no sample 500"):
        explain(forest, wine, 500)
