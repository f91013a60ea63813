"""A visitor's own file: how its bytes arrive and how long they are kept.

A file lives in the memory of its session and goes with it; what is computed from it is kept in a
cache of the session's own. Bytes come in pieces, each acknowledged, so nobody can send more than
was announced, and nothing larger than the limit is announced in vain. Room is taken for bytes that
have come, not for those announced; and when there is no room left, files that stopped coming are
given up. What was read of a file counts too: a small file may hold large tables.
`explorer.app.work.file_reading` reads them.
"""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bokeh.models import ColumnDataSource

from explorer.app.state.bundle import PREFIX
from explorer.app.state.folder_choices import FolderChoices
from explorer.data import Dataset
from explorer.data.readers.refused import shown
from explorer.sentences import sentence_of

LARGEST = 20_000_000  # bytes of a file
LARGEST_FOLDER = 60_000_000  # bytes of several files, or of an archive
MOST_HELD = 800_000_000  # bytes of all files of all sessions, and of what was read of them
STALLED_SECONDS = 30.0  # a file of which nothing more came for so long may be given up
PIECE = 4_000_000  # bytes at most of one message; the page sends a quarter of it
CACHE_BYTES = 64 << 20
FORMATS = "CSV, Excel, Parquet, ARFF, MATLAB, .ts, .npz or JCAMP-DX"


@dataclass(frozen=True)
class ImageChoices:
    """file: the image, or "" for the example. grouped: whether patches of labelled pixels stay
    together. most: how many labelled pixels are used."""

    file: str
    grouped: bool
    most: int


@dataclass(frozen=True)
class Upload:
    """A file that was read. Two are the same only if they are one: the token is random."""

    token: str
    name: str = field(compare=False)
    data: Dataset = field(compare=False, repr=False)
    wishes: dict[str, Any] = field(compare=False, default_factory=dict)
    folder: FolderChoices | None = field(compare=False, default=None)
    image: ImageChoices | None = field(compare=False, default=None)

    @classmethod
    def of(
        cls,
        name: str,
        data: Dataset,
        wishes: dict[str, Any] | None = None,
        folder: FolderChoices | None = None,
        image: ImageChoices | None = None,
    ) -> Upload:
        """wishes: how `explorer.data.read` was asked, for those who read the file again; folder:
        how `explorer.data.read_spectra` and what follows it were asked; image: of whose labelled
        pixels they are."""
        return cls(secrets.token_hex(8), name, data, dict(wishes or {}), folder, image)


@dataclass(frozen=True)
class Choices:
    """What a person chose for a file; the reader's wishes, in the app's few words."""

    label: str | None = None
    impute: str | None = None
    one_hot: bool = False
    drop: tuple[str, ...] = ()
    groups: str | None = None  # the column that is equal for replicates of one sample

    def wishes(self, label: str | None) -> dict[str, Any]:
        """What `explorer.data.read` is asked for: all that is not its default."""
        groups = self.groups if self.groups != label else None
        drop = tuple(name for name in self.drop if name not in (label, groups))
        asked = {
            "label": label,
            "groups": groups,
            "impute": self.impute,
            "one_hot": self.one_hot,
            "drop": drop,
        }
        return {name: value for name, value in asked.items() if value}


class Ledger:
    """Bytes that the own files of all sessions take."""

    def __init__(self, most: int = MOST_HELD, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.held = most, 0
        self.clock = clock
        self._lock = threading.RLock()
        self._coming: weakref.WeakKeyDictionary[Inbox, float] = weakref.WeakKeyDictionary()

    def take(self, nbytes: int) -> None:
        """Raises ValueError if there is no room, also after what stopped coming is given up."""
        with self._lock:
            if self.held + nbytes > self.most:
                self._give_up_stalled()
            if self.held + nbytes > self.most:
                raise ValueError(
                    "Others hold as many files as this server has room for. Try again later, or "
                    "a smaller file."
                )
            self.held += nbytes

    def give_back(self, nbytes: int) -> None:
        with self._lock:
            self.held -= nbytes

    def coming(self, inbox: Inbox, is_coming: bool) -> None:
        """A piece of a file came, and more of it will; or it is whole, or dropped."""
        with self._lock:
            if is_coming:
                self._coming[inbox] = self.clock()
            else:
                self._coming.pop(inbox, None)

    def _give_up_stalled(self) -> None:
        late = self.clock() - STALLED_SECONDS
        for inbox in [one for one, at in self._coming.items() if at < late]:
            inbox.give_up()


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
        self.read = 0  # bytes of what was made of the file
        self.number: Any = None
        self._given_up: Any = None
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
            if number == self._given_up:
                self.refused(f"The upload of {shown(name)} stalled. Send it again.")
            self._answer(number, "stop")
            return
        if len(part) > PIECE or offset + len(part) > self.size:
            self.drop()
            self._answer(number, "stop")
            return
        try:
            self.ledger.take(len(part))
        except ValueError as error:
            self.drop()
            self._refuse(number, sentence_of(error))
            return
        self.taken += len(part)
        self.content += part
        self._answer(number, len(self.content))
        self.ledger.coming(self, len(self.content) < self.size)
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
                raise ValueError(f"{shown(name)} could not be opened. Check that it may be read.")
            if name.startswith(PREFIX):
                if size > LARGEST_FOLDER:
                    raise ValueError(
                        f"These files have {size / 1e6:.1f} MB; up to {LARGEST_FOLDER / 1e6:g} MB "
                        "can be taken at a time. Drop fewer files, or a smaller folder."
                    )
            elif size > LARGEST:
                raise ValueError(
                    f"{shown(name)} has {size / 1e6:.1f} MB; up to {LARGEST / 1e6:g} MB can be "
                    "taken. Leave out rows or columns, or compress it."
                )
            if size == 0:
                raise ValueError(f"{shown(name)} is empty. Choose a file with a table in it.")
        except ValueError as error:
            self._refuse(number, sentence_of(error))
            return False
        self.number, self.size = number, size
        return True

    def _refuse(self, number: Any, sentence: str) -> None:
        self._answer(number, "stop")
        self.refused(sentence)

    def _answer(self, number: Any, what: Any) -> None:
        self.source.name = f"inbox {number} {what}"

    def stop(self) -> None:
        """Take no more of the file that is coming."""
        if self.number is not None:
            self._answer(self.number, "stop")
            self.drop()

    def give_up(self) -> None:
        """Forget a file that stopped coming; its sender is told if he goes on."""
        number = self.number
        self.drop()
        self._given_up = number

    def hold(self, nbytes: int) -> None:
        """Count what was read of the file, instead of what was read of it before; ValueError if
        there is no room for it."""
        self.ledger.give_back(self.read)
        self.read = 0
        self.ledger.take(nbytes)
        self.read = nbytes

    def drop(self) -> None:
        """Forget the file and give its room back."""
        self.number, self.size, self.content = None, 0, bytearray()
        self.ledger.coming(self, False)
        self.ledger.give_back(self.taken + self.read)
        self.taken = self.read = 0
