"""Keeps clients from filling the log: lines about requests are short and limited in number.

Tornado writes a line for every request that it refuses, with the whole address that was asked for,
and a traceback where a client's nonsense surprises it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

LONGEST = 300  # characters of a line
LINES_PER_SECOND = 20
NAMES = ("tornado.access", "tornado.general")


class LogLimit(logging.Filter):
    """Shortens lines and leaves out those beyond a rate; how many is said with the next one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._second, self._lines, self._left_out = 0, 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        second = int(self._clock())
        if second != self._second:
            self._second, self._lines = second, 0
        self._lines += 1
        if self._lines > LINES_PER_SECOND:
            self._left_out += 1
            return False
        text = record.getMessage()
        if len(text) > LONGEST:
            text = text[:LONGEST] + "..."
        if self._left_out:
            text += f" ({self._left_out} lines of other requests are left out)"
            self._left_out = 0
        record.msg, record.args = text, ()
        return True


def install() -> None:
    """Limit what Tornado writes about requests."""
    for name in NAMES:
        log = logging.getLogger(name)
        if not any(isinstance(one, LogLimit) for one in log.filters):
            log.addFilter(LogLimit())
