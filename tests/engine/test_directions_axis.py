"""Axis splits: exhaustive, by gain ratio, at random thresholds, and in turned space."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from explorer.engine import FAMILIES, ForestSpec, grow

from . import naive
from .toys import blobs, grown, stump

EVERYTHING = {"n_tree": 1, "m_try": "all", "bootstrap": "none"}


def compare_with_scikit_learn(ours, theirs, X, y, w, criterion):
    """Walk both trees from the root; a branch ends where a tie let them part ways.

    Returns how many nodes were divided alike, and how many by a tie.
    """
    K = theirs.n_classes_
    t = theirs.tree_
    alike, tied = 0, 0
    stack = [(0, 0, np.arange(len(X)))]
    while stack:
        i, j, rows = stack.pop()
        node = ours.nodes[i]
        np.testing.assert_allclose(node.counts, naive.class_sums(y[rows], w[rows], K))
        assert node.is_leaf == (t.children_left[j] == -1)
        if node.is_leaf:
            continue
        left = X[rows, node.features[0]] <= node.cut
        their_left = X[rows, t.feature[j]] <= t.threshold[j]

        def gain(goes_left, rows=rows):
            sums = [naive.class_sums(y[r], w[r], K) for r in (rows[goes_left], rows[~goes_left])]
            return naive.decrease(*sums, criterion)

        assert gain(left) == pytest.approx(gain(their_left), rel=1e-9, abs=1e-9 * w.sum())
        assert node.gain == pytest.approx(gain(left), rel=1e-5, abs=1e-6)
        if (left == their_left).all():
            alike += 1
            stack.append((node.left, t.children_left[j], rows[left]))
            stack.append((node.right, t.children_right[j], rows[~left]))
        else:
            tied += 1
    return alike, tied


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_tree_on_everything_makes_the_splits_of_scikit_learn(criterion, K, weighted):
    X, y = blobs(K, n=400, P=5, K=K)
    y[::7] = (y[::7] + 1) % K  # noise: a large tree
    X = X.astype(np.float32).astype(float)
    w = np.random.default_rng(1).integers(1, 4, 400).astype(float) if weighted else np.ones(400)
    spec = ForestSpec(criterion=criterion, **EVERYTHING)
    ours = grow(spec, X, y, sample_weight=w).tree(0)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0)
    theirs.fit(X, y, sample_weight=w)
    alike, tied = compare_with_scikit_learn(ours, theirs, X, y, w, criterion)
    assert alike > 20
    assert tied < alike / 2


def test_whole_numbers_with_many_ties_are_split_as_well_as_by_scikit_learn():
    X, y = blobs(5, n=300, P=4, K=3, decimals=0)
    ours = grow(ForestSpec(max_depth=4, **EVERYTHING), X, y).tree(0)
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    alike, _ = compare_with_scikit_learn(ours, theirs, X, y, np.ones(300), "gini")
    assert alike > 5


def test_a_cut_lies_halfway_between_its_neighbours():
    X, y = blobs(1, n=30, P=3, K=2, decimals=1)
    tree = grow(ForestSpec(**EVERYTHING), X, y).tree(0)
    for number, rows in naive.rows_at_nodes(tree, X).items():
        node = tree.nodes[number]
        if not node.is_leaf:
            v = X[rows, node.features[0]]
            middle = (v[v <= node.cut].max() + v[v > node.cut].min()) / 2
            assert node.cut == pytest.approx(middle, rel=1e-15)


def test_the_gain_ratio_picks_among_features_of_at_least_average_gain():
    """C4.5: cuts by information gain, features by gain ratio (Do s.2)."""
    for seed in range(8):
        X, y = blobs(seed, n=50, P=5, K=3)
        _, node = stump("axis", X, y, criterion="gain_ratio")
        ones = np.ones(50)
        cuts = [naive.best_cut(X[:, f], y, ones, 3, "entropy") for f in range(5)]
        gains = np.array([c[0] for c in cuts])
        ratios = [naive.gain_ratio(X[:, f], y, ones, 3, cuts[f][1]) for f in range(5)]
        allowed = [f for f in range(5) if gains[f] >= gains.mean()]
        best = max(allowed, key=lambda f: ratios[f])
        assert node.features.tolist() == [best]
        assert cuts[best][1] <= node.cut < cuts[best][2]


def test_m_try_features_are_looked_at_and_no_more():
    """With m_try = 1 the root's feature is any of five, each as often; with all, the best."""
    X, y = blobs(2, n=60, P=5, K=2)
    spec = ForestSpec(m_try=1, n_tree=1000, max_depth=1, bootstrap="none")
    roots = grow(spec, X, y).feature[::3]
    assert (np.abs(np.bincount(roots, minlength=5) - 200) < 5 * np.sqrt(160)).all()
    best = grow(spec.replace(m_try="all"), X, y).feature[::3]
    assert np.unique(best).size == 1


def test_constant_features_do_not_end_a_tree_early():
    X, y = blobs(3, n=60, P=12, K=2)
    X[:, :11] = 1.0
    for name in ("RF", "RF-rnd", "RF-C4.5"):
        forest = grown(name, X, y)
        assert ((forest.counts > 0).sum(axis=1) == 1).all(), name


# ---- random thresholds


def test_random_thresholds_lie_between_the_smallest_and_the_largest_value():
    X, y = blobs(4, n=100, P=3, K=3)
    forest = grown("RF-thresholds", X, y, bootstrap="none", n_tree=15)
    for tree in forest:
        for number, rows in naive.rows_at_nodes(tree, X).items():
            node = tree.nodes[number]
            if not node.is_leaf:
                v = X[rows, node.features[0]]
                assert v.min() <= node.cut < v.max()


def test_one_random_threshold_is_uniform_and_many_come_near_the_best_cut():
    X, y = blobs(5, n=100, P=1, K=2)
    spec = ForestSpec(
        split="thresholds", n_thresholds=1, n_tree=2000, max_depth=1, bootstrap="none"
    )
    cuts = grow(spec, X, y).cut[::3]
    where = (cuts - X.min()) / (X.max() - X.min())
    assert abs(where.mean() - 0.5) < 0.03
    assert abs(where.std() - 12**-0.5) < 0.02
    many = grow(spec.replace(n_thresholds=1000, n_tree=1), X, y).tree(0).nodes[0]
    best = naive.best_cut(X[:, 0], y, np.ones(100), 2, "gini")[0]
    assert best * 0.999 <= many.gain <= best * (1 + 1e-6)


def test_nodes_of_five_samples_are_leaves_to_sazonau():
    X, y = blobs(6, n=200, P=4, K=3)
    forest = grown("RF-thresholds", X, y)
    sizes = forest.counts.sum(axis=1)
    impure = (forest.counts > 0).sum(axis=1) > 1
    assert sizes[impure].max() <= 5
    for tree in forest:
        assert all(node.counts.sum() > 5 for node in tree.nodes if not node.is_leaf)


# ---- turned space


def rotation(forest, t):
    P = forest.n_features
    return forest.value[forest.weight_at[t] : forest.weight_at[t + 1]].reshape(P, P)


@pytest.mark.parametrize("P", [1, 2, 7, 30])
def test_every_tree_has_a_rotation_of_its_own(P):
    X, y = blobs(7, n=20, P=P, K=2)
    forest = grown("RR-RF", X, y)
    turns = [rotation(forest, t) for t in range(5)]
    for R in turns:
        np.testing.assert_allclose(R @ R.T, np.eye(P), atol=1e-13)
    if P > 1:
        assert np.abs(turns[0] - turns[1]).max() > 1e-3


def test_rotations_are_uniform():
    """Haar: every entry of R has mean 0 and variance 1/P, and R turns any x anywhere."""
    X, y = blobs(8, n=10, P=3, K=2)
    forest = grow(FAMILIES["RR-RF"].replace(n_tree=4000, max_depth=0), X, y)
    R = forest.value.reshape(4000, 3, 3)
    assert np.abs(R.mean(axis=0)).max() < 0.05
    np.testing.assert_allclose((R**2).mean(axis=0), 1 / 3, atol=0.03)
    turned = R @ np.array([0.6, 0.0, 0.8])
    # on a sphere each coordinate is uniform on [-1, 1] (Archimedes)
    np.testing.assert_allclose(np.quantile(turned, [0.25, 0.5, 0.75]), [-0.5, 0, 0.5], atol=0.04)


def test_a_turned_tree_is_an_axis_tree_on_turned_data():
    X, y = blobs(9, n=80, P=4, K=3)
    forest = grow(FAMILIES["RR-RF"].replace(bootstrap="none", m_try="all", n_tree=3), X, y)
    for t in range(3):
        turned = X @ rotation(forest, t).T
        plain = grow(ForestSpec(min_leaf=9, **EVERYTHING), turned, y).tree(0)
        ours = forest.tree(t)
        np.testing.assert_allclose(ours.nodes[0].gain, plain.nodes[0].gain, rtol=1e-6)
        assert len(ours) == len(plain)


# ---- F-RC


def test_candidates_combine_two_features_with_uniform_coefficients():
    X, y = blobs(10, n=30, P=6, K=2)
    spec = FAMILIES["F-RC"].replace(n_tree=3000, max_depth=1, n_candidates=1, bootstrap="none")
    forest = grow(spec, X, y)
    inner = forest.feature == -2
    assert ((forest.end - forest.begin)[inner] == 2).all()
    pairs = forest.index.reshape(-1, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert (np.abs(np.bincount(forest.index, minlength=6) - 1000) < 150).all()
    assert np.abs(forest.value).max() <= 1
    assert abs(forest.value.mean()) < 0.03
    assert abs(forest.value.std() - 3**-0.5) < 0.02


def test_more_candidates_gain_more():
    X, y = blobs(11, n=60, P=4, K=2)
    spec = FAMILIES["F-RC"].replace(n_tree=50, max_depth=1, bootstrap="none")
    few, many = (grow(spec.replace(n_candidates=d), X, y).gain[::3].mean() for d in (1, 50))
    assert many > few * 1.1


def test_sparse_candidates_draw_their_own_number_of_features():
    X, y = blobs(12, n=30, P=6, K=2)
    spec = FAMILIES["F-RC-sparse"].replace(n_tree=2000, max_depth=1, n_candidates=1)
    forest = grow(spec, X, y)
    sizes = np.bincount((forest.end - forest.begin)[forest.feature == -2], minlength=5)
    assert sizes[0] == 0
    assert (np.abs(sizes[1:] - 500) < 120).all()


def test_a_mixed_node_takes_the_better_of_axis_and_ridge():
    X, y = blobs(13, n=80, P=5, K=3)
    knobs = {"m_try": "all", "bootstrap": "none", "max_depth": 1, "n_tree": 1}
    mixed, axis, ridge = (
        grow(FAMILIES[name].replace(**knobs), X, y).tree(0).nodes[0]
        for name in ("oRF-mixed", "RF", "oRF-ridge")
    )
    assert mixed.gain == pytest.approx(max(axis.gain, ridge.gain))
    both = grown("oRF-mixed", X, y, n_tree=20)
    assert (both.feature >= 0).any()
    assert (both.feature == -2).any()
