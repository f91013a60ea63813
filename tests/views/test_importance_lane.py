import numpy as np

from explorer.views.importance_lane import ONLY_OBLIQUE, ImportanceLane, Trace, runs
from explorer.views.spectra_figure import AxisFrame, SpectraFigure


def test_neighbouring_marked_channels_share_one_bracket():
    mask = np.zeros(20, bool)
    mask[[3, 4, 6, 12]] = True
    assert runs(mask) == [(3, 6), (12, 12)]
    assert runs(mask, join=0) == [(3, 4), (6, 6), (12, 12)]


def test_a_gap_of_the_axis_parts_two_brackets():
    mask = np.ones(6, bool)
    assert runs(mask, breaks=[2]) == [(0, 2), (3, 5)]


def test_what_only_the_oblique_forest_uses_gets_a_green_bracket_and_a_label():
    lane = ImportanceLane(AxisFrame())
    axis = np.arange(10.0)
    only = np.zeros(10, bool)
    only[4:6] = True
    lane.update(axis, [], [Trace(0, axis), Trace(1, axis**2)], "share", "nm", only)
    assert lane.brackets.data["xs"] == [[3.5, 3.5, 5.5, 5.5]]
    assert lane.labels.data["text"] == ["only oblique"]
    assert lane._brackets.glyph.line_color == ONLY_OBLIQUE["light"] == "#2E7D32"
    lane.update(axis, [], [Trace(0, axis)], "share", "nm", None)
    assert lane.brackets.data["xs"] == []


def test_lane_and_spectra_share_their_axis():
    frame = AxisFrame()
    assert ImportanceLane(frame).figure.x_range is SpectraFigure(frame).figure.x_range


def test_infinite_importance_does_not_stretch_the_lane():
    lane = ImportanceLane(AxisFrame())
    lane.update(np.arange(3.0), [], [Trace(-1, np.array([1.0, np.inf, 2.0]))], "|t|", "nm")
    assert lane.figure.y_range.end < 3
