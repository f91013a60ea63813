import pytest

from app.settling import settle
from explorer.app.pages.controls import Controls, play_steps
from explorer.app.state.page_list import page_names


@pytest.fixture
def controls(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:8")
    made = Controls(session)
    session.refresh()
    settle(session)
    yield made
    settle(session)


@pytest.mark.parametrize("n", [1, 7, 100, 1000])
def test_playing_goes_from_the_first_tree_to_the_last_in_growing_steps(n):
    found = play_steps(n)
    assert found[0] == 1
    assert found[-1] == n
    assert found == sorted(set(found))


def test_there_is_a_tab_for_every_page(controls):
    assert list(controls.tabs.options) == page_names()
    assert controls.tabs.value == "Boundaries"


def test_the_slider_of_trees_ends_at_the_largest_forest(controls):
    assert controls.trees.end == 8
    controls.trees.value = 3
    settle(controls.session)
    assert controls.session.state.view.trees == 3
    assert controls.session.latest.records[0].trees == 3


def test_a_tab_opens_its_page(controls):
    controls.tabs.value = "Posterior"
    settle(controls.session)
    assert controls.session.state.view.page == "Posterior"
