import numpy as np
import pytest

from explorer.views.error_figure import ErrorFigure, spread


def test_the_error_of_each_model_is_a_line_with_its_letter_at_the_end():
    drawn = ErrorFigure()
    drawn.update([("A RF", np.array([0.3, 0.2])), ("B oRF", None)])
    assert list(drawn.lines[0].data["y"]) == [0.3, 0.2]
    assert len(drawn.lines[1].data["y"]) == 0
    assert drawn.names.data["text"] == ["A 20.0 %"]


def test_trees_without_an_out_of_bag_sample_leave_no_point():
    drawn = ErrorFigure("dark")
    drawn.update([("A RF", np.array([np.nan, 0.2, 0.1]))])
    assert list(drawn.lines[0].data["x"]) == [2, 3]


def test_names_at_the_ends_never_overlap():
    assert spread([0.1, 0.1, 0.5], 0.05) == pytest.approx([0.1, 0.15, 0.5])


def test_room_for_the_names_of_error_curves_is_in_pixels():
    drawn = ErrorFigure()
    drawn.update([("A RF", np.linspace(0.5, 0.19, 100))])
    assert drawn.figure.min_border_right > 60
    assert drawn.figure.x_range.end == drawn.names.data["x"][0] == 100
    assert drawn._names.level == "annotation"  # drawn beside the frame, not cut off there
