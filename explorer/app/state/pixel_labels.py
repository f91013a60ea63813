"""Labelled pixels of an image while a person paints them: strokes, boxes, undo, class names."""

from __future__ import annotations

import re

import numpy as np
import pandas
from numpy.typing import NDArray

from explorer.data.csv_cells import to_csv

MOST_CLASSES = 10
MOST_UNDO = 12
LONGEST_NAME = 40
FIRST_NAMES = ("class 1", "class 2")
_BOX = re.compile(r"\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\s*[,;]\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\s*")


class PixelLabels:
    """codes: int8 [lines, samples], class 0..K-1, -1 without a label. names: of the classes."""

    def __init__(self, lines: int, samples: int) -> None:
        self.codes: NDArray[np.int8] = np.full((lines, samples), -1, np.int8)
        self.names: tuple[str, ...] = FIRST_NAMES
        self.before: list[tuple[NDArray[np.int8], tuple[str, ...]]] = []
        self._last: tuple[int, int] | None = None

    @property
    def counts(self) -> list[int]:
        """Labelled pixels per class."""
        return [int((self.codes == k).sum()) for k in range(len(self.names))]

    def rename(self, text: str) -> None:
        """Class names, typed with commas between; ValueError says what is wrong with them."""
        names = tuple(part.strip()[:LONGEST_NAME] for part in str(text)[:1000].split(","))
        names = tuple(name for name in names if name)
        if not 2 <= len(names) <= MOST_CLASSES or len(set(names)) < len(names):
            raise ValueError(f"Write 2 to {MOST_CLASSES} different names, with commas between.")
        used = int(self.codes.max()) + 1
        if len(names) < used:
            raise ValueError(f"Pixels of class {used} are labelled; name it, or erase them first.")
        self.names = names

    def replace(self, codes: NDArray[np.intp], names: tuple[str, ...]) -> None:
        """Labels that were loaded; they can be undone."""
        if len(names) > MOST_CLASSES:
            raise ValueError(
                f"There are {len(names)} classes; up to {MOST_CLASSES} have a colour of their own. "
                "Join some."
            )
        self.begin()
        self.codes = codes.astype(np.int8)
        self.names = names if len(names) >= 2 else (*names, *FIRST_NAMES)[:2]

    # ---- strokes

    def begin(self) -> None:
        """A stroke begins: what was before can be had back."""
        self.before = [*self.before[1 - MOST_UNDO :], (self.codes.copy(), self.names)]
        self._last = None

    def touch(self, line: int, sample: int, size: int, label: int) -> None:
        """Label a disc of `size` pixels across, and the way from the last touch; -1 erases."""
        if not -1 <= label < len(self.names):
            raise ValueError("That class is not in the list.")
        start = self._last or (line, sample)
        steps = max(abs(line - start[0]), abs(sample - start[1]), 1)
        for k in range(steps + 1):
            share = k / steps
            at = (
                round(start[0] + share * (line - start[0])),
                round(start[1] + share * (sample - start[1])),
            )
            self._disc(*at, size, label)
        self._last = (line, sample)

    def _disc(self, line: int, sample: int, size: int, label: int) -> None:
        reach = size // 2
        top, left = max(0, line - reach), max(0, sample - reach)
        part = self.codes[top : line + reach + 1, left : sample + reach + 1]
        down, across = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        part[(down - line) ** 2 + (across - sample) ** 2 <= (reach + 0.5) ** 2] = label

    def box(self, text: str, label: int) -> None:
        """Label lines and samples typed as "10-20, 5-15", counted from 1."""
        match = _BOX.fullmatch(str(text)[:100])
        lines, samples = self.codes.shape
        if match is None:
            raise ValueError("Write lines and samples as 10-20, 5-15, counted from 1.")
        top, bottom, left, right = (int(v) if v else 0 for v in match.groups())
        bottom, right = bottom or top, right or left
        if not (1 <= top <= bottom <= lines and 1 <= left <= right <= samples):
            raise ValueError(f"The image has {lines} lines and {samples} samples.")
        self.begin()
        self.codes[top - 1 : bottom, left - 1 : right] = label

    def undo(self) -> None:
        """What was before the last stroke; new names of the same classes stay."""
        if self.before:
            self.codes, names = self.before.pop()
            if int(self.codes.max()) >= len(self.names):
                self.names = names

    def clear(self) -> None:
        self.begin()
        self.codes = np.full_like(self.codes, -1)

    def csv(self) -> str:
        """One row per labelled pixel, as `explorer.data.read_labels` reads it."""
        lines, samples = np.nonzero(self.codes >= 0)
        codes = self.codes[lines, samples]
        columns = {
            "line": lines + 1,
            "sample": samples + 1,
            "class": [self.names[k] for k in codes],
            "code": codes + 1,
        }
        return to_csv(pandas.DataFrame(columns))
