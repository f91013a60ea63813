import numpy as np
import pytest

from explorer.analysis import boundary_shape, cuts_along_axes, feature_plane
from explorer.analysis.boundary_shape import runs_along_features
from explorer.analysis.planes import component_plane
from explorer.data import load
from explorer.engine import FAMILIES, grow

SIDES = (150, 200, 333)


def region(inside, side):
    """A posterior on the unit square: class 1 where inside(x, y), softened within a pixel."""
    at = (np.arange(side) + 0.5) / side
    x, y = np.meshgrid(at, at)
    p = np.clip(0.5 + 0.5 * side * inside(x, y), 0, 1)
    return np.stack([1 - p, p], axis=-1).astype(np.float32)


def stairs(x, y, steps=6):
    return np.floor(steps * x) / steps + 0.5 / steps - y


def wave(x, y):
    return y - 0.5 - 0.2 * np.sin(6 * x)


def slope(x, y):
    return y - 0.2 - 0.5 * x


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("inside", "along_axes", "words"),
    [
        (lambda x, y: x - 0.4 + 0 * y, True, "one straight boundary"),
        (lambda x, y: np.minimum(x - 0.4, y - 0.4), True, "one boundary, of level and upright"),
        (stairs, True, "one boundary, in stairs"),
        (slope, False, "one straight boundary"),
        (wave, False, "one boundary, curved or slanted"),
        (lambda x, y: 0.3 - np.hypot(x - 0.5, y - 0.5), False, "one boundary, curved or slanted"),
        (lambda x, y: np.abs(slope(x, y)) - 0.1, False, "a boundary in 2 straight pieces"),
        (lambda x, y: np.maximum(x - 0.6, 0.2 - x) + 0 * y, True, "a boundary in 2 straight"),
        (lambda x, y: 1.0 + 0 * x, True, "one class wins everywhere"),
    ],
)
def test_a_boundary_is_described_as_it_is_on_every_raster(side, inside, along_axes, words):
    assert boundary_shape(region(inside, side), along_axes=along_axes).in_words().startswith(words)


@pytest.mark.parametrize("side", SIDES)
def test_a_frame_is_not_stairs(side):
    frame = region(lambda x, y: 0.3 - np.maximum(np.abs(x - 0.5), np.abs(y - 0.5)), side)
    shape = boundary_shape(frame, along_axes=True)
    assert shape.in_words() == "one boundary, of level and upright lines"


@pytest.mark.parametrize("side", SIDES)
def test_a_rough_upright_line_is_not_called_slanted(side):
    rough = region(lambda x, y: x - 0.5 - 0.01 * np.sin(60 * y), side)
    assert boundary_shape(rough, along_axes=False).in_words() == "one boundary"


def test_an_island_that_is_hardly_seen_is_not_counted():
    def line_and_island(x, y):
        return np.maximum(x - 0.6, 0.015 - np.hypot(x - 0.5, y - 0.5))

    shape = boundary_shape(region(line_and_island, 300), along_axes=False)
    assert shape.in_words() == "one straight boundary"


def test_fine_steps_of_axis_cuts_are_stairs_and_not_a_straight_line():
    """Steps of one pixel look like a slope; the forest says that they are steps."""
    shape = boundary_shape(region(lambda x, y: stairs(x, y, 200), 200), along_axes=True)
    assert shape.in_words() == "one boundary, in stairs"


def test_level_parts_of_an_oblique_boundary_are_not_called_anything():
    shape = boundary_shape(region(stairs, 200), along_axes=False)
    assert shape.in_words() == "one boundary"


def test_specks_are_not_described():
    speck = region(lambda x, y: 0.006 - np.hypot(x - 0.5, y - 0.5), 200)
    assert boundary_shape(speck, along_axes=False).in_words() == ""


def test_without_a_count_only_the_shape_is_said():
    rings = region(lambda x, y: np.cos(40 * np.hypot(x - 0.5, y - 0.5)), 200)
    assert boundary_shape(rings, count=False).in_words() == "a boundary, curved or slanted"


def test_where_the_count_holds_can_be_said():
    two = boundary_shape(region(lambda x, y: np.abs(slope(x, y)) - 0.1, 200))
    assert two.in_words("near the samples") == "a boundary in 2 straight pieces near the samples"


def test_whether_cuts_run_along_axes_is_read_off_the_forest():
    data = load("moons")

    def grown(family, **knobs):
        return grow(FAMILIES[family].replace(n_tree=5, **knobs), data.X, data.y)

    assert cuts_along_axes(grown("RF"))
    assert not cuts_along_axes(grown("oRF-ridge", m_try=2))
    assert cuts_along_axes(grown("oRF-ridge", m_try=1))
    assert not cuts_along_axes(grown("RR-RF"))
    assert cuts_along_axes(object()) is None


def test_axes_of_a_picture_are_features_or_mixtures_of_them():
    data = load("iris")
    assert runs_along_features(feature_plane(data, 2, 3))
    assert not runs_along_features(component_plane(data))
