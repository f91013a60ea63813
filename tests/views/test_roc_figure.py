import numpy as np

from explorer import analysis
from explorer.engine import FAMILIES, grow
from explorer.views.roc_figure import CalibrationFigure, PrecisionRecallFigure, RocFigure


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
