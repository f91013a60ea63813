import gc
import threading
import time
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages, build
from explorer.app.pages.controls import Controls, play_steps
from explorer.app.session import registry
from explorer.app.session.session import Session
from explorer.app.state.visitor import PAINT
from explorer.app.widgets import LiveFloatSlider, LiveIntSlider, plain
from explorer.app.work import grow_job, grow_work
from explorer.app.work.scheduler import Scheduler


@pytest.fixture
def open_session(new_session):
    def make(query=""):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def image(session, card=0):
    return screen_of(session).cards[card].map.image.data["image"][0]


def test_the_first_screen_has_two_maps_their_numbers_and_the_headline(open_session):
    session = open_session()
    assert len(screen_of(session).cards) == 2
    assert "cut straight" in screen_of(session).headline.pane.object
    assert "OOB error" in screen_of(session).cards[0].numbers.object
    assert "Hellinger" in screen_of(session).cards[1].numbers.object


def test_turning_the_data_moves_the_maps_and_keeps_every_plot(open_session):
    session = open_session()
    before, figure = image(session).copy(), screen_of(session).cards[0].map.figure
    session.data.turn_lead(10)
    settle(session)
    assert screen_of(session).cards[0].map.figure is figure
    assert not np.array_equal(image(session), before)
    assert session.state.data.knob("angle") == 10


def test_a_third_forest_gets_a_card_and_the_others_stay(open_session):
    session = open_session()
    first = screen_of(session).cards[0]
    session.models.add()
    settle(session)
    assert len(screen_of(session).cards) == 3
    assert screen_of(session).cards[0] is first
    assert screen_of(session).cards[2].record is not None
    session.models.remove(2)
    settle(session)
    assert len(screen_of(session).cards) == 2


def test_a_value_out_of_bounds_becomes_a_notice_and_changes_nothing(open_session):
    session = open_session()
    session.guarded(session.data.turn_lead, float("nan"))
    assert "angle" in screen_of(session).notice.pane.object
    assert session.state.data.knob("angle") == 45.0


def test_a_hostile_link_is_shown_as_the_first_screen_with_a_notice(open_session):
    session = open_session("data=<img src=x onerror=alert(1)>")
    assert "<img" not in screen_of(session).notice.pane.object
    assert "not here" in screen_of(session).notice.pane.object
    assert session.state.data.source == "clouds"


def test_text_from_outside_is_escaped():
    assert plain('<b a="1">') == "&lt;b a=&quot;1&quot;&gt;"


def test_restoring_a_query_brings_back_its_state(open_session):
    session = open_session()
    Controls(session)
    session.restore("data=moons&model=RF&trees=7")
    settle(session)
    assert session.state.data.source == "moons"
    assert len(screen_of(session).cards) == 1
    assert screen_of(session).cards[0].record.trees == 7


def test_painting_adds_points_that_the_forests_follow_and_undo_takes_back(open_session):
    session = open_session()
    pages = Pages(screen_of(session), Controls(session))
    session.open_page("Paint")
    settle(session)
    assert session.state.data.shown == PAINT
    n = len(session.state.data.points)

    class Event:
        x, y = 1.0, -3.0

    before = image(session).copy()
    pages.more["Paint"].colour.value = 2
    session.painting.touched(Event, True, True)
    settle(session)
    assert len(session.state.data.points) == n + 1
    assert not np.array_equal(image(session), before)
    session.painting.step_back()
    settle(session)
    assert len(session.state.data.points) == n


@pytest.mark.parametrize("x", [float("nan"), 1e9, None, "1", float("inf")])
def test_painting_ignores_places_that_are_none(open_session, x):
    session = open_session()
    Pages(screen_of(session), Controls(session))
    session.open_page("Paint")
    settle(session)
    n = len(session.state.data.points)

    class Event:
        y = 0.0

    Event.x = x
    session.painting.touched(Event, True, True)
    assert len(session.state.data.points) == n


def place(x, y):
    return SimpleNamespace(x=x, y=y)


def painting(session, *points):
    """The painter of a session with these points."""
    if "Paint" not in Pages(screen_of(session), Controls(session)).more:
        session.open_page("Paint")
        settle(session)
    session.state.data.points = list(points)
    return session.painting


def test_a_point_is_dragged_to_another_place_and_undo_brings_it_back(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (3.0, 3.0, 1))
    session.state.selection.tool = "Move"
    session.painting.touched(place(0.1, 0.1), True, False)
    session.painting.touched(place(1.0, 1.0), False, False)
    session.painting.touched(place(2.0, -1.5), False, True)
    assert session.state.data.points == [(2.0, -1.5, 0), (3.0, 3.0, 1)]
    painter.step_back()
    assert session.state.data.points == [(0.0, 0.0, 0), (3.0, 3.0, 1)]


def test_a_quick_stroke_of_the_eraser_leaves_out_no_point_on_its_way(open_session):
    session = open_session("page=Paint")
    painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1), (0.0, 5.0, 0))
    session.state.selection.tool = "Erase"
    session.painting.touched(place(-3.0, 0.0), True, False)
    session.painting.touched(place(4.0, 0.0), False, True)
    assert session.state.data.points == [(0.0, 5.0, 0)]


def test_a_gesture_that_does_nothing_is_nothing_to_undo(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1))
    session.state.selection.tool = "Move"
    session.painting.touched(place(9.0, 9.0), True, False)
    session.painting.touched(place(8.0, 8.0), False, True)
    assert painter.before == []


def test_keys_paint_where_the_cross_is_and_move_a_point_in_two_steps(open_session):
    session = open_session("page=Paint")
    painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1))

    def enter(x, y, count):
        session.frame.pen.data = {"x": [x], "y": [y], "act": [count]}

    enter(2.0, 2.0, 0)
    assert len(session.state.data.points) == 2
    enter(2.0, 2.0, 1)
    assert session.state.data.points[-1] == (2.0, 2.0, 0)
    session.state.selection.tool = "Move"
    enter(2.0, 2.0, 2)
    enter(-2.0, 1.0, 2)
    enter(-2.0, 1.0, 3)
    assert session.state.data.points[-1] == (-2.0, 1.0, 0)
    session.open_page("Boundaries")
    assert len(session.frame.pen.data["x"]) == 0


@pytest.mark.parametrize(
    "sent", [{}, {"x": ["a"], "y": [1], "act": [9]}, {"x": [1e9], "y": [float("nan")], "act": [5]}]
)
def test_a_cross_that_is_nowhere_paints_nothing(open_session, sent):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1))
    painter._key_pressed("data", None, sent)
    assert len(session.state.data.points) == 2


def test_an_empty_painting_says_what_goes_there(open_session):
    session = open_session()
    Pages(screen_of(session), Controls(session))
    session.open_page("Paint")
    settle(session)
    session.painting.wipe()
    settle(session)
    assert "No points yet" in screen_of(session).cards[0].numbers.object


def test_the_posterior_page_shows_truth_estimate_difference_and_distance(open_session):
    session = open_session()
    pages = Pages(screen_of(session), Controls(session))
    session.open_page("Posterior")
    settle(session)
    assert len(pages.more["Posterior"].columns) == 2
    assert pages.more["Posterior"].columns[0][2].source.data["image"][0].size > 100
    assert len(pages.more["Posterior"].bars.source.data["value"]) == 2


def test_a_csv_has_one_row_per_pixel_and_a_column_per_class(open_session):
    session = open_session()
    lines = screen_of(session).cards[0].csv().splitlines()
    assert lines[0] == '"across","up","lower","upper"'
    w, h = session.viewport.pixels
    assert len(lines) == w * h + 1


def test_playing_shows_one_two_three_five_up_to_all_trees():
    assert play_steps(20) == [1, 2, 3, 5, 8, 13, 20]
    assert play_steps(1) == [1]


def test_our_sliders_wait_five_milliseconds_where_panel_waits_fifty():
    from panel.reactive import Syncable

    assert Syncable._debounce == 50  # if Panel drops it, our subclasses must be looked at
    assert LiveFloatSlider._debounce == LiveIntSlider._debounce == 5


def test_a_page_is_built_with_every_part_of_the_template():
    document = Document()
    with set_curdoc(document):
        template = build()
        template._init_doc(document)
    names = {root.name for root in document.roots}
    assert {"tabs", "sidebar", "headline", "lead", "controls", "maps", "summary"} <= names


def test_a_page_has_at_most_two_hundred_and_sixty_models():
    document = Document()
    with set_curdoc(document):
        build()._init_doc(document)
    assert len(document.models) < 260  # cards and sections are filled when they are first opened


def test_the_lead_slider_goes_while_another_transform_is_chosen(open_session):
    session = open_session("data=moons")
    controls = Controls(session)
    assert session.maps.lead_knob() == "turn"
    session.data.choose_transform("scaling")
    settle(session)
    assert not controls.lead.visible
    session.data.choose_transform("none")
    settle(session)
    assert controls.lead.visible


def test_a_slow_bayes_boundary_comes_after_the_maps(open_session):
    session = open_session("data=mixture")
    settle(session)
    assert len(session.frame.bayes.data["x"]) > 10


def test_two_sessions_see_only_their_own_painting(open_session):
    one, two = open_session(), open_session()
    for session in (one, two):
        Pages(screen_of(session), Controls(session))
        session.open_page("Paint")
        settle(session)

    class Event:
        x, y = 0.5, -4.0

    one.painting.touched(Event, True, True)
    settle(one)
    assert len(one.state.data.points) == len(two.state.data.points) + 1


def test_layers_that_data_without_a_truth_have_not_are_away_and_come_back(open_session):
    session = open_session()
    controls = Controls(session)
    session.data.choose("wine")
    settle(session)
    assert controls.layers.options == ["Boundary", "Points", "Errors", "One tree"]
    assert "No test set: errors are out of bag." in screen_of(session).headline.pane.object
    assert "outside the view" not in screen_of(session).headline.pane.object
    controls.layers.value = ["Boundary"]
    session.data.choose("moons")
    settle(session)
    assert controls.layers.value == ["Boundary", "Bayes"]
    assert "No test set" not in screen_of(session).headline.pane.object


def test_the_headline_of_the_first_maps_is_not_that_of_other_pages(open_session):
    session = open_session()
    Pages(screen_of(session), Controls(session))
    session.open_page("Posterior")
    assert "Left may only cut straight" not in screen_of(session).headline.pane.object


def test_paper_keeps_equal_units_when_the_maps_change_their_shape(open_session):
    session = open_session()
    Pages(screen_of(session), Controls(session))
    session.open_page("Paint")
    settle(session)
    session.viewport.measured("", (400, 200))
    settle(session)
    x, y = session.frame.x_range, session.frame.y_range
    assert (x.end - x.start) / (y.end - y.start) == pytest.approx(2.0)
    assert screen_of(session).cards[0].record.window == session.viewport.window


def test_an_empty_paper_is_no_error(open_session):
    session = open_session("data=paint&page=Paint")
    assert "No points yet" in screen_of(session).cards[0].numbers.object
    assert "fault" not in screen_of(session).cards[0].numbers.object


def test_without_a_truth_the_posterior_page_shows_estimates_alone_and_says_why(open_session):
    session = open_session("data=wine&page=Posterior&model=RF~n_tree:5")
    pages = Pages(screen_of(session), Controls(session))
    session.refresh()
    settle(session)
    assert "untold" in pages.more["Posterior"].view.css_classes
    assert "The true posterior is not known" in screen_of(session).headline.pane.object


def test_six_maps_have_no_ticks(open_session):
    session = open_session()
    assert screen_of(session).cards[0].map.figure.tags == []
    for _ in range(2):
        session.models.add()
    assert all(card.map.figure.tags == ["bare"] for card in screen_of(session).cards)


def test_samples_outside_the_first_window_are_counted_in_words(open_session):
    session = open_session("data=breast_cancer&look=components&model=RF~n_tree:5")
    assert "1 sample outside the view." in screen_of(session).headline.pane.object


def test_a_session_that_ended_is_forgotten():
    """The list of who is here holds neither the page nor the session."""
    work = Scheduler(workers=1)
    document = Document()
    session = Session("?page=Boundaries", document, work=work)
    registry.enter(document, session)
    kept = weakref.ref(session)
    session.close()
    work.close()
    del session, document
    gc.collect()
    assert kept() is None


def test_marks_of_other_classes_are_made_beside_the_event_loop(open_session, monkeypatch):
    session = open_session()
    beside = []

    def aside(act):
        beside.append(screen_of(session).cards[0].map.n_classes)
        act()

    monkeypatch.setattr(session.mailbox, "aside", aside)
    session.data.turn_lead(10)
    settle(session)
    assert beside == []
    session.data.choose("iris")
    settle(session)
    assert beside[0] == 2
    assert screen_of(session).cards[0].map.n_classes == 3


def test_a_first_visitor_sees_points_and_truth_while_kernels_are_compiled(new_session, monkeypatch):
    compiled = threading.Event()
    monkeypatch.setattr(grow_job, "_seen_splits", set())
    monkeypatch.setattr(grow_work, "prepared", lambda spec: compiled.is_set())
    session = new_session("model=RF~n_tree:5&model=oRF-ridge~n_tree:5")
    session.refresh()
    end = time.monotonic() + 60
    while not all("progressbar" in card.numbers.object for card in screen_of(session).cards):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert sum(len(source.data["x"]) for source in session.frame.points) == 100
    assert len(session.frame.bayes.data["x"]) > 1
    assert session.frame.x_range.end == session.viewport.home.x1
    assert image(session).size == 1
    compiled.set()
    settle(session)
    assert image(session).size > 1000
    assert "progressbar" not in screen_of(session).cards[0].numbers.object
