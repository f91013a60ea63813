"""One notation for numbers, on axes and in lists."""

import pytest
from bokeh.models import CustomJSTickFormatter, NoOverlap

from explorer.views.chart import chart
from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.plain_figure import plain_figure
from explorer.views.tick_labels import power_of_ten, short_number


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (1, "1"),
        (0.25, "0.25"),
        (12345, "12345"),
        (100_000, "10⁵"),
        (250_000, "2.5×10⁵"),
        (-1e6, "-10⁶"),
        (0.00025, "2.5×10⁻⁴"),
    ],
)
def test_large_and_small_numbers_are_powers_of_ten_and_others_are_plain(value, words):
    assert short_number(value) == words


def test_a_power_of_ten_is_raised():
    assert power_of_ten(-3) == "10⁻³"


@pytest.mark.parametrize("make", [chart, plain_figure, lambda: MapFigure(SharedFrame()).figure])
def test_labels_of_every_kind_of_picture_have_our_notation_and_do_not_overlap(make):
    for axis in make().axis:
        assert isinstance(axis.formatter, CustomJSTickFormatter)
        assert isinstance(axis.major_label_policy, NoOverlap)
