"""Panel's callbacks: a press is handled with its document locked, like any other change.

What: a press that arrives while a slider's value waits to be handled is scheduled by Panel without
the document's lock, unless the coroutine says `lock`. Ours change Bokeh models, which needs it.
Upstream: none that we know of.
Versions: Panel 1.9.
Off switch: EXPLORER_PATCHES_OFF=event_lock.
Test: tests/app/server/patches/test_event_lock.py.
"""

from __future__ import annotations

from panel.reactive import Syncable

from explorer.app.server.patches import is_off

COROUTINES = (Syncable._event_coroutine, Syncable._change_coroutine)


def install() -> None:
    """Have Panel lock the document for every press and change, in this process."""
    if not is_off("event_lock"):
        for coroutine in COROUTINES:
            setattr(coroutine, "lock", True)  # noqa: B010 (mypy: a function)
