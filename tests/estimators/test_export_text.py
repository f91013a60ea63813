"""A tree as text: every leaf is there, and the rules lead to where the forest goes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from explorer import ForestClassifier
from explorer.estimators import export_text

X, Y = load_iris(return_X_y=True, as_frame=True)


def test_every_branch_and_leaf_has_a_line():
    forest = ForestClassifier("RF", n_estimators=2, random_state=0).fit(X, Y)
    lines = export_text(forest, 1, max_depth=99).splitlines()
    nodes = forest.forest_.tree(1).nodes
    leaves = [line for line in lines if "class:" in line]
    assert len(leaves) == sum(node.is_leaf for node in nodes)
    assert len(lines) - len(leaves) == len(nodes) - 1  # one line leads to every node but the root
    assert "petal" in "".join(lines)


def test_an_oblique_split_shows_its_weights():
    forest = ForestClassifier("oRF-ridge", n_estimators=1, random_state=0).fit(X.to_numpy(), Y)
    root = forest.forest_.tree(0).nodes[0]
    first = export_text(forest, decimals=4).splitlines()[0]
    for f, weight in zip(root.features, root.weights, strict=True):
        assert f"{weight:+.4f} feature_{f}" in first
    assert first.endswith(f"<= {root.cut:.4f}")


def test_deep_splits_are_left_out_and_missing_values_named():
    holes = X.to_numpy(copy=True)
    holes[::3, 2] = np.nan
    forest = ForestClassifier("RF", n_estimators=1, random_state=0).fit(holes, Y)
    text = export_text(forest, max_depth=1)
    assert "not shown" in text
    assert " or missing" in text


def test_a_tree_of_the_forest_may_be_given():
    forest = ForestClassifier("RF", n_estimators=2, random_state=0).fit(X.to_numpy(), Y)
    assert export_text(forest.estimators_[1]) == export_text(forest, 1)


def test_names_that_do_not_fit_are_refused():
    forest = ForestClassifier("RF", n_estimators=1).fit(X, Y)
    with pytest.raises(ValueError, match=r"2 names.*4 features"):
        export_text(forest, feature_names=["a", "b"])
