"""What a lesson is, and reading one from a Markdown file with front matter.

Every fault is a sentence with file and line. Nothing in a file is trusted: YAML is only composed
into text, never into objects; aliases are refused; every length is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from explorer.app.lessons.step_state import StateFault, fields_of, merged, settled
from explorer.app.state.visitor import LETTERS, MOST_MODELS

LARGEST_FILE = 32_000  # bytes
DEEPEST = 12  # lists and mappings inside each other
MOST_STEPS = 6
LONGEST = {  # characters
    "title": 60,
    "about": 160,
    "text": 400,
    "look": 200,
    "choice": 120,
    "why": 300,
    "end": 1200,
}
KINDS = {"see": "See", "predict": "Predict", "explain": "Explain", "turn": "Your turn"}
# controls that a step may point at
POINTS: tuple[str, ...] = (
    "lead",
    "trees",
    "play",
    "layers",
    "tabs",
    "data",
    "knobs",
    "transform",
    "models",
)
POINTS += tuple(f"model {letter}" for letter in LETTERS)  # one model in the sidebar
POINTS += tuple(f"all knobs of {letter}" for letter in LETTERS)  # and with its knobs unfolded
# one knob of a model, by its name in a lesson and its name in the state
MODEL_POINTS = {"penalty": "lambdas", "scaling": "scaling", "features mixed": "n_combine"}
POINTS += tuple(f"{knob} of {letter}" for knob in MODEL_POINTS for letter in LETTERS)
POINTS += ("penalty", "leave out", "select", "band")  # on Nodes, Spectra, Proximity
POINTS += ("tour",)  # on Boundaries
EVERY_CARD = frozenset(range(MOST_MODELS))
_COMMON = {"look", "point", "state"}
_OF_PREDICT = {"choices", "answer", "cover"}


class LessonFault(ValueError):
    """What is wrong in a lesson file, with its line."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line, self.sentence = line, sentence


@dataclass(frozen=True)
class PredictionChoice:
    """A prediction to choose, and what is said to whoever chose it."""

    say: str
    why: str


@dataclass(frozen=True)
class Step:
    """One state of the app with words. query: the whole state, as a link without lesson.

    cover: cards whose result is unseen until a prediction is made; answer counts from 0.
    """

    kind: str
    text: str
    query: str
    look: str = ""
    point: str = ""
    choices: tuple[PredictionChoice, ...] = ()
    answer: int = -1
    cover: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Lesson:
    """A lesson. name: as in a link; end: Markdown shown with the last step."""

    name: str
    title: str
    about: str
    order: float
    steps: tuple[Step, ...]
    end: str = ""


def lesson_name(stem: str) -> str:
    """The name in a link of a file of that stem: small letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60]


def read_lesson(raw: bytes, name: str) -> Lesson:
    """The lesson in the bytes of a file; a fault is a `LessonFault`."""
    if not name:
        raise LessonFault(1, "The file's name has no letter or digit. Rename it.")
    if len(raw) > LARGEST_FILE:
        raise LessonFault(1, f"The file is longer than {LARGEST_FILE} bytes. Make two lessons.")
    try:
        whole = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LessonFault(line, "The text is not UTF-8. Save the file as UTF-8.") from None
    front, body, at = _halves(whole.replace("\r\n", "\n"))
    top = _Map(_compose(front), "The lesson")
    top.allow({"title", "about", "order", "state", "steps"})
    title = top.text("title", LONGEST["title"])
    about = top.text("about", LONGEST["about"])
    order = top.number("order", 1000.0)
    fields = _state_of(top, {})
    steps = []
    for i, item in enumerate(top.items("steps", 1, MOST_STEPS), 1):
        step, fields = _step(_Map(item, f"Step {i}"), fields)
        steps.append(step)
    if len(body) > LONGEST["end"]:
        raise LessonFault(
            at, f"The text under the front matter is longer than {LONGEST['end']} characters."
        )
    return Lesson(name, title, about, order, tuple(steps), body.strip())


def _halves(whole: str) -> tuple[str, str, int]:
    """Front matter, the Markdown under it, and the line where that begins."""
    lines = whole.split("\n")
    if lines[0].rstrip() != "---":
        raise LessonFault(1, "A lesson begins with a line of three dashes, then its front matter.")
    for i, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return "\n".join(lines[1:i]), "\n".join(lines[i + 1 :]), i + 2
    raise LessonFault(
        len(lines), "The front matter does not end. Put a line of three dashes under it."
    )


# ---- YAML, only as text with places


class _Loader(yaml.SafeLoader):
    """Composes nodes; refuses aliases, which could stand for endless text, and deep nesting."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise LessonFault(
                self.peek_event().start_mark.line + 2, "Write the text again instead of an alias."
            )
        self.depth += 1
        if self.depth > DEEPEST:
            raise LessonFault(
                self.peek_event().start_mark.line + 2, "Lists are nested too deep here."
            )
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


def _compose(front: str) -> Any:
    try:
        node = yaml.compose(front, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 2
        raise LessonFault(line, _plain_problem(error)) from None
    except yaml.reader.ReaderError as error:
        line = front[: int(error.position)].count("\n") + 2
        raise LessonFault(line, "There is a character here that is no text. Remove it.") from None
    except LessonFault:
        raise
    except (ValueError, OverflowError, RecursionError):  # PyYAML lets some through, as of "\U"
        raise LessonFault(2, "The front matter cannot be read. Look for odd characters.") from None
    if node is None:
        raise LessonFault(2, "The front matter is empty. Give title, about and steps.")
    return node


def _plain_problem(error: yaml.MarkedYAMLError) -> str:
    problem = str(error.problem or "not YAML").strip()
    return (
        f"The front matter cannot be read here ({problem}). "
        "Put text with a colon in quotes, and indent with spaces."
    )


class _Map:
    """A mapping of the front matter, read key by key; every refusal knows its line."""

    def __init__(self, node: Any, what: str) -> None:
        self.what, self.line = what, _line(node)
        if not isinstance(node, yaml.MappingNode):
            raise LessonFault(self.line, f"{what} must be a list of 'name: value' lines.")
        self.values: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise LessonFault(_line(key), f"{what} has a name that is no text.")
            if key.value in self.values:
                raise LessonFault(_line(key), f"{what} has '{_short(key.value)}' twice.")
            self.values[key.value] = value

    def allow(self, known: set[str]) -> None:
        for name, value in self.values.items():
            if name not in known:
                raise LessonFault(
                    _line(value),
                    f"{self.what} has '{_short(name)}', which is not known here. "
                    f"Known are {', '.join(sorted(known))}.",
                )

    def scalar(self, name: str) -> tuple[str, int] | None:
        """Text and line of a value that is no list; None if it is not there."""
        node = self.values.get(name)
        if node is None:
            return None
        if not isinstance(node, yaml.ScalarNode):
            raise LessonFault(_line(node), f"{self.what}: '{name}' must be plain text.")
        return str(node.value).strip(), _line(node)

    def text(self, name: str, longest: int, needed: bool = True) -> str:
        found = self.scalar(name)
        if found is None or not found[0]:
            if not needed and found is None:
                return ""
            line = self.line if found is None else found[1]
            raise LessonFault(line, f"{self.what} has no '{name}'. Write one.")
        if len(found[0]) > longest:
            raise LessonFault(
                found[1],
                f"{self.what}: '{name}' is longer than {longest} characters. Shorten it.",
            )
        return found[0]

    def number(self, name: str, otherwise: float) -> float:
        found = self.scalar(name)
        if found is None:
            return otherwise
        if not re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?", found[0], re.ASCII):
            raise LessonFault(found[1], f"{self.what}: '{name}' must be a number.")
        return float(found[0])

    def items(self, name: str, fewest: int, most: int) -> list[Any]:
        node = self.values.get(name)
        counts = f"{fewest} to {most}"
        if node is None:
            raise LessonFault(self.line, f"{self.what} has no '{name}'. Give {counts}.")
        if not isinstance(node, yaml.SequenceNode):
            raise LessonFault(_line(node), f"{self.what}: '{name}' must be a list.")
        if not fewest <= len(node.value) <= most:
            raise LessonFault(
                _line(node), f"{self.what} has {len(node.value)} {name}. Give {counts}."
            )
        return list(node.value)


def _line(node: Any) -> int:
    """Line in the file: the front matter begins at its second."""
    return int(node.start_mark.line) + 2


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"


# ---- steps


def _step(item: _Map, before: dict[str, list[str]]) -> tuple[Step, dict[str, list[str]]]:
    kinds = [k for k in KINDS if k in item.values]
    if len(kinds) != 1:
        raise LessonFault(
            item.line, f"{item.what} must have one of see, predict, explain or turn, with its text."
        )
    kind = kinds[0]
    item.allow({kind} | _COMMON | (_OF_PREDICT if kind == "predict" else set()))
    fields = _state_of(item, before)
    point = item.text("point", 30, needed=False)
    if point and point not in POINTS:
        raise LessonFault(
            _line(item.values["point"]),
            f"{item.what} points at '{_short(point)}'. It can point at {', '.join(POINTS)}.",
        )
    choices, answer = _choices(item) if kind == "predict" else ((), -1)
    step = Step(
        kind,
        item.text(kind, LONGEST["text"]),
        _checked(item, lambda: settled(fields)),
        item.text("look", LONGEST["look"], needed=False),
        point,
        choices,
        answer,
        _cover(item) if kind == "predict" else frozenset(),
    )
    return step, fields


def _choices(item: _Map) -> tuple[tuple[PredictionChoice, ...], int]:
    choices = []
    for i, node in enumerate(item.items("choices", 2, 4), 1):
        one = _Map(node, f"{item.what}, choice {i}")
        one.allow({"say", "why"})
        choices.append(
            PredictionChoice(one.text("say", LONGEST["choice"]), one.text("why", LONGEST["why"]))
        )
    found = item.scalar("answer")
    if found is None:
        raise LessonFault(item.line, f"{item.what} has no 'answer'. Give the number of a choice.")
    if found[0] not in [str(i + 1) for i in range(len(choices))]:
        raise LessonFault(
            found[1], f"{item.what}: 'answer' must be the number of a choice, 1 to {len(choices)}."
        )
    return tuple(choices), int(found[0]) - 1


def _cover(item: _Map) -> frozenset[int]:
    found = item.scalar("cover")
    if found is None or found[0] == "all":
        return EVERY_CARD
    letters = found[0].replace(",", " ").split()
    if not letters or any(len(w) != 1 or w not in LETTERS for w in letters):
        raise LessonFault(
            found[1], f"{item.what}: 'cover' must be all, or letters of forests such as B."
        )
    return frozenset(LETTERS.index(w) for w in letters)


def _state_of(item: _Map, before: dict[str, list[str]]) -> dict[str, list[str]]:
    """The state's fields: those of the step before, and what is said here."""
    node = item.values.get("state")
    if node is None:
        return before
    if isinstance(node, yaml.ScalarNode):
        return merged(before, _checked(item, lambda: fields_of(str(node.value))))
    told = _Map(node, f"{item.what}: state")
    fields: dict[str, list[str]] = {}
    for name, value in told.values.items():
        many = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if not many or not all(isinstance(v, yaml.ScalarNode) for v in many):
            raise LessonFault(_line(value), f"{told.what}: '{_short(name)}' must be plain text.")
        fields[name] = [str(v.value) for v in many]
    return merged(before, _checked(item, lambda: fields_of(fields)))


def _checked(item: _Map, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except StateFault as fault:
        node = item.values.get("state")
        line = item.line if node is None else _line(node)
        raise LessonFault(line, f"{item.what}: {fault}") from None
