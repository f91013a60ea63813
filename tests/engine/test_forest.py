"""What a forest says of samples: votes, posteriors, leaves, out-of-bag; and what it refuses."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.engine.forest import ARRAYS

from .toys import blobs, grown, same


@pytest.fixture(scope="module")
def data():
    return blobs(1, n=80, P=4, K=3)


def leaf_counts(forest, X):
    """Class sums of the leaf of each sample in each tree, [tree, sample, class]."""
    leaves = forest.apply(X)
    return np.array([forest.counts[forest.leaf_at[t] + leaves[:, t]] for t in range(forest.n_tree)])


@pytest.mark.parametrize("name", ["RF", "RF-thresholds", "RDF-CAP"])
def test_votes_follow_their_formulas(name, data):
    """Majority (Breiman), posterior (Ho s.4), weighted (Sazonau eq. 5), bayesian (eq. 7)."""
    X, y = data
    new = X + 0.3
    for vote in ("majority", "posterior", "weighted", "bayesian"):
        forest = grown(name, X, y, n_tree=7, vote=vote, max_depth=2)
        counts = leaf_counts(forest, new)
        posterior = counts / counts.sum(axis=2, keepdims=True)
        majority = np.eye(3)[counts.argmax(axis=2)]
        inside = forest.bags()[:, :, None] * (leaf_counts(forest, X).argmax(axis=2)[:, :, None])
        wrong = (inside != forest.bags()[:, :, None] * y[None, :, None])[..., 0] * forest.bags()
        strength = 1 - wrong.sum(axis=1) / forest.bags().sum(axis=1)
        each, weights = {
            "majority": (majority, np.ones(7)),
            "posterior": (posterior, np.ones(7)),
            "weighted": (majority, strength),
            "bayesian": (posterior, strength),
        }[vote]
        expected = (each * weights[:, None, None]).sum(axis=0) / weights.sum()
        np.testing.assert_allclose(forest.predict_proba(new), expected, atol=1e-12)
        np.testing.assert_allclose(forest.tree_weights, weights, rtol=1e-12)
        few = (each * weights[:, None, None])[:3].sum(axis=0) / weights[:3].sum()
        np.testing.assert_allclose(forest.predict_proba(new, trees=3), few, atol=1e-12)


def test_prediction_is_the_class_of_the_largest_posterior(data):
    X, y = data
    names = np.array(["c", "a", "b"])
    forest = grown("RF", X, names[y])
    assert forest.classes.tolist() == ["a", "b", "c"]
    proba = forest.predict_proba(X + 0.5)
    np.testing.assert_array_equal(forest.predict(X + 0.5), forest.classes[proba.argmax(axis=1)])
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


@pytest.mark.parametrize("y", [[True, False], [-3, 7], [0.5, 1.5], ["no", "yes"]])
def test_labels_come_back_as_they_were(y):
    X, labels = np.array([[0.0], [1.0]] * 10), np.array(y * 10)
    forest = grow(ForestSpec(n_tree=9), X, labels)
    assert forest.predict(X).dtype == labels.dtype
    np.testing.assert_array_equal(forest.predict(X), labels)


def test_labels_of_python_objects_come_back_equal():
    X = np.array([[0.0], [1.0]] * 10)
    for pair in (["no", "yes"], [0, 1], [False, True]):
        labels = np.array(pair * 10, dtype=object)
        predicted = grow(ForestSpec(n_tree=9), X, labels).predict(X)
        assert predicted.tolist() == labels.tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_predicting_in_any_pieces_gives_the_same_bits(data, threads):
    X, y = data
    forest = grown("oRF-ridge", X, y, vote="posterior")
    many = np.random.default_rng(0).normal(size=(9000, 4))
    whole = forest.predict_proba(many, threads=threads)
    pieces = np.vstack([forest.predict_proba(many[a : a + 700]) for a in range(0, 9000, 700)])
    assert whole.tobytes() == pieces.tobytes()
    assert (forest.apply(many, threads=threads)[:100] == forest.apply(many[:100])).all()


def test_columns_rows_and_types_of_tables_do_not_matter(data):
    X, y = data
    X = np.round(X, 2).astype(np.float32).astype(float)
    plain = grown("RF", X, y)
    for table in (np.asfortranarray(X), X.astype(np.float32), X.tolist(), X[::1].copy()[:, :]):
        assert same(grown("RF", table, y.tolist()), plain)
    whole = np.round(X * 10)
    assert same(grown("RF", whole.astype(np.int16), y), grown("RF", whole, y))
    assert same(grown("RF", X, y[:, None]), plain)


# ---- out-of-bag


@pytest.mark.parametrize("vote", ["majority", "posterior", "weighted"])
def test_out_of_bag_posteriors_are_the_votes_of_trees_that_never_saw_the_row(data, vote):
    X, y = data
    w = np.random.default_rng(0).choice([0.5, 2.0], 80)
    forest = grown("RF", X, y, n_tree=12, vote=vote, max_depth=3, sample_weight=w)
    counts, outside = leaf_counts(forest, X), forest.bags() == 0
    each = np.eye(3)[counts.argmax(axis=2)]
    if vote == "posterior":
        each = counts / counts.sum(axis=2, keepdims=True)
    votes = each * outside[:, :, None] * forest.tree_weights[:, None, None]
    sums = votes.cumsum(axis=0)
    with np.errstate(invalid="ignore"):
        expected = sums[-1] / sums[-1].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.oob_proba, expected, atol=1e-12)
    for k in range(12):
        judged = sums[k].sum(axis=1) > 0
        wrong = sums[k].argmax(axis=1) != y
        error = w[judged & wrong].sum() / w[judged].sum()
        assert forest.oob_error[k] == pytest.approx(error)


def test_out_of_bag_errors_of_the_first_trees_are_those_of_the_taken_forest(data):
    forest = grown("oRF-ridge", *data, n_tree=20)
    np.testing.assert_array_equal(forest.take(8).oob_error, forest.oob_error[:8])


def test_out_of_bag_error_foretells_the_test_error():
    X, y = blobs(3, n=1200, P=5, K=2)
    forest = grow(FAMILIES["RF"].replace(n_tree=100), X[:600], y[:600])
    test = (forest.predict(X[600:]) != y[600:]).mean()
    assert abs(forest.oob_error[-1] - test) < 0.04


def test_a_row_in_every_bag_has_no_out_of_bag_posterior():
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 0]
    forest = grow(ForestSpec(n_tree=1), X, y)
    inside = forest.bags()[0] > 0
    assert np.isnan(forest.oob_proba[inside]).all()
    assert np.isfinite(forest.oob_proba[~inside]).all()


def test_a_forest_without_bootstrap_says_that_it_has_no_out_of_bag(data):
    forest = grown("RDF-CAP", *data)
    assert not forest.has_oob
    for what in ("oob_proba", "oob_error"):
        with pytest.raises(ValueError, match="grown on all rows"):
            getattr(forest, what)


# ---- fewer and more trees


def test_taking_shares_memory_and_is_exact(data):
    forest = grown("FRANK", *data, n_tree=8)
    few = forest.take(3)
    assert few.n_tree == len(few) == few.spec.n_tree == 3
    assert np.shares_memory(few.cut, forest.cut)
    new = data[0] * 1.1
    np.testing.assert_array_equal(few.predict_proba(new), forest.predict_proba(new, trees=3))
    np.testing.assert_array_equal(few.apply(new), forest.apply(new)[:, :3])
    assert same(forest.take(8), forest)
    assert same(forest.extend(3), few)


@pytest.mark.parametrize("k", [0, -1, 9])
def test_taking_what_is_not_there_is_an_error(data, k):
    forest = grown("RF", *data, n_tree=8)
    with pytest.raises(ValueError, match="has 8"):
        forest.take(k)
    with pytest.raises(ValueError, match="has 8"):
        forest.predict_proba(data[0], trees=k)


def test_extending_on_changed_data_is_an_error(data):
    X, y = data[0].copy(), data[1]
    forest = grow(FAMILIES["RF"].replace(n_tree=2), X, y)
    other = X.copy()
    other[0, 0] += 1
    with pytest.raises(ValueError, match="not the data"):
        forest.extend(4, X=other, y=y)
    with pytest.raises(ValueError, match="not the data"):
        forest.extend(4, X=X, y=1 - (y > 0))
    with pytest.raises(ValueError, match="not the data"):
        forest.extend(4, X=X, y=y, sample_weight=np.arange(1.0, 81.0))
    assert same(forest.extend(4, X=X, y=y), grow(FAMILIES["RF"].replace(n_tree=4), X, y))
    X[0, 0] += 1
    with pytest.raises(ValueError, match="has been changed"):
        forest.extend(4)


def test_extending_with_names_for_other_classes_is_an_error(data):
    forest = grow(FAMILIES["RF"].replace(n_tree=2), *data)
    with pytest.raises(ValueError, match="not the data"):
        forest.extend(4, X=data[0], y=np.array(["x", "y", "z"])[data[1]])


# ---- a forest is a value


def test_nothing_in_a_forest_can_be_written(data):
    forest = grown("RR-RF(r)", *data)
    for name in (*ARRAYS, "winner", "classes", "tree_weights", "oob_proba", "oob_error"):
        assert not getattr(forest, name).flags.writeable, name
    for array in (forest.training.codes, forest.training.weight, forest.tree(0).nodes[0].weights):
        assert not array.flags.writeable


def test_nbytes_counts_a_few_bytes_per_node(data):
    forest = grown("RF", *data, n_tree=50)
    assert forest.nbytes == sum(getattr(forest, a).nbytes for a in ARRAYS) + forest.scaling.nbytes
    assert forest.nbytes / forest.feature.size < 64
    assert "50 trees" in repr(forest)


# ---- what is refused at the door


def table(value=0.5):
    """Six rows of two numbers; row 3 has ``value`` in its column 1."""
    X = np.random.default_rng(0).normal(size=(6, 2)).astype(object)
    X[3, 1] = value
    return X


Y = [0, 1] * 3


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, None, "tall"])
def test_what_is_not_a_number_is_named_by_row_and_column(value):
    with pytest.raises(ValueError, match="row 3, column 1"):
        grow(ForestSpec(), table(value), Y)
    forest = grow(ForestSpec(n_tree=2), table(), Y)
    for ask in (forest.predict, forest.predict_proba, forest.apply):
        with pytest.raises(ValueError, match="row 3, column 1"):
            ask(table(value))


def test_both_infinities_at_once_are_named():
    X = table().astype(float)
    X[1, 0], X[2, 0] = np.inf, -np.inf
    with pytest.raises(ValueError, match="row 1, column 0"):
        grow(ForestSpec(), X, Y)


def test_numbers_whose_sum_overflows_are_no_infinity():
    X = table().astype(float) * 1e300
    X[:, 0] = np.linspace(1e308, 1.7e308, 6)
    assert grow(ForestSpec(n_tree=3), X, Y).predict_proba(X).shape == (6, 2)


@pytest.mark.parametrize(
    ("X", "y", "why"),
    [
        (np.empty((0, 2)), [], "no rows"),
        (np.empty((3, 0)), [0, 1, 0], "no columns"),
        (np.zeros(4), [0, 1, 0, 1], "1 dimension"),
        (np.zeros((2, 2, 2)), [0, 1], "3 dimension"),
        (5.0, [1], "0 dimension"),
        (np.zeros((2, 2), complex), [0, 1], "complex"),
        (np.zeros((4, 2)), [0, 1, 0], "3 labels, but X has 4 rows"),
        (np.zeros((4, 2)), [[0, 1]] * 4, "2 dimensions"),
        (np.zeros((4, 2)), [1, 1, 1, 1], "only class 1"),
        (np.zeros((4, 2)), [0, 1, np.nan, 0], "row 2"),
        (np.zeros((3, 2)), np.array(["a", None, "b"], dtype=object), "row 1"),
        (np.array([["a", "b"], ["c", "d"]]), [0, 1], "row 0, column 0"),
    ],
)
def test_bad_data_are_a_sentence(X, y, why):
    with pytest.raises(ValueError, match=why):
        grow(ForestSpec(), X, y)


@pytest.mark.parametrize(
    ("weight", "why"),
    [
        ([1, 1, 1], "shape"),
        ([1, 1, 1, -1], "row 3"),
        ([1, np.nan, 1, 1], "row 1"),
        ([1, 1, np.inf, 1], "row 2"),
        ([0, 0, 0, 0], "no class"),
        ([0, 1, 0, 1], "only class 1"),
        (2.0, "shape"),
        (["a"] * 4, "sample_weight"),
    ],
)
def test_bad_weights_are_a_sentence(weight, why):
    with pytest.raises(ValueError, match=why):
        grow(ForestSpec(), np.arange(8.0).reshape(4, 2), [0, 1, 0, 1], sample_weight=weight)


def test_wrong_widths_are_a_sentence(data):
    forest = grown("RF", *data)
    for ask in (forest.predict, forest.predict_proba, forest.apply):
        with pytest.raises(ValueError, match=r"3 features.*grown on 4"):
            ask(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="m_try is 5, but the data have 4"):
        grow(ForestSpec(m_try=5), *data)
