"""Whatever finite table is given: no crash, no NaN, no endless loop, no odd probability."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.engine import FAMILIES, Plane, grow

from .toys import SLOW, small

KINDS = ("normal", "whole", "constant", "twin", "binary", "huge", "tiny", "mixed", "far", "zero")


def column(kind, n, rng, others):
    if kind == "normal":
        return rng.normal(size=n)
    if kind == "whole":
        return rng.integers(-2, 3, n).astype(float)
    if kind == "constant":
        return np.full(n, rng.choice([0.0, 1e300, -1e-300, 3.7]))
    if kind == "twin":
        return others[0].copy() if others else np.arange(float(n))
    if kind == "binary":
        return (rng.random(n) < 0.2).astype(float)
    if kind == "huge":
        return rng.uniform(-1e300, 1e300, n)
    if kind == "tiny":
        return rng.uniform(-1e-300, 1e-300, n)
    if kind == "mixed":
        return rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n)
    if kind == "far":
        return 1e15 + rng.integers(0, 5, n)
    return rng.choice([0.0, -0.0], n)


@st.composite
def tables(draw):
    """(X, y, weights or None): ties, twins, constants, duplicated rows, lone samples."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, 60))
    K = draw(st.integers(2, min(n, 5)))
    columns = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=7)):
        columns.append(column(kind, n, rng, columns))
    X = np.column_stack(columns)
    labels = draw(st.sampled_from(["any", "lone", "sorted", "by value"]))
    y = rng.integers(0, K, n)
    if labels == "lone":  # one sample of each class but the first
        y = np.zeros(n, int)
        y[rng.permutation(n)[: K - 1]] = np.arange(1, K)
    elif labels == "sorted":
        y = np.sort(y)
    elif labels == "by value":
        y = (np.argsort(np.argsort(X[:, 0])) * K // n).astype(int)
    y[:2] = [0, 1]
    if draw(st.booleans()):
        X = X[rng.integers(0, n, n)]  # duplicated rows, also of different classes
    weights = draw(st.sampled_from(["none", "whole", "some zero", "far apart", "huge", "tiny"]))
    w = {
        "none": None,
        "whole": rng.integers(1, 4, n).astype(float),
        "some zero": rng.choice([0.0, 1.0], n),
        "far apart": 10.0 ** rng.integers(-25, 5, n),
        "huge": rng.uniform(0.5, 1, n) * 1e300,
        "tiny": rng.uniform(0.5, 1, n) * 1e-300,
    }[weights]
    if weights == "some zero":
        w[:2] = 1.0
    elif weights == "far apart":
        w[:2] = w.max()
    return X, y, w


def patience(seconds=300.0):
    """A cancel that turns an endless growth into a failure (compilation has time)."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def well_behaved(name, X, y, w, scaling="none", vote=None, **knobs):
    if vote is not None:
        knobs["vote"] = vote
    spec = small(name, 3, scaling=scaling, **knobs)
    forest = grow(spec, X, y, sample_weight=w, cancel=patience())
    new = np.vstack([X, X[::-1] * 0.5, np.zeros((1, X.shape[1]))])
    proba = forest.predict_proba(new)
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    assert (proba <= 1).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-9)
    assert np.isfinite(forest.cut).all()
    assert np.isfinite(forest.value).all()
    assert np.isfinite(forest.counts).all()
    assert (forest.gain >= 0).all()
    leaves, bags = forest.apply(X), forest.bags()
    weight = forest.training.weight
    for t in range(forest.n_tree):
        counts = np.zeros((forest.leaf_at[t + 1] - forest.leaf_at[t], forest.n_classes))
        np.add.at(counts, (leaves[:, t], forest.training.codes), bags[t] * weight)
        mine = forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
        np.testing.assert_allclose(counts, mine, rtol=1e-9)
    if forest.has_oob:
        known = forest.oob_proba[~np.isnan(forest.oob_proba)]
        assert ((known >= 0) & (known <= 1 + 1e-12)).all()
    return forest


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    table=tables(),
    scaling=st.sampled_from(["none", "rank", "percentile", "zscore"]),
    vote=st.sampled_from(["majority", "posterior", "weighted", "bayesian"]),
)
def test_any_finite_table_makes_a_forest(name, table, scaling, vote):
    well_behaved(name, *table, scaling=scaling, vote=vote)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    table=tables(),
    name=st.sampled_from(sorted(set(FAMILIES) - {"CART"})),
    criterion=st.sampled_from(["gini", "entropy", "gain_ratio"]),
    bootstrap=st.sampled_from(["with", "without", "none"]),
    subspace=st.sampled_from(["node", "tree"]),
    min_leaf=st.integers(1, 10),
    max_depth=st.one_of(st.none(), st.integers(0, 5)),
)
def test_any_knobs_make_a_forest(table, name, criterion, bootstrap, subspace, min_leaf, max_depth):
    knobs = {"subspace": subspace} if FAMILIES[name].subspace is not None else {}
    well_behaved(
        name,
        *table,
        criterion=criterion,
        bootstrap=bootstrap,
        min_leaf=min_leaf,
        max_depth=max_depth,
        **knobs,
    )


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(table=tables(), name=st.sampled_from(sorted(FAMILIES)))
def test_any_picture_is_finite_and_sums_to_one(table, name):
    X, y, w = table
    forest = grow(small(name, 3), X, y, sample_weight=w, cancel=patience())
    plane = Plane(X[0], X[1] / 2 - X[0] / 2, X[-1] / 2 - X[0] / 2)
    picture = forest.posterior_on(plane, 7, 5)
    assert np.isfinite(picture).all()
    np.testing.assert_allclose(picture.sum(axis=2), 1.0, atol=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_two_rows_are_enough(name):
    forest = well_behaved(name, np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]), None)
    assert forest.predict_proba([[0.0, 1.0]]).shape == (1, 2)


@pytest.mark.parametrize("name", FAMILIES)
def test_rows_that_are_all_alike_make_leaves(name):
    forest = well_behaved(name, np.ones((20, 3)), np.arange(20) % 3, None)
    assert forest.feature.size == forest.n_tree


@pytest.mark.parametrize("name", FAMILIES)
def test_more_features_than_samples_are_no_obstacle(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 200))
    well_behaved(name, X, np.arange(12) % 3, None)
    m_try = {} if FAMILIES[name].m_try is None else {"m_try": 150}
    well_behaved(name, X, np.arange(12) % 3, None, **m_try)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_a_forest_learns_at_any_scale(name, scale):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    X = (rng.normal(size=(60, 3)) + 6 * y[:, None]) * scale
    forest = well_behaved(name, X, y, None)
    assert (forest.predict(X) == y).mean() > 0.95
