import numpy as np
import pytest

from explorer.analysis.image_maps import BandPicture, ClassMap, ColourPicture
from explorer.views.image_figure import ImageFigure, ImageFrame, shades, thinned
from explorer.views.theme import posterior_palette


@pytest.fixture
def figure():
    frame = ImageFrame(lines=2, samples=3)
    return ImageFigure(frame)


def test_line_one_is_at_the_top(figure):
    values = np.array([[0.0, 0.5, 1.0], [np.nan, 0.0, 0.0]])
    figure.show(BandPicture(values, 0.0, 1.0, "b"))
    drawn = figure.picture.data["image"][0].view(np.uint8).reshape(2, 3, 4)
    assert drawn[1, :, 0].tolist() == [0, 128, 255]  # Bokeh draws the first row lowest
    assert drawn[0, 0, 3] == 0  # nothing measured, nothing drawn
    assert (figure.picture.data["w"], figure.picture.data["h"]) == ([3], [2])


def test_places_of_the_figure_are_pixels(figure):
    frame = figure.frame
    assert frame.pixel(0.1, 1.9) == (0, 0)
    assert frame.pixel(2.9, 0.1) == (1, 2)
    assert frame.pixel(0.0, 2.0) == (0, 0)
    for x, y in ((-0.1, 1.0), (3.0, 1.0), (1.0, 2.1), (1.0, 0.0)):
        assert frame.pixel(x, y) is None


def test_classes_keep_the_colours_of_their_places(figure):
    votes = np.zeros((2, 3, 2), np.float32)
    votes[:, :, 1] = 1.0
    votes[0, 0] = np.nan
    codes = np.where(np.isnan(votes[:, :, 0]), -1, 1).astype(np.int16)
    figure.show_classes(ClassMap(codes, votes, ("a", "c")), [0, 2], 3, soft=True)
    index = figure.index.data["image"][0]
    assert figure.mapper.palette == list(posterior_palette(3, "light", True))
    assert index[0, 0] == 3 * (250 // 3) - 1  # the third class, without doubt
    assert index[1, 0] == 255


def test_labels_are_drawn_where_they_are(figure):
    figure.mark(np.array([[0, -1, 1], [-1, -1, -1]]))
    assert figure.labels.data["image"][0].tolist() == [[255, 255, 255], [0, 255, 1]]


def test_a_large_image_is_thinned():
    assert thinned(np.zeros((1500, 10))).shape == (500, 4)
    assert thinned(np.zeros((600, 10))).shape == (600, 10)


def test_three_bands_are_colours():
    rgb = np.zeros((1, 1, 3), np.uint8)
    rgb[0, 0] = (10, 20, 30)
    drawn = shades(ColourPicture(rgb, (0, 1, 2), "x"))
    assert drawn.view(np.uint8).tolist() == [[10, 20, 30, 255]]


def test_another_theme_changes_the_palette_and_sends_no_pixels(figure):
    figure.show_amounts(np.ones((2, 3)))
    before = figure.index.data["image"][0]
    palette = figure.mapper.palette
    figure.restyle("dark")
    assert figure.index.data["image"][0] is before
    assert figure.mapper.palette != palette
