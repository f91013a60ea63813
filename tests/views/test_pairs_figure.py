import numpy as np

from explorer.analysis.proximity_picture import paired_places
from explorer.views.mds_figure import SampleFrame
from explorer.views.pairs_figure import PairsFigure, cells


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
