from dataclasses import replace

import numpy as np
import pytest

from explorer.analysis import feature_plane
from explorer.app.work.progressive import COARSE, banded, coarse
from explorer.data import load


@pytest.fixture(scope="module")
def plane():
    return feature_plane(load("clouds"))


def heights(plane, width, height):
    """A picture of where each row is, so that a row in a wrong place is seen."""
    low, high = plane.y_range
    y = low + (np.arange(height) + 0.5) / height * (high - low)
    return np.repeat(y[:, None, None], width, axis=1)


def test_bands_make_the_same_picture_as_one_piece(plane):
    *waits, whole = banded(heights, plane, 40, 130)
    assert waits
    assert all(wait is None for wait in waits)
    np.testing.assert_allclose(whole, heights(plane, 40, 130), rtol=1e-5)
    assert whole.dtype == np.float32


def test_a_coarse_picture_has_the_full_size_and_few_different_pixels(plane):
    found = coarse(heights, plane, 50, 100)
    assert found.shape == (100, 50, 1)
    assert len(np.unique(found)) == 100 // COARSE
    assert (np.diff(found[:, 0, 0]) >= 0).all()


def test_a_picture_smaller_than_a_coarse_pixel_is_drawn(plane):
    assert coarse(heights, replace(plane), 2, 3).shape == (3, 2, 1)
