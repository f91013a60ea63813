"""Limits of trees against scikit-learn's, which stops growing where we cut back."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from explorer.engine import FAMILIES, grow
from explorer.engine.limits import TreeLimits, limited

from .toys import blobs

WHOLE = FAMILIES["RF"].replace(n_tree=1, m_try="all", bootstrap="none")


def _data(seed: int):
    """Continuous features, where no two splits of a large node tie."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 4))
    return X, (X[:, 0] + 0.6 * X[:, 1] ** 2 + 0.8 * rng.normal(size=300) > 0.5).astype(int)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "limit",
    [
        {"max_leaf_nodes": 2},
        {"max_leaf_nodes": 7},
        {"min_impurity_decrease": 0.01},
        {"min_impurity_decrease": 0.5},
        {"ccp_alpha": 0.03},
    ],
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_limited_tree_predicts_as_scikit_learns(seed: int, limit: dict, criterion: str) -> None:
    X, y = _data(seed)
    forest = grow(WHOLE.replace(criterion=criterion, vote="posterior"), X, y)
    ours = limited(forest, TreeLimits(**limit), X)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **limit).fit(X, y)
    assert ours.tree(0).nodes[0].counts.sum() == 300
    assert int(ours.leaf_at[-1]) == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_no_limit_leaves_every_tree_as_it_is() -> None:
    X, y = _data(0)
    forest = grow(FAMILIES["oRF-lda"].replace(n_tree=4), X, y)
    assert limited(forest, TreeLimits(), X) is forest


@pytest.mark.parametrize("family", ["RF", "oRF-lda", "RR-RF"])
@pytest.mark.parametrize("limit", [{"max_leaf_nodes": 5}, {"min_impurity_decrease": 0.02}])
def test_out_of_bag_rows_move_to_the_leaf_that_holds_theirs(family: str, limit: dict) -> None:
    X, y = blobs(1, n=120, P=5, K=3, decimals=1)
    forest = limited(grow(FAMILIES[family].replace(n_tree=6), X, y), TreeLimits(**limit), X)
    leaves = forest.apply(X)
    for t, times in enumerate(forest.bags()):
        stored = forest.oob_leaf[forest.oob_at[t] : forest.oob_at[t + 1]]
        np.testing.assert_array_equal(stored, leaves[times == 0, t])
        counts = np.zeros((forest.leaf_at[t + 1] - forest.leaf_at[t], 3))
        np.add.at(counts, (leaves[:, t], y), times)
        np.testing.assert_array_equal(
            counts, forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
        )


@pytest.mark.parametrize("family", ["RF", "F-RC", "RDF-CAP"])
def test_no_leaf_has_fewer_samples_than_asked(family: str) -> None:
    X, y = _data(1)
    weight = np.random.default_rng(0).uniform(0.1, 5.0, 300)
    free = grow(FAMILIES[family].replace(n_tree=6), X, y, sample_weight=weight)
    forest = limited(free, TreeLimits(min_samples_leaf=12), X)
    sizes, smallest = [], []
    for one, out in ((forest, sizes), (free, smallest)):
        leaves = one.apply(X)
        for t, times in enumerate(one.bags()):
            out.append(np.bincount(leaves[:, t], times).min())
    assert min(sizes) >= 12
    assert max(smallest) < 12  # without the limit every tree has smaller ones
    assert np.diff(forest.node_at).min() > 1


def test_a_limited_forest_cannot_be_extended() -> None:
    X, y = _data(0)
    forest = limited(grow(FAMILIES["RF"].replace(n_tree=2), X, y), TreeLimits(max_leaf_nodes=3), X)
    with pytest.raises(ValueError, match="X and y"):
        forest.extend(4)
