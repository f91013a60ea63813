"""Planes: which points of feature space the pixels stand for."""

import numpy as np
import pytest

from explorer.engine import Plane


def test_pixels_are_centres_and_rows_go_up():
    plane = Plane.axes(0, 1, (0, 4), (10, 20))
    points = plane.points(4, 2)
    assert points.shape == (2, 4, 2)
    np.testing.assert_array_equal(points[0, :, 0], [0.5, 1.5, 2.5, 3.5])
    np.testing.assert_array_equal(points[:, 0, 1], [12.5, 17.5])


def test_the_rest_stays_where_it_is_put():
    at = np.array([1.0, 2.0, 3.0, 4.0])
    plane = Plane.axes(3, 1, (0, 1), (5, 6), at)
    points = plane.points(3, 3)
    assert (points[..., 0] == 1).all()
    assert (points[..., 2] == 3).all()
    assert plane.pair == (3, 1)
    np.testing.assert_array_equal(at, [1, 2, 3, 4])


def test_a_pair_is_two_single_and_different_features():
    e = np.eye(3)
    assert Plane(np.zeros(3), e[0], e[2]).pair == (0, 2)
    assert Plane(np.zeros(3), e[0], e[0]).pair is None
    assert Plane(np.zeros(3), e[0] + e[1], e[2]).pair is None
    assert Plane(np.zeros(3), e[0], np.zeros(3)).pair is None


@pytest.mark.parametrize(("i", "j"), [(0, 0), (0, 2), (-1, 0), (5, 1)])
def test_features_that_are_not_there_are_an_error(i, j):
    with pytest.raises(ValueError, match=r"two different features out of 0 ... 1"):
        Plane.axes(i, j, (0, 1), (0, 1))


@pytest.mark.parametrize(
    "parts",
    [
        ([0, 0], [1, 0, 0], [0, 1]),
        ([0, np.nan], [1, 0], [0, 1]),
        ([0, 0], [np.inf, 0], [0, 1]),
        ([[0, 0]], [[1, 0]], [[0, 1]]),
        (0, 1, 2),
    ],
)
def test_a_plane_that_is_none_is_an_error(parts):
    with pytest.raises(ValueError, match="A plane's"):
        Plane(*parts)


def test_a_plane_is_its_own():
    origin = np.zeros(2)
    plane = Plane(origin, np.array([1, 0]), np.array([0, 1]))
    origin[0] = 9.0
    assert plane.origin[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        plane.u[0] = 2.0
