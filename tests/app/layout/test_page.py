import panel as pn
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages, build
from explorer.app.pages.controls import Controls
from explorer.app.state.page_list import page_names


@pytest.fixture
def pages(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:2")
    made = Pages(screen_of(session), Controls(session))
    yield made
    settle(session)


def test_a_page_is_built_when_its_tab_is_first_opened(pages):
    session = screen_of_session(pages)
    assert "Papers" not in pages.more
    session.open_page("Papers")
    first = pages.more["Papers"]
    session.open_page("Boundaries")
    session.open_page("Papers")
    assert pages.more["Papers"] is first


def screen_of_session(pages):
    return pages.screen.session


def test_only_the_open_page_is_seen(pages):
    session = screen_of_session(pages)
    session.open_page("Papers")
    assert "gone" not in pages.more["Papers"].view.css_classes
    session.open_page("Boundaries")
    assert "gone" in pages.more["Papers"].view.css_classes


def test_the_whole_page_is_a_template_with_all_tabs():
    template = build()
    assert isinstance(template, pn.Template)
    assert set(page_names()) >= {"Boundaries", "Papers"}
