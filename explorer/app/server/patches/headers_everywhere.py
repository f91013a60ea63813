"""Bokeh's application: our headers on every answer, also of servers that we do not start.

What: `panel serve` makes Bokeh's application without transforms, so files under `/static`, errors
and its own routes came without nosniff and frame-ancestors. An application that is given no
transforms gets ours; `forest-explorer` gives them itself.
Versions: Bokeh 3.8 and 3.9.
Off switch: EXPLORER_PATCHES_OFF=headers_everywhere.
Test: tests/app/server/patches/test_headers_everywhere.py, tests/classroom/test_doors.py.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from bokeh.server.tornado import BokehTornado

from explorer.app.server.patches import is_off

_made_by_bokeh = BokehTornado.__init__


def install(transform: type[Any]) -> None:
    """Have applications that are made from now on put headers on their answers."""
    if is_off("headers_everywhere"):
        return

    @wraps(_made_by_bokeh)
    def made(self: BokehTornado, *args: Any, **options: Any) -> None:
        options.setdefault("transforms", [transform])
        _made_by_bokeh(self, *args, **options)

    setattr(BokehTornado, "__init__", made)  # noqa: B010 (mypy: a method)
