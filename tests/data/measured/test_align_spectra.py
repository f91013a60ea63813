"""One axis for all: common range, step, units, falling axes, gaps, NaN, regions cut out."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from explorer.data import FileRefused, Spectrum
from explorer.data.measured.align import align, interpolated, propose_grid
from explorer.data.readers.instruments.units import convert, unit_in


def made(x, y=None, unit="nm", name="a") -> Spectrum:
    x = np.asarray(x, float)
    return Spectrum(
        x, np.sin(x / 50) if y is None else np.asarray(y, float), unit, name, f"{name}.txt"
    )


def test_equal_axes_are_left_as_they_are(rng):
    x = np.sort(rng.uniform(400, 900, 40))
    aligned = align([made(x), made(x)], propose_grid([made(x), made(x)]))
    np.testing.assert_array_equal(aligned.axis.values, x)
    np.testing.assert_array_equal(aligned.X[0], np.sin(x / 50))
    assert "nothing was interpolated" in aligned.notes[0]


def test_the_grid_covers_what_all_have_in_common():
    spectra = [made(np.arange(400, 901, 2.0)), made(np.arange(450, 951, 2.0)),
               made(np.arange(420, 880, 1.0))]  # fmt: skip
    grid = propose_grid(spectra)
    assert grid.low >= 450
    assert grid.high <= 879
    assert grid.step == pytest.approx(2.0)
    aligned = align(spectra, grid)
    np.testing.assert_allclose(aligned.X, np.sin(grid.values / 50)[None].repeat(3, 0), atol=1e-3)


def test_linear_interpolation_is_numpy_s_and_splines_are_scipy_s(rng):
    x, at = np.sort(rng.uniform(0, 10, 30)), np.linspace(1, 9, 77)
    Y = rng.normal(size=(3, 30))
    at = at[(at > x[0]) & (at < x[-1])]
    expected = np.array([np.interp(at, x, row) for row in Y])
    np.testing.assert_allclose(interpolated(x, Y, at, "linear"), expected, atol=1e-12)
    np.testing.assert_allclose(interpolated(x, Y, at, "spline"), CubicSpline(x, Y, axis=1)(at))


def test_range_step_and_regions_can_be_set():
    spectra = [made(np.arange(400, 901, 2.0)), made(np.arange(401, 900, 2.0))]
    grid = propose_grid(spectra, low=500, high=800, step=5, cut=[(600, 650)])
    assert grid.values[[0, -1]].tolist() == [500, 800]
    assert not ((grid.values > 600) & (grid.values < 650)).any()
    assert 600 in grid.values
    assert any("Cut out: 600 to 650 nm" in note for note in grid.notes)
    for wrong in ({"step": 0.0}, {"step": 1e-9}, {"low": 900, "high": 500}):
        with pytest.raises(FileRefused):
            propose_grid(spectra, **wrong)


def test_falling_axes_are_turned_around_and_said():
    x = np.arange(1000.0, 400, -2)
    aligned = align([made(x, unit="cm-1"), made(x[::-1], unit="cm-1")],
                    propose_grid([made(x, unit="cm-1")]))  # fmt: skip
    np.testing.assert_allclose(aligned.X[0], aligned.X[1])
    assert any("turned around" in note and note.startswith("1 ") for note in aligned.notes)
    assert aligned.axis.reversed


def test_nm_and_wavenumbers_are_converted_into_each_other():
    nm = np.linspace(1000, 2500, 301)
    wavenumbers = 1e7 / nm
    spectra = [made(nm, nm, "nm"), made(nm, nm, "nm"), made(wavenumbers, nm, "cm-1", "b")]
    aligned = align(spectra, propose_grid(spectra))
    np.testing.assert_allclose(aligned.X[2], aligned.X[0], rtol=1e-9)
    assert any("converted from cm-1 to nm" in note for note in aligned.notes)
    back = propose_grid(spectra, unit="cm-1")
    assert back.low == pytest.approx(4000)


@pytest.mark.parametrize(
    ("unit", "into", "value", "expected"),
    [("nm", "cm-1", 1000, 10000), ("cm-1", "um", 1000, 10), ("eV", "nm", 1, 1239.84198),
     ("um", "nm", 2.5, 2500), ("nm", "eV", 1239.84198, 1)],
)  # fmt: skip
def test_units_of_light_convert(unit, into, value, expected):
    assert convert(np.array([value]), unit, into)[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("words", "unit"),
    [("Wavenumber (cm-1)", "cm-1"), ("1/CM", "cm-1"), ("Raman Shift / cm\u207b\u00b9", "cm-1"),
     ("Wavelength [nm]", "nm"), ("NANOMETERS", "nm"), ("Wavelength (micrometers)", "um"),
     ("\u00b5m", "um"), ("PPM", "ppm"), ("m/z", "m/z"), ("Energy (eV)", "eV"), ("sample", "")],
)  # fmt: skip
def test_units_are_recognised_in_words(words, unit):
    assert unit_in(words) == unit


def test_spectra_in_other_units_are_left_out_by_name():
    spectra = [made(np.arange(400, 900.0)), made(np.arange(410, 905.0)),
               made(np.arange(10, 90.0), unit="m/z", name="mass")]  # fmt: skip
    aligned = align(spectra, propose_grid(spectra))
    assert aligned.kept.tolist() == [0, 1]
    assert "m/z" in aligned.left_out[0].reason


def test_one_short_spectrum_does_not_narrow_all_others():
    spectra = [made(np.arange(400, 900.0), name=f"a{k}") for k in range(5)]
    spectra.append(made(np.arange(880, 1500.0), name="other"))
    grid = propose_grid(spectra)
    assert (grid.low, grid.high) == (400, 899)
    aligned = align(spectra, grid)
    assert aligned.kept.tolist() == [0, 1, 2, 3, 4]
    assert "'other'" in aligned.left_out[0].reason


def test_nan_at_the_ends_is_cut_and_said():
    x = np.arange(400, 500.0)
    y = np.sin(x)
    y[:10] = np.nan
    spectra = [made(x, y), made(x)]
    grid = propose_grid(spectra)
    assert grid.low == 410
    aligned = align(spectra, grid)
    assert np.isfinite(aligned.X).all()
    assert any("NaN" in note for note in aligned.notes)


def test_a_gap_is_left_out_of_the_grid_and_a_missing_point_is_bridged():
    whole = np.arange(400, 900.0)
    gap = whole[(whole < 600) | (whole > 650)]
    grid = propose_grid([made(gap), made(whole)])
    assert not ((grid.values > 600) & (grid.values < 650)).any()
    assert any("nothing was measured there" in note for note in grid.notes)
    y = np.sin(whole / 50)
    y[100] = np.nan
    aligned = align([made(whole, y), made(whole)], propose_grid([made(whole, y), made(whole)]))
    np.testing.assert_allclose(aligned.X[0], aligned.X[1], atol=1e-3)


def test_overlapping_detectors_are_sorted_and_averaged():
    x = np.r_[np.arange(400, 1000.0), np.arange(990, 1500.0)]
    aligned = align([made(x), made(np.unique(x))], propose_grid([made(x), made(np.unique(x))]))
    np.testing.assert_allclose(aligned.X[0], aligned.X[1])
    assert any("sorted" in note for note in aligned.notes)


def test_spectra_without_a_unit_are_taken_to_have_the_usual_one():
    x = np.arange(400, 900.0)
    aligned = align([made(x), made(x, unit="")], propose_grid([made(x), made(x, unit="")]))
    assert aligned.kept.size == 2
    assert any("do not say" in note for note in aligned.notes)


def test_nothing_in_common_is_a_sentence():
    spectra = [made(np.arange(0, 10.0)), made(np.arange(20, 30.0))]
    grid = propose_grid(spectra, low=0, high=30)
    with pytest.raises(FileRefused, match="No spectrum reaches over the grid"):
        align(spectra, grid)


def test_more_values_than_may_be_held_are_refused_before_they_are_made():
    """Spectra of two points each take no room, and on a fine axis all the memory there is."""
    spectra = [made([0.0, 1e5]) for _ in range(5000)]
    grid = propose_grid(spectra, step=10.0)
    with pytest.raises(FileRefused, match=r"at most 50000000 can be taken\. Choose a larger step"):
        align(spectra, grid)
    with pytest.raises(FileRefused, match="at most 100 "):
        align(spectra[:1], grid, most_cells=100)


def test_an_axis_for_every_spectrum_is_looked_at_in_proportion(rng):
    """Each axis was compared with each, and each gap taken out on its own."""
    lows = rng.uniform(0, 5, 3000)
    spectra = [made([low, low + 1, low + 2, low + 3, low + 60, low + 61]) for low in lows]
    grid = propose_grid(spectra)
    assert grid.low >= lows.max()
    few = [*spectra[:40], *spectra[-40:]]
    grid = propose_grid(few)
    gaps = [(s.x[3], s.x[4]) for s in few]
    inside = [any(low < v < high for low, high in gaps) for v in grid.values]
    assert not any(inside) or "bridged" in " ".join(grid.notes)


def test_positions_inside_the_gaps_of_any_spectrum_are_left_out():
    x = np.arange(0.0, 200.0)
    first = made(np.r_[x[:50], x[60:]], np.ones(190))
    second = made(np.r_[x[:55], x[70:140], x[150:]], np.ones(175))
    grid = propose_grid([first, second])
    expected = [v for v in x if not (49 < v < 70 or 139 < v < 150)]
    np.testing.assert_allclose(grid.values, expected)
