"""HTML of the lesson panel and of the list of lessons. Text from files is escaped here."""

from __future__ import annotations

from explorer.app.lessons.lesson import KINDS
from explorer.app.lessons.library import Shelf
from explorer.app.lessons.markdown import html_of
from explorer.app.lessons.place import Place
from explorer.app.widgets import plain


def list_html(shelf: Shelf, here: str | None) -> str:
    """Every lesson as a link, and files that could not be read."""
    items = []
    for lesson in shelf.lessons.values():
        now = ' aria-current="true"' if lesson.name == here else ""
        items.append(
            f'<li><a href="?lesson={plain(lesson.name)}&amp;step=1" data-lesson{now}>'
            f"<b>{plain(lesson.title)}</b><span>{plain(lesson.about)}</span></a></li>"
        )
    faults = "".join(f"<li>{plain(sentence)}</li>" for sentence in shelf.faults)
    told = f"<h3>Not read</h3><ul class='faults'>{faults}</ul>" if faults else ""
    return f"<ol class='list'>{''.join(items)}</ol>{told}"


def progress_html(place: Place, done: set[tuple[str, int]]) -> str:
    """The steps as links; those that are done have a tick."""
    items = []
    for i, step in enumerate(place.lesson.steps):
        ticked = (place.lesson.name, i) in done
        words = f"Step {i + 1}: {KINDS[step.kind]}{', done' if ticked else ''}"
        now = ' aria-current="step"' if i == place.step else ""
        mark = "✓" if ticked and not now else str(i + 1)
        items.append(
            f'<li><a href="?{plain(place.query(i))}" data-lesson{now} aria-label="{words}" '
            f'title="{words}">{mark}</a></li>'
        )
    return f'<ol class="steps">{"".join(items)}</ol>'


def step_html(place: Place, due: bool) -> str:
    """The text of a step and what to look for; the last step has the lesson's end too."""
    step = place.now
    kind = "Reveal" if step.kind == "predict" and not due else KINDS[step.kind]
    look = "" if step.kind == "predict" else _look(place)
    end = ""
    if place.lesson.end and place.step + 1 == len(place.lesson.steps):
        end = f'<div class="end">{html_of(place.lesson.end)}</div>'
    text = f'<div><div class="text">{html_of(step.text)}</div>{look}</div>'
    if end:  # beside the text where there is room, right under it elsewhere
        text = f'<div class="beside"><div class="parts">{text}{end}</div></div>'
    return f'<p class="kind">{kind}</p>{text}'


def _look(place: Place) -> str:
    words = place.now.look
    return f'<div class="look"><b>Look for</b>{html_of(words)}</div>' if words else ""


def told_html(place: Place, guess: int | None, due: bool) -> str:
    """After the reveal: the guess and the truth together, and why."""
    step = place.now
    if step.kind != "predict":
        return ""
    if due:
        words = "Choose one, then reveal." if guess is None else "Reveal when you are ready."
        return f'<p class="told hint">{words}</p>'
    right = step.choices[step.answer]
    if guess is None:
        return (
            f'<div class="told"><p><b>What happens:</b> {plain(right.say)}</p>{html_of(right.why)}'
            f"{_look(place)}</div>"
        )
    if guess == step.answer:
        return (
            f'<div class="told"><p><b>As you said:</b> {plain(right.say)}</p>{html_of(right.why)}'
            f"{_look(place)}</div>"
        )
    wrong = step.choices[guess]
    return (
        f'<div class="told"><p><b>You said:</b> {plain(wrong.say)}</p>{html_of(wrong.why)}'
        f"<p><b>What happens:</b> {plain(right.say)}</p>{html_of(right.why)}"
        f"{_look(place)}</div>"
    )
