"""Runs Python's full garbage collection while nobody is waiting.

A look through the pages of thirty visitors, and as many that are kept ready, takes it a second or
two, in which nobody's slider moves; left to itself, it looks in the middle of a drag, or when one
of them leaves. So pages are left alone once they are built, and all of them are looked through
only to forget those who left: when the room is empty, in a long pause, or when far too many have
left. What came since is little, and is looked through in any pause.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable

import panel.io.document as panel_document

YOUNG = (10_000, 5)  # what is young is looked through often, and quickly
NEVER = 1_000_000
WORTH = 40  # looks at the young since the last one at what came since, which make it worth while
TOO_MANY = 240
PAUSE, LONG_PAUSE = 3.0, 10.0  # seconds in which nobody wanted anything
# pages to be freed while others are here. Python does not give the memory of a peak back: with 60
# instead of 15, a server on which visitors come and go stays 300 MB larger.
SOME_LEFT, TOO_MANY_LEFT = 10, 15
MOST_ARENAS, ARENAS = -8, 2  # glibc's M_ARENA_MAX: or each thread keeps memory of its own
# glibc's M_MMAP_THRESHOLD: arrays and messages beyond this go back to the system when they are
# dropped. Left to itself glibc raises it to 32 MB, and they leave holes between what stays.
MMAP_THRESHOLD, LARGE = -3, 256 << 10

_left = 0  # visitors who have gone and whose pages are still in memory


def install() -> None:
    """Have the collector wait for us, and memory go back to the system."""
    _ask_allocator("mallopt", MOST_ARENAS, ARENAS)
    _ask_allocator("mallopt", MMAP_THRESHOLD, LARGE)
    gc.set_threshold(*YOUNG, NEVER)
    # Panel would look five seconds after anybody left
    setattr(panel_document, "_garbage_collect", lambda: None)  # noqa: B010 (mypy: a function)


def settle() -> None:
    """Leave what is here now alone until a look through all: modules and kernels."""
    gc.collect()
    gc.freeze()


def built() -> None:
    """A page is built: leave it alone, too."""
    gc.freeze()


def somebody_left() -> None:
    """There is a page to be forgotten."""
    global _left
    _left += 1


def pages_to_free() -> int:
    """Pages of visitors who left that are still in memory."""
    return _left


def due() -> bool:
    """Whether there is a page to be forgotten still."""
    return _left > 0


def look(calm: Callable[[float], bool], empty: bool) -> bool:
    """Collect if it is worth while now; whether it was.

    calm: whether nobody wanted anything for so many seconds; empty: whether nobody is here.
    """
    global _left
    came = gc.get_count()[2]
    whole = (
        _left >= TOO_MANY_LEFT
        or (_left >= SOME_LEFT and calm(LONG_PAUSE))
        or (_left > 0 and empty and calm(PAUSE))
    )
    if not whole and came < TOO_MANY and not (came >= WORTH and calm(PAUSE)):
        return False
    if whole:
        _left = 0
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    _ask_allocator("malloc_trim", 0)  # what pages leave lies scattered; give it back
    return True


def _ask_allocator(name: str, *values: int) -> None:
    """Call a function of the C library's allocator, where it has it (glibc)."""
    try:
        getattr(ctypes.CDLL(None), name)(*values)
    except (OSError, AttributeError, TypeError):
        return
