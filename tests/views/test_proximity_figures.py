from dataclasses import replace

import numpy as np
import pytest

from explorer.analysis.proximity import proximity
from explorer.analysis.proximity_picture import (
    paired_places,
    sample_votes,
    sorted_proximity,
    turned_places,
)
from explorer.data import load
from explorer.engine import FAMILIES, grow
from explorer.views.mds_figure import MdsFigure, SampleFrame, common_window
from explorer.views.pairs_figure import PairsFigure, cells
from explorer.views.proximity_heat import ProximityHeat
from explorer.views.variance_bars import VarianceBars


@pytest.fixture(scope="module")
def clouds():
    return load("clouds")


@pytest.fixture(scope="module")
def forests(clouds):
    return [
        grow(FAMILIES[f].replace(n_tree=40, m_try=2), clouds.X, clouds.y)
        for f in ("RF", "oRF-ridge")
    ]


@pytest.fixture(scope="module")
def records(clouds, forests):
    return [proximity(f, clouds) for f in forests]


def test_turning_a_model_onto_another_keeps_all_distances(records):
    _, second = turned_places(records)
    before = records[1].coordinates[:, :2]
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (before, second.xy)]
    assert np.allclose(*gaps)


def test_the_first_model_is_not_turned_and_explains_what_its_components_do(records):
    first, _ = turned_places(records)
    assert np.array_equal(first.xy, records[0].coordinates[:, :2])
    assert np.allclose(first.explained, records[0].explained[:2])


def test_turning_shares_out_the_same_variance_anew(records):
    _, second = turned_places(records)
    assert np.isclose(second.explained.sum(), records[1].explained[:2].sum())


def test_a_mirrored_model_is_turned_back(records):
    from dataclasses import replace

    mirrored = replace(records[0], coordinates=-records[0].coordinates)
    first, second = turned_places([records[0], mirrored])
    assert np.allclose(first.xy, second.xy)


def test_the_matrix_shows_one_model_below_the_diagonal_and_the_other_above(records):
    both = sorted_proximity(*records)
    below, above = (sorted_proximity(r) for r in records)
    assert np.array_equal(np.tril(both.cells), np.tril(below.cells))
    order = np.argsort(both.position)
    upper = records[1].landmark_proximity[np.ix_(order, order)]
    assert np.array_equal(np.triu(both.cells, 1), np.triu(upper, 1))
    assert above.n == both.n


def test_samples_of_a_class_stand_together_in_the_matrix(records, clouds):
    record = sorted_proximity(records[0])
    assert record.edges.tolist() == [0, *np.cumsum(clouds.class_counts)]
    assert (np.diff(clouds.y[np.argsort(record.position)]) >= 0).all()


def test_a_large_matrix_is_averaged_in_blocks(records):
    small = sorted_proximity(records[0], most=10)
    whole = sorted_proximity(records[0])
    assert small.cells.shape == (10, 10)
    assert np.isclose(small.cells.mean(), whole.cells.mean())


def test_margins_below_zero_are_the_misclassified_samples(clouds, forests):
    votes = sample_votes(forests[0], clouds)
    assert np.array_equal(votes.margin < 0, votes.wrong & (votes.margin != 0))
    assert np.isclose(votes.wrong.mean(), forests[0].oob_error[-1], atol=0.02)


def test_a_forest_without_out_of_bag_samples_has_no_margins(clouds):
    forest = grow(FAMILIES["RF"].replace(n_tree=3, bootstrap="none", m_try=2), clouds.X, clouds.y)
    votes = sample_votes(forest, clouds)
    assert np.isnan(votes.margin).all()
    assert not votes.wrong.any()


def test_one_selection_serves_every_picture_of_the_samples(records, clouds):
    frame = SampleFrame()
    maps = [MdsFigure(frame, i) for i in range(2)]
    heat = ProximityHeat(frame)
    places = turned_places(records)
    matrix = sorted_proximity(*records)
    names = [f"s{i}" for i in range(clouds.n_samples)]
    pairs = PairsFigure(frame)
    cells_of = cells(paired_places(*records))
    frame.set_samples(
        [p.xy for p in places], clouds.y, matrix.position, names, ("a", "b"), cells_of
    )
    heat.update(matrix)
    sources = {m._points.data_source for m in maps} | {t.data_source for t in heat._chosen}
    sources |= {points.data_source for points in pairs._points}
    assert sources == {frame.samples}
    assert set(frame.samples.data["marker"]) == {"circle", "triangle"}


def test_the_heat_map_names_all_classes_of_a_side_or_none(records):
    matrix = replace(sorted_proximity(*records), class_names=("the first of them", "another"))
    heat = ProximityHeat(SampleFrame())
    heat.update(matrix)
    assert len(heat.figure.yaxis[0].ticker.ticks) == 2
    assert len(heat.figure.xaxis[0].ticker.ticks) == 2
    three = replace(matrix, edges=np.array([0, 50, 100, 150]), class_names=("versicolor",) * 3)
    heat.update(three)
    assert len(heat.figure.yaxis[0].ticker.ticks) == 3
    assert heat.figure.xaxis[0].ticker.ticks == []


def test_other_samples_end_the_selection():
    frame = SampleFrame()
    xy = [np.zeros((3, 2))]
    frame.set_samples(xy, [0, 0, 1], np.arange(3.0), ["a", "b", "c"], ("x", "y"), {})
    frame.samples.selected.indices = [2]
    frame.set_samples(xy, [0, 0, 1], np.arange(3.0), ["a", "b", "c"], ("x", "y"), {})
    assert frame.samples.selected.indices == [2]
    frame.set_samples([np.zeros((2, 2))], [0, 1], np.arange(2.0), ["a", "b"], ("x", "y"), {})
    assert frame.samples.selected.indices == []


def test_maps_share_one_window_that_holds_every_sample(records):
    frame = SampleFrame()
    one, two = MdsFigure(frame, 0), MdsFigure(frame, 1)
    assert one.figure.x_range is two.figure.x_range
    places = [p.xy for p in turned_places(records)]
    cx, cy, rx, ry = common_window(places)
    everyone = np.concatenate(places)
    assert (np.abs(everyone - [cx, cy]) <= [rx, ry]).all()


def test_misclassified_samples_get_rings_and_outlying_ones_crosses(records):
    drawn = MdsFigure(SampleFrame(), 0)
    xy = np.array([[0.0, 1.0], [2.0, 3.0]])
    drawn.update(xy, [0.5, 0.25], ("c1", "c2"), np.array([True, False]), np.array([False, True]))
    assert drawn.wrong.data["x"].tolist() == [0.0]
    assert drawn.outlying.data["y"].tolist() == [3.0]
    assert drawn.figure.xaxis.axis_label == "c1, 50 %"
    drawn.show_marks(["Outlying"])
    assert not drawn._rings.visible
    assert drawn._crosses.visible


def test_a_mirrored_component_is_mirrored_back_in_the_pairs(records):
    from dataclasses import replace

    turned = records[0].coordinates * np.where(np.arange(10) == 1, -1.0, 1.0)
    record = paired_places(records[0], replace(records[0], coordinates=turned))
    assert np.allclose(record.below, record.above)
    assert np.allclose(record.explained[0], records[0].explained[:3])


def test_cells_below_the_diagonal_show_the_first_model_and_those_above_the_second(records):
    record = paired_places(*records)
    places = cells(record)
    for row, column in ((1, 0), (2, 0), (2, 1)):
        below = np.column_stack([places[f"x{row}{column}"], places[f"y{row}{column}"]])
        assert ((below > [column, 2 - row]) & (below < [column + 1, 3 - row])).all()
        assert np.corrcoef(below[:, 0], record.below[:, column])[0, 1] > 0.999
        assert np.corrcoef(below[:, 1], record.below[:, row])[0, 1] > 0.999
        assert np.corrcoef(places[f"x{column}{row}"], record.above[:, row])[0, 1] > 0.999


def test_the_diagonal_says_how_much_each_component_explains(records):
    drawn = PairsFigure(SampleFrame(), "dark")
    n = records[0].y.size
    marks = (np.arange(n) < 2, np.arange(n) < 1)
    drawn.update(paired_places(*records), [0, 1], ["A RF", "B oRF-ridge"], [marks, marks])
    shares = [f"{100 * s:.0f} %" for s in records[0].explained[:3]]
    assert all(share in drawn.labels.data["text"] for share in shares)
    assert len(drawn.wrong.data["x"]) == 6 * 2
    assert len(drawn.outlying.data["x"]) == 6
    assert drawn.bars.data["colour"][:2] == ["#ECEFF2", "#FF5C93"]


def test_one_model_alone_leaves_the_upper_cells_empty(records):
    places = cells(paired_places(records[0]))
    assert np.isnan(places["x01"]).all()
    assert np.isfinite(places["x10"]).all()


def test_bars_of_the_first_two_models_are_ink_and_red():
    bars = VarianceBars()
    bars.update([np.array([0.5, 0.2]), np.array([0.7, 0.1])])
    assert bars.bars.data["colour"] == ["#1A1D21"] * 2 + ["#D6336C"] * 2
    assert bars.bars.data["top"] == [0.5, 0.2, 0.7, 0.1]
    bars.restyle("dark")
    assert bars.bars.data["colour"][2] == "#FF5C93"
