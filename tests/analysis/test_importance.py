import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.inspection import permutation_importance as sklearn_permutation
from sklearn.metrics import roc_auc_score

from explorer import data
from explorer.analysis import Cancelled, importance
from explorer.analysis.importance import gini_importance, only_oblique, t_statistic
from explorer.analysis.projection import rows_at
from explorer.engine import FAMILIES, grow, measures


def drops(forest, **options):
    parts = []
    measures.permutation_drops(forest, take=lambda first, drop: parts.append(drop), **options)
    return np.concatenate(parts)


def permuted_by_hand(forest, dataset, t, f, order):
    """Eq. 8's term for one tree and feature: walk all out-of-bag rows with the permuted column."""
    rows = np.flatnonzero(forest.bags(t, t + 1)[0] == 0)
    X = dataset.X[rows].copy()
    winner = forest.winner[forest.leaf_at[t] : forest.leaf_at[t + 1]]
    before = winner[forest.apply(X)[:, t]] != dataset.y[rows]
    X[:, f] = X[order, f]
    after = winner[forest.apply(X)[:, t]] != dataset.y[rows]
    return after.mean() - before.mean()


def engine_permutation(seed, number, m):
    """The kernel's Fisher-Yates shuffle, in plain Python."""
    mask = (1 << 64) - 1

    def mix(z):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    golden = 0x9E3779B97F4A7C15
    x = mix((seed + golden) & mask) ^ mix(((number + 1) * 0xD1342543DE82EF95) & mask)
    s = []
    for _ in range(4):
        x = (x + golden) & mask
        s.append(mix(x))

    def draw():
        total = (s[0] + s[3]) & mask
        out = ((((total << 23) | (total >> 41)) & mask) + s[0]) & mask
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & mask
        return out

    order = list(range(m))
    for r in range(m - 1, 0, -1):
        q = ((draw() >> 32) * (r + 1)) >> 32
        order[r], order[q] = order[q], order[r]
    return np.array(order)


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "FRANK", "RR-RF"])
def test_permutation_drops_are_those_of_walking_every_row_again(family, ten, forests):
    forest = forests(family, ten, 12)
    found = drops(forest, seed=5)
    P = ten.n_features
    for t in range(0, 12, 3):
        m = int((forest.bags(t, t + 1)[0] == 0).sum())
        for f in range(P):
            order = engine_permutation(5 ^ 0x7065726D, t * P + f, m)
            by_hand = permuted_by_hand(forest, ten, t, f, order)
            assert found[t, f] == pytest.approx(by_hand, abs=1e-12)


class OneTree(ClassifierMixin, BaseEstimator):
    """Tree t of a forest, as scikit-learn sees a classifier."""

    def __init__(self, forest=None, t=0):
        self.forest, self.t = forest, t
        self.classes_ = np.arange(2)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.forest.winner[self.forest.leaf_at[self.t] + self.forest.apply(X)[:, self.t]]


def test_permutation_importance_is_that_of_sklearn_inspection_within_sampling_error():
    d = data.load("twonorm", n=150)
    trees, repeats = 5, 60
    forest = grow(FAMILIES["RF"].replace(n_tree=trees), d.X, d.y)
    ours = drops(forest, repeats=repeats, seed=1).mean(axis=0)
    theirs, variance = np.zeros(d.n_features), np.zeros(d.n_features)
    for t in range(trees):
        rows = forest.bags(t, t + 1)[0] == 0
        result = sklearn_permutation(
            OneTree(forest, t), d.X[rows], d.y[rows], n_repeats=repeats, random_state=t
        )
        theirs += result.importances_mean / trees
        variance += result.importances_std**2 / repeats / trees**2
    # both are means of as many permutations; five standard errors of their difference
    assert (np.abs(ours - theirs) < 5 * np.sqrt(2 * variance) + 1e-12).all()
    assert ours.max() > 0.02


def test_gini_importance_is_sklearns_definition(ten, forests):
    forest = forests("RF", ten)
    by_hand = np.zeros((forest.n_tree, ten.n_features))
    for t, tree in enumerate(forest):
        for node in tree.nodes:
            if not node.is_leaf:
                by_hand[t, node.features[0]] += node.gain
    by_hand /= by_hand.sum(axis=1, keepdims=True)
    mean, error = gini_importance(forest, ten.X)
    np.testing.assert_allclose(mean, by_hand.mean(axis=0), rtol=1e-9)
    expected = by_hand.std(axis=0, ddof=1) / np.sqrt(forest.n_tree)
    np.testing.assert_allclose(error, expected, rtol=1e-6)
    found = importance(forest, ten, ["gini"])
    low = mean - stats.t.isf(0.025, forest.n_tree - 1) * error
    np.testing.assert_allclose(found.gini_low, low)
    assert found.gini.sum() == pytest.approx(1)


def test_gini_importance_of_a_fully_grown_sklearn_forest_ranks_features_alike():
    from sklearn.ensemble import RandomForestClassifier

    d = data.load("twonorm", n=200)
    forest = grow(FAMILIES["RF"].replace(n_tree=300), d.X, d.y)
    theirs = RandomForestClassifier(300, random_state=0).fit(d.X, d.y).feature_importances_
    ours, _ = gini_importance(forest, d.X)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.9


def anova_by_hand(X, target, w, f):
    """p of feature f by comparing residuals with and without it (weighted least squares)."""

    def rest(columns):
        A = np.column_stack([np.ones(len(X)), X[:, columns]]) * np.sqrt(w)[:, None]
        b = target * np.sqrt(w)
        coef, *_ = np.linalg.lstsq(A, b, rcond=None)
        return ((b - A @ coef) ** 2).sum()

    m = X.shape[1]
    full = rest(list(range(m)))
    without = rest([j for j in range(m) if j != f])
    df = len(X) - m - 1
    return stats.f.sf((without - full) / (full / df), 1, df)


@pytest.mark.parametrize("family", ["oRF-ridge", "oRF-lda", "F-RC", "RF"])
def test_anova_p_values_at_every_node_are_those_of_least_squares(family):
    d = data.load("threenorm", n=200)
    forest = grow(FAMILIES[family].replace(n_tree=4), d.X, d.y)
    found, tested, F = measures.anova_counts(forest, tables=True)
    Z = forest.scaling.transform(d.X)
    seen_found, seen_tested = np.zeros(d.n_features, int), np.zeros(d.n_features, int)
    compared = 0
    for t in range(4):
        tree = forest.tree(t)
        times = forest.bags(t, t + 1)[0]
        for node in tree.nodes:
            if node.is_leaf:
                continue
            rows = rows_at(forest, tree, node.number, Z)
            rows = rows[times[rows] > 0]
            m = node.features.size
            table = F[forest.node_at[t] + node.number]
            if rows.size <= m + 1:
                assert np.isnan(table).all()
                continue
            X, w = Z[np.ix_(rows, node.features)], times[rows].astype(float)
            target = 2.0 * d.y[rows] - 1.0
            df = rows.size - m - 1
            for j in range(m):
                by_hand = anova_by_hand(X, target, w, j)
                mine = stats.f.sf(table[j], 1, df)
                assert mine == pytest.approx(by_hand, rel=1e-6, abs=1e-12)
                seen_tested[node.features[j]] += 1
                seen_found[node.features[j]] += by_hand <= 0.01
                compared += 1
    assert compared > 100 or family in ("RF", "F-RC")
    np.testing.assert_array_equal(tested, seen_tested)
    np.testing.assert_array_equal(found, seen_found)


def test_anova_of_one_unweighted_feature_is_scipys_regression():
    d = data.load("twonorm", n=80)
    spec = FAMILIES["RF"].replace(n_tree=1, bootstrap="none", max_depth=1)
    forest = grow(spec, d.X, d.y)
    _, _, F = measures.anova_counts(forest, tables=True)
    line = stats.linregress(d.X[:, forest.feature[0]], 2.0 * d.y - 1)
    assert stats.f.sf(F[0, 0], 1, 78) == pytest.approx(line.pvalue, rel=1e-6)


def test_a_feature_that_others_explain_is_never_significant(rng):
    X = rng.normal(size=(120, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    y = (X[:, 3] + 0.3 * rng.normal(size=120) > 0).astype(int)
    forest = grow(FAMILIES["oRF-lda"].replace(n_tree=1, m_try="all"), X, y)
    _, _, F = measures.anova_counts(forest, tables=True)
    assert (F[0] == -1).sum() == 1


def test_more_than_two_classes_are_divided_as_at_the_node(blobs, forests):
    forest = forests("oRF-ridge", blobs)
    found, tested, _ = measures.anova_counts(forest)
    assert (tested > 0).all()
    assert (found > 0).any()


def test_t_is_scipys_t_and_for_more_classes_the_root_of_its_f(ten, blobs):
    t, _ = stats.ttest_ind(ten.X[ten.y == 0], ten.X[ten.y == 1])
    np.testing.assert_allclose(t_statistic(ten.X, ten.y), np.abs(t), rtol=1e-9)
    F, _ = stats.f_oneway(*(blobs.X[blobs.y == k] for k in range(blobs.n_classes)))
    np.testing.assert_allclose(t_statistic(blobs.X, blobs.y), np.sqrt(F), rtol=1e-9)


def test_a_constant_feature_has_no_t_and_no_warning():
    X = np.column_stack([np.full(10, 3.3), np.arange(10.0), np.repeat([0.0, 1.0], 5)])
    found = t_statistic(X, np.repeat([0, 1], 5))
    assert found[0] == 0
    assert np.isfinite(found[1])
    assert found[2] == np.inf


def test_signed_weights_point_towards_the_class(rng):
    X = rng.normal(size=(300, 4)) * [1.0, 10.0, 1.0, 1.0]
    y = (X[:, 0] - 0.1 * X[:, 1] > 0).astype(int)
    from explorer.data import Dataset

    d = Dataset("signs", X, y, ("no", "yes"))
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=50, m_try="all"), d.X, d.y)
    found = importance(forest, d, ["weight"])
    assert found.towards == "yes"
    assert found.weight[0] > 0.3
    assert found.weight[1] < -0.3
    assert np.abs(found.weight[2:]).max() < 0.2
    other = importance(forest, d, ["weight"], towards=0)
    np.testing.assert_allclose(other.weight, -found.weight, atol=0.05)


@pytest.fixture(scope="module")
def offset_spectra():
    d = data.load("spectra_ir", offset=1.0, n=120)
    rf = grow(FAMILIES["RF"].replace(n_tree=300), d.X, d.y)
    orf = grow(FAMILIES["oRF-ridge"].replace(n_tree=300), d.X, d.y)
    return d, rf, orf


def test_anova_peaks_at_informative_channels_that_gini_misses_under_an_offset(offset_spectra):
    d, rf, orf = offset_spectra
    informative = np.isin(np.arange(d.n_features), d.informative)
    anova = importance(orf, d, ["anova"]).anova
    gini = importance(rf, d, ["gini"]).gini
    assert roc_auc_score(informative, anova) > 0.75
    assert roc_auc_score(informative, gini) < 0.6
    assert anova[informative].mean() > 2.5 * anova[~informative].mean()
    assert gini[informative].mean() < 1.3 * gini[~informative].mean()


def test_features_that_only_the_oblique_forest_uses_are_mostly_informative(offset_spectra):
    d, rf, orf = offset_spectra
    found = importance(orf, d, [], against=rf)
    informative = np.isin(np.arange(d.n_features), d.informative)
    only = found.only_oblique
    assert only[informative].mean() > 3 * only[~informative].mean()
    axis_gini, _ = gini_importance(rf, d.X)
    assert (axis_gini[only] < 1 / d.n_features).all()
    chance = only_oblique(np.array([1, 50]), np.array([100, 100]), np.array([0.0, 0.0]))
    np.testing.assert_array_equal(chance, [False, True])


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_threads_change_no_importance(family, ten, forests):
    forest = forests(family, ten)
    one = importance(forest, ten, threads=1, seed=3)
    two = importance(forest, ten, threads=2, seed=3)
    for name in ("gini", "permutation", "permutation_low", "anova", "weight", "t"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    other = importance(forest, ten, ["permutation"], seed=4)
    assert (other.permutation != one.permutation).any()


def test_importance_reports_progress_and_can_be_stopped(ten, forests):
    seen = []
    importance(forests("RF", ten), ten, progress=lambda *a: seen.append(a))
    assert {s[2] for s in seen} == {"permutation", "ANOVA"}
    with pytest.raises(Cancelled):
        importance(forests("RF", ten), ten, ["permutation"], cancel=lambda: True)


def test_importance_goes_to_pandas_and_json(ten, forests):
    found = importance(forests("RF", ten), ten, ["gini", "t"])
    frame = found.to_frame()
    assert list(frame.columns) == ["feature", "gini", "gini_low", "gini_high", "t"]
    assert found.permutation is None
    assert '"permutation": null' in found.to_json()


def test_what_cannot_be_measured_is_refused_in_a_sentence(mixture, forests):
    with pytest.raises(ValueError, match="no measure 'shap'"):
        importance(forests("RF", mixture), mixture, ["shap"])
    with pytest.raises(ValueError, match="no sample is out of bag"):
        importance(forests("RDF-CAP", mixture), mixture, ["permutation"])
