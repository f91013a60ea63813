from dataclasses import replace

import numpy as np

from explorer.analysis.proximity_picture import sorted_proximity
from explorer.views.mds_figure import SampleFrame
from explorer.views.proximity_heat import ProximityHeat


def test_the_heat_map_names_all_classes_of_a_side_or_none(records):
    matrix = replace(sorted_proximity(*records), class_names=("the first of them", "another"))
    heat = ProximityHeat(SampleFrame())
    heat.update(matrix)
    assert len(heat.figure.yaxis[0].ticker.ticks) == 2
    assert len(heat.figure.xaxis[0].ticker.ticks) == 2
    three = replace(matrix, edges=np.array([0, 50, 100, 150]), class_names=("versicolor",) * 3)
    heat.update(three)
    assert len(heat.figure.yaxis[0].ticker.ticks) == 3
    assert heat.figure.xaxis[0].ticker.ticks == []
