"""Which connections are let in, and which make room for others."""

import sys

import pytest

from explorer.app.server import connections
from explorer.app.server.connections import SLOW_SECONDS, UNKNOWN, Complaint, Connections


class Desk:
    """Connections with a clock and a list of those that were closed."""

    def __init__(self, most):
        self.now, self.closed = 0.0, []
        self.all = Connections(most, lambda: self.now)

    def come(self, address, name=""):
        self.now += 1
        return self.all.admit(address, lambda: self.closed.append(name))


def test_at_the_bound_of_an_address_its_oldest_idle_connection_makes_room():
    desk = Desk(10)
    for i in range(5):
        assert desk.come("a", f"a{i}")
    assert desk.come("b", "b")
    assert desk.come("a", "a5")
    assert desk.closed == ["a0"]
    assert desk.all.count == 6


def test_at_the_bound_of_all_the_address_with_most_idle_connections_makes_room():
    desk = Desk(6)
    for name in ("a0", "b0", "b1", "b2", "c0", "c1"):
        desk.come(name[0], name)
    assert desk.come("d", "d")
    assert desk.closed == ["b0"]


def test_requests_and_websockets_are_not_closed_to_make_room():
    desk = Desk(4)
    one, two = desk.come("a", "a0"), desk.come("a", "a1")
    assert desk.all.begin(one, "a")
    assert desk.all.begin(two, "a")
    desk.all.upgrade(two)
    assert desk.come("a", "a2") is None
    assert desk.all.refused == 1
    assert desk.come("b", "b")  # another address is let in
    assert desk.closed == []


def test_a_request_that_takes_very_long_makes_room():
    desk = Desk(4)
    slow, wire = desk.come("a", "slow"), desk.come("a", "wire")
    desk.all.begin(slow, "a")
    desk.all.begin(wire, "a")
    desk.all.upgrade(wire)
    desk.now += SLOW_SECONDS + 1
    assert desk.come("a", "new")
    assert desk.closed == ["slow"]


def test_an_answered_request_leaves_an_idle_connection():
    desk = Desk(4)
    one, two = desk.come("a", "a0"), desk.come("a", "a1")
    for connection in (one, two):
        desk.all.begin(connection, "a")
    desk.all.rest(one)
    assert desk.come("a", "a2")
    assert desk.closed == ["a0"]


def test_behind_a_proxy_connections_count_for_the_client_that_asks():
    desk = Desk(8)
    came = [desk.come(UNKNOWN, str(i)) for i in range(6)]  # more than one address may have
    assert all(came)
    assert all(desk.all.begin(connection, "x") for connection in came[:4])
    assert not desk.all.begin(came[4], "x")
    assert desk.all.begin(came[5], "y")


def test_what_is_closed_is_counted_once():
    desk = Desk(8)
    one = desk.come("a")
    desk.all.gone(one)
    desk.all.gone(one)
    assert desk.all.count == 0
    assert desk.all._groups == {}


def test_trouble_is_written_once_a_minute_with_a_count(caplog):
    now = [0.0]
    complaint = Complaint(lambda: now[0])
    for _ in range(5):
        complaint.say("full", "It is full.")
    now[0] = 61.0
    complaint.say("full", "It is full.")
    assert [r.getMessage() for r in caplog.records] == [
        "It is full.",
        "It is full. (4 more since the last line)",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("most", "seats", "handles", "allowed"),
    [
        (None, 100, 20_000, 1600),
        (None, 2, 20_000, 200),
        (None, 100, 1024, 768),
        (5000, 100, 20_000, 5000),
        (5000, 100, 1024, 768),
        (None, 100, 200, 100),
    ],
)
def test_connections_leave_file_handles_for_all_else(monkeypatch, most, seats, handles, allowed):
    monkeypatch.setattr(connections, "CONNECTIONS", Connections())
    monkeypatch.setattr(connections, "raise_handle_limit", lambda: handles)
    connections.set_connections(most, seats)
    assert connections.CONNECTIONS.most == allowed
    assert connections.CONNECTIONS.per_address == allowed // 2
