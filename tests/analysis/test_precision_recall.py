import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from explorer import analysis
from explorer.data import load
from explorer.engine import FAMILIES

SMALL = FAMILIES["RF"].replace(n_tree=15)


@pytest.fixture(scope="module")
def evaluation():
    protocol = analysis.Protocol(folds=3, repeats=2)
    return analysis.evaluate(SMALL, load("mixture", n=120), protocol)


def test_the_mean_of_the_average_precisions_is_scikit_learns(evaluation):
    record = analysis.precision_recall(evaluation, 1)
    wanted = [
        average_precision_score(
            evaluation.y[evaluation.run == r] == 1, evaluation.posterior[evaluation.run == r, 1]
        )
        for r in range(6)
    ]
    assert np.allclose(record.averages, wanted)
    assert record.n_curves == 6


def test_precision_falls_with_recall_and_ends_at_the_share_of_the_class(evaluation):
    record = analysis.precision_recall(evaluation, 1)
    assert (np.diff(record.precision) <= 1e-12).all()
    assert record.precision[0] == 1.0
    assert record.precision[-1] >= record.share - 0.1
    assert (record.precision_low <= record.precision).all()


def test_a_precision_at_a_recall_is_the_best_a_threshold_gives(evaluation):
    from dataclasses import replace

    one = replace(
        evaluation,
        y=np.array([1, 0, 1, 0]),
        posterior=np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.9, 0.1]]),
        run=np.zeros(4, int),
        repeat=np.zeros(4, int),
    )
    record = analysis.precision_recall(one, 1)
    at = dict(zip(np.round(record.recall, 2).tolist(), record.precision.tolist(), strict=True))
    assert at[0.5] == 1.0
    assert np.isclose(at[0.51], 2 / 3)
    assert np.isclose(at[1.0], 2 / 3)
    assert np.isnan(record.precision_low[1:]).all()


def test_a_class_that_is_not_there_has_no_curve(evaluation):
    with pytest.raises(ValueError, match="no class 7"):
        analysis.precision_recall(evaluation, 7)
