import numpy as np
import pytest

from explorer.analysis import tree_drawing


@pytest.fixture(params=["CART", "oRF-ridge", "RF"])
def drawn(request, mixture, forests):
    forest = forests(request.param, mixture, 1 if request.param == "CART" else 4)
    return forest.tree(forest.n_tree - 1), tree_drawing(forest, mixture, forest.n_tree - 1)


def test_every_node_is_drawn_once_with_its_share_of_samples(drawn):
    tree, found = drawn
    assert sorted(found.number) == list(range(len(tree)))
    for k, number in enumerate(found.number):
        node = tree.nodes[number]
        assert found.y[k] == -node.depth
        assert found.size[k] == pytest.approx(node.counts.sum())
        np.testing.assert_allclose(found.share[k], node.counts / node.counts.sum())
        assert found.is_leaf[k] == node.is_leaf


def test_parents_stand_halfway_above_their_children(drawn):
    tree, found = drawn
    where = {n: k for k, n in enumerate(found.number)}
    for k, number in enumerate(found.number):
        node = tree.nodes[number]
        if node.is_leaf:
            continue
        left, right = where[node.left], where[node.right]
        assert found.x[k] == pytest.approx((found.x[left] + found.x[right]) / 2)
        assert found.x[left] < found.x[right]
        assert found.is_left[left]
        assert not found.is_left[right]
        assert found.parent[left] == found.parent[right] == k


def test_leaves_stand_side_by_side_and_branches_never_cross(drawn):
    _, found = drawn
    np.testing.assert_array_equal(np.sort(found.x[found.is_leaf]), np.arange(found.is_leaf.sum()))
    for level in np.unique(found.y):
        mine = np.flatnonzero(found.y == level)
        parents = found.x[found.parent[mine[np.argsort(found.x[mine])]]]
        assert level == 0 or (np.diff(parents) >= 0).all()


def test_a_folded_tree_keeps_what_was_below(mixture, forests):
    forest = forests("RF", mixture, 4)
    found = tree_drawing(forest, mixture, 0, max_depth=2)
    assert found.y.min() == -2
    ends = found.is_leaf | found.folded
    assert found.size[ends].sum() == pytest.approx(found.size[0])
    assert found.folded.any()
    assert found.segments.shape == (len(found.x) - 1, 2, 2)


def test_a_drawing_goes_to_pandas_and_json(mixture, forests):
    found = tree_drawing(forests("CART", mixture, 1), mixture)
    frame = found.to_frame()
    assert frame.loc[0, "parent"] == -1
    assert "<=" in frame.loc[0, "text"]
    assert '"record": "TreeDrawing"' in found.to_json()


def test_a_missing_tree_is_refused_in_a_sentence(mixture, forests):
    with pytest.raises(ValueError, match="There is no tree 9"):
        tree_drawing(forests("RF", mixture, 4), mixture, 9)
