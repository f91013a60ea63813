"""Owns what the server tells of itself: /health, /metrics and one log line per request.

Nothing here names a visitor, a data set or a value: sessions are random words of six letters.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import threading
import time
from collections import Counter
from typing import Any

from tornado.web import RequestHandler

from explorer import __version__
from explorer.app.around import AROUND
from explorer.app.cache import SHARED
from explorer.app.limits import MEMORY, SEATS
from explorer.app.scheduler import Ended, Scheduler

log = logging.getLogger("explorer.fits")
# upper ends of a histogram's bins, in seconds
BINS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")


class Visitor:
    """Whom work is for: a key of the scheduler with a name that says nothing."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(3)

    def __repr__(self) -> str:
        return f"Visitor({self.name})"


class Histogram:
    """Counts of seconds, as Prometheus wants them."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BINS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.total += seconds
        self.counts[sum(seconds > end for end in BINS)] += 1

    def lines(self, name: str) -> list[str]:
        out, running = [], 0
        for end, count in zip((*map(str, BINS), "+Inf"), self.counts, strict=True):
            running += count
            out.append(f'{name}_bucket{{le="{end}"}} {running}')
        return [*out, f"{name}_sum {self.total:.6f}", f"{name}_count {running}"]


class Tally:
    """What became of all requests of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.waited, self.worked = Histogram(), Histogram()
        self.trees = self.from_cache = self.errors = self.connections = 0

    def hear(self, ended: Ended) -> None:
        """Count a request that ended, and write its line."""
        with self._lock:
            self.outcomes[ended.kind.split()[0], ended.outcome] += 1
            self.waited.add(ended.waited)
            self.worked.add(ended.worked)
            self.trees += ended.trees
            self.from_cache += hit(ended)
        if log.isEnabledFor(logging.INFO):
            log.info("%s", line(ended))

    def count_error(self) -> None:
        with self._lock:
            self.errors += 1


def hit(ended: Ended) -> bool:
    """Whether all forests of finished maps came out of the cache."""
    return ended.kind == "maps" and ended.outcome == "done" and ended.trees == 0


def line(ended: Ended) -> str:
    """One line of JSON: who waited how long, and what became of it."""
    record: dict[str, Any] = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "session": getattr(ended.session, "name", "-"),
        "kind": ended.kind,
        "number": ended.number,
        "outcome": ended.outcome,
        "waited_ms": round(1000 * ended.waited, 1),
        "worked_ms": round(1000 * ended.worked, 1),
        "chunks": ended.chunks,
        "trees": ended.trees,
    }
    if ended.kind == "maps":
        record["cache"] = "hit" if hit(ended) else "miss"
    return json.dumps(record)


TALLY = Tally()


def listen(scheduler: Scheduler, write_lines: bool = False) -> None:
    """Hear of every request that ends; with lines, one goes to standard error for each."""
    scheduler.listener = TALLY.hear
    if write_lines and not log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        log.addHandler(handler)
        log.propagate = False
        log.setLevel(logging.INFO)


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
        "sessions_most": ("gauge", SEATS.most),
        "visitors_turned_away_total": ("counter", SEATS.turned_away),
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
        if self.request.remote_ip not in LOOPBACK:
            self.set_status(404)
            return
        from explorer.app.scheduler import scheduler

        self.set_header("Content-Type", "text/plain; version=0.0.4")
        self.write(
            metrics(
                sessions_of(self.application),
                ready_of(self.application, "ready_in_all"),
                scheduler().waiting(),
            )
        )
