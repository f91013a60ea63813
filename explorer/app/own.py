"""Owns a visitor's own file: how its bytes arrive, what is made of them, how long they stay.

A file lives in the memory of its session and goes with it; what is computed from it is kept in a
cache of the session's own. Bytes come in pieces, each acknowledged, so nobody can send more than
was announced, and nothing larger than the limit is announced in vain.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from typing import Any

from bokeh.models import ColumnDataSource

from explorer.data import Dataset, FileRefused, Preview, preview, read
from explorer.data.readers.refused import Limits, shown
from explorer.engine.threads import stand_back

LARGEST = 20_000_000  # bytes of a file
MOST_HELD = 400_000_000  # bytes of all files of all sessions
MOST_CLASSES = 100
PIECE = 4_000_000  # bytes at most of one message; the page sends a quarter of it
CACHE_BYTES = 64 << 20
LIMITS = Limits(bytes=50_000_000, columns=20_000, cells=10_000_000, seconds=30.0)
TURN = 0.1  # seconds a scheduler's worker waits for the reading thread
FORMATS = "CSV, Excel, Parquet, ARFF, MATLAB, .ts, .npz or JCAMP-DX"

_readers = ThreadPoolExecutor(1, "reader", initializer=stand_back)


@dataclass(frozen=True)
class Upload:
    """A file that was read. Two are the same only if they are one: the token is random."""

    token: str
    name: str = field(compare=False)
    data: Dataset = field(compare=False, repr=False)
    wishes: dict[str, Any] = field(compare=False, default_factory=dict)

    @classmethod
    def of(cls, name: str, data: Dataset, wishes: dict[str, Any] | None = None) -> Upload:
        """wishes: how `explorer.data.read` was asked, for those who read the file again."""
        return cls(secrets.token_hex(8), name, data, dict(wishes or {}))


@dataclass(frozen=True)
class Choices:
    """What a person chose for a file; the reader's wishes, in the app's few words."""

    label: str | None = None
    impute: str | None = None
    one_hot: bool = False
    drop: tuple[str, ...] = ()

    def wishes(self, label: str | None) -> dict[str, Any]:
        """What `explorer.data.read` is asked for: all that is not its default."""
        drop = tuple(name for name in self.drop if name != label)
        asked = {"label": label, "impute": self.impute, "one_hot": self.one_hot, "drop": drop}
        return {name: value for name, value in asked.items() if value}


@dataclass(frozen=True)
class Found:
    """What came of reading: a preview if the file parses, data if they are complete, or why not."""

    preview: Preview | None
    data: Dataset | None
    why: str = ""
    wishes: dict[str, Any] = field(default_factory=dict)


class Ledger:
    """Bytes that the own files of all sessions take."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self.most, self.held = most, 0
        self._lock = threading.Lock()

    def take(self, nbytes: int) -> None:
        with self._lock:
            if self.held + nbytes > self.most:
                raise ValueError(
                    "Others hold as many files as this server has room for. Try again later, or "
                    "a smaller file."
                )
            self.held += nbytes

    def give_back(self, nbytes: int) -> None:
        with self._lock:
            self.held -= nbytes


LEDGER = Ledger()


class Inbox:
    """Receives one file at a time from the browser.

    The page sends [number, name, size, offset, bytes] in ``tags``; the answer in ``name`` is
    "inbox number received", or "inbox number stop". What does not fit is answered with stop.
    """

    def __init__(
        self,
        arrived: Callable[[str, bytes], None],
        coming: Callable[[str, int, int], None],
        refused: Callable[[str], None],
        ledger: Ledger = LEDGER,
    ) -> None:
        self.arrived, self.coming, self.refused = arrived, coming, refused
        self.ledger = ledger
        self.taken = 0
        self.number: Any = None
        self.size = 0
        self.content = bytearray()
        self.source: Any = ColumnDataSource(name="inbox")
        self.source.on_change("tags", self._piece)

    def _piece(self, attr: str, old: Any, new: Any) -> None:
        if not (isinstance(new, list) and len(new) == 5):
            return
        number, name, size, offset, part = new
        whole = all(isinstance(v, int) for v in (number, size, offset))
        if not whole or not isinstance(name, str) or not isinstance(part, bytes):
            return
        name = " ".join(name[:200].split()) or "file"
        if offset == 0 and not self._begin(number, name, size):
            return
        if number != self.number or offset != len(self.content):
            self._answer(number, "stop")
            return
        if len(part) > PIECE or offset + len(part) > self.size:
            self.drop()
            self._answer(number, "stop")
            return
        self.content += part
        self._answer(number, len(self.content))
        if len(self.content) < self.size:
            self.coming(name, len(self.content), self.size)
            return
        content = bytes(self.content)
        self.number, self.content = None, bytearray()
        self.arrived(name, content)

    def _begin(self, number: int, name: str, size: int) -> bool:
        self.drop()
        try:
            if size < 0:
                raise ValueError(f"{shown(name)} could not be opened. Choose a file, not a folder.")
            if size > LARGEST:
                raise ValueError(
                    f"{shown(name)} has {size / 1e6:.1f} MB; up to {LARGEST / 1e6:g} MB can be "
                    "taken. Leave out rows or columns, or compress it."
                )
            if size == 0:
                raise ValueError(f"{shown(name)} is empty. Choose a file with a table in it.")
            self.ledger.take(size)
        except ValueError as error:
            self._answer(number, "stop")
            self.refused(str(error))
            return False
        self.taken = size
        self.number, self.size = number, size
        return True

    def _answer(self, number: Any, what: Any) -> None:
        self.source.name = f"inbox {number} {what}"

    def stop(self) -> None:
        """Take no more of the file that is coming."""
        if self.number is not None:
            self._answer(self.number, "stop")
            self.drop()

    def drop(self) -> None:
        """Forget the file and give its room back."""
        self.number, self.size, self.content = None, 0, bytearray()
        self.ledger.give_back(self.taken)
        self.taken = 0


def reading(
    content: bytes, name: str, choices: Choices, known: Preview | None
) -> Iterator[Found | None]:
    """Chunks of waiting while a thread beside reads; at the end what was found."""
    task = _readers.submit(_read, content, name, choices, known)
    try:
        while not task.done():
            wait_for([task], TURN)
            yield None
        yield task.result()
    finally:
        task.cancel()


def _read(content: bytes, name: str, choices: Choices, known: Preview | None) -> Found:
    try:
        seen = known or preview(content, name, rows=4, limits=LIMITS)
    except FileRefused as refusal:
        return Found(None, None, str(refusal))
    label = choices.label if choices.label is not None else seen.label
    wishes = choices.wishes(label)
    try:
        data = read(content, name, limits=LIMITS, **wishes)
    except FileRefused as refusal:
        return Found(seen, None, str(refusal))
    why = _not_drawn(data)
    return Found(seen, None if why else data, why, wishes)


def _not_drawn(data: Dataset) -> str:
    """What the readers take but the pictures cannot show, as a sentence; empty if all is well."""
    if data.n_classes > MOST_CLASSES:
        return (
            f"The label has {data.n_classes} classes; up to {MOST_CLASSES} can be told apart in "
            "a picture. Choose another column, or join classes."
        )
    if data.n_features < 2:
        return "A map needs two features; this file has one beside its label."
    return ""
