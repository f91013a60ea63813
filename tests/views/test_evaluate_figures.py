from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import AllLabels

from explorer import analysis, data
from explorer.engine import FAMILIES, grow
from explorer.views.class_table import class_table
from explorer.views.confusion_figure import ConfusionFigure, distinct
from explorer.views.error_figure import ErrorFigure, spread
from explorer.views.roc_figure import CalibrationFigure, PrecisionRecallFigure, RocFigure
from explorer.views.sweep_figure import SweepFigure
from explorer.views.verdict_figure import VerdictFigure


@pytest.fixture(scope="module")
def moons():
    return data.load("moons")


@pytest.fixture(scope="module")
def evaluation(moons):
    spec = FAMILIES["RF"].replace(n_tree=10)
    return analysis.evaluate(spec, moons, analysis.Protocol(folds=2, repeats=3), name="A RF")


def test_the_error_of_each_model_is_a_line_with_its_letter_at_the_end():
    drawn = ErrorFigure()
    drawn.update([("A RF", np.array([0.3, 0.2])), ("B oRF", None)])
    assert list(drawn.lines[0].data["y"]) == [0.3, 0.2]
    assert len(drawn.lines[1].data["y"]) == 0
    assert drawn.names.data["text"] == ["A 20.0 %"]


def test_trees_without_an_out_of_bag_sample_leave_no_point():
    drawn = ErrorFigure("dark")
    drawn.update([("A RF", np.array([np.nan, 0.2, 0.1]))])
    assert list(drawn.lines[0].data["x"]) == [2, 3]


def test_names_at_the_ends_never_overlap():
    assert spread([0.1, 0.1, 0.5], 0.05) == pytest.approx([0.1, 0.15, 0.5])


def test_an_averaged_roc_has_a_band_and_a_single_one_has_none(moons, evaluation):
    drawn = RocFigure()
    drawn.update([("A RF", analysis.averaged_roc(evaluation))])
    assert len(drawn.bands[0].data["x"]) > 0
    forest = grow(FAMILIES["RF"].replace(n_tree=10), moons.X, moons.y)
    single = analysis.averaged_roc(analysis.out_of_bag(forest, moons))
    drawn.update([("A RF", single), ("B oRF", None)])
    assert len(drawn.bands[0].data["x"]) == 0
    assert len(drawn.legend.items) == 1


def test_precision_has_the_share_of_the_class_as_chance(evaluation):
    drawn = PrecisionRecallFigure()
    record = analysis.precision_recall(evaluation, 1)
    drawn.update([("A RF", record), ("B oRF", None)])
    assert drawn._chance.data_source.data["y"] == [record.share] * 2
    assert len(drawn.lines[0].data["x"]) == record.recall.size
    assert len(drawn.legend.items) == 1


def test_calibration_shows_the_counts_of_the_chosen_model_as_bars(evaluation):
    record = analysis.calibration(evaluation, 1)
    drawn = CalibrationFigure("dark")
    drawn.update([("A RF", record), ("B RF", record)], 1)
    assert len(drawn.dots.data["x"]) == 2 * record.count.size
    bars = np.asarray(drawn.counts.data["top"])
    assert np.allclose(bars / bars.max(), record.count / record.count.max())
    assert drawn.dots.data["colour"][-1] == "#FF5C93"
    drawn.restyle("light")
    assert drawn.dots.data["colour"][-1] == "#D6336C"


def test_a_sweep_grows_value_by_value_with_the_knob_as_it_is_marked(moons):
    spec = FAMILIES["RF"].replace(n_tree=5)
    protocol = analysis.Protocol("oob", repeats=2)
    steps = list(analysis.sweep_steps(spec, moons, "m_try", [1, 2], protocol))
    record = steps[-1][2]()
    drawn = SweepFigure()
    drawn.update([record, None], (1, 2), (2, 0))
    assert list(drawn.lines[0].data["y"]) == record.error.tolist()
    assert drawn.dots.data["size"] == [5, 10]
    assert len(drawn.lines[1].data["x"]) == 0
    drawn.update((), (), ())
    assert len(drawn.lines[0].data["x"]) == 0


def test_a_long_sweep_has_a_logarithmic_axis():
    drawn = SweepFigure()
    drawn.update((), (1, 10, 100), ())
    ticks = drawn.figure.xaxis[0].ticker.ticks
    assert np.allclose(np.diff(ticks), np.log(10))
    assert list(drawn.figure.xaxis[0].major_label_overrides.values()) == ["1", "10", "100"]


def test_every_cell_of_the_confusion_has_its_count(evaluation):
    drawn = ConfusionFigure()
    drawn.update(evaluation)
    assert sum(map(int, drawn.cells.data["count"])) == evaluation.y.size
    assert drawn.figure.y_range.factors == drawn.figure.x_range.factors[::-1]


@pytest.mark.parametrize(
    ("names", "slanted"),
    [(("no", "yes"), False), (("setosa", "versicolor", "virginica"), True)],
)
def test_every_class_has_its_name_under_the_confusion(evaluation, names, slanted):
    counts = np.eye(len(names), dtype=np.intp)
    drawn = ConfusionFigure()
    drawn.update(replace(evaluation, class_names=names, confusion=counts))
    assert isinstance(drawn.figure.xaxis[0].major_label_policy, AllLabels)
    assert (drawn.figure.xaxis[0].major_label_orientation > 0) == slanted


def test_room_for_the_names_of_error_curves_is_in_pixels():
    drawn = ErrorFigure()
    drawn.update([("A RF", np.linspace(0.5, 0.19, 100))])
    assert drawn.figure.min_border_right > 60
    assert drawn.figure.x_range.end == drawn.names.data["x"][0] == 100
    assert drawn._names.level == "annotation"  # drawn beside the frame, not cut off there


def test_long_class_names_that_begin_alike_stay_distinct():
    names = distinct(["a very long name of a class 1", "a very long name of a class 2"])
    assert len(set(names)) == 2


def test_a_verdict_shows_a_dot_per_forest_and_one_per_run(evaluation):
    drawn = VerdictFigure()
    drawn.update([evaluation, replace(evaluation, model="B")], [0, -1])
    assert drawn.rows.data["name"] == ["A RF", "B"]
    assert len(drawn.runs.data["error"]) == 2 * evaluation.run_error.size
    assert drawn.figure.visible
    drawn.update((), ())
    assert not drawn.figure.visible


def test_class_names_are_escaped_in_the_table(evaluation):
    html = class_table(replace(evaluation, class_names=("<img src=x>", "b")))
    assert "<img" not in html
    assert "&lt;img" in html
    assert f"{evaluation.f1[1]:.3f}" in html


@pytest.mark.parametrize("kind", [ErrorFigure, RocFigure, ConfusionFigure, VerdictFigure])
def test_figures_change_their_theme_in_place(kind):
    drawn = kind("light")
    before = drawn.figure.background_fill_color
    drawn.restyle("dark", True)
    assert drawn.figure.background_fill_color != before
