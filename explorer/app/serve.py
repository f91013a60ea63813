"""Owns the server: `forest-explorer` calls `serve`."""

from __future__ import annotations

import os
import secrets
import threading
from typing import Any

import panel as pn

from explorer.app.cache import SHARED
from explorer.app.page import build
from explorer.app.state import State
from explorer.app.work import MapRequest, pictures


def warm() -> None:
    """Compile or load the kernels of the first screen, so that no visitor waits for them."""
    state = State()
    specs = tuple(m.spec(2) for m in state.models.models)
    for _ in pictures(MapRequest(state.data.recipe(), specs), SHARED, threading.Event()):
        pass


def serve(
    port: int = 5006,
    show: bool = True,
    address: str = "127.0.0.1",
    start: bool = True,
    threaded: bool = False,
    **options: Any,
) -> Any:
    """Serve the app until interrupted; bound to this machine unless another address is given.

    start=False gives the server without running it; threaded=True runs it beside the caller.
    """
    # a session id chosen by a client is refused
    os.environ.setdefault("BOKEH_SECRET_KEY", secrets.token_urlsafe(32))
    os.environ.setdefault("BOKEH_SIGN_SESSIONS", "yes")
    pn.extension()
    threading.Thread(target=warm, name="warm", daemon=True).start()
    return pn.serve(
        {"/": build},
        port=port,
        address=address,
        show=show,
        start=start,
        threaded=threaded,
        title="Forest Explorer",
        verbose=not threaded,
        websocket_ping_interval=15,
        websocket_ping_timeout=15,  # Tornado takes no longer one than the interval
        **options,
    )
