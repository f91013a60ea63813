import numpy as np

from explorer.views.importance_image import ImportanceImage


def test_the_first_row_of_pixels_is_drawn_on_top():
    drawn = ImportanceImage()
    drawn.update(np.array([1.0, 0.0, 0.0, 0.5, 9.0]), (2, 2), 1.0, False)
    image = drawn.source.data["image"][0]
    assert image.dtype == np.uint8
    assert image[1].tolist() == [254, 0]
    assert image[0].tolist() == [0, 127]
