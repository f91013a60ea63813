import numpy as np

from explorer.views.variance_bars import VarianceBars


def test_bars_of_the_first_two_models_are_ink_and_red():
    bars = VarianceBars()
    bars.update([np.array([0.5, 0.2]), np.array([0.7, 0.1])])
    assert bars.bars.data["colour"] == ["#1A1D21"] * 2 + ["#D6336C"] * 2
    assert bars.bars.data["top"] == [0.5, 0.2, 0.7, 0.1]
    bars.restyle("dark")
    assert bars.bars.data["colour"][2] == "#FF5C93"
