import numpy as np
import pytest

from explorer.analysis.band_importance import band_importance
from explorer.data import load
from explorer.engine import FAMILIES, grow
from explorer.views.band_lane import BandLane
from explorer.views.importance_bars import MOST_BARS, ImportanceBars, sorted_parts
from explorer.views.spectra_figure import AxisFrame


@pytest.fixture(scope="module")
def record():
    data = load("spectra_ir", n=40, p=60)
    forest = grow(FAMILIES["RF"].replace(n_tree=10), data.X, data.y)
    return data, band_importance(forest, data, nulls=2, repeats=2)


def test_the_lane_has_a_level_an_interval_and_chance_for_every_band(record):
    data, found = record
    lane = BandLane(AxisFrame())
    lane.update(data.axis.values, [(0, found), (1, found)], "wavenumber")
    assert len(lane.levels.data["xs"]) == 2 * len(found.names)
    np.testing.assert_allclose(lane.whiskers.data["low"][: len(found.names)], 100 * found.low)
    assert len(lane.chance.data["top"]) == len(found.names)
    colours = set(lane.levels.data["colour"])
    lane.restyle("dark")
    assert set(lane.levels.data["colour"]) != colours


def test_the_bars_are_sorted_the_first_on_top_and_carry_their_names(record):
    _, found = record
    bars = ImportanceBars()
    drawn = bars.update([(0, found)])
    assert drawn == min(MOST_BARS, len(found.names))
    order = sorted_parts([found])
    assert np.all(np.diff(found.drop[order]) <= 0)
    right = np.array(bars.bars.data["right"])
    np.testing.assert_allclose(right, 100 * np.maximum(found.drop[order], 0)[:drawn])
    assert bars.figure.y_range.start > bars.figure.y_range.end
    assert len(bars.figure.yaxis[0].major_label_overrides) == drawn
