"""The server: `forest-explorer` calls `serve`."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

import panel as pn

from explorer.app.layout.page import build
from explorer.app.lessons.library import shelf
from explorer.app.server import memory, routes
from explorer.app.server.connections import set_connections
from explorer.app.server.patches import event_lock, stable_defaults
from explorer.app.server.prebuilt_pages import READY, Rooms
from explorer.app.server.startup import Opening, checked_frame
from explorer.app.session import registry
from explorer.app.session.viewport import FIRST_PIXELS
from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import OWN, State
from explorer.app.work import tally
from explorer.app.work.cache import DEFAULT_BYTES, SHARED
from explorer.app.work.limits import MOST_SESSIONS, SEATS, set_limits
from explorer.app.work.map_work import pictures
from explorer.app.work.prefetch import AROUND
from explorer.app.work.requests import MapRequest
from explorer.app.work.scheduler import scheduler, set_threads
from explorer.data import Dataset

DRAIN_SECONDS = 5.0  # work that began before the server was asked to stop may end within this
LEAVING = "The server starts anew in a moment. Your page comes back by itself."


def warm(ready: int = READY) -> None:
    """Load what the first screen needs, so that no visitor waits for it; then have pages built."""
    shelf()
    state = State()
    specs = tuple(m.spec(2) for m in state.models.models)
    first = MapRequest(state.data.recipe(), specs, pixels=FIRST_PIXELS)
    for _ in pictures(first, SHARED, threading.Event()):
        pass
    if not registry.here():
        memory.settle()
    Rooms.ready = ready
    if ready:
        AROUND.begin()
        AROUND.wish("first screen", first, "angle")


def serve(
    port: int = 5006,
    show: bool = True,
    start: bool = True,
    threaded: bool = False,
    *,
    max_sessions: int = MOST_SESSIONS,
    cache_bytes: int = DEFAULT_BYTES,
    memory_bytes: int | None = None,
    log_fits: bool = False,
    ready: int = READY,
    max_connections: int | None = None,
    frames: tuple[str, ...] = (),
    link: str = "",
    lent: Dataset | None = None,
    options: dict[str, Any] | None = None,
    **opening: Any,
) -> Any:
    """Serve the app until interrupted; bound to this machine unless it is opened to others.

    start=False gives the server without running it; threaded=True runs it beside the caller.
    ready: pages built before anybody asks; max_connections: 16 per session if not said. frames:
    origins whose pages may show the app in a frame. link: the
    query of the page that is opened in the browser; lent: data that every visitor may open as
    "own" data, and that the browser opens. opening: see `Opening`; options: handed to Bokeh's
    server as they are.
    """
    if lent is not None:
        registry.lend(Upload.of(lent.name, lent), everyone=True)
        link = link or f"data={OWN}"
    asked = Opening(port=port, **opening)
    if frames:
        routes.allow_frames("'self'", *map(checked_frame, frames))
    set_limits(max_sessions, cache_bytes, memory_bytes, SHARED)
    set_connections(max_connections, max_sessions)
    memory.settle()
    set_threads()
    tally.listen(scheduler(), log_fits)
    routes.install()
    for patch in (stable_defaults, event_lock):  # of our own server only, not of `panel serve`
        patch.install()
    pn.extension(exception_handler=registry.on_exception)
    threading.Thread(target=warm, args=(ready,), name="warm", daemon=True).start()
    wanted = {**asked.options(), **(options or {})}
    common: dict[str, Any] = {"title": "Forest Explorer", "verbose": False, **wanted}
    if threaded:
        return pn.serve({"/": build}, show=show, threaded=True, **common)
    server = pn.serve({"/": build}, show=False, start=False, **common)
    print(asked.told(server._tornado, cache_bytes), file=sys.stderr, flush=True)
    if link:
        print(f"  open         http://localhost:{port}/?{link}", file=sys.stderr, flush=True)
    if start:
        if show:
            server.io_loop.add_callback(server.show, f"/?{link}" if link else "/")
        run(server)
    return server


def run(server: Any) -> None:
    """Serve until SIGINT or SIGTERM; then let nobody in, let work end, and stop."""
    loop = server.io_loop

    def leave(*_: Any) -> None:
        loop.add_callback_from_signal(drain, server)

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, leave)
    routes.quiet_leaving(loop.asyncio_loop)
    server.start()
    loop.start()
    scheduler().close()


def drain(server: Any) -> None:
    """Say goodbye, wait a little for work that is under way, then close every connection."""
    if SEATS.leaving:  # asked twice: at once
        server.io_loop.stop()
        return
    SEATS.leaving = True
    registry.note_everyone(LEAVING)
    end = time.monotonic() + DRAIN_SECONDS

    def look() -> None:
        if scheduler().waiting() and time.monotonic() < end:
            server.io_loop.call_later(0.1, look)
        else:
            server.io_loop.call_later(0.3, stop)

    def stop() -> None:
        server.stop(wait=False)
        routes.close_all()
        server.io_loop.call_later(0.2, server.io_loop.stop)

    look()
