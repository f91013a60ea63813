"""Whole bands are permuted, with an interval, and against forests grown on permuted labels."""

import numpy as np
import pytest

from explorer.analysis import Cancelled, band_importance
from explorer.analysis.band_importance import correlated_groups, equal_bands, single_features
from explorer.data import Dataset, load
from explorer.engine import FAMILIES, grow


def grown(data: Dataset, family: str = "RF", n_tree: int = 60):
    return grow(FAMILIES[family].replace(n_tree=n_tree, seed=3), data.X, data.y)


@pytest.fixture(scope="module")
def one_of_ten() -> Dataset:
    """Ten features; the class is the sign of the third."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 10))
    return Dataset("one", X, (X[:, 2] > 0).astype(int), ("a", "b"))


def _votes_of_trees(forest, X) -> np.ndarray:
    """The class each tree votes for, [T, n]: the votes of t trees less those of t - 1."""
    sums = [np.zeros((len(X), forest.n_classes))]
    sums += [k * forest.take(k).predict_proba(X) for k in range(1, forest.n_tree + 1)]
    return np.diff(sums, axis=0).argmax(axis=2)


def test_the_drop_is_counted_vote_by_vote(one_of_ten: Dataset) -> None:
    forest = grown(one_of_ten, n_tree=12)
    found = band_importance(forest, one_of_ten, [("third", [2])], repeats=2, nulls=0, seed=9)
    out = forest.bags() == 0
    y, votes = one_of_ten.y, []
    for r in range(2):
        X = one_of_ten.X.copy()
        X[:, 2] = X[np.random.default_rng((9, 0, r)).permutation(200), 2]
        votes.append(_votes_of_trees(forest, X) == y)
    before = _votes_of_trees(forest, one_of_ten.X) == y
    loss = []
    for i in range(200):
        mine = out[:, i]
        if mine.any():
            after = np.mean([v[mine, i].mean() for v in votes])
            loss.append(before[mine, i].mean() - after)
    assert found.drop[0] == pytest.approx(np.mean(loss), abs=1e-12)


def test_what_carries_the_class_stands_out_and_noise_is_seen_as_noise(one_of_ten) -> None:
    found = band_importance(grown(one_of_ten), one_of_ten, single_features(one_of_ten))
    assert found.order[0] == 2
    assert found.drop[2] > 0.2
    assert found.low[2] > found.null_high[2]
    assert found.p_value[2] == pytest.approx(1 / 21)
    noise = np.arange(10) != 2
    assert (np.abs(found.drop[noise]) < 0.05).all()
    assert (found.p_value[noise] > 0.06).sum() >= 5


def test_a_band_of_twins_counts_where_each_twin_alone_does_not() -> None:
    rng = np.random.default_rng(2)
    core = rng.normal(size=300)
    twins = core[:, None] + 0.05 * rng.normal(size=(300, 6))
    X = np.column_stack([twins, rng.normal(size=(300, 6))])
    data = Dataset("twins", X, (core > 0).astype(int), ("a", "b"))
    forest = grown(data)
    alone = band_importance(forest, data, single_features(data), nulls=0)
    together = band_importance(forest, data, [("twins", np.arange(6))], nulls=0)
    assert together.drop[0] > 3 * alone.drop[:6].max()


def test_bands_of_equal_width_hold_every_channel_once() -> None:
    meat = load("tecator")
    bands = equal_bands(meat, 7)
    np.testing.assert_array_equal(np.sort(np.concatenate([f for _, f in bands])), np.arange(100))
    assert bands[0][0] == "850 to 878 nm"


def test_groups_of_features_correlate_within() -> None:
    data = load("breast_cancer")
    groups = correlated_groups(data, 0.9)
    held = np.sort(np.concatenate([f for _, f in groups]))
    np.testing.assert_array_equal(held, np.arange(30))
    correlation = np.abs(np.corrcoef(data.X.T))
    assert all(correlation[np.ix_(f, f)].min() >= 0.9 - 1e-9 for _, f in groups)
    assert any(f.size > 2 for _, f in groups)


def test_replicates_widen_the_interval() -> None:
    rng = np.random.default_rng(11)
    base = rng.normal(size=(40, 4))
    y = (base[:, 0] + 0.8 * rng.normal(size=40) > 0).astype(int)
    X = np.repeat(base, 5, axis=0) + 0.01 * rng.normal(size=(200, 4))
    data = Dataset("replicates", X, np.repeat(y, 5), ("a", "b"))
    forest = grown(data)
    plain = band_importance(forest, data, [("x1", [0])], nulls=0)
    grouped = band_importance(
        forest, data.replace(groups=np.repeat(np.arange(40), 5)), [("x1", [0])], nulls=0
    )
    assert grouped.drop[0] == pytest.approx(plain.drop[0], abs=0.02)
    assert grouped.high[0] - grouped.low[0] > 1.5 * (plain.high[0] - plain.low[0])


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(one_of_ten) -> None:
    forest = grown(one_of_ten)
    a = band_importance(forest, one_of_ten, repeats=2, nulls=2, threads=1)
    b = band_importance(forest, one_of_ten, repeats=2, nulls=2, threads=2)
    np.testing.assert_array_equal(a.drop, b.drop)
    np.testing.assert_array_equal(a.null, b.null)


def test_progress_is_told_and_it_can_be_stopped(one_of_ten) -> None:
    forest, seen = grown(one_of_ten), []
    band_importance(
        forest, one_of_ten, repeats=1, nulls=2, progress=lambda d, w, s: seen.append((d, w))
    )
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)
    with pytest.raises(Cancelled):
        band_importance(forest, one_of_ten, cancel=lambda: True)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"bands": [("none", [])]}, "no features"),
        ({"bands": [("out", [99])]}, "no features"),
        ({"repeats": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_permuted_is_refused_with_a_sentence(one_of_ten, options, match) -> None:
    with pytest.raises(ValueError, match=match):
        band_importance(grown(one_of_ten, n_tree=3), one_of_ten, **options)
