from explorer.analysis.tree_growth import tree_growth
from explorer.views.growth_map import GrowthMap


def test_every_cut_adds_its_line_and_the_last_one_is_thick(forest, moons):
    growth = tree_growth(forest, moons, 0)
    drawn = GrowthMap()
    drawn.update(growth, moons.X, moons.y)
    drawn.show(0)
    assert len(drawn.last.data["xs"]) == 0
    assert len(set(drawn.cells.data["colour"])) == 1  # nothing is cut: one colour everywhere
    drawn.show(growth.cuts)
    assert len(drawn.lines.data["xs"]) + len(drawn.last.data["xs"]) == len(growth.partition.lines)
    assert len(set(drawn.cells.data["colour"])) > 1
    assert len(drawn.points.data["x"]) == moons.n_samples


def test_another_theme_keeps_the_cuts(forest, moons):
    growth = tree_growth(forest, moons, 0)
    drawn = GrowthMap("light")
    drawn.update(growth, moons.X, moons.y)
    drawn.show(2)
    before = list(drawn.cells.data["colour"])
    drawn.restyle("dark", True)
    assert drawn.k == 2
    assert list(drawn.cells.data["colour"]) != before
