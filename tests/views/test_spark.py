import re

import numpy as np

from explorer.views.spark import HIGH, WIDE, spark_svg


def points(svg):
    return [
        [tuple(map(float, p.split(","))) for p in line.split()]
        for line in re.findall(r'points="([^"]*)"', svg)
    ]


def test_every_class_is_a_line_inside_the_picture():
    lines = points(spark_svg(np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])))
    assert len(lines) == 2
    assert all(0 <= x <= WIDE and 0 <= y <= HIGH for line in lines for x, y in line)
    assert lines[0][0][1] > lines[0][-1][1]  # a rising line goes up, where y is smaller


def test_a_falling_axis_is_mirrored():
    means = np.array([[0.0, 1.0, 5.0]])
    (rising,), (falling,) = points(spark_svg(means)), points(spark_svg(means, falling=True))
    assert [y for _, y in falling] == [y for _, y in rising][::-1]


def test_a_class_without_samples_is_left_out_and_a_flat_line_is_drawn():
    assert len(points(spark_svg(np.array([[1.0, 1.0], [np.nan, np.nan]])))) == 1
