"""How much time somebody used of late: what lies back counts less and less."""

from __future__ import annotations

import time

FORGET_SECONDS = 5.0  # after this time half of what was used is forgotten


class RecentUse:
    """Seconds of work, of late. half_life: after it, half of them is forgotten."""

    def __init__(self, half_life: float = FORGET_SECONDS) -> None:
        self._half_life = half_life
        self._seconds = 0.0
        self._at = time.monotonic()

    def now(self) -> float:
        return float(self._seconds * 0.5 ** ((time.monotonic() - self._at) / self._half_life))

    def steps(self, width: float) -> int:
        """The same in steps so wide that those who used about as much take turns."""
        return int(self.now() / width)

    def add(self, seconds: float) -> None:
        self._seconds = self.now() + seconds
        self._at = time.monotonic()
