import numpy as np
import pytest

from explorer import analysis
from explorer.views.directions_figure import DirectionsFigure, cut_line, nearest_ridge


def test_the_fan_lights_the_cut_of_its_lambda(moons):
    record = analysis.directions(moons, kinds=("lda", "pca", "pls", "ridge"))
    drawn = DirectionsFigure("dark")
    drawn.update(record, moons.X[:, 0], moons.X[:, 1], moons.y, 1e-5)
    first = dict(drawn.lit.data)
    drawn.turn(1e5)
    assert drawn.lit.data["x"] != first["x"] or drawn.lit.data["y"] != first["y"]
    assert record.penalty[nearest_ridge(record, 0.9)] == 1.0
    assert len(drawn.path.data["xs"]) == 11


def test_a_cut_is_across_its_direction():
    xs, ys = cut_line(np.array([0.6, 0.8]), 3.0, 2.0)
    assert 0.6 * (xs[1] - xs[0]) + 0.8 * (ys[1] - ys[0]) == pytest.approx(0.0)
    assert max(map(abs, xs)) <= 3.0 + 1e-9
    assert max(map(abs, ys)) <= 2.0 + 1e-9
