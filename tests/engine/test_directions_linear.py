"""Directions of the linear splits: twins for all of them, scikit-learn and scipy from outside.

A root node on all rows and features is a linear model fitted to the data; its weights on raw
features, times the features' deviations, are the coefficients of the standardised model.
"""

import numpy as np
import pytest
import scipy.stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge

from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.engine.check import comparable_weights

from . import naive
from .toys import blobs, stump

SHAPES = {"tall": (80, 5), "square": (12, 12), "wide": (14, 40)}


def problem(shape, K=2, seed=0):
    """Data with features of very different units, and uneven sample weights."""
    n, P = SHAPES[shape]
    X, y = blobs(seed, n=n, P=P, K=K)
    units = 10.0 ** np.random.default_rng(seed).integers(-3, 4, P)
    w = comparable_weights(np.random.default_rng(seed + 1).choice([0.5, 1.0, 3.0], n))
    return X * units + 5 * units, y, w


def coefficients(split, X, y, w, **knobs):
    """Coefficients on standardised features, as the root has them."""
    weights, node = stump(split, X, y, sample_weight=w, **knobs)
    Z, mean, sd = naive.standardise(X, w)
    return weights * sd, Z, naive.two_groups(Z, y, w), (node.cut - weights @ mean)


@pytest.mark.parametrize("penalty", [1e-5, 1e-2, 1.0, 1e3, 1e5])
@pytest.mark.parametrize("shape", SHAPES)
def test_ridge_equals_its_twin_and_scikit_learn(shape, penalty):
    X, y, w = problem(shape)
    beta, Z, target, _ = coefficients("ridge", X, y, w, lambdas=(penalty,))
    np.testing.assert_allclose(beta, naive.ridge(Z, target, w, penalty), rtol=1e-6, atol=1e-9)
    theirs = Ridge(alpha=penalty, solver="svd").fit(Z, target, sample_weight=w).coef_
    np.testing.assert_allclose(beta, theirs, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("penalty", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("shape", SHAPES)
def test_logistic_equals_its_twin_and_scikit_learn(shape, penalty):
    X, y, w = problem(shape, seed=3)
    beta, Z, target, _ = coefficients("logistic", X, y, w, lambdas=(penalty,))
    twin = naive.logistic(Z, target, w, penalty)[:-1]
    np.testing.assert_allclose(beta, twin, rtol=1e-6, atol=1e-6 * np.abs(twin).max())
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=500)
    theirs = model.fit(Z, target, sample_weight=w).coef_[0]
    np.testing.assert_allclose(beta, theirs, rtol=1e-6, atol=1e-6 * np.abs(twin).max())


@pytest.mark.parametrize("shape", ["tall", "wide"])
def test_lda_is_the_limit_of_ridge_without_penalty(shape):
    X, y, w = problem(shape)
    beta, Z, target, _ = coefficients("lda", X, y, w)
    twin = naive.least_squares(Z, target, w)
    np.testing.assert_allclose(beta, twin, rtol=1e-4, atol=1e-5 * np.abs(twin).max())


def test_lda_points_where_fishers_discriminant_points(rng):
    X, y = blobs(4, n=120, P=6, K=2)
    weights, _ = stump("lda", X, y)
    fisher = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).coef_[0]
    cosine = weights @ fisher / np.linalg.norm(weights) / np.linalg.norm(fisher)
    assert cosine == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("balance", [True, False])
@pytest.mark.parametrize("cost", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_psvm_solves_equation_3(shape, cost, balance):
    X, y, w = problem(shape, seed=5)
    y[: len(y) // 3] = 0  # uneven classes, or balancing would have nothing to do
    beta, Z, target, cut = coefficients("psvm", X, y, w, cost=cost, balance=balance)
    plane = naive.psvm(Z, target, w, cost, balance)
    np.testing.assert_allclose(beta, plane[:-1], rtol=1e-6, atol=1e-9)
    sides = np.unique(Z @ plane[:-1] <= plane[-1])
    if sides.size == 2:  # else the plane divides nothing, and the best cut stands in
        assert cut == pytest.approx(plane[-1], rel=1e-6, abs=1e-9)


def test_balancing_moves_the_plane_towards_the_large_class():
    X, y, w = problem("tall", seed=6)
    y[:60] = 0
    _, _, _, plain = coefficients("psvm", X, y, w, balance=False)
    _, _, _, even = coefficients("psvm", X, y, w, balance=True)
    assert plain > even  # classes are coded -1 and +1, and the scores of class 1 are high


@pytest.mark.parametrize("split", ["ridge", "logistic", "psvm"])
@pytest.mark.parametrize("K", [3, 5])
@pytest.mark.parametrize("grouping", ["ho", "principal"])
def test_many_classes_are_fitted_as_two_groups(split, K, grouping):
    X, y, w = problem("tall", K=K, seed=K)
    knobs = {} if split == "psvm" else {"lambdas": (1.0,)}
    beta, Z, target, _ = coefficients(split, X, y, w, grouping=grouping, **knobs)
    if grouping == "principal":
        target = naive.principal_groups(Z, y, w)
    twin = {
        "ridge": lambda: naive.ridge(Z, target, w, 1.0),
        "logistic": lambda: naive.logistic(Z, target, w, 1.0)[:-1],
        "psvm": lambda: naive.psvm(Z, target, w, 1.0, True)[:-1],
    }[split]()
    if grouping == "principal" and beta @ twin < 0:
        twin = -twin  # either group may be the first
    np.testing.assert_allclose(beta, twin, rtol=1e-6, atol=1e-7)
    assert set(target) == {-1.0, 1.0}


@pytest.mark.parametrize("grouping", ["anchors", "halves", "rest"])
def test_random_groups_differ_from_tree_to_tree_and_fit_some_grouping(grouping):
    """Every root is the ridge of some division of the classes that its grouping allows."""
    X, y, w = problem("tall", K=4, seed=2)
    Z, _, sd = naive.standardise(X, w)
    spec = FAMILIES["oRF-ridge"].replace(
        n_tree=30, m_try="all", bootstrap="none", max_depth=1, lambdas=(1.0,), grouping=grouping
    )
    sizes = {"halves": {2}, "rest": {1, 3}, "anchors": {1, 2, 3}}[grouping]
    twins = {}
    for code in range(1, 15):
        right = [k for k in range(4) if code >> k & 1]
        if len(right) in sizes:
            twins[code] = naive.ridge(Z, np.where(np.isin(y, right), 1.0, -1.0), w, 1.0)
    seen = set()
    for tree in grow(spec, X, y, sample_weight=w):
        root = tree.nodes[0]
        beta = np.zeros(X.shape[1])
        beta[root.features] = root.weights
        fits = [c for c, twin in twins.items() if np.allclose(beta * sd, twin, rtol=1e-6)]
        assert fits
        seen.add(fits[0])
    assert len(seen) > 2


@pytest.mark.parametrize("split", ["ridge", "lda", "logistic", "random"])
def test_the_cut_along_a_direction_is_the_best(split):
    X, y, w = problem("tall", K=3, seed=8)
    knobs = {"lambdas": (1.0,)} if split == "ridge" else {}
    for criterion in ("gini", "entropy"):
        weights, node = stump(split, X, y, sample_weight=w, criterion=criterion, **knobs)
        scores = np.zeros(len(X))
        for f, c in zip(node.features, node.weights, strict=True):
            scores += c * X[:, f]
        gain, below, above = naive.best_cut(scores, y, w, 3, criterion)
        assert node.gain == pytest.approx(gain, rel=1e-5)
        assert below <= node.cut < above
        assert np.count_nonzero(weights) == 5


def choices(tuning, lambdas, X, y, groups=None):
    """(fit of every lambda, in-bag rows and weights, weights of the root) for some trees."""
    knobs = {"lambdas": lambdas, "m_try": "all", "max_depth": 1, "n_tree": 12}
    forest = grow(ForestSpec(split="ridge", tuning=tuning, **knobs), X, y, groups=groups)
    for t, times in enumerate(forest.bags()):
        w = times[times > 0].astype(float)
        Z, mean, sd = naive.standardise(X[times > 0], w)
        target = np.where(y[times > 0] == 0, -1.0, 1.0)
        fits = [naive.ridge(Z, target, w, penalty) for penalty in lambdas]
        node = forest.tree(t).nodes[0]
        weights = np.zeros(X.shape[1])
        weights[node.features] = node.weights
        yield times, Z, target, w, mean, sd, fits, weights * sd


def test_a_lambda_that_the_out_of_bag_samples_prefer_is_chosen():
    """Menze step 4a: fit every lambda in the bag, keep the one that errs least outside it."""
    X, y = blobs(9, n=60, P=12, K=2)
    seen = set()
    for times, _, target, w, mean, sd, fits, beta in choices("oob", (1e-3, 1.0, 30.0, 1e3), X, y):
        outside = times == 0
        scores = [(X[outside] - mean) / sd @ b + np.average(target, weights=w) for b in fits]
        right = [((s > 0) == (y[outside] == 1)).sum() for s in scores]
        best = int(np.argmax(right))  # the first, hence the smallest, on ties
        np.testing.assert_allclose(beta, fits[best], rtol=1e-6, atol=1e-9)
        seen.add(best)
    assert len(seen) > 1, "the choice was never a choice"


@pytest.mark.parametrize("P", [12, 60])
@pytest.mark.parametrize("grouped", [False, True])
def test_by_default_the_lambda_of_the_least_error_over_left_out_samples_is_chosen(P, grouped):
    X, y = blobs(9, n=60, P=P, K=2)
    y = np.where(np.arange(60) % 5 == 1, 1 - y, y)  # or the smallest would always do
    lambdas = (1e-3, 1.0, 10.0, 100.0, 1e3)
    groups = np.arange(60) // 6 * 2 + y if grouped else None
    seen = set()
    for times, Z, target, w, _, _, fits, beta in choices("loo", lambdas, X, y, groups):
        left_out = None if groups is None else groups[times > 0]
        errors = [naive.left_out_error(Z, target, w, penalty, left_out) for penalty in lambdas]
        best = int(np.argmin(errors))
        np.testing.assert_allclose(beta, fits[best], rtol=1e-6, atol=1e-9)
        seen.add(best)
    assert len(seen) > 1, "the choice was never a choice"


def test_the_lambda_of_the_largest_gain_is_chosen():
    X, y = blobs(10, n=40, P=6, K=2)
    lambdas = (1e-3, 1.0, 1e3)
    _, node = stump("ridge", X, y, lambdas=lambdas, tuning="gain")
    gains = [stump("ridge", X, y, lambdas=(penalty,))[1].gain for penalty in lambdas]
    assert node.gain == pytest.approx(max(gains))


def same_without_judges(spec, X, y):
    """Whether a tree stays the same when its out-of-bag samples move and change their class."""
    tree = grow(spec, X, y)
    outside = np.flatnonzero(tree.bags()[0] == 0)
    X, y = X.copy(), y.copy()
    X[outside] = X[outside[::-1]] + 3.0
    y[outside] = 1 - y[outside]
    again = grow(spec, X, y)
    arrays = ("feature", "left", "cut", "index", "value", "counts")
    return all(np.array_equal(getattr(tree, a), getattr(again, a)) for a in arrays)


@pytest.mark.parametrize("name", ["oRF-ridge", "oRF-mixed"])
def test_out_of_bag_samples_have_no_say_in_a_tree(name):
    """So that they can judge it; under the paper's rule they have."""
    X, y = blobs(15, n=60, P=5, K=2)
    trees = [FAMILIES[name].replace(n_tree=1, seed=seed) for seed in range(10)]
    assert all(same_without_judges(spec, X, y) for spec in trees)
    assert not all(same_without_judges(spec.replace(tuning="oob"), X, y) for spec in trees)


def test_growth_stops_where_no_out_of_bag_sample_is_left_to_choose():
    X, y = blobs(11, n=80, P=4, K=2)
    ridge = grow(FAMILIES["oRF-ridge"].replace(n_tree=5, tuning="oob"), X, y)
    for t, times in enumerate(ridge.bags()):
        tree = ridge.tree(t)
        outside = naive.rows_at_nodes(tree, X[times == 0])
        assert all(len(outside[node.number]) for node in tree.nodes if not node.is_leaf)
    for spec in (FAMILIES["oRF-mixed"].replace(tuning="oob"), FAMILIES["oRF-ridge"]):
        full = grow(spec.replace(n_tree=5), X, y)
        leaves = [node for tree in full for node in tree.nodes if node.is_leaf]
        assert all((node.counts > 0).sum() == 1 for node in leaves)


def test_random_directions_are_normal_on_standardised_features():
    X, y = blobs(12, n=60, P=3, K=2)
    X = X * [1.0, 1e6, 1e-6]
    spec = ForestSpec(split="random", m_try="all", max_depth=1, bootstrap="none", n_tree=2000)
    forest = grow(spec, X, y)
    sd = X.std(axis=0)
    for f in range(3):
        drawn = forest.value[forest.index == f] * sd[f]
        assert drawn.size == 2000
        assert scipy.stats.kstest(drawn, "norm").pvalue > 1e-3


def test_a_feature_that_is_constant_at_the_node_gets_no_weight():
    X, y = blobs(13, n=30, P=4, K=2)
    X[:, 2] = 7.0
    for split in ("ridge", "lda", "logistic", "psvm", "random", "perceptron"):
        knobs = {"lambdas": (1.0,)} if split == "ridge" else {}
        _, node = stump(split, X, y, **knobs)
        assert sorted(node.features) == [0, 1, 3], split


def test_huge_and_tiny_units_do_not_turn_a_direction():
    X, y = blobs(14, n=40, P=3, K=2)
    for split in ("ridge", "lda", "logistic", "psvm"):
        knobs = {"lambdas": (1.0,)} if split == "ridge" else {}
        plain, _ = stump(split, X, y, **knobs)
        units = np.array([2.0**900, 2.0**-900, 1.0])
        turned, _ = stump(split, X * units, y, **knobs)
        np.testing.assert_allclose(turned * units, plain, rtol=1e-9)


@pytest.mark.parametrize("name", ["oRF-rnd", "oRF-lda", "oRF-log", "RF-ODT"])
def test_a_node_whose_drawn_features_are_constant_draws_one_that_varies(name):
    """As axis splits do: one column in thirty divides the classes, and every tree finds it."""
    X = np.ones((40, 30))
    X[:, 17] = np.arange(40)
    y = (X[:, 17] >= 20).astype(int)
    forest = grow(FAMILIES[name].replace(n_tree=20, m_try=2, bootstrap="none"), X, y)
    assert (np.diff(forest.node_at) == 3).all()
    assert (forest.predict(X) == y).all()
