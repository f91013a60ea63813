import numpy as np

from explorer.analysis.unknown_map import UnknownMap
from explorer.views.unknown_map_figure import UnknownMapFigure


def test_new_samples_have_the_colour_of_their_class_and_strange_ones_a_cross():
    record = UnknownMap(
        class_names=("a", "b"),
        training=np.arange(3),
        y=np.array([0, 1, 1]),
        places=np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        new=np.array([[0.1, 0.0], [5.0, 5.0]]),
        explained=np.array([0.5, 0.25]),
    )
    figure = UnknownMapFigure()
    figure.update(record, np.array([0, 1]), np.array([False, True]), ["s1", "<b>"])
    assert figure.new.data["colour"] == ["#0072B2", "#E69F00"]
    assert figure.new.data["name"] == ["s1", "<b>"]
    assert figure.strange.data["x"].tolist() == [5.0]
    assert len(figure.training.data["x"]) == 3
    assert figure.figure.xaxis[0].axis_label == "axis 1, 50 %"
    assert figure.figure.x_range.end >= 5.0
