from types import SimpleNamespace

import numpy as np
import pytest

from explorer import analysis
from explorer.app.pages import node_text as words
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def shown():
    """The root of a small tree, as the Nodes page has it."""
    moons = load("moons")
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=1, m_try=2), moons.X, moons.y)
    plane = analysis.feature_plane(moons)
    return SimpleNamespace(
        drawing=analysis.tree_drawing(forest, moons),
        projection=analysis.projection(forest, moons),
        partition=analysis.partition(forest, moons, 0, plane),
        node=0,
        split=0,
        request=SimpleNamespace(plane=plane),
    )


def test_one_node_is_not_many():
    assert words.counted(1, "node") == "1 node"
    assert words.in_bag(2) == "2 samples in the bag, repeats counted"


def test_a_node_says_how_many_samples_and_which_classes_it_holds(shown):
    text = words.of_split(shown)
    assert text.startswith("Node 0: ")
    assert all(name in text for name in shown.drawing.class_names)
    assert "Left: " in text


def test_a_leaf_is_described_by_the_cut_above_it(shown):
    leaf = SimpleNamespace(**{**vars(shown), "node": int(shown.drawing.number[-1])})
    assert words.of_split(leaf).startswith("Leaf ")
    assert "the cut above it" in words.of_split(leaf)


def test_only_a_straight_cut_says_so(shown):
    assert "straight" not in words.of_weights(shown)
    one = SimpleNamespace(projection=SimpleNamespace(weights=np.ones(1)))
    assert "straight" in words.of_weights(one)
    many = SimpleNamespace(projection=SimpleNamespace(weights=np.ones(50)))
    assert "20 largest of 50" in words.of_weights(many, 20)


def test_the_map_says_whether_the_cut_is_seen(shown):
    assert "Thick: this cut." in words.of_map(shown)
    unseen = SimpleNamespace(**{**vars(shown), "partition": None})
    assert "does not cross" in words.of_map(unseen)
