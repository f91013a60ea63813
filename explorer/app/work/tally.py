"""Counts what became of all requests of this process, and writes one log line for each.

Nothing here names a visitor, a data set or a value: sessions are random words of six letters.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections import Counter
from typing import Any

from explorer.app.work.scheduler import Ended, Scheduler

log = logging.getLogger("explorer.fits")
# upper ends of a histogram's bins, in seconds
BINS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


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
        self.trees = self.from_cache = self.errors = 0

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
