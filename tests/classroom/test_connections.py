"""Connections, headers, bodies, seats and guesses that one client may have, on real servers."""

import asyncio
import calendar
import http.client
import re
import sys
import threading
import time
import urllib.parse

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from tornado.httpclient import HTTPClientError

from explorer.app.server.guessing import FREE_CHECKS
from explorer.app.server.routes import WIRES_PER_PAGE

from . import raw
from .client import Client, Closed, Server, free_port, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and 127.0.0.2")
KEY = "k" * 64
MOST, SEATS = 60, 5
TIMES = (  # the server's own times are longer than a test should take
    "from explorer.app.server import bounded_http as http; "
    "http.HEADER_SECONDS = 2.0; http.BODY_SECONDS = 2.0; "
    "from explorer.app.server import startup; startup.UNUSED_MS = startup.CHECK_MS = 500; "
)
MAIN = "from explorer.cli import main; main()"
LOWER = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 2000)); "
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


@pytest.fixture(scope="module")
def small(folder):
    """Few seats and connections, short times, a known key."""
    options = ("--max-connections", str(MOST), "--max-sessions", str(SEATS))
    server = Server(folder, *options, code=LOWER + TIMES + MAIN, BOKEH_SECRET_KEY=KEY).wait()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def proxied(folder):
    """A server that expects a proxy on this machine."""
    port = free_port()
    options = ("--public", "--address", "127.0.0.1", "--origin", f"http://127.0.0.1:{port}")
    more = ("--behind-proxy", "--max-connections", str(MOST))
    server = Server(folder, *options, *more, port=port).wait()
    yield server
    server.stop()


# ---- connections


def test_idle_connections_of_one_address_keep_nobody_out(small):
    with raw.Crowd() as crowd:
        crowd.come(300, small.port, raw.FAR)
        assert raw.asked(small.port, "/health", raw.NEAR)[0] == 200
        assert raw.asked(small.port, "/health", raw.FAR)[0] == 200  # a class behind one address
        assert small.metrics()["connections"] <= MOST // 2 + 2
        assert crowd.still_open() <= MOST // 2
    said = [line for line in small.said().splitlines() if "connections open" in line]
    assert len(said) == 1  # not one for each


def test_idle_connections_of_many_addresses_keep_nobody_out(small):
    with raw.Crowd() as crowd:
        for last in range(10, 40):
            crowd.come(10, small.port, f"127.0.0.{last}")
        assert raw.asked(small.port)[0] == 200
        assert small.metrics()["connections"] <= MOST


def test_headers_that_are_half_sent_are_given_up(small):
    with raw.Crowd() as crowd:
        crowd.come(20, small.port, data=HALF)
        assert len(crowd.sockets) == 20
        raw.until(lambda: crowd.still_open() == 0, 60)


def test_headers_that_come_byte_by_byte_are_given_up(small):
    with raw.connect(small.port, data=HALF) as one:
        ends = time.monotonic() + 60
        while not raw.closed(one):
            one.setblocking(True)
            try:
                one.sendall(b"x")
            except OSError:
                break
            assert time.monotonic() < ends
            time.sleep(0.1)


def test_the_limit_of_file_handles_is_raised_at_the_start(small):
    with open(f"/proc/{small.process.pid}/limits", encoding="ascii") as file:
        row = next(line for line in file if line.startswith("Max open files"))
    assert row.split()[3] == "2000"
    assert f"connections  at most {MOST}, {MOST // 2} of one address" in small.said()


def test_without_file_handles_the_server_neither_spins_nor_fills_its_log(folder):
    # the bound that keeps handles free is taken away, so that they do run out
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)); "
        "from explorer.app.server import connections; connections.SPARE_HANDLES = -10_000; "
        "connections.Connections.make_room = lambda self, wanted=1: None; "
    )
    server = Server(folder, "--max-connections", "9000", code=code + MAIN).wait()
    try:
        with raw.Crowd() as crowd:
            crowd.come(250, server.port)  # those beyond the handles wait to be accepted
            raw.until(lambda: "No connection can be accepted" in server.said())
            before, begun = raw.cpu_seconds(server.process.pid), len(server.said())
            time.sleep(2)
            assert raw.cpu_seconds(server.process.pid) - before < 1.0  # it was two: a whole core
            assert len(server.said()) - begun < 1000
        assert raw.asked(server.port)[0] == 200
        assert server.said().count("No connection can be accepted") == 1
        assert "accept(" not in server.said()  # no traceback of it
    finally:
        server.stop()


# ---- behind a proxy


def test_behind_a_proxy_the_bound_is_per_client_and_not_for_the_proxy(proxied):
    waits = b"GET /no/such HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.9\r\n"
    waits += b"Content-Length: 5\r\n\r\n"  # which does not come
    with raw.Crowd() as crowd:
        crowd.come(MOST - 10, proxied.port, data=waits)
        raw.until(lambda: proxied.metrics()["connections_refused_total"] >= MOST // 2 - 10)
        assert raw.asked(proxied.port, X_Forwarded_For="203.0.113.9")[0] == 503
        assert raw.asked(proxied.port, X_Forwarded_For="203.0.113.10")[0] == 200


def test_only_the_proxy_may_say_who_its_clients_are(proxied):
    forged = {"X_Forwarded_For": "127.0.0.1", "X_Real_Ip": "127.0.0.1"}
    assert raw.asked(proxied.port, "/metrics", raw.FAR, **forged)[0] == 404
    assert raw.asked(proxied.port, "/metrics", raw.FAR)[0] == 404
    assert raw.asked(proxied.port, "/metrics", raw.NEAR)[0] == 200  # Prometheus on this machine
    assert raw.asked(proxied.port, "/metrics", raw.NEAR, X_Real_Ip="127.0.0.1")[0] == 404


# ---- bodies


@pytest.mark.parametrize("path", ["/", "/login", "/ws", "/static/js/bokeh.min.js", "/no/such"])
def test_a_large_body_is_refused_before_it_is_read(small, path):
    before = raw.resident_bytes(small.process.pid)
    with raw.connect(small.port) as one:
        one.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 99000000\r\n\r\n".encode())
        assert raw.heard(one, 10).startswith(b"HTTP/1.1 413")  # before any byte of it
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    chunk = b"10000\r\n" + bytes(1 << 16) + b"\r\n"
    with raw.connect(small.port, data=head) as one, pytest.raises(OSError, match=r"reset|pipe"):
        one.sendall(chunk * 1000)  # it closes the connection long before the end
    assert raw.resident_bytes(small.process.pid) - before < 30 << 20


def test_a_body_that_comes_slowly_is_given_up(small):
    head = b"POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\npassword="
    with raw.connect(small.port, data=head) as one:
        begun = time.monotonic()
        raw.heard(one, 60)  # a time-out is an error
        assert time.monotonic() - begun < 40  # 10 s, and not for ever


def test_a_small_body_is_answered_as_before(small):
    assert raw.asked(small.port, "/", body=b"a=b")[0] == 405
    assert raw.asked(small.port, "/no/such", body=b"a=b")[0] == 404


# ---- seats


def kept_token() -> str:
    """A token of a page that was opened once and whose session is over."""
    session = generate_session_id(secret_key=KEY.encode(), signed=True)
    payload = {"headers": {}, "cookies": {}, "arguments": {}}
    expires = calendar.timegm(time.gmtime()) + 3600
    return generate_jwt_token(
        session,
        secret_key=KEY.encode(),
        signed=True,
        extra_payload={**payload, "session_expiry": expires},
    )


def test_kept_tokens_that_open_together_get_no_more_seats_than_there_are(small):
    wait_until_empty(small)

    async def open_one():
        client = Client(small.address)
        client.token = kept_token()
        try:
            await client.connect()
        except (Closed, HTTPClientError):
            return None
        return client

    async def visit():
        clients = await asyncio.gather(*(open_one() for _ in range(3 * SEATS)))
        inside = [client for client in clients if client is not None]
        assert len(inside) == SEATS
        assert small.health()["sessions"] == SEATS
        for client in inside:
            await client.leave()

    run(visit())


def wait_until_empty(server):
    """Seats that the test before has taken are free again."""
    raw.until(lambda: server.health()["sessions"] == 0, 60)


def test_one_page_has_a_bounded_number_of_websockets(small):
    wait_until_empty(small)

    async def visit():
        first = await Client(small.address).come()
        clients = [first]
        refused = 0
        for _ in range(WIRES_PER_PAGE + 3):
            more = Client(small.address)
            more.token = first.token
            try:
                await more.connect()
                clients.append(more)
            except Closed:
                refused += 1
        assert (len(clients), refused) == (WIRES_PER_PAGE, 4)
        await first.move("lead", 21.0)
        for client in clients:
            await client.leave()

    run(visit())


def test_a_page_that_is_open_is_not_closed_to_make_room(small):
    wait_until_empty(small)

    async def visit():
        client = await Client(small.address).come()
        with raw.Crowd() as crowd:
            crowd.come(200, small.port)
            assert await client.move("lead", 22.0) < 30
            assert crowd.still_open() <= MOST // 2
        await client.leave()

    run(visit())


# ---- guesses


@pytest.fixture
def guarded(folder):
    """A server with a password that nobody has guessed at yet."""
    port = free_port()
    options = ("--public", "--address", "127.0.0.1", "--origin", f"http://127.0.0.1:{port}")
    server = Server(folder, *options, port=port, FOREST_EXPLORER_PASSWORD="four tall trees").wait()
    yield server
    server.stop()


def guess(port, word, answers, cookie=""):
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        body = urllib.parse.urlencode({"password": word})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        wire.request("POST", "/login", body, kind)
        answers.append(wire.getresponse().status)
    finally:
        wire.close()


def test_wrong_guesses_that_wait_do_not_lock_out_the_right_password(guarded):
    page = raw.asked(guarded.port, "/login")[1]
    cookie = re.search(r"Set-Cookie: (forest_explorer_browser=[^;]+)", page)[1]
    wrong, right = [], []
    threads = [
        threading.Thread(target=guess, args=(guarded.port, f"guess {i}", wrong)) for i in range(60)
    ]
    for thread in threads:
        thread.start()
    raw.until(lambda: 429 in wrong)  # the free checks are used up, and a line waits
    guess(guarded.port, "four tall trees", right, cookie)
    assert right == [303]
    assert len(wrong) < 60  # it did not wait until the guesses were answered
    for thread in threads:
        thread.join()
    assert set(wrong) == {403, 429}
    assert wrong.count(403) <= FREE_CHECKS + 10  # so many were checked at all
