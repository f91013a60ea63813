import numpy as np

from explorer import analysis, data
from explorer.engine import FAMILIES, grow
from explorer.views.projection_figure import ProjectionFigure, sides


def test_histograms_of_two_classes_stand_above_and_hang_below_the_axis(forest, moons):
    record = analysis.projection(forest, moons)
    drawn = ProjectionFigure()
    drawn.update(record)
    heights = np.asarray(drawn.bars.data["top"]) + np.asarray(drawn.bars.data["bottom"])
    assert heights[heights > 0].sum() == record.histogram[0].sum()
    assert -heights[heights < 0].sum() == record.histogram[1].sum()
    assert drawn.cut.location == record.cut


def test_of_three_classes_those_that_go_left_stand_above():
    wine = data.load("wine")
    record = analysis.projection(grow(FAMILIES["RF"].replace(n_tree=1), wine.X, wine.y), wine, 0, 0)
    left = np.array(
        [record.times[(record.y == k) & (record.scores <= record.cut)].sum() for k in range(3)]
    )
    most = left > 0.8 * record.histogram.sum(axis=1)
    assert (sides(record)[most] == 1).all()


def test_selected_samples_are_ticks_on_the_scores_of_a_node(forest, moons):
    record = analysis.projection(forest, moons)
    drawn = ProjectionFigure()
    drawn.update(record)
    drawn.pick(np.array([3, 5]))
    at = {int(r): s for r, s in zip(record.rows, record.scores, strict=True)}
    assert sorted(drawn.picked.data["x"]) == sorted([at[3], at[5]])
    drawn.pick(np.arange(moons.n_samples))
    assert len(drawn.picked.data["x"]) == 0
