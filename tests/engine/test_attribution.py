"""Shapley values: equal to counting every coalition, to shap's explainers, and to the axioms."""

import itertools
import threading
from math import factorial

import numpy as np
import pytest

from explorer.engine import FAMILIES, Cancelled, grow
from explorer.engine.attribution import shapley

FORESTS = ("RF", "oRF-ridge", "oRF-mixed", "F-RC", "RR-RF", "FRANK")
SMALL = np.arange(5)
GROUPS = np.array([0, 0, 1, 2, 1])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    y = (X[:, 0] + 0.7 * X[:, 1] > X[:, 2]).astype(int) + (X[:, 3] > 1)
    return X, y


def grown(data, family, **changes):
    return grow(FAMILIES[family].replace(n_tree=15, seed=1, **changes), *data)


def every_coalition(forest, x, background, players):
    """The definition: the mean over all orders of what a player adds, by way of all coalitions."""
    M = players.max() + 1
    worth = {}
    for inside in itertools.product([0, 1], repeat=M):
        taken = np.array(inside)[players] == 1
        worth[inside] = forest.predict_proba(np.where(taken, x, background)).mean(axis=0)
    values = np.zeros((M, forest.n_classes))
    for inside, before in worth.items():
        for g in range(M):
            if not inside[g]:
                after = worth[(*inside[:g], 1, *inside[g + 1 :])]
                s = sum(inside)
                share = factorial(s) * factorial(M - s - 1) / factorial(M)
                values[g] += share * (after - before)
    return values


@pytest.mark.parametrize("players", [SMALL, GROUPS], ids=["features", "groups"])
@pytest.mark.parametrize("family", FORESTS)
def test_exact_values_equal_the_sum_over_every_coalition(data, family, players):
    forest = grown(data, family)
    X = data[0]
    found = shapley(forest, X[3], X[10:30], players, exact=True)
    assert found.exact
    np.testing.assert_allclose(
        found.values, every_coalition(forest, X[3], X[10:30], players), atol=1e-12
    )


@pytest.mark.parametrize("changes", [{"vote": "weighted"}, {"vote": "bayesian"}])
def test_weighted_votes_are_shared_out_too(data, changes):
    forest = grown(data, "oRF-ridge", **changes)
    X = data[0]
    found = shapley(forest, X[0], X[50:60], GROUPS)
    np.testing.assert_allclose(
        found.values, every_coalition(forest, X[0], X[50:60], GROUPS), atol=1e-12
    )


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("family", FORESTS)
def test_values_sum_to_the_posterior_less_the_base(data, family, exact):
    forest, X = grown(data, family), data[0]
    found = shapley(forest, X[5], X[40:60], exact=exact, target=0.01)
    np.testing.assert_allclose(found.posterior, forest.predict_proba(X[5:6])[0], atol=1e-12)
    np.testing.assert_allclose(found.base, forest.predict_proba(X[40:60]).mean(0), atol=1e-12)
    np.testing.assert_allclose(found.values.sum(axis=0), found.posterior - found.base, atol=1e-9)


@pytest.mark.parametrize("exact", [True, False])
def test_a_feature_that_no_split_uses_gets_nothing(data, exact):
    X, y = data
    wide = np.column_stack([X, np.ones(len(X))])  # a constant is never cut
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=15, seed=1), wide, y)
    other = wide[40:60].copy()
    other[:, 5] = np.linspace(-9, 9, 20)
    found = shapley(forest, wide[0], other, exact=exact, target=0.01)
    assert abs(found.values[5]).max() <= 1e-9


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_players_that_do_the_same_get_the_same(family):
    """Two halves of a game: every split weighs features 0 and 1 alike in x and background."""
    rng = np.random.default_rng(3)
    one = rng.normal(size=(80, 1))
    X = np.column_stack([one, one, rng.normal(size=80)])
    y = (one[:, 0] > 0).astype(int)
    forest = grow(FAMILIES[family].replace(n_tree=1, m_try=3, seed=0), X, y)
    both = shapley(forest, X[0], X[20:60], np.array([0, 0, 1]))
    apart = shapley(forest, X[0], X[20:60], np.array([0, 1, 2]))
    np.testing.assert_allclose(apart.values.sum(0), both.values.sum(0), atol=1e-9)
    if family == "oRF-ridge":  # equal columns have equal ridge weights
        np.testing.assert_allclose(apart.values[0], apart.values[1], atol=1e-9)


@pytest.mark.parametrize("family", FORESTS)
def test_random_orders_come_within_their_standard_errors(data, family):
    forest, X = grown(data, family), data[0]
    truth = shapley(forest, X[7], X[60:80], exact=True).values
    found = shapley(forest, X[7], X[60:80], exact=False, target=0.002, seed=4)
    assert found.rounds > 0
    assert found.error.max() <= 0.002
    assert abs(found.values - truth).max() <= 5 * 0.002


def test_the_standard_error_says_how_far_the_values_scatter(data):
    forest, X = grown(data, "oRF-ridge"), data[0]
    truth = shapley(forest, X[7], X[60:80], exact=True).values
    runs = [shapley(forest, X[7], X[60:80], exact=False, target=0.004, seed=s) for s in range(40)]
    scatter = np.sqrt(np.mean([(r.values - truth) ** 2 for r in runs]))
    claimed = np.sqrt(np.mean([r.error**2 for r in runs]))
    assert 0.7 < scatter / claimed < 1.5


@pytest.mark.parametrize("exact", [True, False])
def test_threads_do_not_change_the_values(data, exact):
    forest, X = grown(data, "oRF-mixed"), data[0]
    one, two = (
        shapley(forest, X[1], X[30:50], exact=exact, target=0.01, threads=n) for n in (1, 2)
    )
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.error, two.error)


def test_many_players_are_exact_where_no_split_weighs_two_of_them():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 40))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    forest = grow(FAMILIES["RF"].replace(n_tree=10, seed=0), X, y)
    found = shapley(forest, X[0], X[30:])
    assert found.exact
    np.testing.assert_allclose(found.values.sum(0), found.posterior - found.base, atol=1e-9)
    oblique = grow(FAMILIES["oRF-ridge"].replace(n_tree=10, seed=0), X, y)
    assert not shapley(oblique, X[0], X[30:40], target=0.05).exact


def test_small_oblique_forests_agree_with_shap_exact_explainer(data):
    shap = pytest.importorskip("shap")
    forest, X = grown(data, "oRF-ridge"), data[0]
    masker = shap.maskers.Independent(X[10:30], max_samples=100)
    theirs = shap.ExactExplainer(forest.predict_proba, masker)(X[3:4]).values[0]
    np.testing.assert_allclose(shapley(forest, X[3], X[10:30]).values, theirs, atol=1e-9)


def test_axis_forests_agree_with_shap_tree_explainer(data):
    """scikit-learn's trees, explained by shap, and the same trees walked by our kernel."""
    shap = pytest.importorskip("shap")
    forest, X = grown(data, "RF", vote="posterior"), data[0]
    trees = [as_shap_tree(forest, t) for t in range(forest.n_tree)]
    model = {"trees": trees}
    explain = shap.TreeExplainer(model, X[10:30], feature_perturbation="interventional")
    theirs = explain.shap_values(X[3:4], check_additivity=False)
    theirs = np.asarray(theirs).reshape(5, forest.n_classes) / forest.n_tree
    ours = shapley(forest, X[3], X[10:30]).values
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def as_shap_tree(forest, t):
    """Tree t as the arrays that shap's TreeExplainer reads."""
    a, b = forest.node_at[t], forest.node_at[t + 1]
    feature, left = forest.feature[a:b], forest.left[a:b]
    leaf = feature == -1
    counts = forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
    values = np.zeros((b - a, forest.n_classes))
    shares = counts / counts.sum(axis=1, keepdims=True)
    values[leaf] = shares[left[leaf]]
    return {
        "children_left": np.where(leaf, -1, left).astype(np.int32),
        "children_right": np.where(leaf, -1, left + 1).astype(np.int32),
        "children_default": np.where(leaf, -1, left + 1).astype(np.int32),
        "features": np.where(leaf, -2, feature).astype(np.int32),
        "thresholds": np.where(leaf, 0.0, forest.cut[a:b]),
        "values": values,
        "node_sample_weight": np.ones(b - a),
    }


def test_what_cannot_be_explained_is_refused_in_words(data):
    forest, X = grown(data, "RF"), data[0]
    with pytest.raises(ValueError, match="5 whole numbers"):
        shapley(forest, X[0], X, np.zeros(4, int))
    with pytest.raises(ValueError, match="without a gap"):
        shapley(forest, X[0], X, np.array([0, 0, 2, 2, 2]))
    with pytest.raises(ValueError, match="one at a time"):
        shapley(forest, X[:2], X)
    with pytest.raises(ValueError, match="above zero"):
        shapley(forest, X[0], X, target=0.0)


def test_a_stop_ends_it(data):
    forest, X = grown(data, "oRF-ridge"), data[0]
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        shapley(forest, X[0], X, cancel=stop)
