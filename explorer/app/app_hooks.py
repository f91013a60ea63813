"""Read by `panel serve explorer/app` before its server is made: the same doors as our own.

Bokeh's command reads these settings after it has read this file.
"""

import os
import threading

from explorer.app.server import routes
from explorer.app.server.connections import set_connections
from explorer.app.server.serve import warm
from explorer.app.work import tally
from explorer.app.work.cache import SHARED
from explorer.app.work.limits import MOST_SESSIONS, SEATS, set_limits
from explorer.app.work.scheduler import scheduler

try:
    routes.sign_sessions()
except routes.WeakKey as refusal:
    raise SystemExit(str(refusal)) from None
routes.install()
set_limits(int(os.environ.get("EXPLORER_MAX_SESSIONS", MOST_SESSIONS)), SHARED.limit, None, SHARED)
set_connections(None, SEATS.most)


def on_server_loaded(server_context: object) -> None:
    """Hear of every request that ends, and get ready for visitors."""
    tally.listen(scheduler())
    threading.Thread(target=warm, name="warm", daemon=True).start()
