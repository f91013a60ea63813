"""The compiled loop over many spectra against LAPACK, spectrum by spectrum."""

import numpy as np
import pytest

from explorer.data.transforms import Baseline
from explorer.data.transforms.asls import _compiled, _fill, baselines, one_by_one, penalty


def _spectra(n: int, p: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    x = np.linspace(0.0, 1.0, p)
    peaks = np.exp(-((x - 0.2 - 0.6 * rng.random((n, 1))) ** 2) / 0.001)
    return peaks + 2 * x**2 + np.sin(3 * x) + 0.01 * rng.normal(size=(n, p))


def _by_loop(fill, rows, smoothness, asymmetry):
    diagonal, off = penalty(rows.shape[1])
    out = np.full_like(rows, np.nan)
    fill(rows, diagonal * smoothness, off * smoothness, smoothness, asymmetry, 50, out)
    return out


@pytest.mark.parametrize("p", [3, 4, 5, 6, 40])
def test_the_loop_as_written_agrees_with_lapack(p):
    rows = _spectra(3, p)
    np.testing.assert_allclose(
        _by_loop(_fill, rows, 100.0, 0.05), one_by_one(rows, 100.0, 0.05), atol=1e-10
    )


@pytest.mark.parametrize("n", [1, 7, 8, 19])
def test_the_compiled_loop_agrees_with_lapack_for_any_number_of_spectra(n):
    rows = _spectra(n, 300)
    ours = _by_loop(_compiled(), rows, 1e4, 0.01)
    np.testing.assert_allclose(ours, one_by_one(rows, 1e4, 0.01), atol=1e-9)


def test_a_spectrum_has_the_same_baseline_alone_and_among_many():
    rows = _spectra(20, 300)
    together = _by_loop(_compiled(), rows, 1e4, 0.01)
    alone = _by_loop(_compiled(), rows[13:14], 1e4, 0.01)
    np.testing.assert_array_equal(together[13], alone[0])


@pytest.mark.parametrize("p", [3, 4, 5, 6, 9])
def test_the_penalty_is_that_of_second_differences(p):
    D = np.diff(np.eye(p), 2, axis=0)
    diagonal, off = penalty(p)
    np.testing.assert_array_equal(np.diag(D.T @ D), diagonal)
    np.testing.assert_array_equal(np.diag(D.T @ D, 1), off)


def test_many_spectra_take_the_compiled_loop_and_few_do_not():
    many = _spectra(410, 1000)
    found = baselines(many, 1e5, 0.01)
    np.testing.assert_allclose(found[:5], one_by_one(many[:5], 1e5, 0.01), atol=1e-8)
    np.testing.assert_array_equal(Baseline().map(many), many - found)
    np.testing.assert_array_equal(baselines(many[:3], 1e5, 0.01), one_by_one(many[:3], 1e5, 0.01))
