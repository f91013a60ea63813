import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app.lessons.lesson import (
    EVERY_CARD,
    KINDS,
    LARGEST_FILE,
    POINTS,
    LessonFault,
    lesson_name,
    read_lesson,
)
from explorer.app.lessons.markdown import html_of

GOOD = """---
title: A lesson
about: What it is about.
order: 3
state: data=clouds&d.angle=0
steps:
  - see: "Two clouds: look."
    look: The border.
    point: lead
  - predict: What happens?
    state:
      d.angle: 45
    cover: B
    choices:
      - say: Nothing
        why: It turns.
      - say: Much
        why: Straight cuts make stairs.
    answer: 2
  - turn: Try it.
    state:
      data: wine
      model: [RF, "F-RC~n_combine:3"]
---
The *end*.
"""


def read(text, name="a-lesson"):
    return read_lesson(text.encode(), name)


def fault(text):
    with pytest.raises(LessonFault) as caught:
        read(text)
    return caught.value.line, caught.value.sentence


def test_a_lesson_has_its_words_and_its_states():
    lesson = read(GOOD)
    assert (lesson.title, lesson.about, lesson.order) == ("A lesson", "What it is about.", 3)
    assert [s.kind for s in lesson.steps] == ["see", "predict", "turn"]
    see, predict, turn = lesson.steps
    assert (see.text, see.look, see.point) == ("Two clouds: look.", "The border.", "lead")
    assert [c.say for c in predict.choices] == ["Nothing", "Much"]
    assert (predict.answer, predict.cover) == (1, frozenset({1}))
    assert turn.query == "data=wine&model=RF&model=F-RC~n_combine%3A3"
    assert lesson.end == "The *end*."


def test_what_a_step_does_not_say_stays_as_in_the_step_before():
    lesson = read(GOOD.replace("      d.angle: 45\n", "      d.n: 50\n"))
    assert lesson.steps[1].query == "d.angle=0&d.n=50"


def test_other_data_begin_with_their_own_knobs():
    assert "angle" not in read(GOOD).steps[2].query


def test_a_state_may_be_a_whole_address_copied_with_share():
    address = "https://a.example/x?d.angle=10&trees=7"
    text = GOOD.replace("data=clouds&d.angle=0", address)
    assert read(text).steps[0].query == "d.angle=10&trees=7"


def test_a_prediction_without_cover_covers_every_card():
    assert read(GOOD.replace("    cover: B\n", "")).steps[1].cover == EVERY_CARD


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("---\ntitle", "title", 1, "three dashes"),
        ("---\nThe", "The", 25, "does not end"),
        ("title: A lesson\n", "", 2, "no 'title'"),
        ("title: A lesson", "title: " + "x" * 61, 2, "longer than 60"),
        ("order: 3", "order: soon", 4, "must be a number"),
        ("title: A lesson", "title: A lesson\ntitle: Again", 3, "twice"),
        ("about:", "abuot:", 3, "not known here"),
        ('"Two clouds: look."', "Two clouds: look.", 7, "quotes"),
        ("  - see:", "  - sea:", 7, "one of see, predict, explain or turn"),
        ("point: lead", "point: moon", 9, "can point at"),
        ("d.angle: 45", "d.angle: 1000", 12, "'d.angle' cannot be '1000'"),
        ("d.angle: 45", "angle: 45", 12, "no 'angle'"),
        ("d.angle: 45", "theme: dark", 12, "visitor's"),
        ("cover: B", "cover: Z", 13, "'cover' must be"),
        ("answer: 2", "answer: 3", 19, "number of a choice, 1 to 2"),
        ("    answer: 2\n", "", 10, "no 'answer'"),
        ("        why: It turns.\n", "", 15, "no 'why'"),
        ("data: wine", "data: whine", 22, "'data' cannot be 'whine'"),
        ('"F-RC~n_combine:3"', "F-XX", 22, "'model' cannot be 'F-XX'"),
        ("title: A lesson", "title: [a, b]", 2, "plain text"),
        ("title: A lesson", "title: &x A\nabout2: *x", 3, "alias"),
        ("title: A lesson", "title: " + "[" * 40, 2, "too deep"),
        ("title: A lesson", 'title: "\\UFFFFFFFF"', 2, "cannot be read"),
        ("title: A lesson", "title: a\x07b", 2, "no text"),
        ("The *end*.", "x" * 1300, 25, "longer than 1200"),
        ("state: data=clouds&d.angle=0", "state: hello", 5, "no link of this app"),
    ],
)
def test_a_fault_is_a_sentence_with_its_line(old, new, line, words):
    assert old in GOOD
    at, sentence = fault(GOOD.replace(old, new, 1))
    assert words in sentence
    assert sentence.endswith(".")
    assert at == line


def test_too_many_steps_and_choices_are_refused():
    steps = "  - see: Look.\n" * 7
    assert "7 steps" in fault(f"---\ntitle: T\nabout: A\nsteps:\n{steps}---\n")[1]
    choices = "      - say: A\n        why: B\n" * 5
    head = "---\ntitle: T\nabout: A\nsteps:\n  - predict: P\n    answer: 1\n"
    text = f"{head}    choices:\n{choices}---"
    assert "5 choices" in fault(text)[1]


def test_a_file_that_is_too_long_or_no_utf8_is_refused():
    with pytest.raises(LessonFault, match="longer than"):
        read_lesson(b"-" * (LARGEST_FILE + 1), "a")
    with pytest.raises(LessonFault, match="UTF-8"):
        read_lesson(GOOD.encode("utf-16"), "a")


@pytest.mark.parametrize(
    ("stem", "name"),
    [("My Lesson 1", "my-lesson-1"), ("../../x", "x"), ("<b>", "b"), ("été", "t"), ("---", "")],
)
def test_a_name_in_a_link_has_small_letters_digits_and_dashes(stem, name):
    assert lesson_name(stem) == name


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://elsewhere/x.png)",
        "<a href='x'>x</a>",
        "`<b>`",
        "&lt;script&gt;",
        "- <svg onload=alert(1)>",
    ],
)
def test_html_in_a_lesson_is_shown_as_text(text):
    html = html_of(text)
    tags = {t.split(">")[0].split()[0].strip("/") for t in html.split("<")[1:]}
    assert tags <= {"p", "ul", "li", "code", "strong", "em"}


def test_a_little_markdown_is_drawn():
    assert html_of("**Works:** *it*") == "<p><strong>Works:</strong> <em>it</em></p>\n"


def read_or_refusal(raw):
    try:
        return read_lesson(raw, "a")
    except LessonFault as refusal:
        return refusal


def mutated(seed):
    """A good lesson with some characters, lines or words changed."""
    rng = random.Random(seed)
    text = GOOD
    for _ in range(rng.randint(1, 6)):
        i = rng.randrange(len(text))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:i] + text[i + rng.randint(1, 30) :]
        elif kind == 1:
            text = text[:i] + rng.choice("[]{}:-&*!|>'\"%@`\t\n \\#,?~é\x00") + text[i:]
        elif kind == 2:
            lines = text.split("\n")
            rng.shuffle(lines[3:9])
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        else:
            text = (
                text[:i]
                + rng.choice(["state: 1", "9" * 40, "- - -", "<<: *a", "!!int x"])
                + text[i:]
            )
    return text


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9))
def test_a_mutated_lesson_is_read_or_refused_with_a_sentence(seed):
    text = mutated(seed)
    made = read_or_refusal(text.encode())
    if isinstance(made, LessonFault):
        assert 1 <= made.line <= text.count("\n") + 2
        assert made.sentence.endswith(".")
    else:
        assert all(s.kind in KINDS and s.point in ("", *POINTS) for s in made.steps)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=300))
def test_no_bytes_and_no_text_make_reading_fail_otherwise(raw, text):
    inside = f"---\n{text}\n---\n".encode("utf-8", "replace")
    for tried in (raw, b"---\n" + raw + b"\n---\n", inside):
        made = read_or_refusal(tried)
        assert not isinstance(made, LessonFault) or made.line >= 1


def test_the_example_in_contributing_is_a_lesson():
    text = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = text.split("```markdown\n")[1].split("```")[0]
    lesson = read(example, "two-moons")
    assert [s.kind for s in lesson.steps] == ["see", "predict", "turn"]
    assert lesson.steps[1].query == "data=moons&d.n=20"
    assert lesson.end.startswith("**Works:**")
