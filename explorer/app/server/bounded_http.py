"""Tornado's HTTP server with bounds: connections, headers, bodies, file handles.

Bokeh makes a plain `HTTPServer`, which accepts connections without end, waits an hour for headers
and reads a body of 100 MB on any route. When file handles run out it tries to accept again at once,
for ever, with a traceback in the log each time. `install` has Bokeh make a `BoundedServer`.

Written for Tornado 6.5 and 6.6 (`TCPServer.add_sockets`, `HTTPServer.start_request`). Tests:
tests/classroom/test_connections.py. Without `install`, all is as Bokeh has it.
"""

from __future__ import annotations

import errno
import socket
import weakref
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from http.client import responses
from types import SimpleNamespace
from typing import Any

import bokeh.server.server as bokeh_server
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, RequestStartLine
from tornado.ioloop import IOLoop
from tornado.iostream import StreamClosedError

from explorer.app.server.client_address import (
    client_address,
    is_proxy,
    network_of,
    without_forged_headers,
)
from explorer.app.server.connections import CONNECTIONS, UNKNOWN, Connection

HEADER_SECONDS = 20.0  # for all headers of a request, and without one between two requests
BODY_SECONDS = 10.0  # for a whole body
LOGIN_BODY = 16 << 10  # a name and a password, each letter up to twelve bytes
OTHER_BODY = 1 << 10  # nothing else takes a body
PAUSE_SECONDS = 1.0  # without file handles: until the next connection is accepted
AT_ONCE = 128  # connections accepted before others get their turn
_NO_HANDLES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_BUSY = "Your address has too many connections open. Close other pages, then try again."
_FULL = "The server has too many connections open. Try again in a minute."
_LARGE = "This request is larger than anything that this server takes."


def largest_body(method: str, path: str) -> int:
    """Bytes that the body of a request may have."""
    return LOGIN_BODY if method == "POST" and path.endswith("/login") else OTHER_BODY


def _answer(status: int, sentence: str) -> bytes:
    body = sentence.encode()
    return (
        f"HTTP/1.1 {status} {responses[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nServer: forest-explorer\r\n"
        "Content-Security-Policy: frame-ancestors 'none'\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


class _Watched(HTTPMessageDelegate):
    """One request: whose it is, whether it may be asked, and how large its body may be."""

    def __init__(self, inner: HTTPMessageDelegate, http: Any, connection: Connection) -> None:
        self._inner, self._http, self._connection = inner, http, connection
        self._let_in = False

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Awaitable[None] | None:
        assert isinstance(start_line, RequestStartLine)
        peer = self._http.context.remote_ip
        without_forged_headers(headers, peer)
        asked = SimpleNamespace(headers=headers, remote_ip=peer)
        if not CONNECTIONS.begin(self._connection, network_of(client_address(asked))):
            return self._refuse(503, _BUSY)
        path = start_line.path.partition("?")[0]
        largest = largest_body(start_line.method, path)
        announced = headers.get("Content-Length", "0")
        if announced.isdecimal() and int(announced[:20]) > largest:
            return self._refuse(413, _LARGE)
        self._http.set_max_body_size(largest)
        self._let_in = True
        return self._inner.headers_received(start_line, headers)

    async def _refuse(self, status: int, sentence: str) -> None:
        stream = self._http.stream
        with suppress(StreamClosedError):
            await stream.write(_answer(status, sentence))
        stream.close()

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._inner.data_received(chunk) if self._let_in else None

    def finish(self) -> None:
        if self._let_in:
            self._inner.finish()

    def on_connection_close(self) -> None:
        if self._let_in:
            self._inner.on_connection_close()


class BoundedServer(HTTPServer):
    """Accepts what the bounds allow, and nothing for a while when file handles run out."""

    def initialize(self, request_callback: Any, *args: Any, **options: Any) -> None:
        options.setdefault("idle_connection_timeout", HEADER_SECONDS)
        options.setdefault("body_timeout", BODY_SECONDS)
        options.setdefault("max_body_size", LOGIN_BODY)
        super().initialize(request_callback, *args, **options)
        self._counted: weakref.WeakKeyDictionary[Any, Connection] = weakref.WeakKeyDictionary()

    def add_sockets(self, sockets: Iterable[socket.socket]) -> None:
        for sock in sockets:
            self._sockets[sock.fileno()] = sock
            self._handlers[sock.fileno()] = accept_from(sock, self._handle_connection)

    def handle_stream(self, stream: Any, address: Any) -> None:
        peer = str(address[0]) if isinstance(address, tuple) and address else "0.0.0.0"
        connection = CONNECTIONS.admit(
            UNKNOWN if is_proxy(peer) else network_of(peer), stream.close
        )
        if connection is None:
            _turn_away(stream)
            return
        close_fd = stream.close_fd

        def closed() -> None:
            del stream.close_fd  # or the two would keep each other
            close_fd()
            CONNECTIONS.gone(connection)

        stream.close_fd = closed
        self._counted[stream] = connection
        super().handle_stream(stream, address)

    def start_request(self, server_conn: Any, request_conn: Any) -> HTTPMessageDelegate:
        """Called when a connection is made, and again whenever a request was answered."""
        connection = self._counted[server_conn.stream]
        CONNECTIONS.rest(connection)
        inner = super().start_request(server_conn, request_conn)
        return _Watched(inner, request_conn, connection)

    def on_close(self, server_conn: Any) -> None:
        stream = server_conn.stream
        if not stream.closed() and stream in self._counted:
            CONNECTIONS.upgrade(self._counted[stream])  # it was handed to a websocket
        super().on_close(server_conn)


def _turn_away(stream: Any) -> None:
    """Close a connection that there is no room for, with a sentence if it gets through."""
    with suppress(OSError):
        stream.socket.send(_answer(503, _FULL))
    stream.close()


def accept_from(sock: socket.socket, accepted: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Accept connections from a socket until the returned function is called.

    As `tornado.netutil.add_accept_handler`, which it replaces, but without file handles it closes
    a connection that only waits, says so once and tries again after a pause.
    """
    loop = IOLoop.current()
    state = SimpleNamespace(removed=False, paused=False)

    def accept(fd: Any, events: int) -> None:
        for _ in range(AT_ONCE):
            if state.removed or state.paused:
                return
            try:
                connection, address = sock.accept()
            except BlockingIOError:  # all are accepted
                return
            except ConnectionAbortedError:  # closed before it was accepted
                continue
            except OSError as error:
                if error.errno not in _NO_HANDLES:
                    raise
                pause(error)
                return
            accepted(connection, address)

    def pause(error: OSError) -> None:
        CONNECTIONS.make_room()
        CONNECTIONS.complaint.say(
            "handles",
            f"No connection can be accepted ({error.strerror}): {CONNECTIONS.count} are open. "
            "Lower --max-connections, or raise the limit with 'ulimit -n'.",
        )
        state.paused = True
        loop.remove_handler(sock)
        loop.call_later(PAUSE_SECONDS, go_on)

    def go_on() -> None:
        if not state.removed:
            state.paused = False
            loop.add_handler(sock, accept, IOLoop.READ)

    def remove() -> None:
        if not state.paused:
            loop.remove_handler(sock)
        state.removed = True

    loop.add_handler(sock, accept, IOLoop.READ)
    return remove


def install() -> None:
    """Have Bokeh make such a server."""
    setattr(bokeh_server, "HTTPServer", BoundedServer)  # noqa: B010 (mypy: a type)
