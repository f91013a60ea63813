"""Keeps clients from filling the log: lines about requests are short and limited in number.

Tornado writes a line for every request that it refuses, with the whole address that was asked for,
and a traceback where a client's nonsense surprises it. Bokeh and Panel write a traceback for every
message that they cannot handle; the websocket writes a line of it (guarded_wire.py), and
`registry.on_exception` what a callback of ours raised, so a few lines of theirs are enough.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

LONGEST = 300  # characters of a line
LINES_PER_SECOND = 20
NAMES = ("tornado.access", "tornado.general")
MESSAGES = (
    "bokeh.server.protocol_handler",
    "bokeh.server.views.ws",
    "bokeh.core.has_props",
    "panel.reactive",
)
LINES_PER_MINUTE = 2  # of each of these, and no tracebacks


class LogLimit(logging.Filter):
    """Shortens lines and leaves out those beyond a rate; how many is said with the next one.

    lines: at most so many in this many seconds. brief: one line each, without a traceback.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        lines: int = LINES_PER_SECOND,
        seconds: int = 1,
        brief: bool = False,
    ) -> None:
        super().__init__()
        self._clock, self._most, self._seconds, self._brief = clock, lines, seconds, brief
        self._span, self._lines, self._left_out = 0, 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        span = int(self._clock() // self._seconds)
        if span != self._span:
            self._span, self._lines = span, 0
        self._lines += 1
        if self._lines > self._most:
            self._left_out += 1
            return False
        text = record.getMessage()
        if self._brief:
            text = " ".join(text.split())
            record.exc_info = record.exc_text = record.stack_info = None
        if len(text) > LONGEST:
            text = text[:LONGEST] + "..."
        if self._left_out:
            text += f" ({self._left_out} lines of other requests are left out)"
            self._left_out = 0
        record.msg, record.args = text, ()
        return True


def install() -> None:
    """Limit what Tornado writes about requests, and Bokeh and Panel about messages."""
    for name in NAMES:
        _limit(name, LogLimit())
    for name in MESSAGES:
        _limit(name, LogLimit(lines=LINES_PER_MINUTE, seconds=60, brief=True))


def _limit(name: str, limit: LogLimit) -> None:
    log = logging.getLogger(name)
    if not any(isinstance(one, LogLimit) for one in log.filters):
        log.addFilter(limit)
