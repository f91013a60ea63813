"""Samples measured later: class sets that hold what they promise, neighbours, and outliers."""

import numpy as np
import pytest

from explorer.analysis import judge_unknowns
from explorer.analysis.unknowns import conformal_p
from explorer.data import Dataset, load
from explorer.engine import FAMILIES, grow


def grown(data: Dataset, family: str = "RF", n_tree: int = 100, seed: int = 0):
    return grow(FAMILIES[family].replace(n_tree=n_tree, seed=seed), data.X, data.y)


@pytest.fixture(scope="module")
def meat():
    train, test = load("tecator").split(0.4, seed=1)
    forest = grown(train, "oRF-ridge")
    return train, test, forest, judge_unknowns(forest, train, test.X)


def test_a_p_value_counts_calibration_samples_with_no_stronger_votes() -> None:
    y = np.array([0, 0, 0, 0, 1])
    own = np.array([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5], [np.nan, np.nan], [0.2, 0.8]])
    found = conformal_p(own, y, np.array([[0.5, 0.5], [0.1, 0.9]]))
    np.testing.assert_allclose(found, [[3 / 4, 1 / 2], [1 / 4, 2 / 2]])


@pytest.mark.parametrize("family", ["RF", "oRF-lda"])
def test_class_sets_cover_the_true_class_as_often_as_they_promise(family: str) -> None:
    """2400 new samples from the true distribution; margins are three standard errors."""
    hits = {0.8: [], 0.9: [], 0.95: []}
    for seed in range(6):
        train = load("threenorm", n=250, p=5, seed=seed)
        forest = grown(train, family, 150, seed)
        new = load("threenorm", n=400, p=5, seed=1000 + seed)
        for confidence, found in hits.items():
            sets = judge_unknowns(forest, train, new.X, confidence=confidence).class_set
            found.append(sets[np.arange(400), new.y])
    for confidence, found in hits.items():
        share = np.concatenate(found).mean()
        # the calibration has 125 samples per class and run, which adds to the binomial error
        error = np.sqrt(confidence * (1 - confidence) * (1 / 2400 + 1 / (6 * 250)))
        assert share > confidence - 3 * error
        assert share < confidence + 0.06  # not by naming every class


def test_higher_confidence_never_removes_a_class(meat) -> None:
    train, test, forest, _ = meat
    low = judge_unknowns(forest, train, test.X, confidence=0.7).class_set
    high = judge_unknowns(forest, train, test.X, confidence=0.99).class_set
    assert (high | ~low).all()


def test_the_votes_are_those_of_predict_proba(meat) -> None:
    _, test, forest, found = meat
    np.testing.assert_array_equal(found.posterior, forest.predict_proba(test.X))
    np.testing.assert_array_equal(found.predicted, found.posterior.argmax(axis=1))


def test_proximities_are_counted_leaf_by_leaf(meat) -> None:
    train, test, forest, found = meat
    mine, theirs, out = forest.apply(test.X[:5]), forest.apply(train.X), forest.bags() == 0
    for i in range(5):
        same = (mine[i][:, None] == theirs.T) & out
        share = same.sum(axis=0) / out.sum(axis=0)
        order = np.argsort(-share, kind="stable")[:5]
        np.testing.assert_array_equal(found.nearest[i], order)
        np.testing.assert_allclose(found.nearness[i], share[order])


def test_new_samples_of_the_same_kind_are_rarely_called_unlike_anything_seen(meat) -> None:
    assert meat[3].unlike.mean() < 0.08


@pytest.mark.parametrize("change", ["shift", "noise", "another material", "scale"])
def test_samples_of_another_kind_are_called_unlike_anything_seen(meat, change: str) -> None:
    train, test, forest, _ = meat
    rng = np.random.default_rng(7)
    X = {
        "shift": np.roll(test.X, 25, axis=1),
        "noise": test.X + rng.normal(scale=0.5, size=test.X.shape),
        "another material": np.sin(np.linspace(0, 9, 100)) + rng.normal(size=(40, 1)),
        "scale": 6.0 * test.X,
    }[change]
    assert judge_unknowns(forest, train, X).unlike.mean() > 0.95


def test_the_table_names_sets_and_neighbours(meat) -> None:
    train, test, _, found = meat
    frame = found.to_frame()
    assert len(frame) == test.n_samples
    assert set(frame["classes at 95 %"]) <= {
        *train.class_names,
        " or ".join(train.class_names),
        "none",
    }
    assert frame["nearest 1"].iloc[0] == f"sample {found.nearest[0, 0] + 1}"


@pytest.mark.parametrize(
    ("options", "X", "match"),
    [
        ({"confidence": 1.0}, np.zeros((2, 100)), "between 0 and 1"),
        ({}, np.zeros((2, 50)), "same axis"),
        ({}, np.full((2, 100), np.nan), "not finite"),
        ({"names": ("a",)}, np.zeros((2, 100)), "1 names for 2"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_a_sentence(meat, options, X, match) -> None:
    train, _, forest, _ = meat
    with pytest.raises(ValueError, match=match):
        judge_unknowns(forest, train, X, **options)


def test_a_forest_without_out_of_bag_samples_is_refused(meat) -> None:
    train = meat[0]
    forest = grow(FAMILIES["RF"].replace(n_tree=5, bootstrap="none"), train.X, train.y)
    with pytest.raises(ValueError, match="bootstrap"):
        judge_unknowns(forest, train, train.X)
