"""One tree, node by node."""

import numpy as np
import pytest

from explorer.engine import FAMILIES

from . import naive
from .toys import blobs, grown


@pytest.mark.parametrize("name", FAMILIES)
def test_reading_a_tree_and_walking_it_by_hand_gives_the_same_leaves(name):
    X, y = blobs(1, n=40, P=4, K=3)
    forest = grown(name, X, y, n_tree=2)
    Z = forest.scaling.transform(X)
    leaves = forest.apply(X)
    for t, tree in enumerate(forest):
        assert [naive.walk(tree, z).leaf for z in Z] == leaves[:, t].tolist()


@pytest.mark.parametrize("name", ["CART", "RF", "oRF-ridge", "RR-RF", "RDF-PER", "FRANK"])
def test_a_tree_hangs_together(name):
    X, y = blobs(2, n=60, P=4, K=3)
    for tree in grown(name, X, y):
        assert tree.nodes[0].parent == -1
        assert tree.nodes[0].depth == 0
        leaves = [node.leaf for node in tree.nodes if node.is_leaf]
        assert sorted(leaves) == list(range(len(leaves)))
        assert len(tree) == 2 * len(leaves) - 1
        assert tree.depth == max(node.depth for node in tree.nodes)
        for node in tree.nodes:
            if node.is_leaf:
                assert (node.left, node.right, node.features.size, node.gain) == (-1, -1, 0, 0)
                continue
            assert node.leaf == -1
            assert node.features.size == node.weights.size > 0
            for child in (tree.nodes[node.left], tree.nodes[node.right]):
                assert child.parent == node.number
                assert child.depth == node.depth + 1
            below = tree.nodes[node.left].counts, tree.nodes[node.right].counts
            np.testing.assert_allclose(sum(below), node.counts)
            assert node.gain == pytest.approx(naive.decrease(*below, "gini"), rel=1e-4, abs=1e-5)


def test_a_tree_reads_as_rules():
    X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    forest = grown("RF", X, ["elm", "elm", "fir", "fir"], n_tree=1, bootstrap="none", m_try="all")
    assert str(forest.tree(0)).splitlines() == [
        "x0 <= 1.5?",
        "  yes: elm (100% of 2)",
        "  no: fir (100% of 2)",
    ]


def test_an_oblique_tree_names_its_weights():
    X, y = blobs(3, n=40, P=6, K=2)
    text = str(grown("oRF-lda", X, y, m_try="all").tree(0))
    assert "+ 2 more <=" in text
    assert "x" in text.splitlines()[0]


@pytest.mark.parametrize("t", [-1, 5, 100])
def test_a_tree_that_is_not_there_is_an_error(t):
    X, y = blobs(4)
    with pytest.raises(ValueError, match=r"no tree .* 0 \.\.\. 4"):
        grown("RF", X, y).tree(t)
