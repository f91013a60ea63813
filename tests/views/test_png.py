import io

import numpy as np
import pytest

from explorer.views.png import data_url, indexed_png

pillow = pytest.importorskip("PIL.Image")  # comes with bokeh


def test_a_png_has_every_pixel_in_its_colour_with_the_lowest_row_last(rng):
    palette = ["#000000", "#FF0000", "#00FF00", "#0000FF"]
    index = rng.integers(0, 4, (5, 7)).astype(np.uint8)
    image = np.asarray(pillow.open(io.BytesIO(indexed_png(index, palette))).convert("RGB"))
    colours = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]])
    assert np.array_equal(image, colours[index[::-1]])


@pytest.mark.parametrize("colours", [2, 257])
def test_a_palette_that_does_not_fit_is_refused(colours):
    with pytest.raises(ValueError, match="does not fit this picture"):
        indexed_png(np.array([[0, 2]], np.uint8), ["#000000"] * colours)


def test_a_data_url_holds_the_bytes():
    assert data_url(b"abc") == "data:image/png;base64,YWJj"
