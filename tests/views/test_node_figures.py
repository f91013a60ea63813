import numpy as np
import pytest

from explorer import analysis, data
from explorer.engine import FAMILIES, grow
from explorer.views.directions_figure import DirectionsFigure, cut_line, nearest_ridge
from explorer.views.map_figure import SharedFrame
from explorer.views.node_map import NodeMap
from explorer.views.projection_figure import ProjectionFigure, sides
from explorer.views.tree_figure import TreeFigure
from explorer.views.weights_figure import MOST_BARS, SpectralWeightsFigure, WeightsFigure
from explorer.views.worth_figure import WorthFigure


@pytest.fixture(scope="module")
def moons():
    return data.load("moons")


@pytest.fixture(scope="module")
def forest(moons):
    return grow(FAMILIES["oRF-ridge"].replace(n_tree=2, m_try=2), moons.X, moons.y)


def test_a_tree_has_a_pie_slice_for_every_class_at_every_node(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    assert len(drawn.slices.data["x"]) == int((record.share > 0).sum())
    angles = np.asarray(drawn.slices.data["end"]) - np.asarray(drawn.slices.data["start"])
    assert angles.sum() == pytest.approx(2 * np.pi * record.x.size)


def test_larger_nodes_are_drawn_larger(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    radius = np.asarray(drawn.nodes.data["radius"])
    order = np.argsort(record.size, kind="stable")
    assert (np.diff(radius[order]) >= 0).all()


def test_the_way_to_a_node_has_as_many_branches_as_its_depth(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure("dark")
    deepest = int(record.number[record.y.argmin()])
    drawn.update(record, deepest)
    assert len(drawn.way.data["x0"]) == int(-record.y.min())
    assert len(drawn.chosen.data["x"]) == 1


def test_a_click_near_a_node_finds_it_and_nonsense_finds_none(forest, moons):
    record = analysis.tree_drawing(forest, moons)
    drawn = TreeFigure()
    drawn.update(record, 0)
    for place in (0, 1, len(record.x) - 1):
        found = drawn.nearest(record.x[place] + 0.05, record.y[place] - 0.05)
        assert found == record.number[place]
    assert drawn.nearest(float("nan"), 0.0) is None
    assert drawn.nearest("x", None) is None


def test_histograms_of_two_classes_stand_above_and_hang_below_the_axis(forest, moons):
    record = analysis.projection(forest, moons)
    drawn = ProjectionFigure()
    drawn.update(record)
    heights = np.asarray(drawn.bars.data["top"]) + np.asarray(drawn.bars.data["bottom"])
    assert heights[heights > 0].sum() == record.histogram[0].sum()
    assert -heights[heights < 0].sum() == record.histogram[1].sum()
    assert drawn.cut.location == record.cut


def test_of_three_classes_those_that_go_left_stand_above():
    wine = data.load("wine")
    record = analysis.projection(grow(FAMILIES["RF"].replace(n_tree=1), wine.X, wine.y), wine, 0, 0)
    left = np.array(
        [record.times[(record.y == k) & (record.scores <= record.cut)].sum() for k in range(3)]
    )
    most = left > 0.8 * record.histogram.sum(axis=1)
    assert (sides(record)[most] == 1).all()


def test_the_largest_twenty_weights_are_bars_by_size():
    d = data.load("sonar")
    spec = FAMILIES["oRF-ridge"].replace(n_tree=1, m_try=40)
    record = analysis.projection(grow(spec, d.X, d.y), d)
    drawn = WeightsFigure()
    drawn.update(record)
    sizes = np.abs(drawn.bars.data["weight"])
    assert len(sizes) == MOST_BARS
    assert (np.diff(sizes) <= 0).all()
    assert sizes[0] == np.abs(record.weights).max()


def test_names_that_are_alike_once_cut_short_keep_a_bar_each(forest, moons):
    from dataclasses import replace

    record = analysis.projection(forest, moons)
    drawn = WeightsFigure()
    drawn.update(replace(record, feature_names=("a" * 30 + "1", "a" * 30 + "2")))
    assert len(set(drawn.figure.y_range.factors)) == 2


def test_weights_of_spectra_run_along_their_axis_high_to_low_in_wavenumbers():
    d = data.load("spectra_ir")
    record = analysis.projection(grow(FAMILIES["oRF-ridge"].replace(n_tree=1), d.X, d.y), d)
    drawn = SpectralWeightsFigure()
    drawn.update(record, d.axis)
    assert drawn.stems.data["x"] == d.axis.values[record.features].tolist()
    assert drawn.figure.x_range.start > drawn.figure.x_range.end


class Box:
    x0, x1, y0, y1, width, height = -2.0, 2.0, -2.0, 2.0, 4.0, 4.0


class Map:
    cells = (np.empty(0), np.empty(0))
    window = Box()
    n_classes = 2
    index = np.zeros((3, 4), np.uint8)
    boundary = (np.empty(0), np.empty(0))
    counted = 0


def test_the_chosen_cut_is_lit_and_samples_that_are_not_selected_fade(forest, moons):
    partition = analysis.partition(forest, moons)
    frame = SharedFrame()
    drawn = NodeMap(frame)
    drawn.update(Map, partition, 0)
    assert len(drawn.lit.data["xs"]) == 1
    assert len(drawn.lines.data["xs"]) == len(partition.lines) - 1
    frame.set_picked(moons.X[:50, 0], moons.X[:50, 1], moons.y[:50])
    drawn.map.fade(True)
    assert len(frame.picked.data["x"]) == 50
    assert {r.glyph.fill_alpha for r in drawn.map._scatter} == {0.25}
    drawn.map.fade(False)
    assert {r.glyph.fill_alpha for r in drawn.map._scatter} == {1.0}


def test_selected_samples_are_ticks_on_the_scores_of_a_node(forest, moons):
    record = analysis.projection(forest, moons)
    drawn = ProjectionFigure()
    drawn.update(record)
    drawn.pick(np.array([3, 5]))
    at = {int(r): s for r, s in zip(record.rows, record.scores, strict=True)}
    assert sorted(drawn.picked.data["x"]) == sorted([at[3], at[5]])
    drawn.pick(np.arange(moons.n_samples))
    assert len(drawn.picked.data["x"]) == 0


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


def test_what_a_first_cut_is_worth_is_a_bar_in_its_models_colour():
    drawn = WorthFigure()
    drawn.update(["A RF", "C F-RC"], [0, 2], [0.25, 0.9])
    assert drawn.bars.data["text"] == ["25 %", "90 %"]
    assert drawn.bars.data["colour"] == ["#1A1D21", "#6887FF"]
    drawn.restyle("dark")
    assert drawn.bars.data["colour"] == ["#ECEFF2", "#72A7FF"]
