"""Templates for file names: "{class}_{group}_#" reads "oak_tree7_2" as class oak, group tree7.

{class} and {group} are what is looked for, * stands for anything, # for a number, and other
characters for themselves. Names come from uploads and templates from a page, and a regular
expression can take years for a name of a hundred letters. So a name is matched here in time that
grows with its length: from its end, part by part, with one bit for every place where the rest of
the template fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.data.readers.refused import FileRefused, shown

MOST_CHARACTERS = 200
MOST_STARS = 8
_PARTS = re.compile(r"(\{class\}|\{group\}|\*|#)")


@dataclass(frozen=True)
class _Part:
    """name: "class" or "group" where it is looked for. literal: characters that stand for
    themselves, else "". least: of the characters that it takes. takes: whether it may take one.
    lazy: it takes as few as it can, else as many."""

    name: str = ""
    literal: str = ""
    least: int = 1
    takes: Callable[[str], bool] | None = None  # None: any character
    lazy: bool = True


class Template:
    """A template that was understood; FileRefused if it cannot be."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS or max(text.count("*"), text.count("#")) > MOST_STARS:
            raise FileRefused("The template for file names is too long. Use at most eight * and #.")
        self.text = text
        self.names: set[str] = set()
        pieces = [piece for piece in _PARTS.split(text) if piece]
        self._parts = [self._part(p, pieces[k + 1 :]) for k, p in enumerate(pieces)]

    def _part(self, piece: str, after: list[str]) -> _Part:
        if piece == "*":
            return _Part(least=0)
        if piece == "#":
            return _Part(takes=str.isdecimal, lazy=False)
        if piece not in ("{class}", "{group}"):
            return _Part(literal=piece)
        if piece in self.names:
            raise FileRefused(f"The template {shown(self.text)} has {piece} twice.")
        self.names.add(piece)
        # up to the character that follows it, so that no part swallows the next one
        stop = after[0][0] if after and not _PARTS.fullmatch(after[0]) else ""
        return _Part(piece[1:-1], takes=(lambda c: c != stop) if stop else None)

    def has(self, what: str) -> bool:
        return f"{{{what}}}" in self.names

    def match(self, name: str) -> dict[str, str] | None:
        """What {class} and {group} are in a name; None if the template does not fit it."""
        fits = [1 << len(name)]  # bit j of the last: the parts after this one fit from place j on
        for part in reversed(self._parts):
            fits.append(_places(part, name, fits[-1]))
        fits.reverse()
        if not fits[0] & 1:
            return None
        found, at = {}, 0
        for part, rest in zip(self._parts, fits[1:], strict=True):
            end = _end(part, name, at, rest)
            if part.name:
                found[part.name] = name[at:end]
            at = end
        return found


def _places(part: _Part, name: str, rest: int) -> int:
    """Where a part fits, if what follows it must begin at one of the places in `rest`."""
    if part.literal:
        here, at = 0, name.find(part.literal)
        while at >= 0:
            here |= 1 << at
            at = name.find(part.literal, at + 1)
        return here & (rest >> len(part.literal))
    if part.takes is None:  # anything: every place before the last of them
        return (1 << max(0, rest.bit_length() - part.least)) - 1
    here, before = 0, False  # whether this part could begin one place later
    for at in range(len(name) - 1, -1, -1):
        before = part.takes(name[at]) and (before or bool(rest >> (at + 1) & 1))
        here |= before << at
    return here


def _end(part: _Part, name: str, at: int, rest: int) -> int:
    """Where a part that begins at `at` ends: as soon as it can, or as late."""
    if part.literal:
        return at + len(part.literal)
    ends = rest >> (at + part.least)
    if part.lazy:
        return at + part.least + (ends & -ends).bit_length() - 1
    last = at
    while last < len(name) and part.takes is not None and part.takes(name[last]):
        last += 1
    within = rest & ((1 << (last + 1)) - 1)
    return within.bit_length() - 1
