import threading

import numpy as np
import pytest

from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.state.visitor import DataRecipe, ModelState
from explorer.app.work.cache import Cache
from explorer.app.work.tour_work import FoundLeg, LegRequest, tour_leg
from explorer.engine import FAMILIES

SPECS = tuple(FAMILIES[f].replace(n_tree=3) for f in ("RF", "oRF-ridge"))


@pytest.fixture(scope="module")
def cache():
    return Cache()


def leg(cache, way="grand", number=0, specs=SPECS):
    request = LegRequest(DataRecipe("iris"), specs, PlaneRecipe("tour"), way, number)
    found = list(tour_leg(request, cache, threading.Event()))
    assert isinstance(found[-1], FoundLeg)
    return found[-1]


@pytest.mark.parametrize("way", ["grand", "classes", "forests"])
def test_a_leg_begins_on_the_plane_that_is_seen(cache, way):
    found = leg(cache, way)
    np.testing.assert_allclose(found.begin.T @ found.begin, np.eye(2), atol=1e-9)


def test_the_same_number_gives_the_same_leg(cache):
    one, two = leg(cache, number=3), leg(cache, number=3)
    assert repr(one.leg) == repr(two.leg)
    assert repr(leg(cache, number=4).leg) != repr(one.leg)


def test_planes_where_forests_disagree_need_two_forests(cache):
    with pytest.raises(ValueError, match="Choose a forest"):
        leg(cache, "forests", specs=(SPECS[0], ModelState(family="knn").spec(4)))
    with pytest.raises(ValueError, match="Choose a forest"):
        leg(cache, "forests", specs=SPECS[:1])
