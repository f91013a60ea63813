import numpy as np
import pytest

from explorer.analysis.posterior_index import NO_DATA, levels, posterior_index


def test_the_index_is_winner_times_levels_plus_margin():
    p = np.array([[[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]], np.float32)
    L = levels(2)
    assert L == 125
    assert posterior_index(p).tolist() == [[round(124 * 0.8), L + round(124 * 0.6), 0]]


@pytest.mark.parametrize("K", [2, 3, 7, 10, 40])
def test_the_index_fits_a_byte_and_names_the_winner_for_any_number_of_classes(rng, K):
    p = rng.dirichlet(np.ones(K), size=(20, 30)).astype(np.float32)
    index = posterior_index(p)
    assert index.dtype == np.uint8
    assert index.max() < NO_DATA
    np.testing.assert_array_equal(index // levels(K), p.argmax(axis=-1))


def test_a_pixel_without_a_posterior_has_the_index_of_no_data():
    p = np.array([[[np.nan, np.nan], [1.0, 0.0]]])
    assert posterior_index(p)[0, 0] == NO_DATA
    assert posterior_index(np.full((1, 1, 3), np.nan))[0, 0] == NO_DATA
