"""Simulated spectra: band shapes by their definition, and a posterior that survives scatter."""

import numpy as np
import pytest

from explorer.data import Band, SpectralAxis, load
from explorer.data.generators.spectra import IR, simulate


@pytest.mark.parametrize("shape", ["gaussian", "lorentzian", "voigt"])
def test_a_band_has_height_one_and_its_full_width_at_half_maximum(shape):
    band = Band(100.0, 8.0, 3.0, shape)
    top, left, right = band.profile([100.0, 96.0, 104.0])
    assert top == pytest.approx(1.0)
    assert left == pytest.approx(right)
    assert left == pytest.approx(0.5, abs=2e-4)  # Olivero's formula for Voigt is good to 0.02 %


def test_shapes_differ_in_their_wings():
    wings = [Band(0.0, 2.0, 1.0, s).profile([6.0])[0] for s in ("gaussian", "voigt", "lorentzian")]
    assert wings[0] < wings[1] < wings[2]
    with pytest.raises(ValueError, match="choose one of gaussian, lorentzian, voigt"):
        Band(0.0, 1.0, 1.0, "square")
    with pytest.raises(ValueError, match="must be > 0"):
        Band(0.0, 0.0, 1.0)


def test_class_means_differ_only_where_the_informative_channels_say():
    d = load("spectra_ir", n=4000, p=120, baseline=0.0, scatter=0.0, noise=0.002, spread=0.01)
    gap = np.abs(d.X[d.y == 1].mean(axis=0) - d.X[d.y == 0].mean(axis=0))
    inside = np.zeros(d.n_features, bool)
    assert d.informative is not None
    inside[d.informative] = True
    assert inside.any()
    assert not inside.all()
    assert gap[inside].max() > 0.02
    assert np.median(gap[~inside]) < 0.1 * gap[inside].max()
    assert load("spectra_ir", effect=0.0).informative.size == 0


def test_a_marker_placed_by_hand_is_there_and_only_in_the_second_class():
    d = load("spectra_mrs", n=2000, effect=1.0, marker=2.6, marker_height=0.5, marker_width=0.1)
    without = load("spectra_mrs", n=2000, effect=1.0)
    at = int(np.argmin(np.abs(d.axis.values - 2.6)))
    rise = [d.X[d.y == k, at].mean() - without.X[without.y == k, at].mean() for k in (0, 1)]
    assert abs(rise[0]) < 0.03
    assert rise[1] == pytest.approx(0.5, abs=0.05)
    assert at in d.informative
    assert at not in without.informative


def test_without_scatter_the_bayes_error_is_known_and_true():
    d = load("spectra_ir", p=60, scatter=0.0, spread=0.15)
    X, y = d.truth.sample(40_000, np.random.default_rng(0))
    error = d.truth.bayes_error
    made = (d.truth.bayes_class(X) != y).mean()
    assert 0.005 < error < 0.4
    assert abs(made - error) < 4.5 * np.sqrt(error / 40_000)


def test_scatter_is_integrated_out_exactly():
    """Against a brute integral over the gain with ten times the nodes, density by density."""
    truth = load("spectra_ir", p=30, scatter=0.2, spread=0.02, noise=0.005).truth
    X, _ = truth.sample(6, np.random.default_rng(1))
    got = truth.log_joint(X)
    s, step = np.linspace(-8, 8, 6_001, retstep=True)
    brute = np.full(got.shape, -np.inf)
    for value in s[np.abs(s) < 5][::2]:
        g = np.exp(0.2 * value)
        mean = g * truth.amplitude @ truth.shapes.T
        bands = g * truth.shapes * truth.spread
        cov = bands @ bands.T + truth.drift @ truth.drift.T + 0.005**2 * np.eye(30)
        root = np.linalg.cholesky(cov)
        for k in (0, 1):
            w = np.linalg.solve(root, (X - mean[k]).T)
            log = -0.5 * (w**2).sum(axis=0) - np.log(np.diag(root)).sum() - 15 * np.log(2 * np.pi)
            log += -0.5 * value**2 - 0.5 * np.log(2 * np.pi) + np.log(2 * step) - np.log(2)
            brute[:, k] = np.logaddexp(brute[:, k], log)
    np.testing.assert_allclose(got, brute, atol=1e-5)


def test_scatter_zero_is_the_limit_of_small_scatter():
    a = load("spectra_ir", p=40, scatter=0.0).truth
    b = load("spectra_ir", p=40, scatter=1e-4).truth
    X, _ = a.sample(50, np.random.default_rng(2))
    np.testing.assert_allclose(a.posterior(X), b.posterior(X), atol=1e-3)
    np.testing.assert_allclose(a.log_joint(X), b.log_joint(X), atol=0.1)


def test_the_offset_knob_and_the_offset_truth_are_one():
    a = load("spectra_ir", p=40, offset=0.3).truth
    b = load("spectra_ir", p=40).truth.with_offset(0.3)
    X, _ = a.sample(30, np.random.default_rng(2))
    np.testing.assert_allclose(a.posterior(X), b.posterior(X), atol=1e-9)


def test_bands_that_move_have_no_closed_truth():
    d = load("spectra_ir", shift=3.0)
    assert d.truth is None
    assert d.informative is not None


def test_replicates_share_amplitudes_and_a_group():
    d = load("spectra_ir", n=400, replicates=2, scatter=0.0, baseline=0.0, noise=0.002, spread=0.2)
    assert d.groups is not None
    peak = int(np.argmin(np.abs(d.axis.values - 1655.0)))
    pairs = d.X[:, peak].reshape(-1, 2)
    assert (d.groups.reshape(-1, 2)[:, 0] == d.groups.reshape(-1, 2)[:, 1]).all()
    assert np.corrcoef(pairs.T)[0, 1] > 0.99


def test_wavenumbers_and_ppm_run_from_high_to_low():
    for name, unit in (("spectra_ir", "cm-1"), ("spectra_mrs", "ppm")):
        axis = load(name).axis
        assert axis.unit == unit
        assert axis.reversed


def test_bands_of_your_own_for_three_classes():
    axis = SpectralAxis.of_unit(np.linspace(400, 800, 50), "nm")
    bands = [Band(500, 40, 1.0, "gaussian", (0.0, 0.5, -0.5)), Band(700, 40, 1.0, "voigt")]
    d = simulate("mine", "Mine", axis, bands, ("a", "b", "c"), n=90, noise=0.02, spread=0.05)
    assert d.class_counts.tolist() == [30, 30, 30]
    assert d.truth is not None
    assert (d.truth.bayes_class(d.X) == d.y).mean() > 0.9
    with pytest.raises(ValueError, match="2 contrasts for 3 classes"):
        simulate("m", "M", axis, [Band(5, 1, 1, "voigt", (0.0, 1.0))], ("a", "b", "c"))
    with pytest.raises(ValueError, match="too few"):
        simulate("m", "M", axis, IR.bands, ("a", "b"), n=5, replicates=2)
