import numpy as np
import pytest

from explorer import analysis
from explorer.views.tree_figure import TreeFigure


def test_a_tree_has_a_pie_slice_for_every_class_at_every_node(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    assert len(drawn.slices.data["x"]) == int((record.share > 0).sum())
    angles = np.asarray(drawn.slices.data["end"]) - np.asarray(drawn.slices.data["start"])
    assert angles.sum() == pytest.approx(2 * np.pi * record.x.size)


def test_larger_nodes_are_drawn_larger(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    radius = np.asarray(drawn.nodes.data["radius"])
    order = np.argsort(record.size, kind="stable")
    assert (np.diff(radius[order]) >= 0).all()


def test_the_way_to_a_node_has_as_many_branches_as_its_depth(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure("dark")
    deepest = int(record.number[record.y.argmin()])
    drawn.update(record, deepest)
    assert len(drawn.way.data["x0"]) == int(-record.y.min())
    assert len(drawn.chosen.data["x"]) == 1


def test_a_click_near_a_node_finds_it_and_nonsense_finds_none(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    for place in (0, 1, len(record.x) - 1):
        found = drawn.nearest(record.x[place] + 0.05, record.y[place] - 0.05)
        assert found == record.number[place]
    assert drawn.nearest(float("nan"), 0.0) is None
    assert drawn.nearest("x", None) is None
