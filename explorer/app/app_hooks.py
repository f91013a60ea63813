"""Read by `panel serve explorer/app` before its server is made: the same doors as our own.

Bokeh's command reads these settings after it has read this file.
"""

import os
import threading

from explorer.app import doors, telling
from explorer.app.cache import SHARED
from explorer.app.limits import MOST_SESSIONS, set_limits
from explorer.app.scheduler import scheduler
from explorer.app.serve import warm

doors.sign_sessions()
doors.install()
set_limits(int(os.environ.get("EXPLORER_MAX_SESSIONS", MOST_SESSIONS)), SHARED.limit, None, SHARED)


def on_server_loaded(server_context: object) -> None:
    """Hear of every request that ends, and get ready for visitors."""
    telling.listen(scheduler())
    threading.Thread(target=warm, name="warm", daemon=True).start()
