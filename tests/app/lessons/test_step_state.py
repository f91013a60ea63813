import inspect
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app.lessons.library import Shelf
from explorer.app.lessons.place import Place, opened, step_link
from explorer.app.lessons.step_state import KEYS
from explorer.app.state import link
from explorer.app.state.link import MINE
from explorer.app.state.visitor import State

LESSONS = Shelf().lessons
STAIRS = LESSONS["stairs-and-slopes"]


def test_every_field_of_a_link_may_stand_in_a_lesson():
    source = inspect.getsource(link.write)
    fields = set(re.findall(r'\(\(?"(\w+)", ', source))
    assert {"data", "model", "page"} <= fields
    assert fields <= KEYS | set(MINE)


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_is_a_short_link_that_opens_it(name):
    lesson = LESSONS[name]
    for i, step in enumerate(lesson.steps):
        place = Place(lesson, i)
        query = step_link(place).joined_with(step.query)
        assert query == f"lesson={name}&step={i + 1}"
        came = opened(query, LESSONS)
        assert (came.place, came.query, came.notices) == (place, step.query, ())


def test_a_knob_turned_in_a_lesson_travels_in_the_link():
    place = Place(STAIRS, 0)
    query = step_link(place).joined_with("d.angle=30")
    came = opened(query, LESSONS)
    assert came.place == place
    state = State()
    assert link.read(came.query, state) == []
    assert state.data.knob("angle") == 30


def test_a_knob_turned_to_its_default_travels_too():
    query = step_link(Place(STAIRS, 0)).joined_with("")  # the step has 0 degrees, the default is 45
    assert opened(query, LESSONS).query == ""


def test_theme_and_present_mode_stay_the_visitors():
    state = f"{STAIRS.steps[0].query}&theme=dark&present=1"
    query = step_link(Place(STAIRS, 0)).joined_with(state)
    assert query == "lesson=stairs-and-slopes&step=1&theme=dark&present=1"
    assert opened(query, LESSONS).query == state


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("lesson=<script>&step=1", "not here"),
        ("lesson=nowhere", "not here"),
        ("lesson=why-ridge&step=99", "first"),
        ("lesson=why-ridge&step=0", "first"),
        ("lesson=why-ridge&step=-1", "first"),
        ("lesson=why-ridge&step=" + "9" * 500, "first"),
        ("lesson=why-ridge&step=two", "first"),
    ],
)
def test_a_bad_lesson_link_is_said_and_repeats_nothing_of_it(query, words):
    notices = opened(query, LESSONS).notices
    assert len(notices) == 1
    assert words in notices[0]
    assert "<" not in notices[0]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=string.printable, max_size=300), st.booleans())
def test_no_query_makes_opening_fail(text, lesson):
    came = opened(("lesson=why-ridge&step=2&" if lesson else "") + text, LESSONS)
    link.read(came.query, State())
