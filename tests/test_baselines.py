import threading

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import KNeighborsClassifier

from explorer import data
from explorer.analysis import feature_plane
from explorer.baselines import (
    BASELINES,
    AdaBoost,
    BaggedTree,
    Knn,
    Svm,
    inner_folds,
    kernel_widths,
)
from explorer.engine import Cancelled

NAMES = ("svm", "svm-linear", "knn", "adaboost")


@pytest.fixture(scope="module")
def mixture():
    return data.load("mixture", n=90) if "n" in _knobs() else data.load("mixture")


def _knobs():
    return data.catalogue()["mixture"].knobs


@pytest.fixture(scope="module")
def models(mixture):
    return {name: BASELINES[name].fit(mixture.X, mixture.y, seed=3) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_baseline_shows_the_face_of_a_forest(name, models, mixture):
    model = models[name]
    p = model.predict_proba(mixture.X)
    assert p.shape == (mixture.n_samples, 2)
    assert p.dtype == np.float64
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(mixture.X), model.classes[p.argmax(axis=1)])
    assert model.n_features == 2
    assert (model.predict(mixture.X) == mixture.y).mean() > 0.65
    plane = feature_plane(mixture).plane
    drawn = model.posterior_on(plane, 9, 7)
    assert drawn.dtype == np.float32
    expected = model.predict_proba(plane.points(9, 7).reshape(-1, 2)).reshape(7, 9, 2)
    np.testing.assert_allclose(drawn, expected, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_determines_a_baseline(name, models, mixture):
    again = BASELINES[name].fit(mixture.X, mixture.y, seed=3)
    np.testing.assert_array_equal(
        again.predict_proba(mixture.X), models[name].predict_proba(mixture.X)
    )
    assert again.chosen == models[name].chosen


def test_kernel_widths_are_the_quartiles_of_squared_distances(mixture):
    Z = (mixture.X - mixture.X.mean(axis=0)) / mixture.X.std(axis=0)
    expected = np.quantile(pdist(Z) ** 2, [0.25, 0.5, 0.75])
    np.testing.assert_allclose(kernel_widths(mixture.X), expected)


def test_tuning_stays_on_the_grids_of_the_papers(models):
    assert models["svm"].chosen["cost"] in [10.0**i for i in range(-5, 6)]
    assert models["svm-linear"].chosen["cost"] in [10.0**i for i in range(-5, 6)]
    assert models["knn"].chosen["neighbours"] in (1, 3, 5, 7, 11)
    assert models["adaboost"].chosen["iterations"] in (10, 20, 30, 40, 50)


def test_a_fixed_cost_is_not_tuned(mixture):
    model = Svm(kernel="linear", cost=1e5, most_steps=2000).fit(mixture.X, mixture.y)
    assert model.chosen == {"cost": 1e5}


def test_knn_is_sklearns_with_the_k_that_errs_least():
    d = data.load("twonorm", n=120)
    model = Knn().fit(d.X, d.y)
    k = model.chosen["neighbours"]
    assert k in (1, 3, 5, 7, 11, 17)
    theirs = KNeighborsClassifier(k).fit(d.X, d.y)
    np.testing.assert_array_equal(model.predict_proba(d.X), theirs.predict_proba(d.X))
    assert k > 1  # single neighbours are a poor choice for overlapping Gaussians


def test_svm_posteriors_are_calibrated_scores():
    d = data.load("twonorm", n=200)
    model = BASELINES["svm"].fit(d.X, d.y)
    p = model.predict_proba(d.X)[:, 1]
    score = model.estimator.calibrated_classifiers_[0].estimator.decision_function(d.X)
    odds = np.log(p / (1 - p))
    slope, offset = np.polyfit(score, odds, 1)
    np.testing.assert_allclose(odds, slope * score + offset, atol=1e-6)
    assert slope > 0


def test_boosting_is_discrete_adaboost_of_trees_grown_on_half_the_samples(mixture):
    model = AdaBoost().fit(mixture.X, mixture.y, seed=4)
    n = model.chosen["iterations"]
    theirs = AdaBoostClassifier(
        BaggedTree(min_samples_split=20, min_samples_leaf=7),
        n_estimators=n,
        learning_rate=0.1,
        random_state=4,
    )
    theirs.fit(mixture.X, mixture.y)
    np.testing.assert_array_equal(model.predict_proba(mixture.X), theirs.predict_proba(mixture.X))
    tree = theirs.estimators_[0]
    assert tree.tree_.n_node_samples[0] == mixture.n_samples // 2


def test_boosting_on_pure_noise_gives_a_model_all_the_same(rng):
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    p = AdaBoost().fit(X, y).predict_proba(X)
    assert np.isfinite(p).all()


@pytest.mark.parametrize("name", NAMES)
def test_labels_may_be_words_and_classes_more_than_two(name):
    d = data.load("blobs", n=90)
    words = np.array(d.class_names)[d.y]
    model = BASELINES[name].fit(d.X, words)
    assert set(model.classes) == set(d.class_names)
    assert (model.predict(d.X) == words).mean() > 0.7


@pytest.mark.parametrize("name", NAMES)
def test_a_class_of_one_sample_does_not_break_tuning(name, mixture):
    keep = np.concatenate([np.flatnonzero(mixture.y == 0)[:20], np.flatnonzero(mixture.y == 1)[:1]])
    model = BASELINES[name].fit(mixture.X[keep], mixture.y[keep])
    assert model.predict_proba(mixture.X).shape[1] == 2


@pytest.mark.parametrize("name", NAMES)
def test_tuning_reports_progress_and_can_be_stopped(name, mixture):
    seen = []
    d = data.load("twonorm", n=40)
    BASELINES[name].fit(d.X, d.y, progress=lambda *a: seen.append(a))
    assert seen[-1][0] == seen[-1][1] > 2
    assert all(what.startswith("tuning") for _, _, what in seen)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        BASELINES[name].fit(d.X, d.y, cancel=stop)


def test_what_cannot_be_fitted_is_refused_in_a_sentence(mixture):
    with pytest.raises(ValueError, match="needs two classes"):
        Knn().fit(mixture.X, np.zeros(mixture.n_samples, int))
    with pytest.raises(ValueError, match="choose 'rbf' or 'linear'"):
        Svm(kernel="cubic").fit(mixture.X, mixture.y)
    model = Knn().fit(mixture.X, mixture.y)
    with pytest.raises(ValueError, match="has 3 features"):
        model.predict(np.zeros((2, 3)))


def test_knn_has_a_choice_on_two_features_too():
    d = data.load("mixture")
    assert Knn().fit(d.X, d.y).chosen["neighbours"] > 2
    assert Knn(paper=True).fit(d.X, d.y).chosen["neighbours"] in (1, 2)


def test_tuning_keeps_replicates_together(rng):
    """Labels of objects are a coin's; copies that stay would make a single neighbour look best."""
    X = np.repeat(rng.normal(size=(40, 3)), 4, axis=0) + 1e-3 * rng.normal(size=(160, 3))
    y, groups = np.repeat(np.arange(40) % 2, 4), np.repeat(np.arange(40), 4)
    for train, test in inner_folds(X, y, groups, 3, 0):
        assert not set(groups[train]) & set(groups[test])
    assert Knn().fit(X, y).chosen["neighbours"] == 1
