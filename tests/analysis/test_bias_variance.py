import pytest

from explorer import data
from explorer.analysis import Protocol, bias_variance, evaluate
from explorer.engine import FAMILIES


@pytest.fixture(scope="module")
def tried():
    d = data.load("twonorm", n=80)
    return d, evaluate(FAMILIES["RF"].replace(n_tree=10), d, Protocol(folds=4, repeats=6))


def test_bias_and_variance_add_up_to_the_squared_error_of_the_votes(tried):
    _, evaluation = tried
    found = bias_variance(evaluation)
    target = (evaluation.y == 1).astype(float)
    brier = ((evaluation.posterior[:, 1] - target) ** 2).mean()
    assert found.mean_squared_error == pytest.approx(brier)
    assert found.mean_bias2 + found.mean_variance == pytest.approx(brier)
    assert not found.against_truth


def test_bias_and_variance_of_a_sample_are_those_of_its_votes_over_repeats(tried):
    _, evaluation = tried
    found = bias_variance(evaluation)
    for k in (0, 17, 79):
        votes = evaluation.posterior[evaluation.row == found.rows[k], 1]
        assert votes.size == found.n_repeats[k] == 6
        label = evaluation.y[evaluation.row == found.rows[k]][0]
        assert found.bias2[k] == pytest.approx((votes.mean() - label) ** 2)
        assert found.variance[k] == pytest.approx(votes.var())


def test_with_a_known_truth_the_noise_is_told_apart(tried):
    d, evaluation = tried
    found = bias_variance(evaluation, d)
    f = d.truth.posterior(d.X)[:, 1]
    assert found.against_truth
    assert found.noise == pytest.approx((f * (1 - f)).mean())
    votes = evaluation.posterior[evaluation.row == 3, 1]
    assert found.bias2[3] == pytest.approx((votes.mean() - f[3]) ** 2)


def test_an_oblique_forest_has_less_bias_than_rf_on_correlated_spectra():
    d = data.load("spectra_ir", n=80, p=60, offset=1.0)
    protocol = Protocol(folds=2, repeats=5)
    bias = {}
    for family in ("RF", "oRF-ridge"):
        spec = FAMILIES[family].replace(n_tree=40)
        bias[family] = bias_variance(evaluate(spec, d, protocol)).mean_bias2
    assert bias["oRF-ridge"] < 0.85 * bias["RF"]


def test_one_prediction_per_sample_is_refused_in_a_sentence(tried):
    d, _ = tried
    once = evaluate(FAMILIES["RF"].replace(n_tree=5), d, Protocol(folds=2))
    with pytest.raises(ValueError, match="need a protocol with repeats"):
        bias_variance(once)


def test_bias_and_variance_go_to_pandas_and_json(tried):
    found = bias_variance(tried[1])
    assert len(found.to_frame()) == 80
    assert '"noise": null' in found.to_json()
