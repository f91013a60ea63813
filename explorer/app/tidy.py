"""Owns when Python's collector looks through everything: while nobody is waiting.

A look through the pages of thirty visitors takes it a third of a second, in which nobody's slider
moves; left to itself, it looks in the middle of a drag, or when one of them leaves. So it looks
when it is calm, and then leaves what is alive alone until it is calm again: what it looks through
in between, if it must, is only what came since.
"""

from __future__ import annotations

import ctypes
import gc
import time

import panel.io.document as panel_document

YOUNG = (10_000, 20)  # what is young is looked through often, and quickly
NEVER = 1_000_000
WORTH = 10  # looks at the young since the last one at all, which make it worth while
TOO_MANY = 60
MOST_ARENAS, ARENAS = -8, 2  # glibc's M_ARENA_MAX: or each thread keeps memory of its own
TOO_LONG = 120.0  # seconds after somebody left

_left: float | None = None  # when somebody left whose page is still in memory


def install() -> None:
    """Have the collector wait for us, and threads share what memory they keep back."""
    _ask_allocator("mallopt", MOST_ARENAS, ARENAS)
    gc.set_threshold(*YOUNG, NEVER)
    # Panel would look five seconds after anybody left
    setattr(panel_document, "_garbage_collect", somebody_left)  # noqa: B010 (mypy: a function)


def settle() -> None:
    """Leave what is here now alone until a look through all: modules and kernels."""
    gc.collect()
    gc.freeze()


def somebody_left() -> None:
    """There is a page to be forgotten."""
    global _left
    if _left is None:
        _left = time.monotonic()


def look(calm: bool) -> bool:
    """Collect if it is worth while now; whether it was."""
    global _left
    garbage = gc.get_count()[2]
    late = garbage >= TOO_MANY or (_left is not None and time.monotonic() - _left > TOO_LONG)
    if not late and not (calm and (_left is not None or garbage >= WORTH)):
        return False
    whole = calm or _left is not None  # who left may be among what was left alone
    _left = None
    if whole:
        gc.unfreeze()
    gc.collect()
    if whole:
        gc.freeze()
    _ask_allocator("malloc_trim", 0)  # what pages leave lies scattered; give it back
    return True


def _ask_allocator(name: str, *values: int) -> None:
    """Call a function of the C library's allocator, where it has it (glibc)."""
    try:
        getattr(ctypes.CDLL(None), name)(*values)
    except (OSError, AttributeError, TypeError):
        return
