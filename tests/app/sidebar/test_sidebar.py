import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.sidebar.sidebar import MOST_TILES, thumbnails
from explorer.data import catalogue


@pytest.fixture
def sidebar(new_session):
    session = new_session("data=moons&d.n=40&page=Papers&model=RF~n_tree:2")
    yield screen_of(session).sidebar
    settle(session)


def test_every_picture_on_a_tile_is_of_a_data_set_of_the_catalogue():
    found = thumbnails()
    assert found
    assert set(found) <= set(catalogue())
    assert all(svg.startswith("<svg") for svg in found.values())


def test_every_data_set_can_be_chosen(sidebar):
    offered = set(thumbnails()) | set(sidebar.others.values)
    assert set(catalogue()) <= offered
    assert not set(thumbnails()) & set(sidebar.others.values)


def test_choosing_another_data_set_changes_the_state(sidebar):
    sidebar.others.value = next(name for name in sidebar.others.values if name in catalogue())
    assert sidebar.session.state.data.source == sidebar.others.value


def test_class_names_in_the_legend_are_escaped(sidebar):
    sidebar.show_legend(("<b>", "other"), [3, 4])
    texts = [str(getattr(part, "object", "")) for part in vars(sidebar).values()]
    assert not any("<b></" in text or "> <b> " in text for text in texts)
    assert any("&lt;b&gt;" in text for text in texts)


def test_tiles_fill_two_rows_and_their_names_fit():
    assert list(thumbnails()) == [
        *("clouds", "pair", "mixture", "spirals", "moons", "circles", "xor", "checkerboard")
    ]
    assert len(thumbnails()) <= MOST_TILES


def test_every_description_fits_the_headline_beside_a_slider():
    """Data with a hint under the headline have one line for it at 1280 pixels."""
    hinted = {name: e.description for name, e in catalogue().items() if e.group != "2-D"}
    assert {name: words for name, words in hinted.items() if len(words) > 76} == {}
