import numpy as np
import pytest
from sklearn import metrics

from explorer import data
from explorer.analysis import (
    Cancelled,
    Protocol,
    error_by_trees,
    evaluate,
    sweep,
    sweep_steps,
    tree_depths,
)
from explorer.analysis.model import derived_seed
from explorer.analysis.scores import auc, interval
from explorer.baselines import Knn
from explorer.engine import FAMILIES, grow

SMALL = FAMILIES["RF"].replace(n_tree=15)


@pytest.fixture(scope="module")
def found(request):
    return evaluate(SMALL, data.load("threenorm", n=120), Protocol(folds=4, repeats=3))


def test_every_sample_is_tested_once_per_repeat(found):
    for repeat in range(3):
        np.testing.assert_array_equal(np.sort(found.row[found.repeat == repeat]), np.arange(120))
    assert found.run_error.size == 12


def test_measures_are_those_of_sklearn(found):
    y, p, predicted = found.y, found.posterior, found.posterior.argmax(axis=1)
    np.testing.assert_array_equal(found.predicted, predicted)
    np.testing.assert_allclose(found.precision, metrics.precision_score(y, predicted, average=None))
    np.testing.assert_allclose(found.recall, metrics.recall_score(y, predicted, average=None))
    np.testing.assert_allclose(found.f1, metrics.f1_score(y, predicted, average=None))
    np.testing.assert_array_equal(found.confusion, metrics.confusion_matrix(y, predicted))
    areas = []
    for repeat in range(3):
        mine = found.repeat == repeat
        areas.append(metrics.roc_auc_score(y[mine], p[mine, 1]))
    assert found.auc == pytest.approx(np.mean(areas))
    assert found.error == pytest.approx(1 - metrics.accuracy_score(y, predicted))


def test_intervals_are_students_over_repeats(found):
    from scipy import stats

    values = found.repeat_error
    low, high = stats.t.interval(0.95, 2, loc=values.mean(), scale=stats.sem(values))
    assert (found.error_low, found.error_high) == pytest.approx((low, high))
    assert interval([0.5]) == pytest.approx((0.5, np.nan, np.nan), nan_ok=True)


def test_an_evaluation_is_fitting_and_predicting_by_hand():
    d = data.load("threenorm", n=90)
    protocol = Protocol(folds=3, seed=7)
    found = evaluate(SMALL, d, protocol)
    for number, split in enumerate(protocol.splits(d)):
        assert set(split.train) | set(split.test) == set(range(90))
        assert not set(split.train) & set(split.test)
        mine = found.run == number
        np.testing.assert_array_equal(found.row[mine], split.test)
    again = evaluate(SMALL, d, protocol, threads=1)
    np.testing.assert_array_equal(found.posterior, again.posterior)
    other = evaluate(SMALL, d, Protocol(folds=3, seed=8))
    assert not np.array_equal(found.row, other.row)


def test_stratified_folds_keep_the_shares_of_the_classes(mixture):
    some = mixture.take(np.flatnonzero((mixture.y == 0) | (np.arange(200) % 4 == 0)))
    share = some.y.mean()
    for split in Protocol(folds=5).splits(some):
        assert abs(some.y[split.test].mean() - share) < 0.03


@pytest.mark.parametrize("kind", ["k-fold", "train-test", "leave-one-out"])
@pytest.mark.parametrize("stratified", [True, False])
def test_replicates_never_stand_on_both_sides(kind, stratified):
    d = data.load("spectra_ir", n=60, p=50, replicates=3)
    protocol = Protocol(kind, folds=4, repeats=2, stratified=stratified)
    for split in protocol.splits(d):
        assert not set(d.groups[split.train]) & set(d.groups[split.test])


def test_leave_one_out_leaves_each_sample_out_once():
    d = data.load("xor", n=40)
    found = evaluate(SMALL, d, Protocol("leave-one-out"))
    np.testing.assert_array_equal(found.row, np.arange(40))
    assert found.run_error.size == 40
    assert found.error == pytest.approx((found.predicted != d.y).mean())


def test_out_of_bag_is_what_the_forest_says_of_itself(ten):
    found = evaluate(SMALL, ten, Protocol("oob", repeats=2))
    assert found.error == pytest.approx(np.nanmean(found.by_trees[:, -1]))
    assert found.repeat_error[0] != found.repeat_error[1]
    with pytest.raises(ValueError, match="leaves no samples out"):
        evaluate(FAMILIES["RDF-CAP"], ten, Protocol("oob"))


def test_a_test_set_of_its_own_is_predicted_whole(ten):
    fresh = data.load("parity", n=77, p=10, seed=5)
    found = evaluate(SMALL, ten, Protocol(repeats=2), test=fresh)
    assert found.row.size == 2 * 77
    np.testing.assert_array_equal(found.y[:77], fresh.y)


@pytest.mark.parametrize("vote", ["majority", "posterior", "weighted", "bayesian"])
def test_error_by_trees_is_that_of_the_first_trees(vote, ten, rng):
    forest = grow(SMALL.replace(vote=vote, min_leaf=8), ten.X, ten.y)
    X, y = rng.uniform(-1, 1, size=(80, 10)), rng.integers(0, 2, 80)
    curve = error_by_trees(forest, X, y)
    for k in (1, 2, 7, 8, 15):
        assert curve[k - 1] == pytest.approx((forest.predict(X, trees=k) != y).mean())


def test_even_numbers_of_majority_votes_err_more_than_odd_ones():
    d = data.load("threenorm", n=150)
    found = evaluate(FAMILIES["RF"].replace(n_tree=12), d, Protocol(folds=2, repeats=15))
    frame = found.tree_frame().set_index("trees")
    assert frame.loc[4, "parity"] == "even"
    # the zigzag of Sazonau s.4.1: ties are broken blindly
    for even in (2, 4, 6):
        around = (frame.loc[even - 1, "error"] + frame.loc[even + 1, "error"]) / 2
        assert frame.loc[even, "error"] > around


def test_depths_and_nodes_are_those_of_the_trees(ten, forests):
    forest = forests("oRF-ridge", ten)
    np.testing.assert_array_equal(tree_depths(forest), [tree.depth for tree in forest])
    found = evaluate(SMALL, ten, Protocol("oob"))
    assert found.nodes[0] > 3
    assert found.depth[0] > 1


def test_more_classes_average_their_areas(blobs):
    found = evaluate(SMALL, blobs, Protocol(folds=3))
    each = [
        metrics.roc_auc_score(found.y == k, found.posterior[:, k]) for k in range(blobs.n_classes)
    ]
    np.testing.assert_allclose(found.class_auc, each)
    assert auc(found.y, found.posterior) == pytest.approx(np.mean(each))


def test_a_baseline_is_evaluated_like_a_forest(mixture):
    found = evaluate(Knn(), mixture, Protocol(folds=3))
    assert found.model == "knn"
    assert found.by_trees is None
    assert np.isnan(found.nodes).all()
    assert 0.1 < found.error < 0.5


def test_a_sweep_uses_the_same_splits_for_every_value():
    d = data.load("twonorm", n=100)
    protocol = Protocol(folds=4)
    found = sweep(SMALL, d, "m_try", [1, 4, 20], protocol)
    assert found.run_error.shape == (3, 4)
    alone = evaluate(SMALL.replace(m_try=4), d, protocol)
    np.testing.assert_array_equal(found.run_error[1], alone.run_error)
    assert list(found.to_frame()["m_try"]) == [1, 4, 20]


def test_a_sweep_comes_value_by_value():
    d = data.load("twonorm", n=60)
    steps = sweep_steps(SMALL, d, "m_try", [1, 4], Protocol(folds=2), name="A RF")
    done, wanted, made = next(steps)
    assert (done, wanted) == (1, 2)
    assert made().values == (1,)
    assert [s[2]().values for s in steps] == [(1, 4)]
    assert made().model == "A RF"
    with pytest.raises(ValueError, match="at least one value"):
        next(sweep_steps(SMALL, d, "m_try", []))


def test_evaluating_reports_progress_and_can_be_stopped(mixture):
    seen = []
    evaluate(SMALL, mixture, Protocol(folds=3), progress=lambda *a: seen.append(a))
    assert seen == [(1, 3, "evaluating"), (2, 3, "evaluating"), (3, 3, "evaluating")]
    calls = iter(range(100))
    with pytest.raises(Cancelled):
        evaluate(SMALL, mixture, Protocol(folds=3), cancel=lambda: next(calls) > 2)


def test_an_evaluation_goes_to_pandas_and_json(found):
    assert len(found.to_frame()) == 12
    assert len(found.prediction_frame()) == 360
    assert list(found.class_frame()["class"]) == list(found.class_names)
    assert '"record": "Evaluation"' in found.to_json()


def test_protocols_say_what_they_do_and_refuse_what_they_cannot(blobs):
    assert Protocol(folds=10, repeats=10).label() == (
        "10-fold cross-validation, stratified, 10 times"
    )
    assert Protocol("oob").label() == "out-of-bag votes"
    with pytest.raises(ValueError, match="choose one of"):
        Protocol("jackknife")
    few = blobs.take(np.concatenate([np.flatnonzero(blobs.y == k)[:5] for k in range(3)]))
    with pytest.raises(ValueError, match="too few for 10 stratified folds"):
        list(Protocol().splits(few))
    with pytest.raises(ValueError, match="is no recipe"):
        evaluate("RF", blobs)


def test_a_chain_learns_from_the_training_part_of_each_run_alone():
    from explorer.data import Chain

    meat = data.load("tecator")
    chain = Chain.of(("msc", {}), ("bands", {"low": 900.0, "high": 1000.0}))
    protocol = Protocol(folds=3, seed=4)
    spec = FAMILIES["RF"].replace(n_tree=10)
    found = evaluate(spec, meat, protocol, prepare=chain)
    for number, split in enumerate(protocol.splits(meat)):
        fitted = chain.fit(meat.take(split.train))
        seed = derived_seed(protocol.seed, 1 + number)
        forest = grow(spec.replace(seed=seed), fitted.map(meat.X[split.train]), meat.y[split.train])
        mine = found.run == number
        np.testing.assert_array_equal(
            found.posterior[mine], forest.predict_proba(fitted.map(meat.X[split.test]))
        )
