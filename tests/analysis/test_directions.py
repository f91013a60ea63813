import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge

from explorer import data
from explorer.analysis import directions


@pytest.fixture(scope="module")
def found():
    d = data.load("threenorm", n=150, p=6) if "p" in _knobs() else data.load("threenorm", n=150)
    return d, directions(d)


def _knobs():
    return data.catalogue()["threenorm"].knobs


def parallel(a, b):
    return abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)


def standard(d):
    return (d.X - d.X.mean(axis=0)) / d.X.std(axis=0)


def of(record, label):
    return record.unit[record.label.index(label)]


def test_each_direction_is_that_of_its_method(found):
    d, record = found
    Z, t = standard(d), 2.0 * d.y - 1
    assert parallel(of(record, "PCA"), PCA(1).fit(Z).components_[0]) > 1 - 1e-9
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(Z, d.y).coef_[0]
    assert parallel(of(record, "LDA"), lda) > 1 - 1e-6
    pls = PLSRegression(1, scale=False).fit(Z, t).x_weights_[:, 0]
    assert parallel(of(record, "PLS"), pls) > 1 - 1e-9
    for penalty in (0.1, 10.0, 1000.0):
        ridge = Ridge(alpha=penalty).fit(Z, t).coef_
        assert parallel(of(record, f"ridge, lambda {penalty:g}"), ridge) > 1 - 1e-9
    logistic = LogisticRegression(C=1.0, tol=1e-10).fit(Z, d.y).coef_[0]
    assert parallel(of(record, "logistic"), logistic) > 1 - 1e-6
    axis = d.X[d.y == 1].mean(axis=0) - d.X[d.y == 0].mean(axis=0)
    assert parallel(record.weights[record.label.index("central axis")], axis) > 1 - 1e-9


def test_correlation_and_variance_are_those_of_the_scores(found):
    d, record = found
    Z = standard(d)
    for k in range(len(record.label)):
        scores = Z @ record.unit[k]
        r = np.corrcoef(scores, d.y)[0, 1]
        assert record.correlation[k] == pytest.approx(r**2)
        assert r >= 0
        assert record.variance[k] == pytest.approx(scores.var())
    np.testing.assert_allclose(np.linalg.norm(record.unit, axis=1), 1)
    expected = record.correlation * record.variance / (record.variance + 3.0)
    np.testing.assert_allclose(record.objective(3.0), expected)


def test_regularisation_trades_correlation_for_variance(found):
    _, record = found
    ridge = [k for k, kind in enumerate(record.kind) if kind == "ridge"]
    assert (np.diff(record.correlation[ridge]) <= 1e-12).all()
    assert (np.diff(record.variance[ridge]) >= -1e-12).all()
    every = record.correlation
    assert every[record.label.index("LDA")] == pytest.approx(every.max())
    assert record.variance[record.label.index("PCA")] == pytest.approx(record.variance.max())


def test_weights_on_raw_features_give_the_same_scores(found):
    d, record = found
    raw = (d.X - record.mean) @ record.weights.T
    np.testing.assert_allclose(raw, standard(d) @ record.unit.T, atol=1e-9)


def test_rows_and_features_restrict_what_is_looked_at(found):
    d, _ = found
    rows = np.arange(0, 150, 2)
    record = directions(d, rows, [3, 1], kinds=["pls"])
    assert record.feature_names == (d.feature_names[3], d.feature_names[1])
    Z = d.X[np.ix_(rows, [3, 1])]
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    t = d.y[rows] - d.y[rows].mean()
    assert parallel(record.unit[0], Z.T @ t) > 1 - 1e-9


def test_more_classes_become_two_groups(blobs):
    record = directions(blobs)
    together = {name for group in record.groups for name in group.split(", ")}
    assert together == set(blobs.class_names)
    assert (record.correlation > 0).all()


def test_directions_go_to_pandas_and_json(found):
    record = found[1]
    assert len(record.to_frame()) == len(record.label) == 17
    assert '"penalty": [null' in record.to_json()


def test_what_has_no_direction_is_refused_in_a_sentence(blobs):
    with pytest.raises(ValueError, match="of one class"):
        directions(blobs, np.flatnonzero(blobs.y == 0))
    with pytest.raises(ValueError, match="no direction 'ica'"):
        directions(blobs, kinds=["ica"])
