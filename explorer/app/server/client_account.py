"""What one session's browser has used: bytes in its document, time on the event loop, refusals.

All connections of a session share its account, so another connection does not begin a new one.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Coroutine, Generator
from typing import Any

HELD_BYTES = 16 << 20  # that values from a browser may take in its document
MOST_REFUSED = 200  # messages that are refused before the connection is closed
# lines in the log about one session's messages: so many at once, and one more after each interval
MOST_LOGGED, LOG_SECONDS = 10, 10.0
# one session's messages may take so much of the event loop's time, and so many seconds of it at
# once; a slider that is dragged takes some 5 %, opening a page 0.1 s
SHARE, BURST = 0.15, 0.5
PENALTY = 0.1  # seconds of it that a closed connection counts for

_accounts: weakref.WeakKeyDictionary[Any, ClientAccount] = weakref.WeakKeyDictionary()


class ClientAccount:
    """Counts for one session."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.refused = 0
        self.held = 0
        self._sizes: dict[tuple[str, str], int] = {}
        self._clock = clock
        self._credit, self._when = BURST, clock()
        self._lines, self._wrote = float(MOST_LOGGED), clock()

    # ---- bytes

    def has_room(self, changed: list[tuple[str, str]], nbytes: int, models: Any) -> bool:
        """Enter a message's bytes; False if the document would hold more than it may.

        A property's bytes replace those that it had; a message counts for each that it changes.
        """
        for pair in changed:
            self.held += nbytes - self._sizes.get(pair, 0)
            self._sizes[pair] = nbytes
        if self.held > HELD_BYTES:  # models that are gone hold nothing
            self._sizes = {p: n for p, n in self._sizes.items() if models.get_by_id(p[0])}
            self.held = sum(self._sizes.values())
        return self.held <= HELD_BYTES

    # ---- time

    def spend(self, seconds: float) -> None:
        """Seconds of the event loop that a message took."""
        now = self._clock()
        self._credit = min(BURST, self._credit + (now - self._when) * SHARE) - seconds
        self._when = now

    def pause(self) -> float:
        """Seconds that the next message must wait; 0 for anybody who works with a page."""
        credit = self._credit + (self._clock() - self._when) * SHARE
        return max(0.0, -credit / SHARE)

    # ---- words

    def may_log(self) -> bool:
        """Whether a line about this session may still be written; nonsense must not fill a log."""
        now = self._clock()
        self._lines = min(MOST_LOGGED, self._lines + (now - self._wrote) / LOG_SECONDS)
        self._wrote = now
        if self._lines < 1:
            return False
        self._lines -= 1
        return True


def account_of(session: Any) -> ClientAccount:
    """The account of one of Bokeh's sessions."""
    found = _accounts.get(session)
    if found is None:
        found = _accounts[session] = ClientAccount()
    return found


class Timed:
    """Await a coroutine and know the processor seconds it took, without those of others."""

    def __init__(self, work: Coroutine[Any, Any, Any]) -> None:
        self.seconds = 0.0
        self._work = work

    def __await__(self) -> Generator[Any, Any, Any]:
        resume: Callable[[Any], Any] = self._work.send
        given: Any = None
        while True:
            begun = time.thread_time()
            try:
                waits_for = resume(given)
            except StopIteration as end:
                return end.value
            finally:
                self.seconds += time.thread_time() - begun
            try:
                given = yield waits_for
                resume = self._work.send
            except BaseException as error:  # cancelled meanwhile: the work must hear of it
                given, resume = error, self._work.throw
