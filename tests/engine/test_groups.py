"""Replicates stay together: whole groups are drawn, left out and judged."""

import io

import numpy as np
import pytest

from explorer.engine import FAMILIES, Forest, ForestSpec, grow
from explorer.engine.measures import oob_leaves
from explorer.engine.pruning import folds_of

from . import naive
from .toys import blobs, same, small

OBJECTS = np.repeat(np.arange(20), [1, 2, 3, 4, 5] * 4)  # 60 rows


def replicates(seed=0, n=30, copies=4, P=6, noise=0.05):
    """Objects without any class structure, each measured several times: (X, y, groups)."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(n, P)), copies, axis=0)
    return (
        X + noise * rng.normal(size=X.shape),
        np.repeat(np.arange(n) % 2, copies),
        np.repeat(np.arange(n), copies),
    )


@pytest.mark.parametrize("how", ["with", "without", "none"])
def test_bags_of_groups_equal_the_twin(how):
    X, y = blobs(1, n=60, K=2)
    groups = np.random.default_rng(2).permutation(OBJECTS)
    weight = np.ones(60)
    weight[groups == 7] = 0.0
    weight[np.flatnonzero(groups == 19)[:2]] = 0.0
    spec = ForestSpec(n_tree=6, bootstrap=how, seed=9)
    forest = grow(spec, X, y, sample_weight=weight, groups=groups)
    for t, times in enumerate(forest.bags()):
        np.testing.assert_array_equal(times, naive.bag_of_groups(9, t, weight, groups, how))
    np.testing.assert_array_equal(forest.bags(2, 4), forest.bags()[2:4])


@pytest.mark.parametrize("name", FAMILIES)
def test_groups_of_one_change_nothing(name):
    X, y = blobs(3, n=50, K=3)
    plain = grow(small(name), X, y)
    assert same(plain, grow(small(name), X, y, groups=50 - np.arange(50)))


@pytest.mark.parametrize("name", ["RF", "oRF-ridge", "oRF-mixed"])
def test_a_sample_is_out_of_bag_only_where_its_whole_group_is(name):
    X, y = blobs(4, n=60, K=2)
    groups = np.random.default_rng(5).permutation(OBJECTS)
    forest = grow(small(name, 20), X, y, groups=groups)
    bags = forest.bags()
    for g in range(20):
        assert (bags[:, groups == g] == bags[:, groups == g][:, :1]).all()
    votes = np.zeros((60, 2))
    leaves = oob_leaves(forest)
    for t in range(20):
        for i in np.flatnonzero(bags[t] == 0):
            votes[i, forest.winner[forest.leaf_at[t] + leaves[t, i]]] += 1
    with np.errstate(invalid="ignore"):
        expected = votes / votes.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.oob_proba, expected)


def test_a_row_of_no_weight_is_not_judged_by_trees_that_saw_its_replicates():
    X, y, groups = replicates()
    weight = np.ones(len(y))
    weight[::4] = 0.0
    forest = grow(small("RF", 60), X, y, sample_weight=weight, groups=groups)
    inside = forest.bags()[:, 1::4] > 0
    np.testing.assert_array_equal(forest.bags()[:, ::4] == -1, inside)
    judged = np.nan_to_num(forest.oob_proba[::4].max(axis=1), nan=1.0)
    assert (np.isnan(forest.oob_proba[::4, 0]) == inside.all(axis=0)).all()
    assert (judged <= 1).all()


@pytest.mark.parametrize("name", ["RF", "oRF-ridge", "oRF-lda", "oRF-mixed", "F-RC"])
def test_replicates_do_not_make_noise_look_learned(name):
    """Labels of objects are a coin's: an honest error is a half, one that leaks is near zero."""
    X, y, groups = replicates()
    spec = FAMILIES[name].replace(n_tree=60)
    assert grow(spec, X, y).oob_error[-1] < 0.15
    assert grow(spec, X, y, groups=groups).oob_error[-1] > 0.3


@pytest.mark.parametrize("name", ["CART", "oRF-ridge", "oRF-mixed", "RR-RF"])
def test_grouped_forests_are_saved_extended_and_grown_in_blocks_alike(name):
    X, y = blobs(6, n=60, K=3)
    spec = FAMILIES[name].replace(n_tree=4)
    whole = grow(spec, X, y, groups=OBJECTS, threads=1)
    assert same(whole, grow(spec, X, y, groups=[f"object {g}" for g in OBJECTS], threads=2))
    part = grow(spec.replace(n_tree=2), X, y, groups=OBJECTS)
    assert same(whole, part.extend(4))
    file = io.BytesIO()
    part.save(file)
    file.seek(0)
    back = Forest.load(file)
    np.testing.assert_array_equal(back.training.groups, part.training.groups)
    np.testing.assert_array_equal(back.bags(), part.bags())
    assert same(whole, back.extend(4, X=X, y=y, groups=OBJECTS))
    with pytest.raises(ValueError, match="groups"):
        back.extend(4, X=X, y=y)


def test_pruning_keeps_groups_together():
    X, y, groups = replicates(seed=2)
    fold = folds_of(y, np.arange(len(y)), 10, np.random.default_rng(0), groups)
    assert all(np.unique(fold[groups == g]).size == 1 for g in range(30))
    assert np.unique(fold).size == 10
    alone = grow(FAMILIES["CART"], X, y).counts.shape[0]
    together = grow(FAMILIES["CART"], X, y, groups=groups).counts.shape[0]
    assert together < alone, "a tree that cannot learn is pruned away, replicates or not"


def test_two_groups_are_enough_and_one_is_not():
    X, y = blobs(7, n=20, K=2)
    forest = grow(small("oRF-ridge", 30), X, y, groups=np.arange(20) // 10)
    assert (forest.bags() == 0).any(axis=1).any()
    with pytest.raises(ValueError, match="replicates of one object"):
        grow(small("RF"), X, y, groups=np.zeros(20))
    grow(small("CART", 1), X, y, groups=np.zeros(20))


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (np.arange(19), "one group for each of 20 rows"),
        (np.zeros((20, 2)), "one group for each of 20 rows"),
        ([None] + ["a", "b"] * 9 + ["c"], "no value in row 0"),
        ([1.0] * 19 + [float("nan")], "no value in row 19"),
    ],
)
def test_groups_that_cannot_be_used_are_refused_in_a_sentence(groups, words):
    X, y = blobs(8, n=20, K=2)
    with pytest.raises(ValueError, match=words):
        grow(small("RF"), X, y, groups=groups)
