"""How fast passwords can be guessed: every check takes its turn, by address.

Thirty checks of an address are free, then there are five in two seconds; a right password costs
nothing, so a class that shares one address (NAT) logs in together. Whoever waits for a check stands
in the line of his browser, and the lines take turns: a program that sends guesses without end is
one line, and the right password of another browser is checked right after its next guess. The
answer to a wrong guess comes late, and later with each.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable

FREE_CHECKS = 30
SECONDS_PER_CHECK = 0.4
MOST_LINES = 50  # browsers of one address that may wait at a time
MOST_IN_LINE = 5  # guesses of one browser that may wait
FIRST_DELAY, LONGEST_DELAY = 0.5, 8.0  # seconds an answer to a wrong password takes
FORGIVEN_AFTER = 300.0  # seconds without a wrong guess
_TIDY = 1000  # addresses, beyond which those that are long forgiven are removed


class _Address:
    """Free checks, wrong guesses and waiting lines of one address."""

    def __init__(self, now: float) -> None:
        self.free, self.at = float(FREE_CHECKS), now
        self.wrong, self.last_wrong = 0, now
        self.lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self.serving: asyncio.Task[None] | None = None

    def refill(self, now: float) -> None:
        self.free = min(FREE_CHECKS, self.free + (now - self.at) / SECONDS_PER_CHECK)
        self.at = now

    def take(self) -> bool:
        if self.free < 1:
            return False
        self.free -= 1
        return True


class Guessing:
    """When a password may be checked, and how late the answer to a wrong one is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[str, _Address] = {}

    def _of(self, address: str) -> _Address:
        now = self._clock()
        if address not in self._addresses:
            if len(self._addresses) >= _TIDY:
                self._tidy(now)
            self._addresses[address] = _Address(now)
        found = self._addresses[address]
        found.refill(now)
        return found

    def _tidy(self, now: float) -> None:
        for address, one in list(self._addresses.items()):
            if not one.lines and now - max(one.at, one.last_wrong) > FORGIVEN_AFTER:
                del self._addresses[address]

    async def turn(self, address: str, browser: str) -> bool:
        """Wait until a password of this browser may be checked; False if too many wait."""
        one = self._of(address)
        if not one.lines and one.take():
            return True
        line = one.lines.get(browser)
        full = len(one.lines) >= MOST_LINES if line is None else len(line) >= MOST_IN_LINE
        if full:
            return False
        mine = asyncio.get_running_loop().create_future()
        one.lines.setdefault(browser, deque()).append(mine)
        if one.serving is None:
            one.serving = asyncio.create_task(self._serve(one))
        await mine
        return True

    async def _serve(self, one: _Address) -> None:
        """Let the first of each line have its check, line after line."""
        while one.lines:
            one.refill(self._clock())
            if not one.take():
                await asyncio.sleep(SECONDS_PER_CHECK * (1 - one.free))
                continue
            browser, line = one.lines.popitem(last=False)
            first = line.popleft()
            if line:
                one.lines[browser] = line
            if not first.done():
                first.set_result(None)
        one.serving = None

    def was_right(self, address: str) -> None:
        """The check that was just made costs nothing."""
        one = self._of(address)
        one.free = min(FREE_CHECKS, one.free + 1)

    def delay(self, address: str) -> float:
        """Seconds to wait after a wrong guess, which is counted."""
        one, now = self._of(address), self._clock()
        if now - one.last_wrong > FORGIVEN_AFTER:
            one.wrong = 0
        one.wrong, one.last_wrong = one.wrong + 1, now
        return float(min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(one.wrong - 1, 10)))
