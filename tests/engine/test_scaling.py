"""Scaling to the letter of Tomita s.2.5: fitted on training data, applied to new data."""

import numpy as np
import pytest
import scipy.stats

from explorer.engine import FAMILIES, Scaling, grow

from . import naive
from .toys import blobs, grown


@pytest.fixture
def X(rng):
    return np.column_stack(
        [rng.normal(size=25), rng.integers(0, 4, 25), np.full(25, 3.0), rng.normal(size=25) ** 5]
    )


def test_ranks_are_places_averaged_over_ties(X):
    Z = Scaling.fit("rank", X).transform(X)
    for f in range(4):
        np.testing.assert_allclose(Z[:, f], naive.ranks(X[:, f]))
        np.testing.assert_allclose(Z[:, f], scipy.stats.rankdata(X[:, f]))


def test_the_papers_example_of_a_tie():
    """Two observations at place j get j + 1/2."""
    Z = Scaling.fit("rank", np.array([[1.0], [5.0], [5.0], [9.0]])).transform(
        np.array([[1.0], [5.0], [9.0]])
    )
    np.testing.assert_array_equal(Z[:, 0], [1.0, 2.5, 4.0])


def test_new_values_are_interpolated_and_end_at_0_and_n_plus_1(X, rng):
    scaling = Scaling.fit("rank", X)
    new = np.vstack([rng.normal(size=(40, 4)) * 2, X.min(axis=0) - 1e-9, X.max(axis=0) + 1e-9])
    expected = [[naive.rank_of_new(x[f], X[:, f]) for f in range(4)] for x in new]
    np.testing.assert_allclose(scaling.transform(new), expected, rtol=1e-12)
    np.testing.assert_array_equal(scaling.transform(new[-2:]), [[0.0] * 4, [26.0] * 4])


def test_percentiles_run_from_0_to_1_in_sample_and_beyond_outside(X):
    scaling = Scaling.fit("percentile", X)
    Z = scaling.transform(X)
    for f in (0, 1, 3):
        assert (Z[:, f].min(), Z[:, f].max()) == (0.0, pytest.approx(1.0))
        low, high = X[:, f].min(), X[:, f].max()
        np.testing.assert_allclose(Z[:, f], (X[:, f] - low) / (high - low))
    assert scaling.transform(X + 2 * np.ptp(X, axis=0))[:, 0].max() == pytest.approx(3.0)


def test_z_scores_use_the_sample_mean_and_standard_deviation(X):
    Z = Scaling.fit("zscore", X).transform(X)
    for f in (0, 1, 3):
        np.testing.assert_allclose(Z[:, f], (X[:, f] - X[:, f].mean()) / X[:, f].std(ddof=1))


@pytest.mark.parametrize("kind", ["rank", "percentile", "zscore"])
def test_a_constant_feature_stays_constant_and_finite(X, kind):
    scaling = Scaling.fit(kind, X)
    Z = scaling.transform(X)
    assert np.unique(Z[:, 2]).size == 1
    assert np.isfinite(scaling.transform(X * 7 - 3)).all()


@pytest.mark.parametrize("kind", ["rank", "percentile", "zscore"])
@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e300])
def test_scaling_takes_units_away(X, kind, scale):
    plain = Scaling.fit(kind, X).transform(X)
    scaled = Scaling.fit(kind, X * scale).transform(X * scale)
    np.testing.assert_allclose(scaled, plain, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["none", "rank", "percentile", "zscore"])
def test_scaling_never_reverses_an_order(X, kind, rng):
    scaling = Scaling.fit(kind, X)
    new = np.sort(rng.normal(size=(200, 4)) * 3, axis=0)
    assert (np.diff(scaling.transform(new), axis=0) >= 0).all()
    for f in range(4):
        np.testing.assert_array_equal(scaling.column(f, new[:, f]), scaling.transform(new)[:, f])


@pytest.mark.parametrize("kind", ["rank", "percentile", "zscore"])
def test_new_values_far_outside_a_tiny_range_stay_finite(kind):
    scaling = Scaling.fit(kind, np.array([[0.0], [1e-300], [2e-300]]))
    far = np.array([[-1e300], [-1.0], [1.0], [1e300]])
    Z = scaling.transform(far)[:, 0]
    assert np.isfinite(Z).all()
    assert (np.diff(Z) >= 0).all()
    np.testing.assert_array_equal(scaling.column(0, far[:, 0]), Z)


def test_no_scaling_is_the_data_itself(X):
    assert Scaling.fit("none", X).transform(X) is X


def test_ranks_change_nothing_for_axis_splits():
    """Tomita s.2.5: RF(r) behaves as RF, up to where between two samples a cut lies."""
    X, y = blobs(1, n=80)
    plain, ranked = grown("RF", X, y), grown("RF", X, y, scaling="rank")
    np.testing.assert_array_equal(plain.feature, ranked.feature)
    np.testing.assert_array_equal(plain.counts, ranked.counts)
    inside = plain.bags().T > 0
    np.testing.assert_array_equal(plain.apply(X)[inside], ranked.apply(X)[inside])


def test_frank_is_f_rc_on_ranks():
    X, y = blobs(2, n=80)
    ranks = np.column_stack([naive.ranks(x) for x in X.T])
    frank = grow(FAMILIES["FRANK"].replace(n_tree=5), X, y)
    frc = grow(FAMILIES["F-RC"].replace(n_tree=5), ranks, y)
    np.testing.assert_array_equal(frank.value, frc.value)
    np.testing.assert_array_equal(frank.cut, frc.cut)


@pytest.mark.parametrize("kind", ["rank", "percentile", "zscore"])
def test_rows_of_no_weight_take_no_part(kind):
    X, y = blobs(3, n=50)
    w = np.ones(50)
    w[::5] = 0.0
    spoilt = X.copy()
    spoilt[::5] *= 1e6
    clean = grow(FAMILIES["F-RC"].replace(n_tree=3, scaling=kind), X, y, sample_weight=w)
    other = grow(FAMILIES["F-RC"].replace(n_tree=3, scaling=kind), spoilt, y, sample_weight=w)
    np.testing.assert_array_equal(clean.cut, other.cut)
    np.testing.assert_array_equal(clean.scaling.transform(X), other.scaling.transform(X))


def test_what_is_fitted_cannot_be_written(X):
    scaling = Scaling.fit("rank", X)
    with pytest.raises(ValueError, match="read-only"):
        scaling.values[0] = 1.0
    assert scaling.nbytes > 0
