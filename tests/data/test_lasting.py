"""What is worked out once and shared cannot be written to."""

import numpy as np
import pytest

from explorer.data.lasting import lasting_property


class Shape:
    def __init__(self):
        self.asked = 0

    @lasting_property
    def corners(self):
        """Two arrays and a number."""
        self.asked += 1
        return np.arange(3.0), np.ones((2, 2)), 5.0

    @lasting_property
    def centre(self):
        return np.zeros(2)


def test_arrays_are_worked_out_once_and_are_read_only():
    shape = Shape()
    assert shape.corners is shape.corners
    assert shape.asked == 1
    for array in (*shape.corners[:2], shape.centre):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0
    assert Shape.corners.__doc__ == "Two arrays and a number."
