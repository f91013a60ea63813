"""Truths: exact under maps and offsets, and traced to the last bits where no line is known."""

import numpy as np
import pytest

from explorer.data import load
from explorer.data.gaussians import GaussianMixture
from explorer.data.trace import clip_line, trace
from explorer.data.transforms import TRANSFORMS
from explorer.data.truth import AffineMap, Mapped, _kept_boundary


def test_a_circle_is_traced_on_the_circle_and_closed():
    (line,) = trace(
        lambda X: np.hypot(X[:, 0], X[:, 1]) - 1.0, np.full(2, -2.0), np.full(2, 2.0), 50
    )
    np.testing.assert_allclose(np.hypot(line[:, 0], line[:, 1]), 1.0, atol=1e-14)
    np.testing.assert_array_equal(line[0], line[-1])
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    assert length == pytest.approx(2 * np.pi, rel=1e-3)


def test_saddles_are_joined_by_the_value_in_their_middle():
    for sign in (1.0, -1.0):
        lines = trace(
            lambda X, s=sign: s * (X[:, 0] * X[:, 1] + 0.001), np.full(2, -1.0), np.full(2, 1.0), 3
        )
        assert len(lines) == 2  # two branches of a hyperbola, which never meet
        for line in lines:
            np.testing.assert_allclose(line[:, 0] * line[:, 1], -0.001, atol=1e-13)


def test_nothing_to_trace_gives_nothing():
    assert trace(lambda X: np.ones(len(X)), np.zeros(2), np.ones(2)) == ()


def test_a_line_is_clipped_to_the_box():
    (line,) = clip_line(np.array([1.0, -1.0]), 0.0, (-1.0, -2.0), (1.0, 2.0))
    np.testing.assert_allclose(np.sort(line, axis=0), [[-1, -1], [1, 1]])
    assert clip_line(np.array([1.0, 0.0]), -5.0, (-1.0, -1.0), (1.0, 1.0)) == ()
    assert clip_line(np.zeros(2), 1.0, (-1.0, -1.0), (1.0, 1.0)) == ()


def test_gaussian_density_with_a_factor_equals_the_dense_one(rng):
    from scipy.stats import multivariate_normal

    U = rng.standard_normal((4, 2))
    truth = GaussianMixture.equal(rng.standard_normal((3, 4)), [0, 1, 0], [0.5, 1.0, 2.0], U)
    X = rng.standard_normal((7, 4)) * 2
    dense = [
        w * multivariate_normal(m, v * np.eye(4) + U @ U.T).pdf(X)
        for w, m, v in zip(truth.weight, truth.mean, truth.variance, strict=True)
    ]
    expected = np.column_stack([dense[0] + dense[2], dense[1]])
    np.testing.assert_allclose(np.exp(truth.log_joint(X)), expected, rtol=1e-10)
    np.testing.assert_allclose(truth.prior, [0.5, 0.5])


def test_the_offset_truth_holds_up_to_ten_to_the_thirteen():
    """The class lies across the offset; posteriors must not drown while float64 still holds it."""
    plain = load("twonorm", p=4).truth
    shifted_mean = plain.mean * [1, -1, 1, -1]  # orthogonal to the offset: nothing is lost
    base = GaussianMixture.equal(shifted_mean, [0, 1], 1.0)
    X, _ = base.sample(200, np.random.default_rng(0))
    s = np.random.default_rng(1).standard_normal((200, 1))
    for power in (0, 3, 8, 13):
        c = 10.0**power
        got = base.with_offset(c).posterior(X + c * s)
        spacing = c * 3 * 2.0**-52  # what the data themselves have lost
        np.testing.assert_allclose(got, base.posterior(X), atol=1e-9 + 20 * spacing)
    assert base.with_offset(1e13).bayes_error == pytest.approx(base.bayes_error, rel=1e-6)


def test_offsets_and_marginals_agree_with_brute_force(rng):
    truth = load("threenorm", p=3, noise=0.8).truth
    X = rng.standard_normal((5, 3))
    s, step = np.linspace(-9, 9, 2001, retstep=True)
    weight = np.exp(-0.5 * s * s) / np.sqrt(2 * np.pi) * step
    brute = sum(w * np.exp(truth.log_joint(X - 0.7 * a)) for a, w in zip(s, weight, strict=True))
    np.testing.assert_allclose(np.exp(truth.with_offset(0.7).log_joint(X)), brute, rtol=1e-8)
    x3, step = np.linspace(-12, 12, 4001, retstep=True)
    part = truth.marginal(np.array([0, 1]))
    for point in X[:, :2]:
        column = np.column_stack([np.tile(point, (x3.size, 1)), x3])
        brute = np.exp(truth.log_joint(column)).sum(axis=0) * step
        np.testing.assert_allclose(np.exp(part.log_joint(point[None]))[0], brute, rtol=1e-8)


def test_an_offset_takes_away_a_boundary_that_no_longer_holds():
    truth = load("xor").truth.with_offset(1.0)
    lines = truth.boundary([-3, -3], [3, 3])
    points = np.vstack(lines)
    assert np.abs(points).min(axis=1).max() > 0.3  # off the axes
    np.testing.assert_allclose(truth.level(points), 0.0, atol=1e-9)
    assert truth.bayes_error > load("xor").truth.bayes_error


def test_a_mapped_truth_is_the_source_at_the_inverse(rng):
    source = load("moons").truth
    A = np.array([[2.0, 1.0], [0.0, -3.0]])
    m = AffineMap(A, np.linalg.inv(A), np.array([5.0, -1.0]))
    mapped = Mapped(source, m)
    X = rng.standard_normal((20, 2))
    np.testing.assert_allclose(mapped.posterior(m.forward(X)), source.posterior(X), atol=1e-12)
    assert mapped.bayes_error == source.bayes_error
    box = m.forward(np.array([[-1.0, -1.0], [2.0, 1.5]]))
    lines = mapped.boundary(box.min(axis=0), box.max(axis=0))
    np.testing.assert_allclose(mapped.level(np.vstack(lines)), 0.0, atol=1e-7)
    gaussian = Mapped(load("pair").truth, m)
    offset = gaussian.with_offset(0.5)
    s = np.linspace(-8, 8, 3001)
    weight = np.exp(-0.5 * s * s) / np.exp(-0.5 * s * s).sum()
    brute = sum(w * np.exp(gaussian.log_joint(X - 0.5 * a)) for a, w in zip(s, weight, strict=True))
    brute /= brute.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(offset.posterior(X), brute, atol=1e-7)


def test_level_is_signed_log_odds_for_two_and_a_margin_for_more():
    d = load("clouds")
    P = d.truth.posterior(d.X)
    inner = (P > 1e-6).all(axis=1)
    np.testing.assert_allclose(
        d.truth.level(d.X)[inner], np.log(P[:, 1] / P[:, 0])[inner], rtol=1e-6
    )
    b = load("blobs", k=4)
    assert (b.truth.level(b.X) >= 0).all()
    assert np.isfinite(load("parity").truth.level(np.zeros((1, 10)))).all()


def test_the_wrong_number_of_features_is_said():
    with pytest.raises(ValueError, match="about 2 features"):
        load("xor").truth.posterior(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="lower ends below"):
        load("moons").truth.boundary([0, 0], [0, 1])


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0, 71.0])
def test_turned_data_keep_their_boundary_and_it_reaches_the_edges_of_the_box(angle):
    data = TRANSFORMS["turn"](angle=angle).apply(load("mixture"))
    lo, hi = np.array([-2.0, -1.5]), np.array([2.0, 1.5])
    lines = data.truth.boundary(lo, hi)
    points = np.vstack(lines)
    step = np.hypot(*(hi - lo)) / 100
    assert np.abs(data.truth.level(points)).max() < 1e-9
    assert ((points > lo - step) & (points < hi + step)).all()
    ends = np.vstack([line[[0, -1]] for line in lines if not np.array_equal(line[0], line[-1])])
    assert not ((ends > lo) & (ends < hi)).all(axis=1).any()


def test_the_boundary_of_turned_data_is_traced_once():
    plain = load("mixture")
    lo, hi = (-2.0, -1.5), (2.0, 1.5)
    _kept_boundary.cache_clear()
    for angle in range(0, 90, 6):
        TRANSFORMS["turn"](angle=float(angle)).apply(plain).truth.boundary(lo, hi)
    assert _kept_boundary.cache_info().misses == 1


@pytest.mark.parametrize(("name", "lines"), [("clouds", 1), ("xor", 2)])
def test_a_straight_boundary_of_turned_data_is_not_lost(name, lines):
    turned = TRANSFORMS["turn"](angle=30.0).apply(load(name))
    found = turned.truth.boundary((-1.0, -1.0), (1.0, 1.0))
    assert [len(line) for line in found] == [2] * lines
