"""Predicting many samples at once gives what walking them one by one gives, to the bit."""

import pickle
import threading

import numpy as np
import pytest

from explorer.engine import FAMILIES, grow, prediction
from explorer.engine.kernels import lockstep, walk

from . import naive


def cloud(rng, n=300, P=5, K=3):
    y = np.arange(n) % K
    return rng.normal(size=(n, P)) + 0.7 * y[:, None], y


def one_by_one(forest, X):
    """Votes by the kernel that walks one row after the other."""
    vote, weights = forest._vote(forest.n_tree)
    out = np.zeros((len(X), forest.n_classes))
    walk.votes(forest._trees, forest._scaled(X)[0], 0, forest.n_tree, vote, weights, out)
    out /= weights.sum()
    return np.clip(out, 0.0, 1.0)


def packed(forest):
    return forest._packing._kept is not None


@pytest.mark.parametrize("vote", ["majority", "weighted", "posterior", "bayesian"])
@pytest.mark.parametrize("K", [2, 3, 7])
def test_many_rows_get_the_votes_of_rows_walked_one_by_one(rng, vote, K):
    X, y = cloud(rng, K=K)
    forest = grow(FAMILIES["RF"].replace(n_tree=15, vote=vote, min_leaf=8), X, y)
    new = rng.normal(size=(1003, 5)) + 0.5
    got = forest.predict_proba(new)
    assert packed(forest)
    assert np.array_equal(got, one_by_one(forest, new))


@pytest.mark.parametrize("n", [63, 64, 65, 71, 4096, 4099, 8200])
def test_every_number_of_rows_is_walked_whole(rng, n):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=5), X, y)
    new = rng.normal(size=(n, 5))
    expected = one_by_one(forest, new)
    for threads in (1, 2):
        assert np.array_equal(forest.predict_proba(new, threads=threads), expected)


def test_leaves_in_lockstep_are_the_leaves_of_the_naive_walk(rng):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=4), X, y)
    new = rng.normal(size=(200, 5))
    leaves = forest.apply(new)
    assert packed(forest)
    for t, tree in enumerate(forest):
        assert [naive.walk(tree, x).leaf for x in new] == leaves[:, t].tolist()


@pytest.mark.parametrize(
    ("scale", "offset"),
    [(1e-12, 1.0), (1e-12, -1.0), (1e300, 0.0), (-1e300, 0.0), (1e-320, 0.0), (1e-40, 0.0)],
)
def test_values_that_float32_cannot_tell_from_a_cut_are_decided_in_double(rng, scale, offset):
    """Many values share one float32 with the cuts, or overflow it, or vanish in it."""
    y = np.arange(200) % 2
    X = offset + scale * rng.integers(0, 50, size=(200, 3)).astype(float)
    forest = grow(FAMILIES["RF"].replace(n_tree=9), X, y)
    new = offset + scale * np.linspace(-1, 51, 1000)[:, None] * np.ones(3)
    assert np.array_equal(forest.predict_proba(new), one_by_one(forest, new))
    assert len(np.unique(forest.predict_proba(new), axis=0)) > 5


def test_a_value_on_a_cut_goes_left_as_in_the_naive_walk(rng):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=3), X, y)
    splits = forest.feature >= 0
    new = np.zeros((splits.sum(), 5))
    new[np.arange(len(new)), forest.feature[splits]] = forest.cut[splits]
    both = np.vstack([new, -new, np.where(new == 0, -0.0, new)])
    assert np.array_equal(forest.predict_proba(both), one_by_one(forest, both))


def test_a_forest_too_large_to_keep_packed_is_walked_in_runs_of_trees(rng, monkeypatch):
    X, y = cloud(rng)
    spec = FAMILIES["RF"].replace(n_tree=11, vote="bayesian", min_leaf=6)
    forest = grow(spec, X, y)
    expected, leaves = one_by_one(forest, X), forest.apply(X)
    for most in (1, 8 * int(forest.node_at[3]), 8 * forest.feature.size - 8):
        monkeypatch.setattr(prediction, "KEPT_BYTES", most)
        again = grow(spec, X, y)
        assert np.array_equal(again.predict_proba(X), expected)
        assert np.array_equal(again.apply(X), leaves)
        assert not packed(again)


OBLIQUE = ["oRF-ridge", "oRF-lda", "F-RC", "F-RC-sparse", "oRF-mixed", "RDF-CAP", "RR-RF", "FRANK"]


@pytest.mark.parametrize("name", OBLIQUE)
def test_oblique_forests_predict_what_rows_walked_one_by_one_get(rng, name):
    X, y = cloud(rng)
    forest = grow(FAMILIES[name].replace(n_tree=7, vote="posterior"), X, y)
    new = rng.normal(size=(1003, 5)) + 0.5
    assert np.array_equal(forest.predict_proba(new), one_by_one(forest, new))
    assert packed(forest) or name == "RR-RF"
    leaves = forest.apply(new)
    for t, tree in enumerate(forest.take(2)):
        Z = forest.scaling.transform(new)
        assert [naive.walk(tree, z).leaf for z in Z] == leaves[:, t].tolist()


def test_scores_that_are_no_number_go_the_way_of_rows_walked_one_by_one(rng):
    """Weights of 1e200 times values of 1e200 overflow, and opposite infinities cancel."""
    X, y = cloud(rng)
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=9), 1e-200 * X, y)
    new = 1e200 * rng.normal(size=(200, 5))
    with np.errstate(over="ignore", invalid="ignore"):
        sums = np.add.reduceat(forest.value * new[0, forest.index], forest.begin[:1])
        assert not np.isfinite(sums).all()
        assert np.array_equal(forest.predict_proba(new), one_by_one(forest, new))


def test_oblique_forests_too_large_to_keep_packed_are_walked_in_runs(rng, monkeypatch):
    X, y = cloud(rng)
    spec = FAMILIES["oRF-ridge"].replace(n_tree=6)
    expected = one_by_one(grow(spec, X, y), X)
    monkeypatch.setattr(prediction, "KEPT_BYTES", 5000)
    again = grow(spec, X, y)
    assert np.array_equal(again.predict_proba(X), expected)
    assert not packed(again)


def test_fewer_trees_are_predicted_from_the_same_packed_nodes(rng):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=12), X, y)
    forest.predict_proba(X)
    assert np.array_equal(forest.predict_proba(X, trees=5), one_by_one(forest.take(5), X))


def test_few_rows_do_not_pack_a_large_forest(rng):
    X, y = cloud(rng, n=3000)
    forest = grow(FAMILIES["RF"].replace(n_tree=2), X, y)
    forest.predict_proba(X[:1])
    assert not packed(forest)
    forest.predict_proba(X)
    assert packed(forest)


def test_a_forest_with_too_many_features_for_a_packed_node_walks_row_by_row(rng):
    X, y = cloud(rng, n=400)
    forest = grow(FAMILIES["RF"].replace(n_tree=1), X, y)
    bits = int(np.diff(forest.node_at).max() - 1).bit_length()
    forest.n_features = 1 << (32 - bits)
    assert prediction.Packing(forest).possible
    forest.n_features += 1
    assert not prediction.Packing(forest).possible


def test_threads_that_predict_first_share_one_packing(rng, monkeypatch):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=8), X, y)
    expected = one_by_one(forest, X)
    made = []
    pack = prediction.Packing._pack

    def counted(self, *args):
        made.append(args)
        return pack(self, *args)

    monkeypatch.setattr(prediction.Packing, "_pack", counted)
    gate = threading.Barrier(6)
    results = []

    def ask():
        gate.wait()
        results.append(forest.predict_proba(X, threads=2))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert all(np.array_equal(result, expected) for result in results)


def test_packed_nodes_are_neither_pickled_nor_saved(rng, tmp_path):
    X, y = cloud(rng)
    forest = grow(FAMILIES["RF"].replace(n_tree=8), X, y)
    before = len(pickle.dumps(forest))
    forest.save(tmp_path / "before.npz")
    forest.predict_proba(X)
    assert packed(forest)
    forest.save(tmp_path / "after.npz")
    assert len(pickle.dumps(forest)) == before
    assert (tmp_path / "before.npz").read_bytes() == (tmp_path / "after.npz").read_bytes()
    again = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(again.predict_proba(X), forest.predict_proba(X))


def test_keys_of_float32_numbers_are_in_the_order_of_the_numbers():
    numbers = np.array(
        [-np.inf, -3e38, -1.5, -1e-45, 0.0, 1e-45, 1e-38, 1.5, 3e38, np.inf], np.float32
    )
    bits = numbers.view(np.int32)
    keys = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    assert (np.diff(keys.astype(np.int64)) > 0).all()
    assert keys.max() < int(lockstep.TOP)
