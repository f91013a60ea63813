import threading

import pytest

from explorer.app.pages.first_splits import FirstSplits, first_splits, steps
from explorer.app.state.visitor import DataRecipe
from explorer.app.widgets import Style
from explorer.app.work.cache import Cache
from explorer.app.work.requests import load_source
from explorer.engine import FAMILIES

SPECS = tuple(FAMILIES[f] for f in ("RF", "F-RC"))


@pytest.fixture(scope="module")
def found():
    source = load_source(DataRecipe("moons"), Cache())
    *_, last = first_splits(source, SPECS, None, threading.Event())
    return last


def test_the_first_cut_of_every_forest_is_worth_a_share_of_the_impurity(found):
    assert len(found) == 2
    assert all(0 < one.share < 1 for one in found)


def test_numbers_of_directions_go_from_one_up():
    offered = steps(10)
    assert offered[0] == 1
    assert offered == sorted(set(offered))


def test_the_picture_has_a_bar_per_forest(found):
    drawn = FirstSplits(Style(), ("light", False))
    drawn.show(found, ["A RF", "B F-RC"], [0, 1])
    assert len(drawn.worth.bars.data["text"]) == 2
    drawn.restyle("dark", True)
