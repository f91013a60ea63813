"""Has work of one visitor done by the scheduler, and its results delivered in order.

Every request has a number. Of one kind only the newest counts: the scheduler cancels older ones,
and what they had sent before is dropped here once something newer has been delivered. So the
last result that is delivered is always one of the newest request.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable
from typing import Any

from explorer.app.session.mailbox import Mailbox
from explorer.app.state.uploads import CACHE_BYTES
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler, Steps

Order = tuple[int, int]  # the number of a request, and of a result of it


class Visitor:
    """Whom work is for: a key of the scheduler with a name that says nothing."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(3)

    def __repr__(self) -> str:
        return f"Visitor({self.name})"


class Worker:
    """The scheduler and the caches as one visitor uses them."""

    def __init__(self, scheduler: Scheduler, cache: Cache, mailbox: Mailbox) -> None:
        self.scheduler, self.mailbox = scheduler, mailbox
        self.key = Visitor()
        self.cache = self._common = cache
        self._numbers = itertools.count(1)
        self._delivered: dict[str, Order] = {}

    def ask(
        self,
        kind: str,
        steps: Steps,
        take: Callable[[Any], None],
        fail: Callable[[BaseException], None],
        *,
        long: bool = False,
        slow: Callable[[Any], bool] = lambda value: False,
    ) -> None:
        """Have work done; older work of this kind is cancelled.

        take and fail are called on the page's thread, newest last. slow: whether taking a value
        needs so long that it is done beside the event loop.
        """
        number = next(self._numbers)
        results = itertools.count(1)

        def deliver(slowly: bool, act: Callable[[], None]) -> None:
            order = number, next(results)

            def in_order() -> None:
                if order > self._delivered.get(kind, (0, 0)):
                    self._delivered[kind] = order
                    act()

            if slowly:
                self.mailbox.aside(in_order)
            else:
                self.mailbox.post(kind, in_order)

        self.scheduler.submit(
            self.key,
            kind,
            steps,
            lambda value: deliver(slow(value), lambda: take(value)),
            lambda error: deliver(False, lambda: fail(error)),
            long=long,
        )

    def stop(self, kind: str | None = None) -> None:
        """Cancel the work of one kind, or all of it."""
        self.scheduler.stop(self.key, kind)

    @property
    def busy(self) -> bool:
        """Whether something is computed or waits for its turn."""
        return self.scheduler.busy(self.key)

    def keep_apart(self, own: bool) -> None:
        """What is made of a visitor's own file has a cache of its own, which goes with it."""
        if own and self.cache is self._common:
            self.cache = Cache(CACHE_BYTES)
        elif not own:
            self.cache = self._common

    def close(self) -> None:
        """The visitor has gone."""
        self.stop()
        self.cache = self._common
