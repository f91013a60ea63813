"""The state of a lesson's step: a link or its fields, checked."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from explorer.app.state import link
from explorer.app.state.visitor import State

KEYS = {
    *("data", "points", "step", "transform", "band"),
    *("model", "linked"),
    *("page", "soft", "layers", "trees", "plane", "look", "at", "fix", "frame", "depth"),
    *("node", "picked", "why", "measure", "flipped", "study"),
}
# what goes when a step names other data
_OF_DATA = frozenset(
    (
        "points",
        "step",
        "transform",
        "band",
        "trees",
        "plane",
        "look",
        "at",
        "fix",
        "frame",
        "depth",
        "node",
        "picked",
        "why",
        "flipped",
    )
)
Fields = dict[str, list[str]]


class StateFault(ValueError):
    """Why a lesson's state cannot be used."""


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
        if name not in KEYS and not name.startswith(("d.", "t.", "s.")):
            hint = " It is the visitor's." if name in link.MINE else ""
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
