"""Lets a thread with much Python work release the GIL for the event loop.

Whoever waits for Python's lock gets it after 2 ms, and the event loop waits for it several times
per move. A shorter interval would take the lock from the loop as often as from others. So those
who build pages stop for a moment once in a millisecond, while somebody is at work; and while short
work waits they let it go first, for as long as one who opens a page does not notice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY = 0.001  # seconds of work between two stops
STOP = 0.0001  # long enough for another thread to wake up and take the lock
AT_WORK = 0.5  # somebody who was heard within this may be waiting
PAUSE = 0.03  # at most, for short work of others
WORK = 0.02  # at least, between two pauses
LOOK = 0.001


class _Here(threading.local):
    polite = False
    last = paused = 0.0  # when it last stopped, and when a pause ended


_here = _Here()
heard = 0.0  # when a client last said something
hurries: list[Callable[[], bool]] = []  # each says whether short work waits for it


def hear() -> None:
    """A client said something."""
    global heard
    heard = time.monotonic()


@contextmanager
def giving_way() -> Iterator[None]:
    """Give way in this thread, wherever `give_way` is called."""
    before, _here.polite = _here.polite, True
    try:
        yield
    finally:
        _here.polite = before


def give_way() -> None:
    """Stop for a moment, if this thread should, and it is time."""
    if _here.polite:
        now = time.monotonic()
        if now - _here.last > EVERY:
            if now - heard < AT_WORK:
                time.sleep(STOP)
                if now - _here.paused > WORK:
                    _pause(now + PAUSE)
            _here.last = time.monotonic()


def _pause(end: float) -> None:
    """Wait for short work to be done, at most so long."""
    while any(hurry() for hurry in hurries) and time.monotonic() < end:
        time.sleep(LOOK)
        _here.paused = time.monotonic()
