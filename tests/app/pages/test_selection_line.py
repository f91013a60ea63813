from app.screen import screen_of
from app.settling import settle


def test_the_line_says_how_many_samples_are_selected_and_clears_them(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:2")
    session.refresh()
    settle(session)
    line = screen_of(session).selection
    assert not line.undo.visible
    session.selected.choose([1, 2, 3], "lasso")
    assert "3" in line.words.object
    assert 'role="status"' in line.words.object
    assert line.undo.visible
    line.undo.clicks += 1
    assert line.words.object == ""
    assert not line.undo.visible
