from app.screen import screen_of
from app.settling import settle
from explorer.app.session.events import Failed
from explorer.views.number_text import percent


def settled(session):
    session.refresh()
    settle(session)
    return session


def said(session):
    return screen_of(session).summary.pane.object


def test_the_summary_says_what_the_cards_say(new_session):
    session = settled(new_session())
    for card in screen_of(session).cards:
        assert f"OOB {percent(card.record.oob_error)}" in said(session)
        shape = card.sentence().rstrip(".")
        assert shape[1:] in said(session)
        assert f"{percent(card.record.oob_error)}" in card.numbers.object


def test_the_summary_never_keeps_the_numbers_of_an_earlier_picture(new_session):
    session = settled(new_session())
    before = said(session)
    session.data.turn_lead(20)
    session.commit()  # the gesture ends before its pictures are there
    settle(session)
    now = [percent(card.record.oob_error) for card in screen_of(session).cards]
    assert said(session) != before
    assert all(f"OOB {number}" in said(session) for number in now)


def test_nothing_is_read_out_during_a_drag(new_session):
    session = settled(new_session())
    for angle in (30, 31, 32):
        session.data.turn_lead(angle)
        settle(session)
        assert said(session) == ""
    session.commit()
    assert f"OOB {percent(screen_of(session).cards[0].record.oob_error)}" in said(session)


def test_a_model_that_is_fitted_late_is_in_the_summary(new_session):
    session = settled(new_session())
    session.models.choose_family(1, "knn")
    settle(session)
    assert "B knn" in said(session)
    assert "oRF-ridge" not in said(session)


def test_why_there_is_no_picture_is_in_the_summary(new_session):
    session = settled(new_session())
    session.announce(Failed("Too many trees."))
    assert (
        said(session).removeprefix("<p>").removesuffix("</p>")
        in screen_of(session).cards[0].numbers.object
    )
