"""Where in a lesson a visitor is, and the link that says so.

A step's link is short (`lesson=stairs-and-slopes&step=2`) while the app is as the step set it;
once somebody has turned a knob, the link holds the whole state too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from explorer.app.lessons.lesson import Lesson, Step
from explorer.app.state import link
from explorer.app.state.link import MINE, StepLink, joined

PLACE = ("lesson", "step", "own")


@dataclass(frozen=True)
class Place:
    """Where in a lesson somebody is; step counts from 0."""

    lesson: Lesson
    step: int

    @property
    def now(self) -> Step:
        return self.lesson.steps[self.step]

    @property
    def key(self) -> tuple[str, int]:
        return self.lesson.name, self.step

    def query(self, step: int | None = None) -> str:
        """The short link of a step."""
        return urlencode(
            [
                ("lesson", self.lesson.name),
                ("step", str(1 + (self.step if step is None else step))),
            ]
        )


@dataclass(frozen=True)
class Opened:
    """A link taken apart: the app's own query, the place in a lesson, what could not be read."""

    query: str
    place: Place | None = None
    notices: tuple[str, ...] = ()


def opened(query: str, lessons: Mapping[str, Lesson]) -> Opened:
    """Take a link apart. Reading never fails; what is wrong becomes a sentence."""
    if len(query) > 2 * link.LONGEST:
        return Opened(query)
    try:
        pairs = parse_qsl(query.removeprefix("?"), max_num_fields=200, errors="replace")
    except ValueError:
        return Opened(query)
    first = dict(reversed(pairs))
    if "lesson" not in first:
        return Opened(query)
    rest = urlencode([(k, v) for k, v in pairs if k not in PLACE])
    lesson = lessons.get(first["lesson"])
    if lesson is None:
        return Opened(rest, None, ("The link names a lesson that is not here.",))
    text = first.get("step", "1")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    notices: tuple[str, ...] = ()
    if not 1 <= number <= len(lesson.steps):
        number = 1
        notices = ("The link names a step that this lesson has not; this is its first.",)
    place = Place(lesson, number - 1)
    if first.get("own") == "1":
        return Opened(rest, place, notices)
    mine = [(k, first[k]) for k in MINE if k in first]
    return Opened(joined(place.now.query, urlencode(mine)), place, notices)


def step_link(place: Place | None) -> StepLink | None:
    """What a link says of a place in a lesson; None outside of one."""
    return None if place is None else StepLink(place.query(), place.now.query)
