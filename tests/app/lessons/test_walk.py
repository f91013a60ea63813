"""Every lesson from its first step to its last and back, with every prediction made."""

import pytest

from app.lessons.visiting import errors_seen, open_lesson
from app.settling import settle
from explorer.app.lessons.library import Shelf
from explorer.app.session.events import Failed
from explorer.sentences import sentence_of

LESSONS = Shelf().lessons


def look(guide):
    settle(guide.session)
    place = guide.place.key
    if guide._due():
        guide.choose(0)
        guide.reveal()
        settle(guide.session)
    assert errors_seen(guide) == [], place


@pytest.mark.parametrize("name", LESSONS)
def test_no_step_of_a_lesson_shows_an_error_on_the_way_there_or_back(new_session, name, caplog):
    guide = open_lesson(new_session, f"lesson={name}&step=1")
    last = len(LESSONS[name].steps) - 1
    look(guide)
    for by in (1, -1):
        for _ in range(last):
            guide.go(by)
            look(guide)
    assert guide.place.step == 0
    assert [r.message for r in caplog.records if r.levelname in ("WARNING", "ERROR")] == []


def test_an_error_on_a_page_would_be_seen(new_session):
    guide = open_lesson(new_session, "lesson=broken-sensors&step=1")
    settle(guide.session)
    guide.session.events.announce(Failed(sentence_of(TypeError("int() got no string"))))
    assert errors_seen(guide)
