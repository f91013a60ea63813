from app.screen import screen_of


def test_a_notice_is_shown_escaped_and_announced_to_screen_readers(new_session):
    session = new_session()
    session.note("Choose <two> classes.")
    html = screen_of(session).notice.pane.object
    assert 'role="status"' in html
    assert "Choose &lt;two&gt; classes." in html


def test_what_is_wrong_with_a_link_is_said_at_once(new_session):
    session = new_session("data=nothing-like-this")
    assert session.notices
    assert "notice" in screen_of(session).notice.pane.object
