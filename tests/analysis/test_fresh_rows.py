import numpy as np
import pytest

from explorer.analysis import fresh_rows, hellinger, oob_wrong, score_fresh
from explorer.data import load
from explorer.engine import FAMILIES, grow


def test_fresh_rows_are_the_same_for_the_same_data_and_none_without_a_truth():
    data = load("moons")
    first, second = fresh_rows(data, 50, 3), fresh_rows(data, 50, 3)
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.posterior, data.truth.posterior(first.X))
    assert fresh_rows(load("iris")) is None


def test_a_score_on_fresh_rows_is_error_and_mean_distance():
    data = load("moons")
    forest = grow(FAMILIES["RF"].replace(n_tree=20), data.X, data.y)
    rows = fresh_rows(data, 200)
    found = score_fresh(forest, data, rows, trees=7)
    estimate = forest.take(7).predict_proba(rows.X)
    assert found.error == pytest.approx(np.mean(estimate.argmax(axis=1) != rows.y))
    assert found.hellinger == pytest.approx(hellinger(estimate, rows.posterior).mean())


def test_samples_wrong_out_of_bag_make_up_the_out_of_bag_error():
    data = load("moons")
    forest = grow(FAMILIES["RF"].replace(n_tree=3), data.X, data.y)
    wrong = oob_wrong(forest)
    assert np.isnan(wrong).any()
    assert np.nanmean(wrong) == pytest.approx(forest.oob_error[-1])
