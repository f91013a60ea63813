"""Parameters of ForestClassifier that scikit-learn's forests have too, and errors in its words."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from numpydoc_free import parameters_of
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, train_test_split
from sklearn.utils import estimator_html_repr

from explorer import ForestClassifier
from explorer.engine import FAMILIES
from explorer.engine.forest import ARRAYS
from explorer.estimators import TreeClassifier, UnitsWarning
from explorer.estimators.family_links import LINKS, paper_of

IRIS = load_iris(return_X_y=True)
ROOT = Path(__file__).resolve().parents[2]


def _same(one: ForestClassifier, other: ForestClassifier) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one.forest_, name), getattr(other.forest_, name))


# ---- words


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"n_estimators": 0}, "n_estimators is 0"),
        ({"max_features": 9}, "max_features is 9, but the data have 4 features"),
        ({"max_features": "cube"}, "max_features is 'cube'"),
        ({"random_state": -1}, "random_state is -1"),
        ({"max_samples": -0.5}, "max_samples is -0.5"),
        ({"min_samples_split": 1}, "min_samples_split is 1; use a whole number from 2"),
        ({"min_samples_leaf": 0}, "min_samples_leaf is 0; use a whole number from 1"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes is 1; use a whole number from 2"),
        ({"ccp_alpha": -1.0}, "ccp_alpha is -1.0; use a number of 0 or more"),
        ({"min_leaf": 3, "min_samples_split": 4}, "say the same"),
    ],
)
def test_errors_use_the_callers_word(params: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ForestClassifier("RF", **params).fit(*IRIS)


@pytest.mark.parametrize(
    ("name", "near"),
    [("orf", "oRF-"), ("frank", "FRANK"), ("rf_odt", "RF-ODT"), ("oRF-rigde", "oRF-ridge")],
)
def test_an_unknown_family_is_answered_with_the_nearest(name: str, near: str) -> None:
    with pytest.raises(KeyError, match=f"no family named '{name}'. Do you mean '{near}"):
        FAMILIES[name]
    with pytest.raises(ValueError, match=f"Do you mean '{near}"):
        ForestClassifier(name).fit(*IRIS)


def test_every_parameter_is_documented_with_type_and_default() -> None:
    told = parameters_of(ForestClassifier)
    signature = inspect.signature(ForestClassifier).parameters
    assert list(told) == [name for name in signature if name in told]
    assert set(told) == set(signature)
    for name, head in told.items():
        default = signature[name].default
        shown = f'"{default}"' if isinstance(default, str) else repr(default)
        assert head.endswith(f"default={shown}"), f"{name}: {head}"


def test_the_html_page_links_to_the_familys_paper() -> None:
    html = estimator_html_repr(ForestClassifier("RDF-CAP"))
    assert 'href="https://doi.org/10.1109/ICDAR.1995.598994"' in html
    assert "978-3-642-23783-6_29" in estimator_html_repr(ForestClassifier("oRF-lda"))
    assert "10.1201/9781315139470" in estimator_html_repr(ForestClassifier("CART"))
    assert set(LINKS) <= set(FAMILIES)
    ours = {"Menze": "23783-6_29", "Tomita": "11974973.56", "Do ": "00580-0_3", "Ho ": "598994"}
    for line in (ROOT / "docs" / "families.md").read_text().splitlines():
        for author, end in ours.items():
            if line.startswith("| `") and line.rsplit("| ", 1)[1].startswith(author):
                family = line.split("`")[1]
                if family not in ("CART", "RF"):
                    assert paper_of(family).endswith(end), family


# ---- seeds, bags, more trees


def test_a_generator_is_a_random_state() -> None:
    seeds = [
        ForestClassifier("RF", n_estimators=1, random_state=g).fit(*IRIS).forest_.spec.seed
        for g in (np.random.default_rng(5), np.random.default_rng(5), np.random.default_rng(6))
    ]
    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize(
    ("params", "rows"),
    [({"max_samples": 40}, 40), ({"max_samples": 0.5}, 75), ({"max_samples": 2.0}, 300)],
)
def test_max_samples_rows_are_drawn_for_a_tree(params: dict, rows: int) -> None:
    for bootstrap in (True, "without"):
        model = ForestClassifier("RF", n_estimators=4, bootstrap=bootstrap, **params).fit(*IRIS)
        want = rows if bootstrap is True else min(rows, 150)
        assert [s.size for s in model.estimators_samples_] == [want] * 4
        assert model.forest_.counts.sum() == 4 * want


def test_a_warm_start_grows_the_trees_of_a_cold_one() -> None:
    for params in ({}, {"max_leaf_nodes": 4}, {"class_weight": "balanced_subsample"}):
        warm = ForestClassifier("oRF-lda", random_state=0, warm_start=True, **params)
        for trees in (3, 8):
            warm.set_params(n_estimators=trees).fit(*IRIS)
        cold = ForestClassifier("oRF-lda", n_estimators=8, random_state=0, **params)
        _same(warm, cold.fit(*IRIS))


def test_a_warm_start_refuses_other_data_and_other_parameters() -> None:
    X, y = IRIS
    model = ForestClassifier("RF", n_estimators=3, random_state=0, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="grown on the same data"):
        model.set_params(n_estimators=5).fit(X + 1, y)
    with pytest.raises(ValueError, match="parameters of the trees have changed"):
        model.set_params(max_depth=2).fit(X, y)


def test_max_features_none_means_all_and_the_default_is_the_familys() -> None:
    every = ForestClassifier("RF", n_estimators=2, max_features=None).fit(*IRIS)
    assert every.forest_.spec.m_try == "all"
    assert ForestClassifier("RF", n_estimators=2).fit(*IRIS).forest_.spec.m_try == "sqrt"


# ---- what comes in


def test_a_sparse_matrix_is_its_dense_self() -> None:
    X, y = IRIS
    X = np.where(X > 1.5, X, 0.0)
    dense = ForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    sparse = ForestClassifier(n_estimators=5, random_state=0).fit(csr_matrix(X), y)
    _same(dense, sparse)
    np.testing.assert_array_equal(dense.predict_proba(X), sparse.predict_proba(csr_matrix(X)))


def test_data_of_one_class_are_predicted_as_that_class() -> None:
    X, _ = IRIS
    model = ForestClassifier(n_estimators=3, random_state=0).fit(X, np.full(150, "only"))
    assert set(model.predict(X)) == {"only"}
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((150, 1)))
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(4))


def test_recursive_elimination_survives_folds_of_one_class() -> None:
    X, y = make_classification(60, 6, random_state=0)
    groups = np.arange(60) // 20
    y[:40] = 0  # two of three training parts lack a class
    search = RFECV(ForestClassifier("RF", n_estimators=5, random_state=0), cv=GroupKFold(3))
    search.fit(X, y, groups=groups)
    assert search.n_features_ >= 1


def test_several_outputs_are_marginals_of_their_combinations() -> None:
    X, y = IRIS
    both = np.stack([y, (X[:, 0] > 5.8).astype(int) + 5], axis=1)
    model = ForestClassifier("oRF-lda", n_estimators=20, random_state=0).fit(X, both)
    assert [list(c) for c in model.classes_] == [[0, 1, 2], [5, 6]]
    joint = model.forest_.predict_proba(X)
    combos = np.unique(both, axis=0)
    for k, (proba, classes) in enumerate(zip(model.predict_proba(X), model.classes_, strict=True)):
        for c, label in enumerate(classes):
            np.testing.assert_allclose(proba[:, c], joint[:, combos[:, k] == label].sum(axis=1))
    assert (model.predict(X) == both).mean() > 0.95


# ---- trees


def test_a_tree_of_the_forest_can_be_cloned_and_grown_again() -> None:
    X, y = IRIS
    model = ForestClassifier("oRF-lda", n_estimators=4, bootstrap=False, random_state=3).fit(X, y)
    third = model[2]
    again = TreeClassifier(third.spec, third.number).fit(X, y)
    np.testing.assert_array_equal(again.forest_.cut, third.forest_.cut)
    mean = np.mean([tree.predict_proba(X) for tree in model], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean)
    assert len(model) == 4
    assert third.tree_.feature.min() == -3  # nodes that weigh several features


def test_importance_of_axis_trees_is_the_mean_of_theirs() -> None:
    model = ForestClassifier("RF", n_estimators=10, random_state=0).fit(*IRIS)
    mean = np.mean([t.tree_.compute_feature_importances() for t in model], axis=0)
    np.testing.assert_allclose(model.feature_importances_, mean, atol=1e-6)


# ---- probabilities and units


def test_mixed_leaves_are_averaged_and_give_better_probabilities() -> None:
    X, y = make_classification(1200, 10, n_informative=4, flip_y=0.25, random_state=1)
    parts = train_test_split(X, y, test_size=0.5, random_state=0)
    params = {"n_estimators": 60, "min_samples_split": 40, "random_state": 0}
    loss = {}
    for vote in (None, "majority"):
        model = ForestClassifier("RF", vote=vote, **params).fit(parts[0], parts[2])
        loss[vote] = log_loss(parts[3], np.clip(model.predict_proba(parts[1]), 1e-3, 1 - 1e-3))
        assert model.forest_.spec.vote == (vote or "posterior")
    theirs = RandomForestClassifier(60, min_samples_split=40, random_state=0)
    theirs_loss = log_loss(parts[3], theirs.fit(parts[0], parts[2]).predict_proba(parts[1]))
    assert loss[None] < loss["majority"] - 0.01
    assert loss[None] == pytest.approx(theirs_loss, abs=0.02)


def test_pure_leaves_keep_the_familys_vote() -> None:
    model = ForestClassifier("RF", n_estimators=5, random_state=0).fit(*IRIS)
    assert model.forest_.spec.vote == "majority"


@pytest.mark.parametrize("family", ["RR-RF", "F-RC", "RDF-CAP"])
def test_unlike_units_warn_once_with_the_remedy(family: str) -> None:
    X, y = IRIS
    X = X * [1.0, 1.0, 1e4, 1.0]
    with pytest.warns(UnitsWarning, match=r"column 2 outweighs .*scaling='zscore'") as caught:
        ForestClassifier(family, n_estimators=3).fit(X, y)
    assert len(caught) == 1
    ForestClassifier(family, n_estimators=3, scaling="rank").fit(X, y)  # a warning would fail
    ForestClassifier("oRF-ridge", n_estimators=3).fit(X, y)
