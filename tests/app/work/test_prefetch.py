import time

import pytest

from explorer.app import gil_yield
from explorer.app.state.visitor import OWN, DataState, ModelState
from explorer.app.work import prefetch
from explorer.app.work.cache import Cache
from explorer.app.work.map_work import pictures
from explorer.app.work.prefetch import Around, Wish
from explorer.app.work.requests import MapRequest, Pictures
from explorer.app.work.scheduler import Ticket


def asked(data="clouds", n_tree=10, knobs=(), transform=None, families=("RF", "oRF-ridge")):
    state = DataState()
    state.choose(data)
    for name, value in knobs:
        state.turn_knob(name, value)
    if transform is not None:
        state.param.update(transform="turn", transform_knobs={"angle": transform})
    specs = tuple(ModelState(family=f, knobs={"n_tree": n_tree}).spec(2) for f in families)
    return MapRequest(state.recipe(), specs, pixels=(40, 30))


def trees_grown(request, cache):
    ticket = Ticket()
    shown = [p for p in pictures(request, cache, ticket) if isinstance(p, Pictures)]
    assert shown[-1].finished
    return ticket.trees


@pytest.fixture
def helper(monkeypatch):
    """One that works at once, on four places of the slider."""
    monkeypatch.setattr(prefetch, "ANGLES", (0, 10, 20, 30))
    monkeypatch.setattr(prefetch, "QUIET", 0.0)
    trees_grown(asked(), Cache())  # kernels are loaded
    helper = Around(Cache())
    helper.begin()
    return helper


def until_done(helper):
    end = time.monotonic() + 30
    while helper.waiting:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("data", "knob", "there"),
    [
        ("clouds", "angle", lambda a: asked(knobs=[("angle", a)])),
        ("spirals", "turn", lambda a: asked("spirals", transform=a)),
    ],
)
def test_where_a_slider_rests_its_other_places_are_made(helper, data, knob, there):
    helper.wish("visitor", asked(data), knob)
    until_done(helper)
    for angle in (0.0, 10.0, 20.0, 30.0):
        assert trees_grown(there(angle), helper.cache) == 0, angle
    assert trees_grown(there(40.0), helper.cache) == 20


def test_places_near_the_slider_come_first():
    wish = Wish(asked(knobs=[("angle", 50.0)]), "angle")
    angles = [dict(r.data.knobs).get("angle") for r in wish.requests()]
    assert angles[:5] in ([50, 49, 51, 48, 52], [50, 51, 49, 52, 48])
    assert len(angles) == 91


def test_a_place_is_asked_for_as_the_slider_would_ask_for_it():
    """The default of a knob is not written into a recipe; it would be another key."""
    wish = Wish(asked(), "angle")
    assert wish.at(wish.angle()) == asked().data


def test_nothing_is_made_while_somebody_is_at_work(helper, monkeypatch):
    monkeypatch.setattr(prefetch, "QUIET", 1e9)
    helper.wish("visitor", asked(), "angle")
    gil_yield.hear()
    time.sleep(0.5)
    assert helper.waiting == 1
    assert len(helper.cache) == 0
    helper.forget("visitor")
    until_done(helper)


def test_thirty_on_one_link_cost_as_much_as_one(helper):
    for visitor in range(30):
        helper.wish(visitor, asked(knobs=[("angle", float(visitor))]), "angle")
    until_done(helper)
    assert sum(key[0] == "forest" for key in helper.cache._held) == 8


def test_forests_that_take_long_are_left_to_who_asks_for_them(helper):
    helper.wish("visitor", asked("twonorm", n_tree=3000), "turn")
    until_done(helper)
    assert not any(key[0] == "forest" for key in helper.cache._held)


def test_a_cache_that_is_half_full_is_left_alone(helper):
    helper.cache.put("of others", 1, int(0.6 * helper.cache.limit))
    helper.wish("visitor", asked(), "angle")
    until_done(helper)
    assert not any(key[0] == "forest" for key in helper.cache._held)


def test_what_cannot_be_is_passed_over_in_silence(helper, caplog):
    helper.wish("visitor", MapRequest(DataState(source=OWN).recipe(), ()), "turn")
    until_done(helper)
    assert not caplog.records


def test_nothing_is_wished_where_nobody_keeps_pages_ready():
    helper = Around(Cache())
    helper.wish("visitor", asked(), "angle")
    assert helper.waiting == 0
