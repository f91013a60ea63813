"""The chain of preparation steps that a visitor chose: checked, and as words of a link.

A step is (name, ((knob, value), ...)) with the knobs that differ from their defaults, so that a
chain can be part of a cache's key. In a link it is "derivative~order:2~window:9".
"""

from __future__ import annotations

from typing import Any

from explorer.data.chain import MOST_STEPS, STEPS, Chain
from explorer.data.transforms import TRANSFORMS
from explorer.data.transforms.base import Transform

ChainStep = tuple[str, tuple[tuple[str, Any], ...]]
Steps = tuple[ChainStep, ...]
LONGEST = 200  # characters of a step in a link


def transforms_of(steps: Steps) -> tuple[Transform, ...]:
    """The steps as transforms; what cannot be is a ValueError in words."""
    return Chain.of(*((name, dict(knobs)) for name, knobs in steps)).steps


def added(steps: Steps, name: str, knobs: dict[str, Any] | None = None) -> Steps:
    """One more step at the end."""
    if len(steps) >= MOST_STEPS:
        raise ValueError(f"A chain has at most {MOST_STEPS} steps; remove one first.")
    return _checked((*steps, (name, tuple(sorted((knobs or {}).items())))))


def removed(steps: Steps, place: int) -> Steps:
    _check_place(steps, place)
    return (*steps[:place], *steps[place + 1 :])


def moved(steps: Steps, place: int, to: int) -> Steps:
    """The step at a place, elsewhere; beyond an end it stays at that end."""
    _check_place(steps, place)
    rest = removed(steps, place)
    to = min(max(0, to), len(rest))
    return (*rest[:to], steps[place], *rest[to:])


def turned(steps: Steps, place: int, name: str, value: Any) -> Steps:
    """One knob of a step set, checked by it."""
    _check_place(steps, place)
    step, knobs = steps[place]
    settings = TRANSFORMS[step].knobs()
    if name not in settings:
        raise ValueError(f"Step '{step}' has no knob '{name}'.")
    value = settings[name].check(f"Knob '{name}'", value)
    kept = {k: v for k, v in knobs if k != name}
    if value != settings[name].default:
        kept[name] = value
    return _checked((*steps[:place], (step, tuple(sorted(kept.items()))), *steps[place + 1 :]))


def _checked(steps: Steps) -> Steps:
    transforms_of(steps)
    return steps


def _check_place(steps: Steps, place: int) -> None:
    if not 0 <= place < len(steps):
        raise ValueError(f"There is no step {place + 1} in this chain.")


def written(step: ChainStep) -> str:
    """A step as a link has it."""
    name, knobs = step
    return "~".join([name, *(f"{k}:{v!r}" if isinstance(v, float) else f"{k}:{v}"
                             for k, v in knobs)])  # fmt: skip


def parsed(text: str) -> tuple[str, dict[str, Any]]:
    """Name and knobs of a step in a link; anything else is a ValueError."""
    name, *parts = text[:LONGEST].split("~")
    if name not in STEPS:
        raise ValueError("There is no such preparation step.")
    settings = TRANSFORMS[name].knobs()
    knobs: dict[str, Any] = {}
    for part in parts:
        knob, _, value = part.partition(":")
        if knob not in settings:
            raise ValueError(f"Step '{name}' has no such knob.")
        default = settings[knob].default
        if isinstance(default, bool):
            knobs[knob] = {"True": True, "False": False}.get(value, value)
        else:
            knobs[knob] = type(default)(value)
        knobs[knob] = settings[knob].check(f"Knob '{knob}'", knobs[knob])
    return name, knobs
