from types import SimpleNamespace

import numpy as np
import pytest

from explorer.analysis.posterior_index import NO_DATA, posterior_index
from explorer.views.map_figure import SharedFrame
from explorer.views.posterior_figure import (
    HellingerBars,
    PosteriorFigure,
    amount_index,
    signed_index,
)

WINDOW = SimpleNamespace(x0=-1.0, y0=-2.0, width=3.0, height=4.0)


def test_amounts_and_differences_fill_a_byte_and_nan_is_no_data():
    values = [0.0, 0.5, 1.0, 2.0, np.nan]
    assert amount_index(np.array(values)).tolist() == [0, 127, 254, 254, NO_DATA]
    assert signed_index(np.array([-1.0, 0.0, 1.0])).tolist() == [0, 127, 254]


@pytest.mark.parametrize("kind", ["posterior", "signed", "amount"])
def test_a_map_shows_its_values_in_its_window(rng, kind):
    values = rng.dirichlet([1, 1, 1], (4, 5)) if kind == "posterior" else rng.random((4, 5))
    drawn = PosteriorFigure(SharedFrame(), kind, "light")
    drawn.update(values, WINDOW, "title")
    expected = {"posterior": posterior_index, "signed": signed_index, "amount": amount_index}
    assert np.array_equal(drawn.source.data["image"][0], expected[kind](values))
    assert [drawn.source.data[k] for k in ("x", "dw")] == [[-1.0], [3.0]]
    assert drawn.figure.title.text == "title"
    before = list(drawn.mapper.palette)
    drawn.restyle("dark", True)
    assert drawn.mapper.palette != before


def test_maps_share_the_ranges_of_their_frame():
    frame = SharedFrame()
    one, two = (PosteriorFigure(frame, kind, "light") for kind in ("posterior", "amount"))
    assert one.figure.x_range is two.figure.x_range is frame.x_range


def test_every_model_has_a_bar_with_its_mean_distance_from_the_top_down():
    drawn = HellingerBars("light")
    drawn.update(["A RF", "B oRF-ridge"], [0.25, 0.5], "light")
    assert drawn.source.data["label"] == ["A RF  0.250", "B oRF-ridge  0.500"]
    assert drawn.source.data["place"] == [1, 0]
    assert drawn.figure.x_range.end > 0.5
