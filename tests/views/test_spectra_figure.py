import numpy as np
import pytest

from explorer.analysis.class_spectra import MOST_SPECTRA, axis_breaks, class_spectra
from explorer.data import load
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
