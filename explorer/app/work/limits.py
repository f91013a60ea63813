"""Limits of the server: the number of sessions, and memory for growing forests.

A request that would not fit is refused in words before it is tried; nothing is left to the
system's own way of ending processes that grow too large.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from explorer.engine import ForestSpec
from explorer.engine.kernels.directions import DIRECTIONS

MOST_SESSIONS = 100
SMALL = 32 << 20  # bytes: requests up to this are not accounted for
LEAST_MEMORY = 256 << 20
UNKNOWN_MEMORY = 4 << 30  # of a machine that does not tell


def machine_memory() -> int:
    """Bytes of memory this process may use: the machine's, or its container's if that is less."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not a Unix
        found = UNKNOWN_MEMORY
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                found = min(found, int(file.read()))
        except (OSError, ValueError):  # no container, or one without a limit
            continue
    return max(LEAST_MEMORY, found)


def forest_bytes(spec: ForestSpec, n_samples: int, n_features: int, n_classes: int) -> int:
    """Memory a forest can need at most while it grows.

    A bag holds 63 % of the samples; at worst each is a leaf of its own. Extending a forest
    copies what is there, so for a moment it is held twice.
    """
    bag = n_samples if spec.bootstrap == "none" else 0.7 * n_samples + 10
    leaves = max(1.0, min(bag, 4 * n_samples / (spec.min_leaf + 1)))
    if spec.max_depth is not None:
        leaves = min(leaves, 2.0 ** min(spec.max_depth, 60))
    oblique = DIRECTIONS[spec.split].weighted
    m = (spec.n_combine or spec.features_per_split(n_features)) if oblique else 0
    node = 28 if oblique else 20
    tree = leaves * (2 * node + 12 * m + 8 * n_classes + 4) + 4 * n_samples
    if spec.rotate:
        tree += 8 * n_features**2
    return int(2 * spec.n_tree * tree)


def in_words(nbytes: float) -> str:
    """A size as a person says it."""
    return f"{nbytes / 2**30:.1f} GB" if nbytes >= 2**30 else f"{max(1, round(nbytes / 2**20))} MB"


class Budget:
    """Memory that all requests of a process share while they run."""

    def __init__(self, total: int | None = None) -> None:
        self.total = machine_memory() // 2 if total is None else total
        self.used = 0
        self.refused = 0
        self._lock = threading.Lock()

    def check(self, nbytes: int, what: str) -> None:
        """Refuse what could never fit."""
        if nbytes > self.total:
            self.refused += 1
            raise ValueError(
                f"{what} may need {in_words(nbytes)} of memory; this server gives "
                f"{in_words(self.total)}. Choose fewer trees or samples, or larger leaves."
            )

    @contextmanager
    def hold(self, nbytes: int, what: str) -> Iterator[None]:
        """Account for a request while it runs; refused if others hold too much already."""
        self.check(nbytes, what)
        if nbytes <= SMALL:
            yield
            return
        with self._lock:
            if self.used + nbytes > self.total:
                self.refused += 1
                raise ValueError(
                    f"{what} may need {in_words(nbytes)} of memory, and others are growing large "
                    "forests just now. Try again in a moment, or choose fewer trees."
                )
            self.used += nbytes
        try:
            yield
        finally:
            with self._lock:
                self.used -= nbytes


def forests_in_words(specs: Iterable[ForestSpec], n_samples: int, n_features: int) -> str:
    """What is asked for, as the beginning of a sentence."""
    trees = [spec.n_tree for spec in specs]
    many = (
        f"{sum(trees)} trees" if len(trees) < 2 else f"{sum(trees)} trees in {len(trees)} forests"
    )
    return f"{many} on {n_samples} x {n_features}"


class Seats:
    """How many visitors may be in the room."""

    def __init__(self, most: int = MOST_SESSIONS) -> None:
        self.most = most
        self.coming = 0  # opened, but not yet a session
        self._held: Counter[str] = Counter()  # by the id of a session that is still to be made
        self.turned_away = 0
        self.leaving = False  # the server is about to stop

    def free(self, taken: int) -> bool:
        return not self.leaving and taken + self.coming + len(self._held) < self.most

    def hold(self, session: str, taken: int) -> str | None:
        """Keep a seat for a session until `release`; None if there is none. One seat per id."""
        if session not in self._held and not self.free(taken):
            return None
        self._held[session] += 1
        return session

    def release(self, session: str) -> None:
        """The session is there, or will not be made."""
        self._held[session] -= 1
        if self._held[session] <= 0:
            del self._held[session]

    @contextmanager
    def entering(self) -> Iterator[None]:
        """Count a visitor whose page is being built."""
        self.coming += 1
        try:
            yield
        finally:
            self.coming -= 1


MEMORY = Budget()
SEATS = Seats()


def set_limits(max_sessions: int, cache_bytes: int, memory_bytes: int | None, cache: Any) -> None:
    """Bring the limits of this process to what the command line says."""
    if max_sessions < 1:
        raise ValueError(f"--max-sessions is {max_sessions}; at least one visitor must fit in.")
    SEATS.most = max_sessions
    cache.resize(cache_bytes)
    if memory_bytes is not None:
        if memory_bytes < LEAST_MEMORY:
            raise ValueError(f"--memory must be {LEAST_MEMORY >> 20} MB or more.")
        MEMORY.total = memory_bytes
