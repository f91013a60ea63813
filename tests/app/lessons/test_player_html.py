from dataclasses import replace
from types import SimpleNamespace

import pytest

from explorer.app.lessons.library import shelf
from explorer.app.lessons.place import Place
from explorer.app.lessons.player_html import list_html, progress_html, step_html, told_html


@pytest.fixture(scope="module")
def place():
    """A step that asks for a prediction."""
    for lesson in shelf().lessons.values():
        for i, step in enumerate(lesson.steps):
            if step.kind == "predict":
                return Place(lesson, i)
    raise AssertionError("no lesson asks for a prediction")


def test_every_lesson_is_listed_and_the_open_one_is_marked(place):
    html = list_html(shelf(), place.lesson.name)
    assert html.count("data-lesson") == len(shelf().lessons)
    assert html.count('aria-current="true"') == 1


def test_titles_and_faults_from_files_are_escaped(place):
    evil = replace(place.lesson, title="<img src=x>")
    held = SimpleNamespace(lessons={"a": evil}, faults=("<b>line 3</b>",))
    html = list_html(held, None)
    assert "<img" not in html
    assert "&lt;b&gt;line 3" in html


def test_steps_that_are_done_have_a_tick_and_the_open_one_is_marked(place):
    done = {(place.lesson.name, i) for i in range(len(place.lesson.steps))}
    html = progress_html(place, done)
    assert html.count("<li>") == len(place.lesson.steps)
    assert html.count('aria-current="step"') == 1
    assert html.count("✓") == len(place.lesson.steps) - 1


def test_the_answer_is_hidden_until_it_is_due(place):
    step = place.now
    right = step.choices[step.answer]
    assert right.why[:20] not in told_html(place, None, due=True)
    assert "As you said" in told_html(place, step.answer, due=False)
    wrong = next(i for i in range(len(step.choices)) if i != step.answer)
    told = told_html(place, wrong, due=False)
    assert "You said" in told
    assert "What happens" in told


def test_the_last_step_has_the_end_of_the_lesson(place):
    lesson = replace(place.lesson, end="That was all.")
    last = Place(lesson, len(lesson.steps) - 1)
    assert "That was all." in step_html(last, due=False)
    assert "That was all." not in step_html(Place(lesson, 0), due=False)
