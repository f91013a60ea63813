"""ForestClassifier: scikit-learn's own checks, and what it promises beyond them."""

import dataclasses
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from explorer import ForestClassifier
from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.engine.forest import ARRAYS
from explorer.engine.kernels import walk

IRIS = load_iris(return_X_y=True)

# The checks that scikit-learn excuses for its own RandomForestClassifier: a bootstrap draws other
# rows when samples are repeated than when they are weighted. So do the folds of pruning, and the
# perceptron depends on the order of rows, which the check shuffles.
EXCUSED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "bootstrap" for kind in ("dense", "sparse")
}


@pytest.mark.filterwarnings("ignore")  # the checks provoke warnings and look at them themselves
@pytest.mark.parametrize("family", FAMILIES)
def test_check_estimator_passes(family: str) -> None:
    spec = FAMILIES[family]
    exact = spec.bootstrap == "none" and not spec.prune and spec.split != "perceptron"
    excused = {} if exact else EXCUSED
    results = check_estimator(
        ForestClassifier(family, n_estimators=min(20, spec.n_tree)),
        expected_failed_checks=excused,
        on_skip=None,
        on_fail=None,
    )
    assert {r["check_name"] for r in results if r["status"] == "failed"} == set()
    assert {r["check_name"] for r in results if r["status"] == "xfail"} <= set(excused)
    assert sum(r["status"] == "passed" for r in results) > 50
    # one needs an environment variable set before scipy starts, one a decision_function
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {
        "check_array_api_input",
        "check_classifiers_multilabel_output_format_decision_function",
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_fits_predicts_and_ranks_features(family: str) -> None:
    X, y = IRIS
    model = ForestClassifier(family, random_state=0).fit(X, y)
    proba = model.predict_proba(X)
    assert proba.shape == (150, 3)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert model.score(X, y) > 0.9
    assert model.apply(X).shape == (150, FAMILIES[family].n_tree)
    importance = model.feature_importances_
    assert (importance >= 0).all()
    assert importance.sum() == pytest.approx(1.0)
    assert importance[2:].sum() > importance[:2].sum()  # petals tell irises apart


# ---- knobs


def test_every_knob_of_a_spec_is_a_parameter() -> None:
    words = {"n_tree": "n_estimators", "m_try": "max_features", "seed": "random_state"}
    words["bag"] = "max_samples"
    knobs = {words.get(f.name, f.name) for f in dataclasses.fields(ForestSpec)}
    own = {"family", "class_weight", "n_jobs", "oob_score", "warm_start", "min_samples_split"}
    own |= {"min_samples_leaf", "min_weight_fraction_leaf", "max_leaf_nodes"}
    own |= {"min_impurity_decrease", "ccp_alpha", "categories", "verbose"}
    assert set(inspect.signature(ForestClassifier).parameters) == knobs | own


@pytest.mark.parametrize(
    ("family", "params"),
    [
        ("RF", {"n_estimators": 7, "max_features": 0.5, "criterion": "entropy", "max_depth": 3}),
        ("RF", {"rotate": True, "bootstrap": "without", "min_leaf": 4, "vote": "posterior"}),
        ("RF", {"bootstrap": "with", "max_samples": 0.5, "vote": "majority"}),
        ("RF", {"split": "mixed", "lambdas": [0.1, 1.0]}),
        (
            "FRANK",
            {"n_candidates": "p^2", "n_combine": 3, "vary_combine": True, "scaling": "zscore"},
        ),
        ("RF-ODT", {"cost": 2.0, "balance": False, "max_features": np.int64(2)}),
        ("RDF-CAP", {"n_thresholds": 9, "subspace": "node"}),
        ("CART", {"prune": 3}),
    ],
)
def test_a_parameter_reaches_the_spec_and_the_rest_is_the_familys(
    family: str, params: dict
) -> None:
    X, y = IRIS
    words = {"n_estimators": "n_tree", "max_features": "m_try", "max_samples": "bag"}
    wanted = {
        words.get(k, k): int(v) if isinstance(v, np.integer) else v for k, v in params.items()
    }
    params = {"vote": FAMILIES[family].vote} | params
    spec = FAMILIES[family].replace(seed=3, missing="accept", **wanted)
    model = ForestClassifier(family, random_state=3, **params).fit(X, y)
    assert model.forest_.spec == spec
    np.testing.assert_array_equal(model.predict_proba(X), grow(spec, X, y).predict_proba(X))


def test_a_knob_that_the_split_ignores_is_an_error() -> None:
    with pytest.raises(ValueError, match="ignores cost"):
        ForestClassifier("RF", cost=2.0).fit(*IRIS)


def test_an_unknown_family_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'pines'.*CART, RF, .*F-RC-sparse"):
        ForestClassifier("pines").fit(*IRIS)


@pytest.mark.parametrize("share", [-0.1, 0.6, "heavy", True])
def test_a_wrong_smallest_leaf_is_an_error(share: object) -> None:
    with pytest.raises(ValueError, match="number from 0 to"):
        ForestClassifier(min_weight_fraction_leaf=share).fit(*IRIS)


# ---- seeds and threads


def test_a_whole_random_state_is_the_seed_itself() -> None:
    model = ForestClassifier("RF", n_estimators=3, random_state=2**62).fit(*IRIS)
    assert model.forest_.spec.seed == 2**62


def test_a_random_state_object_gives_a_new_seed_each_time_and_repeats_from_its_start() -> None:
    source = np.random.RandomState(1)
    seeds = [
        ForestClassifier("RF", n_estimators=1, random_state=s).fit(*IRIS).forest_.spec.seed
        for s in (source, source, np.random.RandomState(1))
    ]
    assert seeds[0] != seeds[1]
    assert seeds[0] == seeds[2]


def test_n_jobs_does_not_change_the_forest() -> None:
    one, all_cores = (
        ForestClassifier(n_estimators=20, random_state=0, n_jobs=n).fit(*IRIS) for n in (1, -1)
    )
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one.forest_, name), getattr(all_cores.forest_, name))


def test_n_jobs_none_is_one_thread_unless_joblib_says_otherwise() -> None:
    assert ForestClassifier()._threads() == 1
    with parallel_config("threading", n_jobs=3):
        assert ForestClassifier()._threads() == 3


def test_n_jobs_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="n_jobs is 0"):
        ForestClassifier(n_jobs=0).fit(*IRIS)


# ---- in scikit-learn's company


def test_it_works_in_a_pipeline_a_grid_search_and_cross_validation() -> None:
    X, y = IRIS
    model = make_pipeline(StandardScaler(), ForestClassifier(n_estimators=20, random_state=0))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.9
    grid = {
        "forestclassifier__family": ["RF", "oRF-lda"],
        "forestclassifier__max_features": np.array([1, 2]),
    }
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.9


def test_a_data_frame_gives_its_column_names_and_checks_them() -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = ForestClassifier("RF", n_estimators=5, random_state=0).fit(frame, y)
    assert list(model.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(
        model.predict_proba(frame),
        ForestClassifier("RF", n_estimators=5, random_state=0).fit(*IRIS).predict_proba(IRIS[0]),
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={frame.columns[0]: "petal of a rose"}))


@pytest.mark.parametrize("kind", ["array", "objects", "series", "categories"])
def test_labels_may_be_words_and_come_back_as_words(kind: str) -> None:
    X, codes = IRIS
    y = np.array(["setosa", "versicolor", "virginica"])[codes]
    given = {
        "array": y,
        "objects": y.astype(object),
        "series": pd.Series(y),
        "categories": pd.Series(y, dtype="category"),
    }[kind]
    model = ForestClassifier("RF", n_estimators=20, random_state=0).fit(X, given)
    assert list(model.classes_) == ["setosa", "versicolor", "virginica"]
    assert (model.predict(X) == y).mean() > 0.95
    np.testing.assert_array_equal(model.forest_.classes.astype(str), model.classes_.astype(str))


def test_a_missing_value_that_is_refused_is_named_by_row_and_column() -> None:
    X, y = IRIS
    X = X.copy()
    X[7, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 2.*missing='accept'"):
        ForestClassifier(missing="refuse").fit(X, y)
    model = ForestClassifier("RF", n_estimators=2, missing="refuse").fit(*IRIS)
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 2"):
        model.predict(X)


def test_nothing_can_be_asked_before_fit() -> None:
    model = ForestClassifier()
    for ask in (model.predict, model.predict_proba, model.apply):
        with pytest.raises(NotFittedError):
            ask(IRIS[0])
    for name in ("oob_score_", "oob_decision_function_", "feature_importances_"):
        assert not hasattr(model, name)


def test_a_clone_is_unfitted_and_a_pickle_is_the_same_forest() -> None:
    X, y = IRIS
    model = ForestClassifier("FRANK", n_estimators=9, random_state=0).fit(X, y)
    assert not hasattr(clone(model), "forest_")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.feature_importances_, model.feature_importances_)
    assert again.oob_score_ == model.oob_score_
    more = (m.forest_.extend(12, X=X, y=y).predict_proba(X) for m in (again, model))
    np.testing.assert_array_equal(*more)


def test_a_pickle_does_not_hold_the_training_data() -> None:
    X, y = make_classification(2000, 50, n_informative=2, class_sep=5.0, random_state=0)
    model = ForestClassifier("RF", n_estimators=3, random_state=0).fit(X, y)
    assert len(model.estimators_) == 3
    assert len(pickle.dumps(model)) < X.nbytes / 4
    assert pickle.loads(pickle.dumps(model)).forest_.training.X is None
    assert model.forest_.training.X is not None  # the model itself keeps it


def test_an_unpickled_forest_is_read_only_so_that_no_kernel_compiles_again() -> None:
    X, y = IRIS
    model = ForestClassifier("RF", n_estimators=9, random_state=0).fit(X, y)
    model.predict(X), model.oob_score_
    before = [len(k.signatures) for k in (walk.votes, walk.out_of_bag)]
    again = pickle.loads(pickle.dumps(model))
    again.predict(X), again.oob_score_
    forest = again.forest_
    scaling, training = forest.scaling, forest.training
    arrays = [getattr(forest, name) for name in ARRAYS]
    arrays += [scaling.shift, scaling.scale, training.codes, training.weight]
    assert not any(a.flags.writeable for a in arrays)
    assert [len(k.signatures) for k in (walk.votes, walk.out_of_bag)] == before


def test_importing_explorer_does_not_import_scikit_learn_until_it_is_asked_for() -> None:
    code = (
        "import sys, explorer\n"
        "assert 'ForestClassifier' in dir(explorer)\n"
        "assert 'sklearn' not in sys.modules\n"
        "explorer.ForestClassifier\n"
        "assert 'sklearn' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_explorer_has_no_other_names() -> None:
    import explorer

    with pytest.raises(AttributeError, match="no attribute 'ForestRegressor'"):
        _ = explorer.ForestRegressor


# ---- weights


def test_a_weight_of_zero_leaves_a_sample_out() -> None:
    X, y = IRIS
    weight = np.ones(150)
    weight[y == 2] = 0
    model = ForestClassifier("RF", n_estimators=20, random_state=0).fit(X, y, weight)
    assert set(model.predict(X)) == {0, 1}
    assert model.oob_score_ > 0.99  # judged without the class that was left out


def test_class_weight_multiplies_sample_weight() -> None:
    X, y = IRIS
    weight = np.linspace(0.5, 2.0, 150)
    of = {0: 1.0, 1: 3.0, 2: 0.25}
    both = ForestClassifier("RF", n_estimators=9, random_state=0, class_weight=of)
    once = ForestClassifier("RF", n_estimators=9, random_state=0)
    np.testing.assert_array_equal(
        both.fit(X, y, weight).predict_proba(X),
        once.fit(X, y, weight * np.array([of[k] for k in y])).predict_proba(X),
    )


def test_balanced_classes_weigh_the_same() -> None:
    X, y = IRIS
    X, y = X[30:], y[30:]
    model = ForestClassifier("RF", n_estimators=3, class_weight="balanced").fit(X, y)
    weight = model.forest_.training.weight
    np.testing.assert_allclose([weight[y == k].sum() for k in range(3)], 40.0)


def test_balanced_subsample_weighs_the_classes_of_every_bag_the_same() -> None:
    X, y = IRIS
    X, y = X[35:], y[35:]
    params = {"n_estimators": 9, "random_state": 0, "class_weight": "balanced_subsample"}
    forest = ForestClassifier("RF", **params).fit(X, y).forest_
    for t, tree in enumerate(forest):
        root = tree.nodes[0].counts
        np.testing.assert_allclose(root, forest.bags(t, t + 1).sum() / 3)
    # each tree is the one grown with the weights of its own bag
    for t, times in enumerate(forest.bags()):
        factor = times.sum() / (3 * np.bincount(y, times))
        alone = grow(
            forest.spec.replace(n_tree=1),
            X,
            y,
            first=t,
            tree_weight=lambda _, factor=factor: factor[y],
        )
        np.testing.assert_array_equal(alone.cut, forest.part(t, t + 1).cut)


def test_an_unknown_class_weight_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'heavy'; use 'balanced', 'balanced_subsample', a dict"):
        ForestClassifier(class_weight="heavy").fit(*IRIS)
    with pytest.raises(ValueError, match="names the class 7, which y does not have"):
        ForestClassifier(class_weight={7: 2.0}).fit(*IRIS)


def test_weights_that_are_all_zero_are_an_error() -> None:
    with pytest.raises(ValueError, match="Every sample weight is zero"):
        ForestClassifier().fit(*IRIS, sample_weight=np.zeros(150))


@pytest.mark.parametrize("family", ["RF", "F-RC", "RR-RF", "RDF-CAP"])
def test_no_leaf_is_lighter_than_asked(family: str) -> None:
    X, y = make_classification(300, 6, random_state=0, flip_y=0.3)
    forest = (
        ForestClassifier(family, n_estimators=10, random_state=0, min_weight_fraction_leaf=0.05)
        .fit(X, y)
        .forest_
    )
    free = ForestClassifier(family, n_estimators=10, random_state=0).fit(X, y).forest_
    lighter = 0
    for tree, grown in zip(forest, free, strict=True):
        whole = tree.nodes[0].counts.sum()
        assert min(n.counts.sum() for n in tree.nodes if n.is_leaf) >= 0.05 * whole
        lighter += min(n.counts.sum() for n in grown.nodes if n.is_leaf) < 0.05 * whole
        np.testing.assert_allclose(tree.nodes[0].counts, grown.nodes[0].counts)
        assert len(tree) > 1
    assert lighter == 10  # without the limit every tree has lighter leaves


def test_samples_of_an_undone_split_walk_on_to_the_leaves_that_stay() -> None:
    X, y = make_classification(200, 5, random_state=1, flip_y=0.2)
    params = {"n_estimators": 40, "random_state": 0, "vote": "posterior"}
    model = ForestClassifier("F-RC", min_weight_fraction_leaf=0.1, **params).fit(X, y)
    free = ForestClassifier("F-RC", **params).fit(X, y)
    leaves, bags = model.forest_.apply(X), model.forest_.bags()
    for t, tree in enumerate(model.forest_):
        for node in tree.nodes:
            if node.is_leaf:
                here = leaves[:, t] == node.leaf
                counts = np.bincount(y[here], bags[t][here], minlength=2)
                np.testing.assert_allclose(node.counts, counts)
    # out-of-bag samples follow: their posterior is that of the leaf they now fall into
    expected = np.zeros((200, 2))
    for t, tree in enumerate(model.forest_):
        posterior = {n.leaf: n.counts / n.counts.sum() for n in tree.nodes if n.is_leaf}
        for i in np.flatnonzero(bags[t] == 0):
            expected[i] += posterior[leaves[i, t]]
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.oob_decision_function_, expected)
    assert not np.allclose(free.oob_decision_function_, expected)
    with pytest.raises(ValueError, match="X and y"):
        model.forest_.extend(50)


# ---- out-of-bag and importance


def test_oob_score_is_the_accuracy_of_the_out_of_bag_posterior() -> None:
    X, y = IRIS
    model = ForestClassifier("RF", n_estimators=200, random_state=0).fit(X, y)
    assert model.oob_decision_function_.shape == (150, 3)
    accuracy = (model.classes_[model.oob_decision_function_.argmax(axis=1)] == y).mean()
    assert model.oob_score_ == accuracy
    assert model.oob_score_ == pytest.approx(1 - model.forest_.oob_error[-1])
    assert 0.9 < model.oob_score_ < 1


def test_a_forest_without_bootstrap_has_no_out_of_bag_score() -> None:
    model = ForestClassifier("RDF-PER").fit(*IRIS)
    assert not hasattr(model, "oob_score_")
    with pytest.raises(AttributeError, match="none is out of bag"):
        _ = model.oob_decision_function_


def test_importance_of_one_axis_tree_is_scikit_learns(rng: np.random.Generator) -> None:
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + rng.normal(size=400) > 0).astype(int)
    # two levels: large nodes, where no two splits tie
    one = {"max_depth": 2, "random_state": 0}
    ours = ForestClassifier("RF", n_estimators=1, max_features="all", bootstrap="none", **one)
    theirs = DecisionTreeClassifier(**one)
    np.testing.assert_allclose(
        ours.fit(X, y).feature_importances_, theirs.fit(X, y).feature_importances_, atol=1e-6
    )


def test_an_oblique_node_shares_its_gain_by_weight_times_spread(rng: np.random.Generator) -> None:
    X = rng.normal(size=(300, 4)) * [1.0, 10.0, 0.1, 1.0]
    y = (X @ [1.0, 0.2, 20.0, 0.0] > 0).astype(int)
    model = ForestClassifier("oRF-lda", n_estimators=5, max_features="all", random_state=0)
    spread = X.std(axis=0, ddof=1)
    expected = np.zeros(4)
    for tree in model.fit(X, y).forest_:
        shares = np.zeros(4)
        for node in tree.nodes:
            if not node.is_leaf:
                pull = np.abs(node.weights) * spread[node.features]
                shares[node.features] += node.gain * pull / pull.sum()
        expected += shares / shares.sum()
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-10)


def test_importance_of_an_oblique_forest_does_not_depend_on_units() -> None:
    X, y = IRIS
    units = np.array([1.0, 1024.0, 1.0 / 512.0, 8.0])
    grams, tons = (
        ForestClassifier("oRF-lda", n_estimators=20, random_state=0).fit(data, y)
        for data in (X, X * units)
    )
    np.testing.assert_allclose(grams.feature_importances_, tons.feature_importances_, rtol=1e-6)


def test_importance_is_zero_where_nothing_was_split() -> None:
    model = ForestClassifier("RF", n_estimators=3, max_depth=0).fit(*IRIS)
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(4))
