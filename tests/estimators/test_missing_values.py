"""Missing values through the estimator's door."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils import get_tags

from explorer import ForestClassifier
from explorer.engine import FAMILIES

MIXING = ("RF", "oRF-mixed", "RR-RF")


def gappy() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.15] = np.nan
    return X, y


@pytest.mark.parametrize("family", MIXING)
def test_missing_values_are_accepted_by_all_that_an_estimator_answers(family: str) -> None:
    X, y = gappy()
    model = ForestClassifier(family, n_estimators=20, random_state=0).fit(X, y)
    assert model.oob_score_ > 0.85
    assert np.isfinite(model.feature_importances_).all()
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    proba = model.predict_proba(X)
    assert (model.predict_proba(X[:1]) == proba[:1]).all()
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_proba(X).tobytes() == proba.tobytes()
    nodes, ends = model.apply(X), model.decision_path(X)[1]
    passed = model.decision_path(X)[0].toarray()
    for t, tree in enumerate(model.estimators_):
        assert passed[np.arange(len(X)), ends[t] + nodes[:, t]].all()
        assert (tree.apply(X) == nodes[:, t]).all()
        assert tree.tree_.missing_go_to_left.shape == (tree.tree_.node_count,)


@pytest.mark.parametrize("family", MIXING)
def test_a_warm_start_goes_on_with_missing_values(family: str) -> None:
    X, y = gappy()
    cold = ForestClassifier(family, n_estimators=12, random_state=0).fit(X, y)
    warm = ForestClassifier(family, n_estimators=5, random_state=0, warm_start=True).fit(X, y)
    warm.set_params(n_estimators=12).fit(X, y)
    assert warm.predict_proba(X).tobytes() == cold.predict_proba(X).tobytes()


@pytest.mark.parametrize("limits", [{"min_samples_leaf": 5}, {"max_leaf_nodes": 6}])
def test_limits_hold_for_trees_with_gaps(limits: dict) -> None:
    X, y = gappy()
    model = ForestClassifier("RF", n_estimators=5, random_state=0, **limits).fit(X, y)
    leaves = model.forest_.apply(X)
    for t, bag in enumerate(model.forest_.bags()):
        size = np.bincount(leaves[:, t], bag)
        assert size.min() >= limits.get("min_samples_leaf", 1)
        assert size.size <= limits.get("max_leaf_nodes", 150)


def test_a_forest_says_whether_it_accepts_missing_values() -> None:
    assert get_tags(ForestClassifier()).input_tags.allow_nan
    assert not get_tags(ForestClassifier(missing="refuse")).input_tags.allow_nan
    assert clone(ForestClassifier(missing="refuse")).missing == "refuse"
    with pytest.raises(ValueError, match="missing is 'guess'"):
        ForestClassifier(missing="guess").fit(*gappy())


def test_all_families_accept_missing_values_only_in_prediction() -> None:
    X, y = load_iris(return_X_y=True)
    gaps, _ = gappy()
    for family in FAMILIES:
        model = ForestClassifier(family, n_estimators=5, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        assert model.score(gaps, y) > 0.8, family


def test_pandas_missing_values_are_missing_values() -> None:
    X, y = gappy()
    want = ForestClassifier("RF", n_estimators=5, random_state=0).fit(X, y).predict_proba(X)
    frame = pd.DataFrame(X, columns=list("abcd"))
    for table in (frame, frame.convert_dtypes(), frame.astype(object).where(frame.notna(), pd.NA)):
        model = ForestClassifier("RF", n_estimators=5, random_state=0).fit(table, y)
        np.testing.assert_array_equal(model.predict_proba(table), want)


@pytest.mark.parametrize("way", ["onehot", "target"])
def test_words_and_missing_numbers_go_together(way: str) -> None:
    X, y = gappy()
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["word"] = np.where(np.arange(150) % 2, "odd", "even")
    model = ForestClassifier("RF", n_estimators=10, random_state=0, categories=way).fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert model.feature_importances_.shape == (5,)


def test_unlike_units_are_found_among_known_values() -> None:
    X, y = gappy()
    X[:, 0] *= 1e4
    with pytest.warns(UserWarning, match=r"spreads differ.*column 0 outweighs"):
        ForestClassifier("F-RC", n_estimators=2).fit(X, y)
