import numpy as np

from explorer.analysis.proximity_picture import paired_places, sorted_proximity, turned_places
from explorer.views.mds_figure import MdsFigure, SampleFrame, common_window
from explorer.views.pairs_figure import PairsFigure, cells
from explorer.views.proximity_heat import ProximityHeat


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
