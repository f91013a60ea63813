"""Every transform does what its definition says, to the rows and to the truth."""

import dataclasses

import numpy as np
import pytest

from explorer.data import Dataset, SpectralAxis, load
from explorer.data.transforms import (
    SNV,
    TRANSFORMS,
    Affine,
    BandSelection,
    Baseline,
    Binning,
    Compose,
    CorrelationDial,
    Corruption,
    Derivative,
    PrecisionWarning,
    RandomScaling,
    Rotation,
    Turn,
)

INVERTIBLE = [Turn(30.0), Rotation(seed=2), RandomScaling(seed=2), Affine(seed=2)]


def spectra(X, axis=None, **fields):
    X = np.atleast_2d(np.asarray(X, float))
    return Dataset("s", X, np.arange(len(X)) % 2, ("a", "b"), axis=axis, **fields)


# -- invertible maps (Tomita s.2.3) --------------------------------------------------------------


@pytest.mark.parametrize("transform", INVERTIBLE, ids=lambda t: type(t).__name__)
def test_invertible_maps_keep_the_exact_truth(transform):
    d = load("parity", p=6, p_star=2, noise=0.1)
    t = transform.apply(d)
    assert t.truth is not None
    np.testing.assert_array_equal(t.X, transform.map(d.X))
    near_a_cut = np.abs(d.X[:, :2]).min(axis=1) < 1e-6  # rounding may carry such a point over
    np.testing.assert_allclose(
        t.truth.posterior(t.X)[~near_a_cut], d.truth.posterior(d.X)[~near_a_cut]
    )
    assert t.truth.bayes_error == d.truth.bayes_error
    X, y = t.truth.sample(20_000, np.random.default_rng(1))
    assert abs((t.truth.bayes_class(X) != y).mean() - 0.1) < 0.01


@pytest.mark.parametrize("transform", INVERTIBLE, ids=lambda t: type(t).__name__)
def test_new_rows_get_the_same_map(transform):
    d = load("twonorm", n=50, p=5)
    both = transform.map(d.X)
    np.testing.assert_allclose(transform.map(d.X[:7]), both[:7], rtol=1e-12)
    m = transform.affine(5)
    np.testing.assert_allclose(m.inverse(m.forward(d.X)), d.X, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(m.matrix @ m.inverse_matrix, np.eye(5), atol=1e-9)


def test_rotations_are_orthogonal_proper_and_uniform():
    for seed in range(20):
        q = Rotation(seed).affine(4).matrix
        np.testing.assert_allclose(q @ q.T, np.eye(4), atol=1e-12)
        assert np.linalg.det(q) == pytest.approx(1.0)
    # uniform: every entry has mean 0 and variance 1/p (LAPACK's signs alone would bias this)
    entries = np.array([Rotation(seed).affine(3).matrix for seed in range(3000)])
    np.testing.assert_allclose(entries.mean(axis=0), 0.0, atol=0.05)
    np.testing.assert_allclose(entries.var(axis=0), 1 / 3, atol=0.03)
    with pytest.raises(ValueError, match="at most 4000 features"):
        Rotation().affine(5000)


def test_scaling_draws_uniform_factors_from_the_papers_interval():
    s = RandomScaling(seed=1).factors(20_000)
    assert s.min() >= 1e-5
    assert s.max() <= 1e5
    assert np.mean(s) == pytest.approx(5e4, rel=0.02)
    log = RandomScaling(seed=1, spacing="log").factors(20_000)
    assert np.mean(log < 1.0) == pytest.approx(0.5, abs=0.02)
    d = load("trunk", n=10)
    np.testing.assert_allclose(
        RandomScaling(seed=4).apply(d).X, d.X * RandomScaling(seed=4).factors(10)
    )


def test_affine_is_the_rotation_then_the_scaling():
    d = load("trunk", n=10)
    chain = Compose((Rotation(7), RandomScaling(seed=7)))
    np.testing.assert_allclose(Affine(seed=7).map(d.X), chain.map(d.X), rtol=1e-10)
    np.testing.assert_allclose(
        Affine(seed=7).apply(d).truth.posterior(chain.map(d.X)),
        chain.apply(d).truth.posterior(chain.map(d.X)),
        atol=1e-9,
    )


def test_a_turn_of_the_flat_clouds_gives_the_turned_clouds():
    flat, turned = load("clouds", angle=0.0), load("clouds", angle=50.0)
    t = Turn(50.0).apply(flat)
    np.testing.assert_allclose(t.X, turned.X, atol=1e-12)
    (a,) = t.truth.boundary([-1, -1], [1, 1])
    np.testing.assert_allclose(turned.truth.level(a), 0.0, atol=1e-9)
    with pytest.raises(ValueError, match="two different features"):
        Turn(1.0, 0, 5).apply(flat)


def test_mixing_features_takes_axis_image_and_names_and_spreads_information():
    d = load("spectra_ir", n=20, p=20)
    r = Rotation().apply(d)
    assert r.axis is None
    assert r.informative.tolist() == list(range(20))
    assert r.feature_names != d.feature_names
    s = RandomScaling().apply(d)
    assert s.axis is d.axis
    np.testing.assert_array_equal(s.informative, d.informative)
    assert "seed 0" in s.notes[-1]


# -- corruption ----------------------------------------------------------------------------------


def test_corruption_multiplies_a_fifth_of_the_entries_by_the_papers_factors():
    d = load("trunk", n=500, p=20)
    c = Corruption(seed=3).apply(d)
    ratio = c.X / d.X
    changed = ~np.isclose(ratio, 1.0)
    assert changed.sum() == round(0.2 * d.X.size)
    factors, counts = np.unique(np.round(np.log10(ratio[changed])).astype(int), return_counts=True)
    assert factors.tolist() == [2, 3, 4, 5]
    assert counts.min() > 0.2 * changed.sum()
    assert c.truth is None


def test_corruption_leaves_sparse_parity_its_truth():
    """Only signs enter, and factors are positive (Tomita Fig. 2, right column)."""
    d = load("parity", noise=0.1)
    c = Corruption().apply(d)
    np.testing.assert_array_equal(c.truth.posterior(c.X), d.truth.posterior(d.X))
    X, y = c.truth.sample(5000, np.random.default_rng(0))
    assert np.abs(X).max() > 100
    assert abs((c.truth.bayes_class(X) != y).mean() - 0.1) < 0.02


# -- the correlation dial ------------------------------------------------------------------------


def test_the_dial_adds_one_scalar_to_all_features_of_a_sample():
    d = load("threenorm", n=400)
    c = CorrelationDial(3.0, seed=1).apply(d)
    move = c.X - d.X
    np.testing.assert_allclose(move, np.broadcast_to(move[:, :1], move.shape), atol=1e-9)
    assert move[:, 0].std() == pytest.approx(1000, rel=0.15)
    assert np.corrcoef(c.X.T).min() > 0.999


def test_the_dial_keeps_an_exact_truth():
    d = load("threenorm")
    c = CorrelationDial(1.0, seed=1).apply(d)
    X, y = c.truth.sample(60_000, np.random.default_rng(0))
    error = c.truth.bayes_error
    assert abs((c.truth.bayes_class(X) != y).mean() - error) < 0.006
    assert error > d.truth.bayes_error
    assert CorrelationDial(1.0).apply(load("parity")).truth is None
    rotated = CorrelationDial(1.0).apply(Rotation().apply(d))
    assert rotated.truth is not None


def test_the_dial_says_where_float64_ends():
    d = load("threenorm", n=200)
    lost = {k: CorrelationDial(float(k)).rounding(d.X) for k in (6, 12, 14, 15, 16)}
    assert lost[6] < 1e-8
    assert lost[12] < 2e-4
    assert 0.002 < lost[14] < 0.01  # the docstring's table
    assert 0.02 < lost[15] < 0.1
    assert lost[16] > 0.3
    assert "rounding" in CorrelationDial(6.0).apply(d).notes[-1]
    with pytest.warns(PrecisionWarning, match="not its own fault"):
        c = CorrelationDial(15.0).apply(d)
    assert "%" in c.notes[-1]
    # what is reported is what happened
    from fractions import Fraction

    dial = CorrelationDial(15.0)
    offset = dial.offsets(200)
    exact = [
        float(Fraction(x) + Fraction(o) - Fraction(t))
        for x, o, t in zip(d.X[:, 3], offset[:, 0], dial.map(d.X)[:, 3], strict=True)
    ]
    share = np.sqrt(np.mean(np.square(exact))) / d.X[:, 3].std()
    assert share == pytest.approx(dial.rounding(d.X[:, 3:4]), rel=1e-9)


def test_the_class_signal_outlives_the_dial_up_to_ten_to_the_thirteen():
    d = load("threenorm", n=2000)
    c = CorrelationDial(13.0).apply(d)
    centred = c.X - c.X.mean(axis=1, keepdims=True)  # the offset's direction projected out
    clean = d.X - d.X.mean(axis=1, keepdims=True)
    assert np.corrcoef(centred.ravel(), clean.ravel())[0, 1] > 0.999


# -- spectral preprocessing ----------------------------------------------------------------------


def test_snv_gives_every_spectrum_mean_zero_and_unit_sd(rng):
    X = 5 + 3 * rng.standard_normal((6, 40))
    Z = SNV().map(X)
    np.testing.assert_allclose(Z.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(Z.std(axis=1, ddof=1), 1)
    np.testing.assert_allclose(SNV().map(7.0 * X + 2.0), Z, atol=1e-10)  # offset and scatter gone
    with pytest.raises(ValueError, match="Spectrum 2 is constant"):
        SNV().map(np.array([[1.0, 2.0], [3.0, 3.0]]))
    with pytest.raises(ValueError, match="two channels"):
        SNV().map(np.ones((2, 1)))


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("descending", [False, True])
def test_derivatives_of_a_parabola_are_exact_per_unit_of_the_axis(order, descending):
    v = np.arange(100.0, 160.0, 2.0)
    v = v[::-1].copy() if descending else v
    d = spectra([3 * v**2 + v, -(v**2)], SpectralAxis.of_unit(v, "nm"))
    out = Derivative(order, window=7, degree=2).apply(d)
    expected = [6 * v + 1, -2 * v] if order == 1 else [6 + 0 * v, -2 + 0 * v]
    np.testing.assert_allclose(out.X, expected, rtol=1e-8)
    assert out.axis is d.axis
    assert "per nm" in out.notes[-1]


def test_derivatives_per_channel_where_the_axis_is_uneven():
    v = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    ramp = np.arange(6.0)
    out = Derivative(1, 3, 1).apply(spectra([ramp, -ramp], SpectralAxis(v)))
    np.testing.assert_allclose(out.X, [[1] * 6, [-1] * 6])
    assert "per channel" in out.notes[-1]


def test_derivative_knobs_are_checked_and_information_spreads():
    with pytest.raises(ValueError, match="odd number"):
        Derivative(1, 10)
    with pytest.raises(ValueError, match="at least that degree"):
        Derivative(2, 5, 1)
    with pytest.raises(ValueError, match="wider than the spectra"):
        Derivative(1, 11).map(np.zeros((1, 5)))
    d = spectra(np.random.default_rng(0).random((2, 20)), informative=[1, 10])
    assert Derivative(1, 5).apply(d).informative.tolist() == [0, 1, 2, 3, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("p", [4, 5, 6, 30])
def test_asls_solves_its_own_equations(p, rng):
    """At the end W x = (W + λ DᵀD) z with the weights that z itself gives (Eilers, Boelens)."""
    x = rng.random(p) + np.linspace(0, 3, p)
    z = x - Baseline(smoothness=50.0, asymmetry=0.05).map(x[None])[0]
    D = np.diff(np.eye(p), 2, axis=0)
    w = np.where(x > z, 0.05, 0.95)
    np.testing.assert_allclose(w * z + 50 * D.T @ D @ z, w * x, atol=1e-8)


def test_asls_takes_the_drift_and_leaves_the_bands():
    v = np.linspace(0, 1, 300)
    peaks = sum(np.exp(-0.5 * ((v - c) / 0.01) ** 2) for c in (0.2, 0.5, 0.8))
    drift = 2 + 3 * v - 2 * v**2
    got = Baseline(smoothness=1e4, asymmetry=0.001).map((peaks + drift)[None])[0]
    np.testing.assert_allclose(got, peaks, atol=0.06)
    with pytest.raises(ValueError, match="at least 3 channels"):
        Baseline().map(np.ones((1, 2)))


def test_polynomial_baseline_takes_exactly_its_polynomials(rng):
    v = np.linspace(-1, 1, 50)
    rest = Baseline("polynomial", degree=3).map(np.vstack([v**3 - v, 1 + v**2, np.sin(9 * v)]))
    np.testing.assert_allclose(rest[:2], 0, atol=1e-12)
    fit = np.polynomial.Polynomial.fit(v, np.sin(9 * v), 3)(v)
    np.testing.assert_allclose(rest[2], np.sin(9 * v) - fit, atol=1e-10)


def test_band_selection_by_the_axis_keeps_an_exact_marginal():
    d = load("spectra_ir", p=91, scatter=0.0)
    s = BandSelection(1000, 1100).apply(d)
    assert s.axis.values.tolist() == list(np.arange(1100.0, 999.0, -10.0))
    assert s.truth is not None
    X, y = s.truth.sample(20_000, np.random.default_rng(0))
    assert abs((s.truth.bayes_class(X) != y).mean() - s.truth.bayes_error) < 0.01
    assert s.truth.bayes_error > d.truth.bayes_error
    with pytest.raises(ValueError, match="the axis runs from 900 to 1800"):
        BandSelection(10, 20).apply(d)
    t = BandSelection(2, 3).apply(load("trunk", n=10, p=4))
    assert t.feature_names == ("x2", "x3")
    np.testing.assert_array_equal(
        BandSelection(2, 3).map(np.arange(8.0).reshape(2, 4)), [[1, 2], [5, 6]]
    )


def test_binning_takes_means_of_neighbours():
    v = np.arange(10.0, 80.0, 10.0)
    d = spectra([np.arange(7.0), np.ones(7)], SpectralAxis.of_unit(v, "nm"), informative=[3, 6])
    b = Binning(3).apply(d)
    np.testing.assert_allclose(b.X, [[1, 4, 6], [1, 1, 1]])
    assert b.axis.values.tolist() == [20, 50, 70]
    assert b.feature_names == ("20", "50", "70")
    assert b.informative.tolist() == [1, 2]
    plain = Binning(2).apply(load("trunk", n=6, p=3))
    assert plain.feature_names == ("x1..x2", "x3")
    assert plain.truth is None


# -- all of them ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_are_frozen_seeded_and_list_checked_knobs(name):
    transform = TRANSFORMS[name]()
    d = load("spectra_ir", n=20, p=40)
    assert transform.apply(d).digest() == TRANSFORMS[name]().apply(d).digest()
    assert transform.apply(d).notes
    for knob, setting in transform.knobs().items():
        assert setting.doc.endswith(".")
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(transform, knob, 1)
        with pytest.raises(ValueError, match=knob):
            TRANSFORMS[name](**{knob: "nonsense"})
        if setting.high is not None:
            with pytest.raises(ValueError, match="it must be a number from"):
                TRANSFORMS[name](**{knob: float("nan")})


def test_non_invertible_preprocessing_drops_the_truth():
    d = load("spectra_ir", n=20, p=40)
    for t in (SNV(), Derivative(), Baseline(), Binning(), Corruption()):
        assert t.apply(d).truth is None, t
