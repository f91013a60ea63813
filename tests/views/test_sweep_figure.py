import numpy as np

from explorer import analysis
from explorer.engine import FAMILIES
from explorer.views.sweep_figure import SweepFigure


def test_a_sweep_grows_value_by_value_with_the_knob_as_it_is_marked(moons):
    spec = FAMILIES["RF"].replace(n_tree=5)
    protocol = analysis.Protocol("oob", repeats=2)
    steps = list(analysis.sweep_steps(spec, moons, "m_try", [1, 2], protocol))
    record = steps[-1][2]()
    drawn = SweepFigure()
    drawn.update([record, None], (1, 2), (2, 0))
    assert list(drawn.lines[0].data["y"]) == record.error.tolist()
    assert drawn.dots.data["size"] == [5, 10]
    assert len(drawn.lines[1].data["x"]) == 0
    drawn.update((), (), ())
    assert len(drawn.lines[0].data["x"]) == 0


def test_a_long_sweep_has_a_logarithmic_axis():
    drawn = SweepFigure()
    drawn.update((), (1, 10, 100), ())
    ticks = drawn.figure.xaxis[0].ticker.ticks
    assert np.allclose(np.diff(ticks), np.log(10))
    assert list(drawn.figure.xaxis[0].major_label_overrides.values()) == ["1", "10", "100"]
