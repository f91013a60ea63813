from app.settling import settle
from explorer.app.session.events import PageOpened, Restored


def test_opening_a_tab_announces_it_and_writes_it_into_the_link(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:2")
    opened = []
    session.subscribe(PageOpened, lambda event: opened.append(event.page))
    session.open_page("Posterior")
    settle(session)
    assert opened == ["Posterior"]
    assert "page=Posterior" in session.gestures.link()


def test_an_unknown_page_is_refused_with_a_notice(new_session):
    session = new_session("model=RF~n_tree:2")
    before = session.state.view.page
    session.open_page("Attic")
    settle(session)
    assert session.state.view.page == before


def test_leaving_for_another_page_has_the_tabs_follow(new_session):
    session = new_session("model=RF~n_tree:2")
    heard = []
    for kind in (Restored, PageOpened):
        session.subscribe(kind, lambda event: heard.append(type(event)))
    session.navigation.leave_for("Papers")
    assert heard == [Restored, PageOpened]
    assert session.state.view.page == "Papers"
