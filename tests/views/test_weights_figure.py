from dataclasses import replace

import numpy as np

from explorer import analysis, data
from explorer.engine import FAMILIES, grow
from explorer.views.weights_figure import MOST_BARS, SpectralWeightsFigure, WeightsFigure


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
