import numpy as np
import pytest
from scipy import stats

from explorer import data
from explorer.analysis import first_split, projection
from explorer.engine import FAMILIES


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "FRANK", "RF-thresholds"])
def test_the_in_bag_weights_at_a_node_are_those_the_tree_counted(family, ten, forests):
    forest = forests(family, ten)
    for t in (0, 5):
        for node in forest.tree(t).nodes:
            if node.is_leaf:
                continue
            found = projection(forest, ten, t, node.number)
            counts = np.bincount(found.y, weights=found.times, minlength=2)
            np.testing.assert_array_equal(counts, node.counts)
            np.testing.assert_array_equal(found.histogram.sum(axis=1), node.counts)


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "RF-thresholds"])
def test_the_decrease_at_the_cut_is_the_gain_the_engine_wrote_down(family, ten, forests):
    forest = forests(family, ten)
    for node in forest.tree(2).nodes:
        if not node.is_leaf:
            found = projection(forest, ten, 2, node.number)
            expected = node.gain / node.counts.sum()
            assert found.best_decrease == pytest.approx(expected, rel=1e-5, abs=1e-7)
            assert found.decrease.max() >= found.best_decrease - 1e-12


def test_the_decrease_along_the_axis_is_that_of_cutting_there_by_hand(ten, forests):
    found = projection(forests("oRF-ridge", ten), ten, 0, 0)

    def gini(y, w):
        p = np.bincount(y, weights=w, minlength=2) / w.sum()
        return 1 - (p**2).sum()

    inside = found.times > 0
    y, w, s = found.y[inside], found.times[inside], found.scores[inside]
    for k in range(0, found.cuts.size, 7):
        left = s <= found.cuts[k]
        share = w[left].sum() / w.sum()
        by_hand = gini(y, w) - share * gini(y[left], w[left])
        by_hand -= (1 - share) * gini(y[~left], w[~left])
        assert found.decrease[k] == pytest.approx(by_hand, abs=1e-12)


def test_scores_are_the_weighted_features_and_the_cut_parts_them_as_walking_does(ten, forests):
    forest = forests("oRF-ridge", ten)
    found = projection(forest, ten, 1, 0)
    np.testing.assert_allclose(found.scores, ten.X[:, found.features] @ found.weights, rtol=1e-9)
    np.testing.assert_array_equal(found.rows, np.arange(ten.n_samples))
    left = projection(forest, ten, 1, forest.tree(1).nodes[0].left).rows
    np.testing.assert_array_equal(left, np.flatnonzero(found.scores <= found.cut))


def test_densities_are_scipys_and_integrate_to_one(ten, forests):
    found = projection(forests("oRF-ridge", ten), ten, 0, 0)
    for k in (0, 1):
        mine = (found.y == k) & (found.times > 0)
        kde = stats.gaussian_kde(found.scores[mine], weights=found.times[mine])
        np.testing.assert_allclose(found.density[k], kde(found.grid))
        assert np.trapezoid(found.density[k], found.grid) == pytest.approx(1, abs=0.1)


def test_only_sparse_combinations_find_an_informative_first_split_of_sparse_parity():
    parity = data.load("parity", n=1000, p=20, p_star=2, noise=0.0)
    spec = FAMILIES["F-RC"].replace(n_combine=2)
    sparse = first_split(spec, parity, 4000)
    axis = first_split(FAMILIES["RF"], parity)
    turned = first_split(FAMILIES["RR-RF"], parity)
    assert set(sparse.features) == {0, 1}
    assert sparse.best_decrease > 2 * axis.best_decrease
    assert sparse.best_decrease > 2 * turned.best_decrease


def test_the_share_of_the_impurity_that_the_best_cut_removes_is_that_of_scikit_learn(ten):
    from sklearn.tree import DecisionTreeClassifier

    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(ten.X, ten.y).tree_
    n, impurity = stump.weighted_n_node_samples, stump.impurity
    after = (n[1] * impurity[1] + n[2] * impurity[2]) / n[0]
    found = first_split(FAMILIES["RF"], ten)
    assert found.best_share == pytest.approx(1 - after / impurity[0], rel=1e-6)


def test_a_projection_goes_to_pandas_and_json(ten, forests):
    found = projection(forests("RF", ten), ten)
    frame = found.to_frame()
    assert len(frame) == found.rows.size
    assert ((frame["score"] <= found.cut) == (frame["side"] == "left")).all()
    assert '"record": "Projection"' in found.to_json()


def test_a_leaf_or_a_foreign_data_set_is_refused_in_a_sentence(ten, mixture, forests):
    forest = forests("RF", ten)
    leaf = next(n.number for n in forest.tree(0).nodes if n.is_leaf)
    with pytest.raises(ValueError, match="is a leaf"):
        projection(forest, ten, 0, leaf)
    with pytest.raises(ValueError, match="was fitted on 10 features"):
        projection(forest, mixture)
    with pytest.raises(ValueError, match="was not grown on data set"):
        projection(forest, ten.take(np.arange(100)))
