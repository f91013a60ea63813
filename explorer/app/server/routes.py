"""The routes of the server: who may request what, and which headers are sent with a page.

`install` puts our handlers into Bokeh's table of routes before a server is made from it, so
`forest-explorer` and `panel serve explorer/app` have the same doors.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import panel.io.server as panel_server
from bokeh.server import urls
from bokeh.settings import settings
from bokeh.util.token import check_token_signature, get_session_id
from tornado.iostream import StreamClosedError
from tornado.web import ErrorHandler, OutputTransform, RequestHandler
from tornado.websocket import WebSocketClosedError

from explorer.app import gil_yield
from explorer.app.layout.plain_page import plain_page
from explorer.app.server import bounded_http, log_limit, prebuilt_pages
from explorer.app.server.guarded_wire import NOT_ALLOWED, GuardedWire
from explorer.app.server.message_limits import NOT_OURS
from explorer.app.server.metrics import Health, Metrics, sessions_of
from explorer.app.server.patches import headers_everywhere, static_paths
from explorer.app.session.registry import note_fault
from explorer.app.work.limits import SEATS

log = logging.getLogger("explorer.doors")
# what a page itself may run and load is in its own policy (page_policy), which has a nonce
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
REFUSED = 4403
WIRES_PER_PAGE = 8  # websockets of one page: it has one, and old ones that are not yet given up
ALIVE = 0.3  # seconds between two times that a client is said to be alive, if that takes long
FULL = (
    "The server is full. This page will try again by itself; places become free "
    "about half a minute after somebody closes the page."
)
STOPPING = "The server is about to start anew. This page will try again by itself."
CHOSEN = "This address asks for somebody else's session. Open the page without it."
AGAIN_SECONDS = 10


def allow_frames(*origins: str) -> None:
    """Let pages of these origins show ours in a frame, such as a cell of a notebook.

    None by default: a page in a foreign frame can be made to receive clicks meant for others.
    """
    ancestors = " ".join(origins) or "'none'"
    HEADERS["Content-Security-Policy"] = re.sub(
        "frame-ancestors [^;]*;",
        f"frame-ancestors {ancestors};",
        HEADERS["Content-Security-Policy"],
    )
    if origins:
        HEADERS.pop("X-Frame-Options", None)  # knows no list of origins
    else:
        HEADERS["X-Frame-Options"] = "DENY"


class SafeHeaders(OutputTransform):
    """Puts the headers on every answer of the server, files and errors included."""

    def transform_first_chunk(
        self, status_code: int, headers: Any, chunk: bytes, finishing: bool
    ) -> tuple[int, Any, bytes]:
        for name, value in HEADERS.items():
            headers[name] = value
        headers["Server"] = "forest-explorer"
        return status_code, headers, chunk


def say(handler: RequestHandler, status: int, sentence: str, inner: str = "") -> None:
    """Answer with a page of one sentence."""
    handler.set_status(status)
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.set_header("Cache-Control", "no-store")
    handler.write(plain_page("Forest Explorer", sentence, inner))


class _Words:
    """Errors are a sentence, never a traceback."""

    def write_error(self: Any, status_code: int, **options: Any) -> None:
        words = {404: "There is no such page.", 403: "This is not open to you."}
        sentence = words.get(status_code, "This could not be answered. Open the page anew.")
        say(self, status_code, sentence, '<a href="./">Forest Explorer</a>')


class Door(_Words, panel_server.DocHandler):
    """The page: refuses a chosen session, and the visitor too many, before anything is built."""

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    async def get(self, *args: Any, **kwargs: Any) -> None:
        if asks_for_a_session(self):
            say(self, 403, CHOSEN, '<a href="./">Open</a>')
            return
        if self.current_user is not None and not SEATS.free(sessions_of(self.application)):
            SEATS.turned_away += 1
            self.set_header("Retry-After", str(AGAIN_SECONDS))
            self.set_header("Refresh", str(AGAIN_SECONDS))
            say(self, 503, STOPPING if SEATS.leaving else FULL)
            return
        with SEATS.entering():
            page = super().get(*args, **kwargs)
            if page is not None:  # without the password it was a redirection
                await page


def asks_for_a_session(handler: RequestHandler) -> bool:
    """Whether a client brings a session's id or token in the address or in a header."""
    names = ("bokeh-session-id", "bokeh-token")
    return any(n in handler.request.arguments or n in handler.request.headers for n in names)


@contextmanager
def _gathered(stream: Any) -> Iterator[list[bytes]]:
    """Keep what is written meanwhile, to be written at once.

    A picture is a dozen frames. Each by itself is a call of the system, after which the event
    loop waits for Python's lock if anybody else computes: a seventh of its time in a busy class.
    """
    frames: list[bytes] = []
    written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    written.set_result(None)

    def gather(data: bytes) -> asyncio.Future[None]:
        stream._check_closed()
        frames.append(bytes(data))
        return written

    stream.write = gather
    try:
        yield frames
    finally:
        del stream.write


class Wire(GuardedWire):
    """The websocket: its token must be ours; a client is told no details of a fault."""

    here: ClassVar[weakref.WeakSet[Any]] = weakref.WeakSet()
    page = ""  # the session that it belongs to
    _seat: str | None = None  # held until the session is there

    def open(self, *args: Any, **kwargs: Any) -> Any:
        self.here.add(self)
        token = self._token or ""
        server: Any = self.application  # a BokehTornado, which Tornado's types do not know
        session = ""
        try:
            ours = check_token_signature(
                token, signed=server.sign_sessions, secret_key=server.secret_key
            )
            session = get_session_id(token)
        except Exception:  # whatever a client may have put there
            ours = False
        if not ours or not session:
            self.close(REFUSED, "not a token of this server")
            return None
        if sum(wire.page == session for wire in self.here) >= WIRES_PER_PAGE:
            self.close(REFUSED, "too many connections of one page")
            return None
        self.page = session
        known = {one.id for one in server.get_sessions(self.application_context.url)}
        if session not in known:  # of a page that was kept: its seat is held while it is built
            self._seat = SEATS.hold(session, len(known))
            if self._seat is None:
                self.close(REFUSED, "the server is full")
                return None
        self.set_nodelay(True)  # or a picture may wait 40 ms for the receipt of the one before
        return super().open(*args, **kwargs)

    async def _async_open(self, token: str) -> None:
        try:
            await super()._async_open(token)
        except Exception as error:  # a token that has expired since: the page opens anew
            log.warning("A page could not be opened: %s", error)
            self.close(REFUSED, "open the page anew")
        finally:
            self._release_seat()

    def _release_seat(self) -> None:
        """The session is there and counts by itself, or it will never be."""
        if self._seat is not None:
            SEATS.release(self._seat)
            self._seat = None

    def on_close(self) -> None:
        self._release_seat()
        self.page = ""
        # Bokeh may have parted from the session before, and then does not expect this
        if self.connection is None or self.connection._session is not None:
            super().on_close()

    async def on_message(self, fragment: str | bytes) -> None:
        if self.receiver is None:  # before we said that we are ready
            self.close(REFUSED, "not yet open")
            return
        if self.connection is None or self.connection._session is None:
            return  # what was still on its way when its visitor left
        gil_yield.hear()
        with self._heard():
            await super().on_message(fragment)

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """While its message is dealt with, a client counts as alive.

        Tornado reads no further meanwhile, not even the answer to its own ping; one whose page
        takes long would be taken for dead and cut off.
        """
        timers: list[asyncio.TimerHandle] = []

        def alive() -> None:
            if self.ws_connection is not None:
                setattr(self.ws_connection, "_received_pong", True)  # noqa: B010 (mypy: no such)
            timers[:] = [loop.call_later(ALIVE, alive)]

        loop = asyncio.get_running_loop()
        timers.append(loop.call_later(ALIVE, alive))
        try:
            yield
        finally:
            timers[0].cancel()

    async def send_message(self, message: Any) -> None:
        if message.msgtype == "ERROR" and message.content.get("text") != NOT_ALLOWED:
            # the details are in our log; a client gets a sentence, and its user a notice
            if self.connection is None or self.account.may_log():
                log.error("A client's message failed: %s", message.content.get("text"))
            message.content["text"] = "That could not be done."
            message.content["traceback"] = None
            if self.connection is not None:
                note_fault(self.connection.session.document)
        stream = self.ws_connection.stream if self.ws_connection is not None else None
        if stream is None or "write" in vars(stream):  # closed; or part of what is being gathered
            await super().send_message(message)
            return
        with _gathered(stream) as frames:
            await super().send_message(message)
        with suppress(StreamClosedError):  # `on_close` is or will be called
            await stream.write(b"".join(frames))

    def _internal_error(self, message: str) -> None:
        self.log_and_close(message)

    def _protocol_error(self, message: str) -> None:
        self.log_and_close(message)

    def log_and_close(self, message: str) -> None:
        """Close with a code that browsers know, and without details."""
        if self.connection is None or self.account.may_log():
            log.error("A message could not be read: %s", message[:300])
        self.hang_up(NOT_OURS, "A message could not be read.")


def quiet_leaving(loop: Any) -> None:
    """A visitor who leaves while something is being sent is no fault, and no line in the log."""

    def handle(loop: Any, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), (WebSocketClosedError, StreamClosedError)):
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)


def close_all() -> None:
    """Close every websocket: the server stops, and pages shall come back by themselves."""
    for wire in list(Wire.here):
        wire.close(1012, "the server starts anew")


class Nothing(_Words, ErrorHandler):
    """A door of the stack that we keep shut."""

    def initialize(self, *args: Any, **kwargs: Any) -> None:
        ErrorHandler.initialize(self, 404)


class NotFound(Nothing):
    """Any address that nothing else answers."""


SHORTEST_KEY = 32


class WeakKey(ValueError):
    """The secret key of the environment can be guessed; the sentence says what to do."""


def sign_sessions() -> str:
    """Have session ids signed, with the key of the environment or one of this start.

    With a key that can be guessed, session tokens and login cookies can be forged: it is refused.
    """
    key = os.environ.setdefault("BOKEH_SECRET_KEY", secrets.token_urlsafe(32))
    if len(key) < SHORTEST_KEY:
        raise WeakKey(
            f"BOKEH_SECRET_KEY has {len(key)} characters; it needs at least {SHORTEST_KEY}, or "
            "cookies can be forged. Set it to the output of 'openssl rand -hex 32' (check that "
            "openssl is installed), or unset it to have one made for this start."
        )
    os.environ["BOKEH_SIGN_SESSIONS"] = "yes"
    settings._secret_key_bytes = key.encode()  # Bokeh remembers that there was none
    return key


def install() -> None:
    """Put our doors into the tables that Bokeh and Panel build a server from."""
    # a look through all parts for mistakes of ours; a tenth of the time a page takes
    os.environ.setdefault("BOKEH_VALIDATE_DOC", "false")
    prebuilt_pages.install()
    bounded_http.install()
    log_limit.install()
    static_paths.install()
    headers_everywhere.install(SafeHeaders)
    urls.per_app_patterns[:] = [
        (r"/ws", Wire),
        (r"/metadata", Nothing),
        (r"/autoload.js", Nothing),
        (r"/?", Door),
    ]
    if not any(pattern[1] is Health for pattern in urls.toplevel_patterns):
        urls.toplevel_patterns[1:1] = [(r"/health", Health), (r"/metrics", Metrics)]
    # it imports any module that a client names
    setattr(panel_server, "ComponentResourceHandler", Nothing)  # noqa: B010 (mypy: a type)
