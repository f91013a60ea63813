import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from explorer import analysis
from explorer.data import load
from explorer.engine import FAMILIES


@pytest.fixture(scope="module")
def evaluation():
    spec = FAMILIES["RF"].replace(n_tree=15)
    return analysis.evaluate(spec, load("mixture", n=150), analysis.Protocol(folds=3))


def test_shares_and_the_brier_score_are_scikit_learns(evaluation):
    truth, share = evaluation.y == 1, evaluation.posterior[:, 1]
    # fifteen trees never vote k/7: edges, which belong to other bins there, are not met
    observed, predicted = calibration_curve(truth, share, n_bins=7)
    record = analysis.calibration(evaluation, 1, bins=7)
    assert np.allclose(record.observed, observed)
    assert np.allclose(record.predicted, predicted)
    assert np.isclose(record.brier, brier_score_loss(truth, share))


def test_every_sample_is_counted_once_and_intervals_hold_the_share(evaluation):
    record = analysis.calibration(evaluation, 0, bins=7)
    assert record.count.sum() == evaluation.y.size
    assert (record.count > 0).all()
    assert (record.low <= record.observed + 1e-12).all()
    assert (record.observed <= record.high + 1e-12).all()
    assert len(record.to_frame()) == record.count.size


def test_a_share_of_one_belongs_to_the_last_bin():
    from types import SimpleNamespace

    sure = SimpleNamespace(
        class_names=("a", "b"),
        model="m",
        y=np.array([1, 1, 0, 0]),
        posterior=np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]),
    )
    record = analysis.calibration(sure, 1)
    assert record.count.tolist() == [2, 2]
    assert record.gap == 0.0
    assert record.high[0] > 0.3  # four samples cannot be that sure


@pytest.mark.parametrize(("code", "bins"), [(5, 10), (-1, 10), (1, 0)])
def test_classes_and_bins_that_are_none_are_refused(evaluation, code, bins):
    with pytest.raises(ValueError, match=r"no class|at least one bin"):
        analysis.calibration(evaluation, code, bins=bins)
