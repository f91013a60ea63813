"""How many connections may be open, in all and from one address, and which one makes room.

A browser has one websocket and up to six more connections while a page loads, and a whole class may
share one address (NAT). So the bounds follow the number of seats: 16 connections per seat in all,
half of them from one address. At a bound, a new connection takes the place of the one that has sent
no request for longest; so connections that only wait cannot keep anybody out. Next come requests
that take longer than a minute. Websockets are never closed to make room; seats limit those.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

log = logging.getLogger("explorer.connections")
PER_SEAT = 16
LEAST = 200  # connections, however few the seats
SLOW_SECONDS = 60.0  # a request beyond this may be closed to make room
SPARE_HANDLES = 256  # file handles for all else: files, child processes, the event loop
WANTED_HANDLES = 65_536
SAY_SECONDS = 60.0  # between two lines in the log about the same trouble
UNKNOWN = ""  # the address of what comes through a proxy, until its headers are read
IDLE, ASKING, OPEN = "idle", "asking", "open"  # no request; a request; a websocket


class Complaint:
    """A line in the log about trouble that comes in thousands: one a minute, with a count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[str, tuple[float, int]] = {}  # kind -> when, how often since

    def say(self, kind: str, sentence: str) -> None:
        now = self._clock()
        when, since = self._said.get(kind, (now - SAY_SECONDS, 0))
        if now - when < SAY_SECONDS:
            self._said[kind] = (when, since + 1)
            return
        self._said[kind] = (now, 0)
        log.warning("%s%s", sentence, f" ({since} more since the last line)" if since else "")


@dataclass(eq=False)
class Connection:
    """One connection: whose it is, what it does since when, and how it is closed.

    home: the address that it was accepted from; address: that of the request, behind a proxy.
    """

    home: str
    address: str
    close: Callable[[], None]
    state: str = IDLE
    since: float = 0.0


@dataclass
class _Group:
    """The connections of one address; those without a request, and requests, oldest first."""

    idle: OrderedDict[Connection, None] = field(default_factory=OrderedDict)
    asking: OrderedDict[Connection, None] = field(default_factory=OrderedDict)
    open: OrderedDict[Connection, None] = field(default_factory=OrderedDict)

    def __len__(self) -> int:
        return len(self.idle) + len(self.asking) + len(self.open)

    def of(self, state: str) -> OrderedDict[Connection, None]:
        return {IDLE: self.idle, ASKING: self.asking, OPEN: self.open}[state]


class Connections:
    """All connections of a process."""

    def __init__(self, most: int = LEAST, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.refused = self.dropped = self.count = 0
        self._clock = clock
        self._groups: dict[str, _Group] = {}
        self.complaint = Complaint(clock)

    @property
    def per_address(self) -> int:
        return max(1, self.most // 2)

    def admit(self, address: str, close: Callable[[], None]) -> Connection | None:
        """A new connection; None if there is no room for it."""
        if not self._room(address):
            self.refused += 1
            return None
        made = Connection(address, address, close, IDLE, self._clock())
        self._put(made)
        self.count += 1
        return made

    def begin(self, connection: Connection, address: str) -> bool:
        """A request has come from this address; False if it has too many connections already."""
        self._take(connection)
        if connection.address != address and not self._room(address, moving=True):
            connection.state = ASKING
            self._put(connection)
            self.refused += 1
            return False
        connection.address, connection.state, connection.since = address, ASKING, self._clock()
        self._put(connection)
        return True

    def rest(self, connection: Connection) -> None:
        """The request is answered; behind a proxy the next one may come from another address."""
        self._turn(connection, IDLE, connection.home)

    def upgrade(self, connection: Connection) -> None:
        """The connection is a websocket from now on."""
        self._turn(connection, OPEN, connection.address)

    def gone(self, connection: Connection) -> None:
        """The connection is closed."""
        if self._take(connection):
            self.count -= 1

    def make_room(self, wanted: int = 16) -> None:
        """Close connections without a request, because the system has no file handle left."""
        for _ in range(wanted):
            if not self._drop_one(self._groups.values()):
                return

    def _turn(self, connection: Connection, state: str, address: str) -> None:
        if self._take(connection):
            connection.state, connection.address = state, address
            connection.since = self._clock()
            self._put(connection)

    def _put(self, connection: Connection) -> None:
        group = self._groups.setdefault(connection.address, _Group())
        group.of(connection.state)[connection] = None

    def _take(self, connection: Connection) -> bool:
        group = self._groups.get(connection.address)
        if group is None or connection not in group.of(connection.state):
            return False
        del group.of(connection.state)[connection]
        if not len(group):
            del self._groups[connection.address]
        return True

    def _room(self, address: str, moving: bool = False) -> bool:
        """Whether there is room for one more, if need be after closing another."""
        group = self._groups.get(address)
        if address != UNKNOWN and group is not None and len(group) >= self.per_address:
            self.complaint.say(
                "address",
                f"One address has {len(group)} connections open, the most that --max-connections "
                "allows; its oldest ones without a request are closed, or new ones refused.",
            )
            return self._drop_one([group])
        if not moving and self.count >= self.most:
            self.complaint.say(
                "all",
                f"{self.count} connections are open, the most that --max-connections allows; the "
                "oldest ones without a request are closed, or new ones refused.",
            )
            return self._drop_one(self._groups.values())
        return True

    def _drop_one(self, groups: Collection[_Group]) -> bool:
        """Close the oldest idle connection of the address that has most of these, or a slow one."""
        victim: Connection | None = None
        most = max(groups, key=lambda group: len(group.idle), default=None)
        if most is not None and most.idle:
            victim = next(iter(most.idle))
        else:
            oldest = (next(iter(group.asking)) for group in groups if group.asking)
            victim = min(oldest, key=lambda connection: connection.since, default=None)
            if victim is None or self._clock() - victim.since <= SLOW_SECONDS:
                return False
        self.dropped += 1
        self.gone(victim)
        victim.close()
        return True


CONNECTIONS = Connections()


def raise_handle_limit() -> int | None:
    """Let this process open as many files as the system permits, up to a bound; how many.

    Many systems start programs with 1024, and every connection takes one. None where the system
    does not say.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    for wanted in (WANTED_HANDLES, 10_240):  # macOS refuses more than the second
        aim = wanted if hard == endless else min(wanted, hard)
        if soft == endless or soft >= aim:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (aim, hard))
        except (ValueError, OSError):
            continue
        soft = aim
    return WANTED_HANDLES if soft == endless else soft


def set_connections(most: int | None, seats: int) -> None:
    """Bound the connections of this process: what was asked for, as far as file handles go."""
    handles = raise_handle_limit()
    wanted = max(LEAST, PER_SEAT * seats) if most is None else most
    if handles is not None:
        spare = min(SPARE_HANDLES, handles // 2)
        if most is not None and most > handles - spare:
            log.warning(
                "--max-connections is %d, but this system lets a program open %d files: %d "
                "connections are allowed. Raise the limit with 'ulimit -n'.",
                most,
                handles,
                handles - spare,
            )
        wanted = min(wanted, handles - spare)
    CONNECTIONS.most = wanted
