"""The families of the papers, each with its paper's defaults."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, ForestSpec

from .toys import blobs, grown


def test_no_two_names_mean_one_forest():
    assert all(isinstance(spec, ForestSpec) for spec in FAMILIES.values())
    assert len(set(FAMILIES.values())) == len(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_learns_what_is_plain(name):
    X, y = blobs(1, n=150, P=4, K=3)
    X = X + 4 * np.eye(4)[y]
    names = np.array(["ash", "birch", "cedar"])
    forest = grown(name, X[:100], names[y[:100]], n_tree=20)
    assert forest.classes.tolist() == ["ash", "birch", "cedar"]
    # with a few trees of random features, every family is far above the chance of one in three
    assert (forest.predict(X[100:]) == names[y[100:]]).mean() > 0.8


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("CART", {"n_tree": 1, "bootstrap": "none", "m_try": "all", "prune": 10}),
        ("RF", {"split": "axis", "m_try": "sqrt", "criterion": "gini", "bootstrap": "with"}),
        ("RF-rnd", {"m_try": 1}),
        ("RF-thresholds", {"n_thresholds": 5, "min_leaf": 5, "criterion": "entropy"}),
        ("RF-C4.5", {"criterion": "gain_ratio"}),
        ("oblique-tree", {"split": "ridge", "n_tree": 1, "bootstrap": "none"}),
        ("oRF-rnd", {"split": "random", "m_try": "sqrt"}),
        ("oRF-lda", {"split": "lda"}),
        ("oRF-ridge", {"split": "ridge", "n_tree": 300, "vote": "majority"}),
        ("oRF-log", {"split": "logistic"}),
        ("F-RC", {"split": "sparse", "n_combine": 2, "scaling": "none"}),
        ("FRANK", {"split": "sparse", "n_combine": 2, "scaling": "rank"}),
        ("RR-RF", {"rotate": True, "scaling": "none"}),
        ("RR-RF(r)", {"rotate": True, "scaling": "rank"}),
        ("RF-ODT", {"split": "psvm", "balance": True}),
        ("RDF-CAP", {"split": "cap", "subspace": "tree", "bootstrap": "none"}),
        ("RDF-PER", {"split": "perceptron", "subspace": "tree", "vote": "posterior"}),
        ("oRF-mixed", {"split": "mixed"}),
        ("F-RC-sparse", {"split": "sparse", "vary_combine": True}),
    ],
)
def test_a_family_is_what_its_paper_says(name, knobs):
    for knob, value in knobs.items():
        assert getattr(FAMILIES[name], knob) == value, knob
