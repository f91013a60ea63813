import pytest

from explorer.app.session.events import Events, ViewMoved
from explorer.app.session.viewport import MOST_PIXELS, Viewport
from explorer.app.state.plane_choice import Window
from explorer.app.state.visitor import State

HOME = Window(-1.0, 1.0, -1.0, 1.0)


@pytest.fixture
def moves():
    return []


@pytest.fixture
def viewport(moves):
    events = Events()
    events.subscribe(ViewMoved, moves.append)
    made = Viewport(State(), events)
    made.place(HOME)
    return made


def test_placing_all_maps_is_not_a_move_of_the_visitor(viewport, moves):
    assert moves == []
    assert viewport.window is None
    assert (viewport.frame.x_range.start, viewport.frame.x_range.reset_end) == (-1.0, 1.0)


def test_a_zoom_in_the_browser_is_announced_and_going_home_undoes_it(viewport, moves):
    viewport.frame.x_range.start = -0.5
    assert viewport.window == Window(-0.5, 1.0, -1.0, 1.0)
    assert len(moves) == 1
    viewport.look_home()
    assert viewport.window is None
    assert viewport.frame.x_range.start == -1.0


@pytest.mark.parametrize("bad", [float("nan"), 1e300, 5.0])
def test_a_window_that_cannot_be_is_ignored(viewport, moves, bad):
    viewport.frame.x_range.start = bad
    assert viewport.window is None
    assert moves == []


def test_maps_have_a_pixel_per_screen_pixel_up_to_a_bound(viewport):
    viewport.measured("", (300, 200))
    assert viewport.pixels == (300, 200)
    viewport.measured("", (4000, 2000))
    assert viewport.pixels == (MOST_PIXELS, MOST_PIXELS // 2)
    viewport.measured("", (5, 5))  # a card that is not laid out yet
    assert viewport.pixels == (MOST_PIXELS, MOST_PIXELS // 2)


def test_a_narrow_map_is_one_of_a_phone(viewport):
    assert not viewport.narrow()
    viewport.measured("", (150, 150))
    assert viewport.narrow()
