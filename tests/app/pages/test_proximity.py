import numpy as np

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


def test_the_table_waits_for_the_proximities_of_new_data(new_session):
    """Between new data and their proximities a selection must not read the old record."""
    session = new_session("page=Proximity&data=clouds&model=RF~n_tree%3A10")
    page = ProximityPage(session)
    session.refresh()
    settle(session)
    before = page.table_card.body.object
    assert "<table" in before
    iris = new_session("page=Proximity&data=iris&model=RF~n_tree%3A10")
    iris.refresh()
    settle(iris)
    page.maps = iris.grown  # three classes, while the record is of two
    page.light_up(np.arange(140, 150))
    assert page.table_card.body.object == before
