"""A chain of preparation steps: fitted on the training part, the same for rows measured later."""

import numpy as np
import pytest
from scipy.signal import savgol_filter

from explorer.data import Chain, Dataset, FittedChain, SpectralAxis, load
from explorer.data.chain import MOST_STEPS, STEPS, describe
from explorer.data.transforms import EMSC, MSC, TRANSFORMS, Baseline, MeanCentre, Normalise

LONG = (
    ("bands", {"low": 900.0, "high": 1000.0}),
    ("baseline", {"method": "linear"}),
    ("derivative", {"order": 1, "window": 7}),
    ("msc", {}),
    ("binning", {"size": 3}),
    ("centre", {}),
)


@pytest.fixture(scope="module")
def meat() -> Dataset:
    return load("tecator")


@pytest.fixture
def scattered(rng: np.random.Generator) -> Dataset:
    """One shape with other offsets, slopes and baselines."""
    t = np.linspace(-1.0, 1.0, 40)
    shape = 2.0 + np.exp(-8.0 * (t - 0.2) ** 2) + 0.5 * np.exp(-20.0 * (t + 0.5) ** 2)
    gain, offset, tilt = rng.uniform(0.5, 2.0, 12), rng.normal(size=12), rng.normal(size=12)
    X = gain[:, None] * shape + offset[:, None] + tilt[:, None] * t
    axis = SpectralAxis.of_unit(np.linspace(1000.0, 1400.0, 40), "nm")
    return Dataset("scattered", X, np.arange(12) % 2, ("a", "b"), axis=axis)


def test_msc_is_the_regression_on_the_reference(meat: Dataset) -> None:
    fitted = MSC().fitted(meat)
    reference = meat.X.mean(axis=0)
    for x, got in zip(meat.X[:20], fitted.map(meat.X[:20]), strict=True):
        slope, offset = np.polyfit(reference, x, 1)
        np.testing.assert_allclose(got, (x - offset) / slope, rtol=1e-8)


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_emsc_is_least_squares_on_reference_and_polynomial(meat: Dataset, degree: int) -> None:
    fitted = EMSC(degree=degree).fitted(meat)
    axis = meat.axis.values
    t = 2.0 * (axis - axis.min()) / np.ptp(axis) - 1.0
    basis = np.column_stack([meat.X.mean(axis=0), *(t**j for j in range(degree + 1))])
    for x, got in zip(meat.X[:20], fitted.map(meat.X[:20]), strict=True):
        weight = np.linalg.lstsq(basis, x, rcond=None)[0]
        np.testing.assert_allclose(got, (x - basis[:, 1:] @ weight[1:]) / weight[0], rtol=1e-6)


def test_emsc_undoes_gain_offset_and_slope(scattered: Dataset) -> None:
    prepared = EMSC(degree=1).apply(scattered).X
    np.testing.assert_allclose(prepared, np.broadcast_to(prepared[0], prepared.shape), atol=1e-8)
    assert np.ptp(MSC().apply(scattered).X, axis=0).max() > 0.1  # a slope is beyond MSC


@pytest.mark.parametrize(
    ("method", "size"),
    [
        ("area", lambda x: np.abs(x).mean()),
        ("vector", lambda x: np.sqrt((x**2).mean())),
        ("maximum", lambda x: np.abs(x).max()),
        ("peak", lambda x: x[20]),
    ],
)
def test_normalisation_divides_each_spectrum_by_its_own_number(scattered, method, size) -> None:
    at = scattered.axis.values[20] + 1.0
    prepared = Normalise(method=method, at=at).apply(scattered)
    for x, got in zip(scattered.X, prepared.X, strict=True):
        np.testing.assert_allclose(got, x / size(x))


@pytest.mark.parametrize(
    ("method", "check"),
    [
        ("constant", lambda x: x.min() == 0.0),
        ("linear", lambda x: abs(x[0]) < 1e-12 and abs(x[-1]) < 1e-12),
    ],
)
def test_simple_baselines_touch_zero_where_they_should(scattered, method, check) -> None:
    assert all(check(x) for x in Baseline(method=method).map(scattered.X))


def test_mean_centring_takes_the_mean_of_the_training_part(meat: Dataset) -> None:
    train, test = meat.split(0.3, seed=1)
    fitted = MeanCentre().fitted(train)
    np.testing.assert_allclose(fitted.map(test.X), test.X - train.X.mean(axis=0))


def test_a_fitted_chain_prepares_new_rows_as_it_prepared_the_training_rows(meat: Dataset) -> None:
    train, test = meat.split(0.3, seed=2)
    fitted = Chain.of(*LONG).fit(train)
    np.testing.assert_array_equal(fitted.map(train.X), fitted.apply(train).X)
    np.testing.assert_array_equal(fitted.map(test.X), fitted.apply(test).X)
    np.testing.assert_allclose(fitted.map(test.X[:3]), fitted.map(test.X)[:3], rtol=1e-12)


def test_what_is_learned_comes_from_the_training_part_alone(meat: Dataset) -> None:
    train, test = meat.split(0.3, seed=3)
    other = test.replace(X=test.X * 100.0)
    chain = Chain.of(("msc", {}), ("centre", {}))
    np.testing.assert_array_equal(chain.fit(train).map(test.X), chain.fit(train).map(test.X))
    assert not np.allclose(chain.fit(train).map(test.X), chain.fit(other).map(test.X))


def test_a_derivative_of_a_chain_is_per_unit_of_the_axis(meat: Dataset) -> None:
    rows = Chain.of(("derivative", {"window": 9})).fit(meat).map(meat.X)
    step = float(np.diff(meat.axis.values).mean())
    expected = savgol_filter(meat.X, 9, 2, deriv=1, delta=step, axis=1)
    np.testing.assert_allclose(rows, expected, rtol=1e-9, atol=1e-12)


def test_a_band_of_a_chain_is_cut_by_the_axis_not_by_counting(meat: Dataset) -> None:
    rows = Chain.of(("bands", {"low": 900.0, "high": 1000.0})).fit(meat).map(meat.X)
    inside = (meat.axis.values >= 900.0) & (meat.axis.values <= 1000.0)
    np.testing.assert_array_equal(rows, meat.X[:, inside])


def test_a_chain_survives_the_round_trip_through_text(meat: Dataset) -> None:
    chain = Chain.of(*LONG)
    again = Chain.from_json(chain.to_json())
    assert again == chain
    np.testing.assert_array_equal(again.fit(meat).map(meat.X), chain.fit(meat).map(meat.X))
    assert describe(chain).startswith("bands (low 900.0, high 1000.0) > baseline (method linear)")
    assert describe(Chain()) == "nothing"


def test_a_fitted_chain_survives_the_round_trip_through_a_file(meat: Dataset, tmp_path) -> None:
    fitted = Chain.of(("emsc", {}), *LONG, ("normalise", {"method": "vector"})).fit(meat)
    np.savez(tmp_path / "chain.npz", **fitted.arrays())
    with np.load(tmp_path / "chain.npz", allow_pickle=False) as stored:
        again = FittedChain.from_arrays(dict(stored))
    np.testing.assert_array_equal(again.map(meat.X), fitted.map(meat.X))
    assert again.chain == fitted.chain


def test_a_damaged_chain_in_a_file_is_refused_with_a_sentence(meat: Dataset) -> None:
    arrays = Chain.of(("msc", {}), ("bands", {"high": 1000.0})).fit(meat).arrays()
    with pytest.raises(ValueError, match="incomplete"):
        FittedChain.from_arrays({k: v for k, v in arrays.items() if k != "step0.reference"})
    with pytest.raises(ValueError, match="not numbers"):
        FittedChain.from_arrays({**arrays, "step0.reference": np.full(100, np.nan)})
    with pytest.raises(ValueError, match="channels that cannot be"):
        FittedChain.from_arrays({**arrays, "step1.index": np.array([-1])})


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[["snv"]]', '[["snv", 3]]', '[["rotation", {}]]', "[" * 5000]
)
def test_a_text_that_is_no_chain_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        Chain.from_json(text)


@pytest.mark.parametrize(
    ("steps", "match"),
    [
        ((("snv", {"window": 3}),), "no knob 'window'"),
        ((("derivative", {"window": 4}),), "odd number"),
        ((("snv", {}),) * (MOST_STEPS + 1), "at most"),
    ],
)
def test_a_wrong_step_is_refused_with_a_sentence(steps, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Chain.of(*steps)


def test_a_chain_refuses_spectra_with_another_number_of_channels(meat: Dataset) -> None:
    with pytest.raises(ValueError, match="100 channels"):
        Chain.of(("snv", {})).fit(meat).map(meat.X[:, :50])


def test_every_step_is_a_transform_and_changes_or_keeps_tecator(meat: Dataset) -> None:
    for name in STEPS:
        assert name in TRANSFORMS
        knobs = {"at": 900.0, "method": "peak"} if name == "normalise" else {}
        prepared = Chain.of((name, knobs)).apply(meat)
        assert prepared.n_samples == meat.n_samples
        assert np.isfinite(prepared.X).all()
