import numpy as np

from explorer import analysis
from explorer.views.map_figure import SharedFrame
from explorer.views.node_map import NodeMap


class Box:
    x0, x1, y0, y1, width, height = -2.0, 2.0, -2.0, 2.0, 4.0, 4.0


class Map:
    cells = (np.empty(0), np.empty(0))
    window = Box()
    n_classes = 2
    index = np.zeros((3, 4), np.uint8)
    boundary = (np.empty(0), np.empty(0))
    counted = 0


def test_the_chosen_cut_is_lit_and_samples_that_are_not_selected_fade(forest, moons):
    partition = analysis.partition(forest, moons)
    frame = SharedFrame()
    drawn = NodeMap(frame)
    drawn.update(Map, partition, 0)
    assert len(drawn.lit.data["xs"]) == 1
    assert len(drawn.lines.data["xs"]) == len(partition.lines) - 1
    frame.set_picked(moons.X[:50, 0], moons.X[:50, 1], moons.y[:50])
    drawn.map.fade(True)
    assert len(frame.picked.data["x"]) == 50
    assert {r.glyph.fill_alpha for r in drawn.map._scatter} == {0.25}
    drawn.map.fade(False)
    assert {r.glyph.fill_alpha for r in drawn.map._scatter} == {1.0}
