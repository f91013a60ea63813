"""Lines of a sign change: the same segments as contourpy's, with no vertex too many."""

from itertools import pairwise

import contourpy
import numpy as np
import pytest

from explorer.engine.flat import zero_lines


def segments(lines):
    """Unordered pairs of neighbouring vertices, rounded."""
    out = set()
    for a, b in pairwise(lines):
        if not np.isnan([a, b]).any():
            out.add(tuple(sorted([tuple(np.round(a, 9) + 0.0), tuple(np.round(b, 9) + 0.0)])))
    return out


def theirs(level, mask=None):
    z = level if mask is None else np.ma.array(level, mask=mask)
    lines = contourpy.contour_generator(z=z, line_type="ChunkCombinedNan", corner_mask=False).lines(
        0.0
    )[0][0]
    return np.empty((0, 2)) if lines is None else lines


@pytest.mark.parametrize("seed", range(8))
def test_noise_with_all_its_saddles_has_the_lines_contourpy_finds(seed):
    level = np.random.default_rng(seed).standard_normal((37, 29)).astype(np.float32)
    assert segments(zero_lines(level)) == segments(theirs(level))


@pytest.mark.parametrize("seed", range(8))
def test_cells_with_a_masked_corner_have_no_line(seed):
    rng = np.random.default_rng(seed)
    level = rng.standard_normal((20, 31)).astype(np.float32)
    mask = rng.random(level.shape) < 0.2
    assert segments(zero_lines(level, mask)) == segments(theirs(level, mask))


def test_a_ring_is_one_closed_line():
    y, x = np.mgrid[0:40, 0:50]
    lines = zero_lines((np.hypot(x - 25, y - 20) - 9).astype(np.float32))
    assert not np.isnan(lines).any()
    np.testing.assert_array_equal(lines[0], lines[-1])
    np.testing.assert_allclose(np.hypot(lines[:, 0] - 25, lines[:, 1] - 20), 9, atol=0.05)


def test_a_straight_line_needs_two_vertices_and_a_step_two_more():
    level = np.ones((30, 40), np.float32)
    level[:, :11] = -1
    np.testing.assert_array_equal(zero_lines(level)[:, 0], [10.5, 10.5])
    level[15:, :20] = -1
    assert len(zero_lines(level)) <= 6  # marching squares cut both corners


def test_a_picture_of_one_sign_has_no_line():
    assert zero_lines(np.ones((5, 5))).shape == (0, 2)
    assert zero_lines(np.zeros((5, 5))).shape == (0, 2)


def test_a_line_through_pixels_themselves_keeps_its_corners_and_no_vertex_twice():
    level = np.array([[1, 1, 1, 1], [1, 0, 0, 0], [1, 0, -1, -1], [1, 0, -1, -1]], float)
    lines = zero_lines(level)
    assert not np.isnan(lines).any()
    assert (np.abs(np.diff(lines, axis=0)).sum(axis=1) > 0).all()
