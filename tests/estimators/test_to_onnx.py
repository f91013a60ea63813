"""A forest written to ONNX answers as the forest does, by onnxruntime."""

import numpy as np
import onnxruntime
import pytest
from sklearn.datasets import load_iris

from explorer import ForestClassifier
from explorer.engine import FAMILIES, grow
from explorer.estimators import to_onnx

X, Y = load_iris(return_X_y=True)
NEW = np.random.default_rng(1).uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, (300, 4))
RANKED = [name for name in FAMILIES if FAMILIES[name].scaling == "rank"]


def answers(model, rows):
    session = onnxruntime.InferenceSession(
        to_onnx(model).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": rows})


def agrees(forest, rows):
    label, proba = answers(forest, rows)
    expected = forest.predict_proba(rows)
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-6)
    ordered = np.sort(expected, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-6  # equal votes are decided by the last bit
    assert (label == forest.predict(rows))[clear].all()


@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in RANKED])
def test_every_family_without_ranks_answers_the_same(family):
    agrees(grow(FAMILIES[family].replace(n_tree=7, seed=3), X, Y), NEW)


@pytest.mark.parametrize("scaling", ["zscore", "percentile"])
def test_affine_scaling_is_part_of_the_model(scaling):
    agrees(grow(FAMILIES["F-RC"].replace(n_tree=5, scaling=scaling), X * 1e3, Y), NEW * 1e3)


@pytest.mark.parametrize("vote", ["majority", "posterior", "weighted", "bayesian"])
def test_votes_are_counted_the_same_way(vote):
    agrees(grow(FAMILIES["RF"].replace(n_tree=9, max_depth=2, vote=vote), X, Y), NEW)


def test_missing_values_take_the_side_of_the_split():
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    forest = grow(FAMILIES["RF"].replace(n_tree=9, missing="accept"), holes, Y)
    agrees(forest, holes)


def test_a_classifier_keeps_its_labels():
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    model = ForestClassifier("oRF-mixed", n_estimators=5, random_state=0).fit(X, names)
    agrees(model, NEW)


def test_a_tree_that_is_one_leaf_answers_too():
    agrees(grow(FAMILIES["oRF-ridge"].replace(n_tree=2, max_depth=0), X, Y), NEW[:5])


@pytest.mark.parametrize("family", RANKED)
def test_ranks_are_refused_with_a_remedy(family):
    with pytest.raises(ValueError, match=r"scales features by ranks.*zscore"):
        to_onnx(grow(FAMILIES[family].replace(n_tree=2), X, Y))


def test_several_outputs_are_refused():
    model = ForestClassifier("RF", n_estimators=2).fit(X, np.stack([Y, Y > 0], axis=1))
    with pytest.raises(ValueError, match="2 outputs"):
        to_onnx(model)


def test_columns_of_words_are_refused():
    import pandas as pd

    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(Y > 0, "red", "blue")})
    model = ForestClassifier("RF", n_estimators=2, categories="onehot").fit(frame, Y)
    with pytest.raises(ValueError, match="OneHotEncoder"):
        to_onnx(model)
