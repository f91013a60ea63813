"""The painting is apart from the data of the other pages until somebody asks to use it."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.state import link
from explorer.app.state.visitor import PAINT

FEW = "&model=RF~n_tree:5&model=oRF-ridge~n_tree:5"


@pytest.fixture
def opened(new_session):
    """A session with its pages and controls, drawn."""

    def make(query):
        session = new_session(query.lstrip("&"))
        controls = Controls(session)
        pages = Pages(screen_of(session), controls)
        session.refresh()
        settle(session)
        return session, pages, controls

    return make


def go(session, page):
    session.open_page(page)
    settle(session)


def image(session, card=0):
    return screen_of(session).cards[card].map.image.data["image"][0]


def drawn_points(session):
    return sum(len(source.data["x"]) for source in session.frame.points)


def click(session, x, y):
    session.painting.touched(SimpleNamespace(x=x, y=y), True, True)
    settle(session)


@pytest.mark.parametrize("query", ["", "data=moons", "data=iris", "data=spectra_ir&d.n=60"])
def test_visiting_paint_and_coming_back_changes_nothing_on_other_pages(opened, query):
    session, _, controls = opened(query + FEW)
    before = link.write(session.state)
    maps = [image(session, i).copy() for i in range(2)]
    lead, truth = controls.lead.visible, len(session.frame.bayes.data["x"])
    window, points = session.viewport.home, drawn_points(session)
    labels = screen_of(session).cards[0].map.figure.xaxis[0].axis_label
    go(session, "Paint")
    click(session, 1.0, 1.0)
    go(session, "Boundaries")
    assert link.write(session.state) == before
    assert all(np.array_equal(image(session, i), maps[i]) for i in range(2))
    assert (controls.lead.visible, len(session.frame.bayes.data["x"])) == (lead, truth)
    assert (session.viewport.home, drawn_points(session)) == (window, points)
    assert screen_of(session).cards[0].map.figure.xaxis[0].axis_label == labels


def test_samples_that_are_selected_stay_selected_over_a_visit_to_paint(opened):
    session, _, _ = opened("data=iris" + FEW)
    session.selected.choose([3, 5, 8], "marked")
    go(session, "Paint")
    assert "selected" not in screen_of(session).selection.words.object
    click(session, 1.0, 1.0)
    go(session, "Boundaries")
    assert session.state.selection.rows == [3, 5, 8]
    assert "3 samples selected" in screen_of(session).selection.words.object
    assert len(session.frame.picked.data["x"]) == 3


def test_going_back_from_paint_to_data_of_many_features_draws_their_maps_again(opened):
    session, _, _ = opened("data=iris" + FEW)
    before = link.write(session.state)
    go(session, "Paint")
    session.restore(before)  # what the browser's Back does
    settle(session)
    assert image(session).size > 1000
    assert drawn_points(session) == 150


def test_data_of_many_features_leave_an_empty_paper_with_plain_axes(opened):
    session, _, _ = opened("data=iris" + FEW)
    go(session, "Paint")
    figure = screen_of(session).cards[0].map.figure
    assert figure.xaxis[0].axis_label is None
    assert drawn_points(session) == 0
    assert "No points yet" in screen_of(session).cards[0].numbers.object
    x, y = session.frame.x_range, session.frame.y_range
    assert x.start < 0 < x.end
    assert y.start < 0 < y.end


def test_the_painting_is_as_it_was_left_when_paint_is_opened_again(opened):
    session, _, _ = opened(FEW)
    go(session, "Paint")
    click(session, 2.0, -2.0)
    points = list(session.state.data.points)
    go(session, "Boundaries")
    session.data.choose("moons")
    settle(session)
    go(session, "Paint")
    assert session.state.data.points == points


def test_a_cleared_painting_stays_empty(opened):
    session, _pages, _ = opened(FEW)
    go(session, "Paint")
    session.painting.wipe()
    settle(session)
    go(session, "Boundaries")
    go(session, "Paint")
    assert session.state.data.points == []


def test_the_other_pages_show_the_painting_once_they_are_asked_to(opened):
    session, pages, _ = opened("data=iris" + FEW)
    go(session, "Paint")
    for i, (x, y) in enumerate([(-1.0, 0.0), (-2.0, 1.0), (1.0, 0.0), (2.0, -1.0)]):
        pages.more["Paint"].colour.value = i // 2
        click(session, x, y)
    assert session.state.data.source == "iris"
    session.painting.use()
    settle(session)
    go(session, "Boundaries")
    assert session.state.data.source == PAINT
    assert session.latest.source.data.n_samples == 4
    assert pages.more["Paint"].everywhere.disabled


def test_a_painting_of_one_class_is_not_used_and_words_say_why(opened):
    session, _pages, _ = opened("data=iris" + FEW)
    go(session, "Paint")
    click(session, 1.0, 1.0)
    session.painting.use()
    assert session.state.data.source == "iris"
    assert "second class" in screen_of(session).notice.pane.object


def test_a_tile_puts_its_points_on_the_paper_and_painting_goes_on(opened):
    session, pages, _ = opened(FEW)
    go(session, "Paint")
    before = list(session.state.data.points)
    session.data.choose("moons")
    settle(session)
    n = len(session.state.data.points)
    assert f"{n} points" in pages.more["Paint"].count.object
    assert drawn_points(session) == n
    click(session, 0.3, 0.3)
    assert len(session.state.data.points) == n + 1
    assert session.state.data.source == "clouds"  # of the other pages
    session.painting.step_back()
    session.painting.step_back()
    assert session.state.data.points == before


def test_data_that_cannot_be_painted_are_shown_on_the_first_page(opened):
    session, _, controls = opened(FEW)
    go(session, "Paint")
    session.data.choose("iris")
    settle(session)
    assert (session.state.view.page, controls.tabs.value) == ("Boundaries", "Boundaries")
    assert session.latest.source.data.n_features == 4
    assert "two features" in screen_of(session).notice.pane.object


def test_a_used_painting_is_transformed_on_other_pages_but_not_on_paint(opened):
    session, _pages, _ = opened(FEW)
    go(session, "Paint")
    session.painting.use()
    go(session, "Boundaries")
    session.data.choose_transform("turn")
    session.data.turn_transform("angle", 90)
    settle(session)
    turned = session.latest.source.data.X.copy()
    go(session, "Paint")
    X = np.array([(x, y) for x, y, _ in session.state.data.points])
    assert np.allclose(session.latest.source.data.X, X)
    assert not np.allclose(turned, X)
