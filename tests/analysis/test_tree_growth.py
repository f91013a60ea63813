"""A tree cut by cut: after k cuts it is the tree that a walk stopped there would give."""

import numpy as np
import pytest

from explorer.analysis.planes import feature_plane
from explorer.analysis.tree_growth import tree_growth
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module", params=["RF", "oRF-ridge"])
def grown(request):
    data = load("moons")
    forest = grow(FAMILIES[request.param].replace(n_tree=2, m_try=2, seed=0), data.X, data.y)
    return forest, data, tree_growth(forest, data, 1)


def test_every_cut_adds_two_nodes_and_its_own_line(grown):
    forest, _, growth = grown
    assert growth.cuts == (len(forest.tree(1)) - 1) // 2
    before: set[int] = set()
    for k in range(growth.cuts + 1):
        assert sorted(growth.drawing_after(k).number) == list(range(2 * k + 1))
        lines = set(growth.lines_after(k).tolist())
        assert before <= lines
        new = {int(growth.partition.line_node[i]) for i in lines - before}
        assert new <= {growth.cut_at(k)} if k else not new
        before = lines
    assert before == set(range(len(growth.partition.lines)))


def test_a_cell_belongs_to_the_node_where_a_walk_ends_that_is_stopped_after_k_cuts(grown):
    forest, data, growth = grown
    tree = forest.tree(1)
    plane = feature_plane(data)
    middles = np.array([p.mean(axis=0) for p in growth.partition.polygons])
    Z = forest.scaling.transform(plane.points(middles))
    for k in (0, 1, growth.cuts // 2, growth.cuts):
        for z, found in zip(Z, growth.cells_after(k), strict=True):
            at = tree.nodes[0]
            while not at.is_leaf and max(at.left, at.right) <= 2 * k:
                score = sum(w * z[f] for f, w in zip(at.features, at.weights, strict=True))
                at = tree.nodes[at.left if score <= at.cut else at.right]
            assert at.number == found


def test_at_the_end_the_cells_have_the_shares_of_their_leaves(grown):
    _, _, growth = grown
    counts = growth.partition.counts
    np.testing.assert_allclose(
        growth.shares_after(growth.cuts), counts / counts.sum(axis=1, keepdims=True)
    )
    assert np.ptp(growth.shares_after(0), axis=0).max() == 0  # one cell at first
