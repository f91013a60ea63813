from app.settling import settle
from explorer.app.pages.proximity import ProximityPage


def test_the_words_count_the_marks_that_are_drawn_and_no_others(new_session):
    session = new_session("page=Proximity&model=RF~n_tree%3A20")
    page = ProximityPage(session)
    session.refresh()
    settle(session)
    words = page.cards[0].words
    assert "wrong" in words.object
    assert "outlying" in words.object
    page.marks.value = ["Misclassified"]
    assert "wrong" in words.object
    assert "outlying" not in words.object
    page.marks.value = []
    assert "wrong" not in words.object
    assert "This plane explains" in words.object
