"""Cost-complexity pruning: the subtree of least error plus alpha times leaves, alpha by folds."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, Cancelled, ForestSpec, grow
from explorer.engine.pruning import collapse_at, folds_of
from explorer.engine.tree import node_counts

from . import naive
from .toys import blobs, same

FULL = ForestSpec(n_tree=1, m_try="all", bootstrap="none")


def noisy(seed=0, n=120, K=2):
    X, y = blobs(seed, n=n, P=3, K=K)
    y = y.copy()
    flip = np.random.default_rng(seed).random(n) < 0.25
    y[flip] = (y[flip] + 1) % K
    return X, y


def kept_leaves(tree, collapse, alpha):
    """Leaves of the tree after every node that collapses at or below alpha has become one."""
    out, stack = set(), [0]
    while stack:
        node = tree.nodes[stack.pop()]
        if collapse[node.number] <= alpha:
            out.add(node.number)
        else:
            stack += [node.left, node.right]
    return out


@pytest.mark.parametrize("split", ["axis", "lda"])
@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_weakest_links_give_the_best_subtree_at_every_complexity(split, K, weighted):
    """Breiman et al. 1984: the twin tries both choices at every node for every alpha."""
    X, y = noisy(K, K=K)
    w = np.random.default_rng(K).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    forest = grow(FULL.replace(split=split), X, y, sample_weight=w)
    tree = forest.tree(0)
    sums = node_counts(forest.feature, forest.left, forest.counts)
    collapse = collapse_at(forest.feature, forest.left, sums)
    steps = np.unique(collapse[np.isfinite(collapse)])
    steps = steps[np.append(True, np.diff(steps) > 1e-9)]
    between = (steps[:-1] + steps[1:]) / 2
    assert len(between) > 3
    for alpha in (*between, steps[-1] * 2):
        assert kept_leaves(tree, collapse, alpha) == naive.optimal_pruning(tree.nodes, alpha)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_complexities_equal_those_of_links_worked_out_anew(K, weighted):
    X, y = noisy(K + 20, n=80, K=K)
    w = np.random.default_rng(K).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    forest = grow(FULL, X, y, sample_weight=w)
    sums = node_counts(forest.feature, forest.left, forest.counts)
    cost = (sums.sum(axis=1) - sums.max(axis=1)) / sums[0].sum()
    expected = naive.collapse_at(forest.feature, forest.left, cost)
    found = collapse_at(forest.feature, forest.left, sums)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-15)


def test_a_pruned_tree_is_the_same_on_any_number_of_threads():
    X, y = noisy(9, n=200)
    assert same(grow(FAMILIES["CART"], X, y, threads=1), grow(FAMILIES["CART"], X, y, threads=4))


def test_pruning_can_be_cancelled_and_says_what_it_does():
    X, y = noisy(9, n=200)
    with pytest.raises(Cancelled):
        grow(FAMILIES["CART"], X, y, cancel=lambda: True)
    heard = []
    grow(FAMILIES["CART"], X, y, progress=lambda done, wanted, what: heard.append((done, wanted)))
    assert heard[-1] == (1, 1)
    assert all(0 <= done <= wanted == 1 for done, wanted in heard)


def test_complexities_rise_towards_the_root():
    X, y = noisy(3)
    forest = grow(FULL, X, y)
    sums = node_counts(forest.feature, forest.left, forest.counts)
    collapse = collapse_at(forest.feature, forest.left, sums)
    inner = np.flatnonzero(forest.feature != -1)
    for child in (0, 1):
        assert (collapse[forest.left[inner] + child] <= collapse[inner]).all()
    assert collapse[0] == collapse.max()
    assert np.isneginf(collapse[forest.feature == -1]).all()


def test_the_pruned_tree_is_the_crown_of_the_full_one():
    X, y = noisy(4, n=200)
    full, pruned = grow(FULL, X, y).tree(0), grow(FAMILIES["CART"], X, y).tree(0)
    assert len(pruned) < len(full)
    pairs = [(0, 0)]
    while pairs:
        i, j = pairs.pop()
        a, b = pruned.nodes[i], full.nodes[j]
        np.testing.assert_array_equal(a.counts, b.counts)
        if not a.is_leaf:
            assert (a.features[0], a.cut, a.gain) == (b.features[0], b.cut, b.gain)
            pairs += [(a.left, b.left), (a.right, b.right)]


@pytest.mark.parametrize("seed", range(4))
def test_the_complexity_is_the_one_that_cross_validates_best(seed):
    """The whole procedure again, with the twin's subtrees and the engine's folds."""
    X, y = noisy(seed + 10, n=90)
    full = grow(FULL, X, y)
    sums = node_counts(full.feature, full.left, full.counts)
    collapse = collapse_at(full.feature, full.left, sums)
    steps = np.unique(np.append(collapse[np.isfinite(collapse)], 0.0))
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
    fold = folds_of(y, np.arange(90), 10, np.random.default_rng([0, 0, 0x43415254]))
    wrong = np.zeros(alphas.size)
    for k in range(10):
        tree = grow(FULL, X[fold != k], y[fold != k]).tree(0)
        for a, alpha in enumerate(alphas):
            leaves = naive.optimal_pruning(tree.nodes, alpha + 1e-13)
            for x, label in zip(X[fold == k], y[fold == k], strict=True):
                node = tree.nodes[0]
                while node.number not in leaves:
                    left = x[node.features[0]] <= node.cut
                    node = tree.nodes[node.left if left else node.right]
                wrong[a] += node.counts.argmax() != label
    best = np.flatnonzero(wrong == wrong.min())[-1]
    expected = len(kept_leaves(full.tree(0), collapse, steps[best]))
    pruned = grow(FAMILIES["CART"], X, y)
    assert pruned.counts.shape[0] == expected


def test_pruning_helps_on_noise_and_spares_what_is_plain():
    X, y = noisy(5, n=1000)
    truth = blobs(5, n=1000, P=3, K=2)[1]
    right = [
        (grow(spec, X[:200], y[:200]).predict(X[200:]) == truth[200:]).mean()
        for spec in (FULL, FAMILIES["CART"])
    ]
    assert right[1] > right[0] + 0.05
    steps = np.repeat(np.arange(4.0), 25)[:, None]
    forest = grow(FAMILIES["CART"], steps, np.repeat([0, 1, 0, 1], 25))
    assert forest.counts.shape[0] == 4


def test_folds_spread_classes_evenly():
    y = np.repeat([0, 1, 2], [50, 30, 7])
    fold = folds_of(y, np.arange(87), 10, np.random.default_rng(0))
    for k in range(3):
        sizes = np.bincount(fold[y == k], minlength=10)
        assert sizes.max() - sizes.min() <= 1


def test_pure_noise_is_pruned_to_little():
    X = np.random.default_rng(6).normal(size=(300, 4))
    y = np.random.default_rng(7).integers(0, 2, 300)
    assert grow(FULL, X, y).counts.shape[0] > 40
    assert grow(FAMILIES["CART"], X, y).counts.shape[0] < 20


def test_two_rows_can_be_pruned():
    forest = grow(FAMILIES["CART"], [[0.0], [1.0]], [0, 1])
    assert forest.counts.sum() == 2


def test_pruned_oblique_trees_keep_their_weights():
    X, y = noisy(8)
    forest = grow(FAMILIES["oblique-tree"].replace(prune=5, n_tree=3), X, y)
    assert same(forest.take(2), grow(FAMILIES["oblique-tree"].replace(prune=5, n_tree=2), X, y))
    leaves = forest.apply(X)
    for t in range(3):
        counts = np.zeros((forest.leaf_at[t + 1] - forest.leaf_at[t], 2))
        np.add.at(counts, (leaves[:, t], y), 1.0)
        np.testing.assert_array_equal(
            counts, forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]]
        )
