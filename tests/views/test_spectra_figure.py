import numpy as np
import pytest

from explorer.analysis.class_spectra import MOST_SPECTRA, axis_breaks, class_spectra
from explorer.data import load
from explorer.views.importance_image import ImportanceImage
from explorer.views.importance_lane import ONLY_OBLIQUE, ImportanceLane, Trace, runs
from explorer.views.importance_scatter import ImportanceScatter, feature_looks
from explorer.views.spectra_figure import AxisFrame, SpectraFigure, pieces


@pytest.fixture(scope="module")
def meat():
    return load("tecator")


def test_wavenumbers_run_from_high_to_low_and_wavelengths_from_low_to_high(meat):
    for data, falls in ((load("spectra_ir"), True), (meat, False)):
        frame = AxisFrame()
        SpectraFigure(frame).update(class_spectra(data))
        assert (frame.x_range.start > frame.x_range.end) == falls


def test_at_most_two_hundred_spectra_are_drawn_singly(meat):
    drawn = SpectraFigure(AxisFrame())
    drawn.update(class_spectra(meat))
    assert meat.n_samples > MOST_SPECTRA
    assert len(drawn.single.data["ys"]) == MOST_SPECTRA


def test_thinned_spectra_keep_the_shares_of_the_classes(meat):
    record = class_spectra(meat)
    share = np.bincount(record.y) / record.rows.size
    assert np.abs(share - meat.class_counts / meat.n_samples).max() < 0.01


def test_a_band_holds_the_middle_eighty_per_cent_of_a_class(meat):
    record = class_spectra(meat)
    mine = meat.X[meat.y == 1]
    inside = (mine >= record.low[1]) & (mine <= record.high[1])
    assert abs(inside.mean() - 0.8) < 0.02


def test_a_band_that_was_left_out_is_a_gap_and_not_a_line(meat):
    left = np.r_[0:40, 60:100]
    record = class_spectra(meat.select(left))
    assert axis_breaks(record.axis).tolist() == [39]
    drawn = SpectraFigure(AxisFrame())
    drawn.update(record)
    assert len(drawn.means.data["xs"]) == 2 * meat.n_classes
    assert [p.stop - p.start for p in pieces(record.axis, record.breaks)] == [40, 40]


def test_classes_differ_by_dash_as_well_as_by_colour(meat):
    drawn = SpectraFigure(AxisFrame())
    drawn.update(class_spectra(meat))
    assert len(set(drawn.means.data["dash"])) == len(set(drawn.means.data["colour"])) == 2


def test_another_theme_keeps_the_numbers_and_changes_the_tones(meat):
    drawn = SpectraFigure(AxisFrame())
    drawn.update(class_spectra(meat))
    before = drawn.means.data
    drawn.restyle("dark")
    assert np.array_equal(before["ys"][1], drawn.means.data["ys"][1])
    assert before["colour"] != drawn.means.data["colour"]


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


def test_the_scatter_has_equal_ranges_where_the_units_are_equal():
    frame = AxisFrame()
    scatter = ImportanceScatter(frame)
    colours, markers = feature_looks([True, False], 2, "light")
    nothing = {name: [0.0, 0.0] for name in ("axis", "height", "mean")}
    frame.features.data = nothing | {
        "across": [0.1, 0.5],
        "up": [0.2, 0.9],
        "name": ["a", "b"],
        "colour": colours,
        "marker": markers,
    }
    scatter.update("A", "B", True)
    assert scatter.figure.x_range.end == scatter.figure.y_range.end
    assert markers == ["square", "circle"]
    scatter.update("A", "B", False)
    assert scatter.figure.x_range.end < scatter.figure.y_range.end


def test_the_first_row_of_pixels_is_drawn_on_top():
    drawn = ImportanceImage()
    drawn.update(np.array([1.0, 0.0, 0.0, 0.5, 9.0]), (2, 2), 1.0, False)
    image = drawn.source.data["image"][0]
    assert image.dtype == np.uint8
    assert image[1].tolist() == [254, 0]
    assert image[0].tolist() == [0, 127]
