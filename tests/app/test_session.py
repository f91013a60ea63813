import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc
from settling import settle

from explorer.app import visits
from explorer.app.controls import Controls, play_steps
from explorer.app.page import Pages, build
from explorer.app.scheduler import Scheduler
from explorer.app.session import Session
from explorer.app.state import PAINT
from explorer.app.widgets import LiveFloatSlider, LiveIntSlider, plain


@pytest.fixture
def open_session(new_session):
    def make(query=""):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def image(session, card=0):
    return session.cards[card].map.image.data["image"][0]


def test_the_first_screen_has_two_maps_their_numbers_and_the_headline(open_session):
    session = open_session()
    assert len(session.cards) == 2
    assert "cut straight" in session.headline.object
    assert "OOB error" in session.cards[0].numbers.object
    assert "Hellinger" in session.cards[1].numbers.object


def test_turning_the_data_moves_the_maps_and_keeps_every_plot(open_session):
    session = open_session()
    before, figure = image(session).copy(), session.cards[0].map.figure
    session.turn_lead(10)
    settle(session)
    assert session.cards[0].map.figure is figure
    assert not np.array_equal(image(session), before)
    assert session.state.data.knob("angle") == 10


def test_a_third_forest_gets_a_card_and_the_others_stay(open_session):
    session = open_session()
    first = session.cards[0]
    session.add_model()
    settle(session)
    assert len(session.cards) == 3
    assert session.cards[0] is first
    assert session.cards[2].record is not None
    session.remove_model(2)
    settle(session)
    assert len(session.cards) == 2


def test_a_value_out_of_bounds_becomes_a_notice_and_changes_nothing(open_session):
    session = open_session()
    session.guarded(session.turn_lead, float("nan"))
    assert "angle" in session.notice.object
    assert session.state.data.knob("angle") == 45.0


def test_a_hostile_link_is_shown_as_the_first_screen_with_a_notice(open_session):
    session = open_session("data=<img src=x onerror=alert(1)>")
    assert "<img" not in session.notice.object
    assert "not here" in session.notice.object
    assert session.state.data.source == "clouds"


def test_text_from_outside_is_escaped():
    assert plain('<b a="1">') == "&lt;b a=&quot;1&quot;&gt;"


def test_restoring_a_query_brings_back_its_state(open_session):
    session = open_session()
    Controls(session)
    session.restore("data=moons&model=RF&trees=7")
    settle(session)
    assert session.state.data.source == "moons"
    assert len(session.cards) == 1
    assert session.cards[0].record.trees == 7


def test_painting_adds_points_that_the_forests_follow_and_undo_takes_back(open_session):
    session = open_session()
    pages = Pages(session, Controls(session))
    session.open_page("Paint")
    settle(session)
    assert session.state.data.source == PAINT
    n = len(session.state.data.points)

    class Event:
        x, y = 1.0, -3.0

    before = image(session).copy()
    pages.painter.colour.value = 2
    session.touched(Event, True, True)
    settle(session)
    assert len(session.state.data.points) == n + 1
    assert not np.array_equal(image(session), before)
    pages.painter.step_back()
    settle(session)
    assert len(session.state.data.points) == n


@pytest.mark.parametrize("x", [float("nan"), 1e9, None, "1", float("inf")])
def test_painting_ignores_places_that_are_none(open_session, x):
    session = open_session()
    Pages(session, Controls(session))
    session.open_page("Paint")
    settle(session)
    n = len(session.state.data.points)

    class Event:
        y = 0.0

    Event.x = x
    session.touched(Event, True, True)
    assert len(session.state.data.points) == n


def place(x, y):
    return SimpleNamespace(x=x, y=y)


def painting(session, *points):
    """The painter of a session with these points."""
    painter = Pages(session, Controls(session)).painter
    if painter is None:
        session.open_page("Paint")
        settle(session)
    session.state.data.points = list(points)
    return session.touched.__self__


def test_a_point_is_dragged_to_another_place_and_undo_brings_it_back(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (3.0, 3.0, 1))
    painter.tool.value = "Move"
    session.touched(place(0.1, 0.1), True, False)
    session.touched(place(1.0, 1.0), False, False)
    session.touched(place(2.0, -1.5), False, True)
    assert session.state.data.points == [(2.0, -1.5, 0), (3.0, 3.0, 1)]
    painter.step_back()
    assert session.state.data.points == [(0.0, 0.0, 0), (3.0, 3.0, 1)]


def test_a_quick_stroke_of_the_eraser_leaves_out_no_point_on_its_way(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1), (0.0, 5.0, 0))
    painter.tool.value = "Erase"
    session.touched(place(-3.0, 0.0), True, False)
    session.touched(place(4.0, 0.0), False, True)
    assert session.state.data.points == [(0.0, 5.0, 0)]


def test_a_gesture_that_does_nothing_is_nothing_to_undo(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1))
    painter.tool.value = "Move"
    session.touched(place(9.0, 9.0), True, False)
    session.touched(place(8.0, 8.0), False, True)
    assert painter.before == []


def test_keys_paint_where_the_cross_is_and_move_a_point_in_two_steps(open_session):
    session = open_session("page=Paint")
    painter = painting(session, (0.0, 0.0, 0), (1.0, 0.0, 1))

    def enter(x, y, count):
        session.frame.pen.data = {"x": [x], "y": [y], "act": [count]}

    enter(2.0, 2.0, 0)
    assert len(session.state.data.points) == 2
    enter(2.0, 2.0, 1)
    assert session.state.data.points[-1] == (2.0, 2.0, 0)
    painter.tool.value = "Move"
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
    pages = Pages(session, Controls(session))
    session.open_page("Paint")
    settle(session)
    pages.painter.wipe()
    settle(session)
    assert "No points yet" in session.cards[0].numbers.object


def test_the_posterior_page_shows_truth_estimate_difference_and_distance(open_session):
    session = open_session()
    pages = Pages(session, Controls(session))
    session.open_page("Posterior")
    settle(session)
    assert len(pages.posterior.columns) == 2
    assert pages.posterior.columns[0][2].source.data["image"][0].size > 100
    assert len(pages.posterior.bars.source.data["value"]) == 2


def test_a_csv_has_one_row_per_pixel_and_a_column_per_class(open_session):
    session = open_session()
    lines = session.cards[0].csv().splitlines()
    assert lines[0] == '"across","up","lower","upper"'
    w, h = session.pixels
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


def test_a_page_has_at_most_four_hundred_models():
    document = Document()
    with set_curdoc(document):
        build()._init_doc(document)
    assert len(document.models) < 400


def test_the_lead_slider_goes_while_another_transform_is_chosen(open_session):
    session = open_session("data=moons")
    controls = Controls(session)
    assert session.lead_knob() == "turn"
    session.choose_transform("scaling")
    settle(session)
    assert not controls.lead.visible
    session.choose_transform("none")
    settle(session)
    assert controls.lead.visible


def test_a_slow_bayes_boundary_comes_after_the_maps(open_session):
    session = open_session("data=mixture")
    settle(session)
    assert len(session.frame.bayes.data["x"]) > 10


def test_two_sessions_see_only_their_own_painting(open_session):
    one, two = open_session(), open_session()
    for session in (one, two):
        Pages(session, Controls(session))
        session.open_page("Paint")
        settle(session)

    class Event:
        x, y = 0.5, -4.0

    one.touched(Event, True, True)
    settle(one)
    assert len(one.state.data.points) == len(two.state.data.points) + 1


def test_layers_that_data_without_a_truth_have_not_are_away_and_come_back(open_session):
    session = open_session()
    controls = Controls(session)
    session.choose_data("wine")
    settle(session)
    assert controls.layers.options == ["Boundary", "Points", "Errors", "One tree"]
    assert "No test set: errors are out of bag." in session.headline.object
    assert "farther out" not in session.headline.object
    controls.layers.value = ["Boundary"]
    session.choose_data("moons")
    settle(session)
    assert controls.layers.value == ["Boundary", "Bayes"]
    assert "No test set" not in session.headline.object


def test_the_headline_of_the_first_maps_is_not_that_of_other_pages(open_session):
    session = open_session()
    Pages(session, Controls(session))
    session.open_page("Posterior")
    assert "Left may only cut straight" not in session.headline.object


def test_paper_keeps_equal_units_when_the_maps_change_their_shape(open_session):
    session = open_session()
    Pages(session, Controls(session))
    session.open_page("Paint")
    settle(session)
    session.rulers[""] = lambda: (400, 200)
    session.resized("inner_width", None, 400)
    settle(session)
    x, y = session.frame.x_range, session.frame.y_range
    assert (x.end - x.start) / (y.end - y.start) == pytest.approx(2.0)
    assert session.cards[0].record.window == session.window


def test_an_empty_paper_is_no_error(open_session):
    session = open_session("data=paint&page=Paint")
    assert "No points yet" in session.cards[0].numbers.object
    assert "fault" not in session.cards[0].numbers.object


def test_without_a_truth_the_posterior_page_shows_estimates_alone_and_says_why(open_session):
    session = open_session("data=wine&page=Posterior&model=RF~n_tree:5")
    pages = Pages(session, Controls(session))
    session.refresh()
    settle(session)
    assert "untold" in pages.posterior.view.css_classes
    assert "The truth is not known" in session.headline.object


def test_six_maps_have_no_ticks(open_session):
    session = open_session()
    assert session.cards[0].map.figure.tags == []
    for _ in range(2):
        session.add_model()
    assert all(card.map.figure.tags == ["bare"] for card in session.cards)


def test_samples_outside_the_first_window_are_counted_in_words(open_session):
    session = open_session("data=breast_cancer&look=components&model=RF~n_tree:5")
    assert "1 sample farther out." in session.headline.object


def test_a_session_that_ended_is_forgotten():
    """The list of who is here holds neither the page nor the session."""
    work = Scheduler(workers=1)
    document = Document()
    session = Session("?page=Boundaries", document, work=work)
    visits.enter(document, session)
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
        beside.append(session.cards[0].map.n_classes)
        act()

    monkeypatch.setattr(session.mailbox, "aside", aside)
    session.turn_lead(10)
    settle(session)
    assert beside == []
    session.choose_data("iris")
    settle(session)
    assert beside[0] == 2
    assert session.cards[0].map.n_classes == 3
