import pytest

from explorer.app.lessons.library import shelf
from explorer.app.lessons.place import Place, opened, step_link


@pytest.fixture(scope="module")
def lessons():
    return shelf().lessons


@pytest.fixture(scope="module")
def lesson(lessons):
    return next(iter(lessons.values()))


def test_a_link_to_a_step_opens_it_with_its_state(lessons, lesson):
    found = opened(f"?lesson={lesson.name}&step=2", lessons)
    assert found.place == Place(lesson, 1)
    assert found.query == lesson.steps[1].query
    assert found.notices == ()


def test_a_link_within_a_lesson_may_hold_a_state_of_its_own(lessons, lesson):
    found = opened(f"lesson={lesson.name}&step=1&own=1&data=moons", lessons)
    assert found.query == "data=moons"
    assert found.place.step == 0


@pytest.mark.parametrize("step", ["0", "99", "x", "-1", "1" * 50])
def test_a_step_that_is_not_there_opens_the_first_and_says_so(lessons, lesson, step):
    found = opened(f"lesson={lesson.name}&step={step}", lessons)
    assert found.place.step == 0
    assert len(found.notices) == 1


def test_an_unknown_lesson_leaves_the_rest_of_the_link(lessons):
    found = opened("lesson=nowhere&data=moons", lessons)
    assert found.place is None
    assert found.query == "data=moons"
    assert found.notices


def test_outside_a_lesson_the_link_stays_as_it_is(lessons):
    assert opened("data=moons&seed=1", lessons).query == "data=moons&seed=1"
    assert step_link(None) is None


def test_the_short_link_of_a_place_leads_back_to_it(lessons, lesson):
    place = Place(lesson, 1)
    assert opened(place.query(), lessons).place == place
    assert opened(place.query(0), lessons).place.step == 0
