"""Which features a map shows is chosen from lists, not by sliders that pass through others."""

import panel as pn

from app.screen import screen_of
from app.settling import settle
from explorer.app.session.events import LinkChanged
from explorer.app.sidebar.plane_section import distinct

FEW = "&model=RF~n_tree:5"


def lists(session):
    return [w for w in screen_of(session).sidebar.plane.view if w.label in ("Across", "Up")]


def test_features_are_chosen_from_lists_and_the_link_follows(new_session):
    session = new_session("data=iris&plane=0,1" + FEW)
    written = []
    session.subscribe(LinkChanged, lambda event: written.append(event.query))
    across, up = lists(session)
    assert isinstance(across, pn.widgets.Select)
    up.value = across.options[3]
    settle(session)
    assert (session.state.view.across, session.state.view.up) == (0, 3)
    assert "plane=0%2C3" in written[-1]


def test_choosing_the_feature_of_the_other_axis_trades_places_without_a_complaint(new_session):
    session = new_session("data=iris&plane=0,1" + FEW)
    across, up = lists(session)
    first, second = across.value, up.value
    across.value = second
    settle(session)
    assert (session.state.view.across, session.state.view.up) == (1, 0)
    assert (across.value, up.value) == (second, first)
    assert not screen_of(session).notice.pane.object


def test_of_many_features_one_is_found_by_a_part_of_its_name(new_session):
    session = new_session("data=breast_cancer&plane=0,1" + FEW)
    across, _ = lists(session)
    assert isinstance(across, pn.widgets.AutocompleteInput)
    assert (across.restrict, across.search_strategy) == (True, "includes")
    across.value = "no such feature"
    settle(session)
    assert session.state.view.across == 0


def test_equal_names_are_told_apart():
    assert distinct(("a", "b", "a", "a")) == ["a", "b", "a (2)", "a (3)"]
