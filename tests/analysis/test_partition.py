import numpy as np
import pytest

from explorer.analysis import component_plane, feature_plane, marginal_plane, partition
from explorer.baselines import Knn


def leaf_raster(forest, tree, plane, width, height):
    x, y = plane.pixels(width, height)
    points = plane.points(np.column_stack([np.tile(x, height), np.repeat(y, width)]))
    return forest.apply(points)[:, tree], np.column_stack([np.tile(x, height), np.repeat(y, width)])


def inside(polygon, points):
    """Even-odd rule, for any simple polygon."""
    out = np.zeros(len(points), bool)
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = (points[:, 1] < y0) != (points[:, 1] < y1)
        at = x0 + (points[:, 1] - y0) / (y1 - y0) * (x1 - x0)
        out ^= crosses & (points[:, 0] < at)
    return out


FAMILIES = ["CART", "RF", "oRF-ridge", "F-RC", "FRANK", "RR-RF", "RR-RF(r)", "RDF-CAP"]


@pytest.mark.parametrize("family", FAMILIES)
def test_areas_of_the_cells_sum_to_the_plane(family, mixture, forests):
    forest = forests(family, mixture, 1 if family == "CART" else 4)
    for tree in range(forest.n_tree):
        found = partition(forest, mixture, tree)
        assert found.area.sum() == pytest.approx(found.plane.area, rel=1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_cells_agree_with_the_raster_of_leaves(family, mixture, forests):
    forest = forests(family, mixture, 1 if family == "CART" else 4)
    tree = forest.n_tree - 1
    found = partition(forest, mixture, tree)
    leaf, points = leaf_raster(forest, tree, found.plane, 61, 47)
    seen = np.full(len(points), -1)
    for polygon, number in zip(found.polygons, found.leaf, strict=True):
        seen[inside(polygon, points)] = number
    np.testing.assert_array_equal(seen, leaf)


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_cells_are_exact_on_any_plane_of_many_features(family, ten, forests):
    forest = forests(family, ten, 4)
    for plane in (feature_plane(ten, 2, 0, at=17), component_plane(ten)):
        found = partition(forest, ten, 2, plane)
        assert found.area.sum() == pytest.approx(plane.area, rel=1e-9)
        leaf, points = leaf_raster(forest, 2, plane, 40, 40)
        seen = np.full(len(points), -1)
        for polygon, number in zip(found.polygons, found.leaf, strict=True):
            seen[inside(polygon, points)] = number
        np.testing.assert_array_equal(seen, leaf)


@pytest.mark.parametrize("family", ["CART", "oRF-ridge", "FRANK"])
def test_lines_lie_on_their_splits(family, mixture, forests):
    forest = forests(family, mixture, 1 if family == "CART" else 4)
    found = partition(forest, mixture, 0)
    tree = forest.tree(0)
    assert len(found.lines) > 0
    for line, number in zip(found.lines, found.line_node, strict=True):
        node = tree.nodes[number]
        points = found.plane.points(line)
        if family == "FRANK":  # a jump of the ranks beyond all samples has no value in between
            lo, hi = mixture.X.min(axis=0), mixture.X.max(axis=0)
            points = points[((points > lo) & (points < hi)).all(axis=1)]
        Z = forest.scaling.transform(points)
        score = Z[:, node.features] @ node.weights
        scale = np.abs(node.weights).sum() * (np.abs(Z).max(initial=0.0) + 1)
        assert np.abs(score - node.cut).max(initial=0.0) < 1e-9 * scale


def test_lines_and_cells_carry_their_depth_class_and_counts(mixture, forests):
    forest = forests("oRF-ridge", mixture, 4)
    found = partition(forest, mixture, 1)
    tree = forest.tree(1)
    assert (found.line_depth == [tree.nodes[k].depth for k in found.line_node]).all()
    leaves = {node.leaf: node for node in tree.nodes if node.is_leaf}
    for k, number in enumerate(found.leaf):
        np.testing.assert_array_equal(found.counts[k], leaves[number].counts)
        assert found.depth[k] == leaves[number].depth
        assert found.winner[k] == leaves[number].counts.argmax()


def test_a_partition_goes_to_pandas_corner_by_corner(mixture, forests):
    found = partition(forests("CART", mixture, 1), mixture)
    frame = found.to_frame()
    assert len(frame) == sum(map(len, found.polygons))
    assert set(frame["class"]) <= set(mixture.class_names)
    assert found.to_json().startswith('{"record": "Partition"')


def test_what_has_no_cells_is_refused_in_a_sentence(ten, mixture, forests):
    with pytest.raises(ValueError, match="is an average over planes"):
        partition(forests("RF", ten, 4), ten, 0, marginal_plane(ten))
    with pytest.raises(ValueError, match="not lines on this plane"):
        partition(forests("FRANK", ten, 4), ten, 0, component_plane(ten))
    with pytest.raises(ValueError, match="There is no tree 4"):
        partition(forests("RF", ten, 4), ten, 4)
    with pytest.raises(ValueError, match="has no trees"):
        partition(Knn().fit(mixture.X, mixture.y), mixture)
