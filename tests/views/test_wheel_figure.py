from types import SimpleNamespace

import numpy as np

from explorer.views.wheel_figure import LONGEST_NAME, DirectionCurves, WheelFigure

TWO_AXES = SimpleNamespace(
    frame=np.array([[1.0, 0.0], [0.0, 1.0], [0.05, 0.05]]),
    names=("alcohol", "a very long name of a feature", "ash"),
    weights=np.array([[1.0, 0.0], [0.0, 1.0], [0.1, 0.1]]),
)


def test_every_axis_has_a_spoke_and_long_ones_have_a_name():
    drawn = WheelFigure()
    drawn.update(TWO_AXES)
    assert len(drawn.spokes.data["x"]) == 3
    assert sorted(drawn.names.data["name"]) == ["a very long name"[:LONGEST_NAME], "alcohol"]


def test_a_pointer_near_the_tip_of_a_spoke_grabs_its_axis():
    drawn = WheelFigure()
    assert drawn.grabbed(1.0, 0.0) == -1  # nothing is drawn yet
    drawn.update(TWO_AXES)
    assert drawn.grabbed(0.95, 0.05) == 0
    assert drawn.grabbed(-1.0, -1.0) == -1


def test_both_directions_are_curves_along_the_axis_of_a_spectrum():
    axis = SimpleNamespace(values=np.array([3.0, 2.0, 1.0]), reversed=True, label="wavenumber")
    drawn = DirectionCurves()
    drawn.update(TWO_AXES, axis)
    assert list(drawn.curves.data["x"]) == [3.0, 2.0, 1.0]
    assert drawn.figure.x_range.start > drawn.figure.x_range.end
    assert drawn.figure.xaxis[0].axis_label == "wavenumber"
