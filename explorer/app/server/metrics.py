"""/health and /metrics.

Nothing here names a visitor, a data set or a value: sessions are random words of six letters.
"""

from __future__ import annotations

import threading
from typing import Any

from tornado.web import RequestHandler

from explorer import __version__
from explorer.app.server import memory
from explorer.app.server.client_address import LOOPBACK, client_address
from explorer.app.server.connections import CONNECTIONS
from explorer.app.work.cache import SHARED
from explorer.app.work.limits import MEMORY, SEATS
from explorer.app.work.prefetch import AROUND
from explorer.app.work.tally import TALLY


def memory_bytes() -> int:
    """Resident memory of this process, or 0 where the system does not say."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            for text in file:
                if text.startswith("VmRSS:"):
                    return int(text.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def metrics(sessions: int, ready: int, waiting: int) -> str:
    """Prometheus' text format."""
    single = {
        "sessions": ("gauge", sessions),
        "pages_ready": ("gauge", ready),
        "pages_to_free": ("gauge", memory.pages_to_free()),
        "sessions_most": ("gauge", SEATS.most),
        "visitors_turned_away_total": ("counter", SEATS.turned_away),
        "connections": ("gauge", CONNECTIONS.count),
        "connections_most": ("gauge", CONNECTIONS.most),
        "connections_refused_total": ("counter", CONNECTIONS.refused),
        "connections_dropped_total": ("counter", CONNECTIONS.dropped),
        "requests_waiting": ("gauge", waiting),
        "sliders_waiting": ("gauge", AROUND.waiting),
        "trees_grown_total": ("counter", TALLY.trees),
        "maps_from_cache_total": ("counter", TALLY.from_cache),
        "errors_total": ("counter", TALLY.errors),
        "cache_hits_total": ("counter", SHARED.hits),
        "cache_misses_total": ("counter", SHARED.misses),
        "cache_bytes": ("gauge", SHARED.nbytes),
        "cache_bytes_most": ("gauge", SHARED.limit),
        "memory_reserved_bytes": ("gauge", MEMORY.used),
        "memory_refusals_total": ("counter", MEMORY.refused),
        "memory_resident_bytes": ("gauge", memory_bytes()),
        "threads": ("gauge", threading.active_count()),
    }
    out: list[str] = []
    for name, (kind, value) in single.items():
        out += [f"# TYPE forest_explorer_{name} {kind}", f"forest_explorer_{name} {value}"]
    out.append("# TYPE forest_explorer_requests_total counter")
    for (kind, outcome), count in sorted(TALLY.outcomes.items()):
        labels = f'kind="{kind}",outcome="{outcome}"'
        out.append(f"forest_explorer_requests_total{{{labels}}} {count}")
    for name, histogram in (("waited", TALLY.waited), ("worked", TALLY.worked)):
        out.append(f"# TYPE forest_explorer_{name}_seconds histogram")
        out += histogram.lines(f"forest_explorer_{name}_seconds")
    return "\n".join(out) + "\n"


def sessions_of(application: Any) -> int:
    """Sessions of all apps of a Bokeh server."""
    return sum(len(application.get_sessions(path)) for path in application.app_paths)


def ready_of(application: Any, what: str = "ready_now") -> int:
    """Pages that are built and wait for somebody, without a link or in all."""
    return sum(getattr(app, what, 0) for app in application.applications.values())


def is_prepared(application: Any) -> bool:
    """Whether all that is made before somebody asks is made."""
    apps = application.applications.values()
    return not AROUND.waiting and all(getattr(app, "prepared", True) for app in apps)


class Health(RequestHandler):
    """GET /health: 200 while visitors may come, 503 while the server is about to stop."""

    def get(self) -> None:
        self.set_status(503 if SEATS.leaving else 200)
        self.set_header("Cache-Control", "no-store")
        self.write(
            {
                "status": "stopping" if SEATS.leaving else "ok",
                "version": __version__,
                "sessions": sessions_of(self.application),
                "max_sessions": SEATS.most,
                "ready": ready_of(self.application),
                "prepared": is_prepared(self.application),
            }
        )


class Metrics(RequestHandler):
    """GET /metrics: for this machine only; a proxy must not pass it on."""

    def get(self) -> None:
        if client_address(self.request) not in LOOPBACK:
            self.set_status(404)
            return
        from explorer.app.work.scheduler import scheduler

        self.set_header("Content-Type", "text/plain; version=0.0.4")
        self.write(
            metrics(
                sessions_of(self.application),
                ready_of(self.application, "ready_in_all"),
                scheduler().waiting(),
            )
        )
