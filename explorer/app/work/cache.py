"""The cache that sessions share: finished forests and pictures, bounded in bytes.

Single-flight: of several sessions that want the same thing one makes it, the others get it.
Keys are content hashes and frozen specs, so a value never goes stale.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from explorer.app.work.sealing import seal

DEFAULT_BYTES = 512 << 20
_LARGE = 100  # a value is large beyond the limit over this


class Cache:
    """A least-recently-used store of at most ``limit`` bytes. All methods are thread-safe.

    Large values take half of it at most: a few who grow thousands of trees do not drive out the
    small pictures that a class looks at.
    """

    def __init__(self, limit: int = DEFAULT_BYTES) -> None:
        if limit < 0:
            raise ValueError(f"A cache of {limit} bytes is not possible; use 0 or more.")
        self.limit = limit
        self.hits = 0
        self.misses = 0
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = self._large_bytes = 0
        self._flying: set[Hashable] = set()
        self._landed = threading.Condition(threading.RLock())

    @property
    def nbytes(self) -> int:
        return self._bytes

    def __len__(self) -> int:
        return len(self._held)

    def resize(self, limit: int) -> None:
        """Another bound; what no longer fits leaves."""
        if limit < 0:
            raise ValueError(f"A cache of {limit} bytes is not possible; use 0 or more.")
        with self._landed:
            self.limit = limit
            self._large_bytes = sum(n for _, n in self._held.values() if self._large(n))
            self._make_room()

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key, which becomes the most recently used; or the default."""
        with self._landed:
            if key not in self._held:
                self.misses += 1
                return default
            self.hits += 1
            self._held.move_to_end(key)
            return self._held[key][0]

    def put(self, key: Hashable, value: Any, nbytes: int) -> None:
        """Keep a value, unless it is larger than the cache; the least recently used ones leave.

        Its arrays become read-only: other sessions are given the same ones.
        """
        with self._landed:
            self.drop(key)
            if nbytes > self.limit:
                return
            self._held[key] = (seal(value), nbytes)
            self._bytes += nbytes
            self._large_bytes += nbytes if self._large(nbytes) else 0
            self._make_room()

    def _make_room(self) -> None:
        """Drop what was not used for longest, of the large ones first where they have too much."""
        while self._bytes > self.limit:
            large = self._large_bytes > self.limit / 2
            self.drop(next(k for k, (_, n) in self._held.items() if not large or self._large(n)))

    def _large(self, nbytes: int) -> bool:
        return nbytes * _LARGE > self.limit

    def drop(self, key: Hashable) -> None:
        """Forget a value, if it is there."""
        with self._landed:
            _, nbytes = self._held.pop(key, (None, 0))
            self._bytes -= nbytes
            self._large_bytes -= nbytes if self._large(nbytes) else 0

    def clear(self) -> None:
        with self._landed:
            self._held.clear()
            self._bytes = self._large_bytes = 0

    # ---- single flight

    def claim(self, key: Hashable) -> bool:
        """True if the caller shall make this key (and must `release` it); False: another does."""
        with self._landed:
            if key in self._flying:
                return False
            self._flying.add(key)
            return True

    def release(self, key: Hashable) -> None:
        """The caller made it, failed or was cancelled: the next one who asks may claim it."""
        with self._landed:
            self._flying.discard(key)
            self._landed.notify_all()

    def wait(self, key: Hashable, seconds: float) -> None:
        """Sleep until somebody's flight of this key has landed, or the time is over."""
        with self._landed:
            if key in self._flying:
                self._landed.wait(seconds)

    def get_or_make(
        self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]
    ) -> Any:
        """The value of a key, made by one caller only; an error reaches each who asked."""
        while True:
            value = self.get(key, self)
            if value is not self:
                return value
            if self.claim(key):
                try:
                    value = make()
                    self.put(key, value, size(value))
                    return value
                finally:
                    self.release(key)
            self.wait(key, 1.0)


SHARED = Cache()
