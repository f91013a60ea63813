"""Owns the state of a lesson's step: a link or its fields, checked, and joined with a lesson.

A step's link is short (`lesson=stairs-and-slopes&step=2`) while the app is as the step set it;
once somebody has turned a knob, the link holds the whole state too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from explorer.app import link
from explorer.app.state import State

if TYPE_CHECKING:
    from explorer.app.lesson import Lesson, Step

KEYS = {
    *("data", "points", "transform", "band"),
    *("model", "linked"),
    *("page", "soft", "layers", "trees", "plane", "look", "at", "fix"),
    *("node", "picked", "measure", "flipped", "study"),
}
OWN = ("theme", "present")  # the visitor's, whatever a lesson says
PLACE = ("lesson", "step", "own")
# what goes when a step names other data
_OF_DATA = frozenset(
    (
        "points",
        "transform",
        "band",
        "trees",
        "plane",
        "look",
        "at",
        "fix",
        "node",
        "picked",
        "flipped",
    )
)
Fields = dict[str, list[str]]


class StateFault(ValueError):
    """Why a lesson's state cannot be used."""


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


def fields_of(said: str | Mapping[str, list[str]]) -> Fields:
    """Fields of a link (a whole address will do) or of a mapping; unknown names are refused."""
    if isinstance(said, str):
        try:
            pairs = parse_qsl(said.rpartition("?")[2], max_num_fields=200, errors="strict")
        except (ValueError, UnicodeDecodeError):
            raise StateFault("the state is no link of this app. Copy one with Share.") from None
        if said.strip() and not pairs:
            raise StateFault("the state is no link of this app. Copy one with Share.")
        told: Fields = {}
        for name, value in pairs:
            told.setdefault(name, []).append(value)
    else:
        told = {name: list(values) for name, values in said.items()}
    for name in told:
        if name not in KEYS and not name.startswith(("d.", "t.")):
            hint = " It is the visitor's." if name in OWN else ""
            raise StateFault(f"the state has no '{name[:30]}'.{hint}")
    return told


def merged(before: Fields, said: Fields) -> Fields:
    """A step's fields over those before it; other data begin with their own knobs."""
    kept = dict(before)
    if "data" in said:
        kept = {k: v for k, v in kept.items() if k not in _OF_DATA and k[:2] not in ("d.", "t.")}
    elif "transform" in said:
        kept = {k: v for k, v in kept.items() if not k.startswith("t.")}
    return {**kept, **said}


def settled(fields: Fields) -> str:
    """The query of a state, as the app itself writes it; what it refuses is a StateFault."""
    pairs = [(name, value) for name, values in fields.items() for value in values]
    query = urlencode(pairs, errors="replace")
    if len(query) > link.LONGEST:
        raise StateFault("the state is too long for a link.")
    state = State()
    if link.read(query, state):
        name, value = _refused(pairs)
        raise StateFault(
            f"the state's '{name[:30]}' cannot be '{value[:30]}'. "
            "Copy a link with Share to see how it is written."
        )
    return link.write(state)


def _refused(pairs: list[tuple[str, str]]) -> tuple[str, str]:
    """The last pair without which the app would take the others: a knob before its data set."""
    for i, pair in reversed(list(enumerate(pairs))):
        rest = urlencode(pairs[:i] + pairs[i + 1 :], errors="replace")
        if not link.read(rest, State()):
            return pair
    return pairs[0]


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
    mine = [(k, first[k]) for k in OWN if k in first]
    return Opened(_joined(place.now.query, urlencode(mine)), place, notices)


def written(query: str, place: Place | None) -> str:
    """The link of a state in a lesson: short while it is the step's own."""
    if place is None:
        return query
    state, mine = apart(query)
    if state == place.now.query:
        return _joined(place.query(), mine)
    return _joined(state, place.query(), "own=1", mine)


def apart(query: str) -> tuple[str, str]:
    """A query without the visitor's theme and present mode, and those."""
    pairs = parse_qsl(query)
    return (
        urlencode([(k, v) for k, v in pairs if k not in OWN]),
        urlencode([(k, v) for k, v in pairs if k in OWN]),
    )


def with_mine(state: str, query: str) -> str:
    """A step's state with the theme and present mode of another query."""
    return _joined(state, apart(query)[1])


def _joined(*parts: str) -> str:
    return "&".join(part for part in parts if part)
