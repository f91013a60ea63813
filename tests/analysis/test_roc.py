import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from explorer import data
from explorer.analysis import Protocol, average_curves, averaged_roc, evaluate
from explorer.engine import FAMILIES


def curves(rng, runs=8, n=60):
    for _ in range(runs):
        truth = rng.random(n) < 0.4
        yield truth, np.round(np.clip(rng.normal(0.4 + 0.25 * truth, 0.2), 0, 1), 2)


def test_a_single_curve_with_all_thresholds_is_sklearns_roc(rng):
    truth, score = next(curves(rng))
    found = average_curves([(truth, score)], points=None)
    fpr, tpr, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
    np.testing.assert_allclose(found.false_positive, fpr)
    np.testing.assert_allclose(found.true_positive, tpr)
    np.testing.assert_allclose(found.thresholds, thresholds)
    assert found.auc == pytest.approx(metrics.roc_auc_score(truth, score))
    assert np.isnan(found.true_positive_low).all()


def test_averaging_takes_the_mean_of_both_rates_at_equal_thresholds(rng):
    pairs = list(curves(rng))
    found = average_curves(pairs, points=20)
    for k in (6, 10, 14):
        t = found.thresholds[k]
        rates = np.array([[(s[~y] >= t).mean(), (s[y] >= t).mean()] for y, s in pairs])
        assert found.false_positive[k] == pytest.approx(rates[:, 0].mean())
        assert found.true_positive[k] == pytest.approx(rates[:, 1].mean())
        low, high = stats.t.interval(0.95, 7, rates[:, 1].mean(), stats.sem(rates[:, 1]))
        assert found.true_positive_low[k] == pytest.approx(max(low, 0))
        assert found.true_positive_high[k] == pytest.approx(min(high, 1))


def test_an_averaged_curve_runs_from_corner_to_corner_and_never_falls(rng):
    found = average_curves(list(curves(rng)))
    assert found.thresholds.size == 50
    assert (found.false_positive[0], found.true_positive[0]) == (0, 0)
    assert (found.false_positive[-1], found.true_positive[-1]) == (1, 1)
    assert (np.diff(found.false_positive) >= 0).all()
    assert (np.diff(found.true_positive) >= 0).all()


def test_a_forest_beats_a_single_tree_over_the_whole_curve():
    d = data.load("threenorm", n=200)
    protocol = Protocol(folds=2, repeats=5)
    forest = averaged_roc(evaluate(FAMILIES["RF"].replace(n_tree=15), d, protocol))
    tree = averaged_roc(evaluate(FAMILIES["RF"].replace(n_tree=1), d, protocol))
    assert forest.n_curves == 10
    assert forest.auc_low > tree.auc_high
    at = np.linspace(0.1, 0.9, 9)
    high = np.interp(at, forest.false_positive, forest.true_positive)
    assert (high > np.interp(at, tree.false_positive, tree.true_positive)).all()


def test_runs_of_one_sample_are_pooled_by_repeat():
    d = data.load("xor", n=30)
    found = evaluate(FAMILIES["RF"].replace(n_tree=5), d, Protocol("leave-one-out"))
    curve = averaged_roc(found, points=None)
    assert curve.n_curves == 1
    fpr, tpr, _ = metrics.roc_curve(found.y, found.posterior[:, 1], drop_intermediate=False)
    np.testing.assert_allclose(curve.true_positive, tpr)
    np.testing.assert_allclose(curve.false_positive, fpr)


def test_a_curve_goes_to_pandas_and_json(rng):
    found = average_curves(list(curves(rng)), points=10)
    assert len(found.to_frame()) == 10
    assert '"thresholds": [null' in found.to_json()


def test_what_is_no_curve_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="both positive and negative"):
        average_curves([(np.ones(3, bool), np.arange(3.0))])
    with pytest.raises(ValueError, match="no curves"):
        average_curves([])
