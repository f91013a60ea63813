"""The websocket's guard: bounds and the list of allowed changes, before Bokeh applies a message.

A message out of bounds closes the connection with a reason (`message_limits`). One that changes
what no browser of ours changes is answered with an error and not applied (`allowed_changes`); after
many of them the connection is closed too. Sessions take turns: after each message others are
served, and one whose messages take much time waits (`client_account`). What is sent to a browser
is sent a whole message at a time.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import panel.io.server as panel_server
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from explorer.app.server.allowed_changes import GONE, changed_by
from explorer.app.server.client_account import (
    HELD_BYTES,
    MOST_REFUSED,
    PENALTY,
    ClientAccount,
    Timed,
    account_of,
)
from explorer.app.server.message_limits import NOT_OURS, TOO_BIG, BoundedReceiver, OutOfBounds
from explorer.app.session.registry import note_fault

log = logging.getLogger("explorer.doors")
NOT_ALLOWED = "This cannot be changed from a browser."
HANG_UP_SECONDS = 1.0  # for the client to close its side, after it was told the reason
LONGEST_PAUSE = 5.0


class GuardedWire(panel_server.WSHandler):
    """A websocket whose messages are checked before they are decoded."""

    _hung_up = False
    _bounded: BoundedReceiver | None = None

    @property
    def receiver(self) -> Any:
        return self._bounded

    @receiver.setter
    def receiver(self, made: Any) -> None:
        """Bokeh puts its own receiver here when a session opens."""
        self._bounded = None if made is None else BoundedReceiver(made._protocol)

    @property
    def account(self) -> ClientAccount:
        assert self.connection is not None
        return account_of(self.connection.session)

    async def on_message(self, fragment: str | bytes) -> None:
        if self._hung_up or self._bounded is None:
            return
        account = self.account
        pause = account.pause()
        if pause:
            await asyncio.sleep(min(pause, LONGEST_PAUSE))
            if self.connection is None or self.connection._session is None:
                return  # its visitor left meanwhile
        work = Timed(super().on_message(fragment))
        await work
        account.spend(work.seconds)
        if self._bounded.between_messages and self._has_more():
            # Tornado would go on with what it has read already, however much, before others
            await asyncio.sleep(0)

    def _has_more(self) -> bool:
        """Whether more of this client's bytes are here already."""
        stream = self.ws_connection.stream if self.ws_connection is not None else None
        return stream is not None and getattr(stream, "_read_buffer_size", 1) > 0

    async def _receive(self, fragment: str | bytes) -> Any:
        try:
            return await super()._receive(fragment)
        except OutOfBounds as refusal:
            self.hang_up(refusal.code, refusal.sentence)
            return None

    async def _handle(self, message: Any) -> Any:
        """Hand on what is allowed. Bokeh has not decoded anything of the message yet."""
        connection, receiver = self.connection, self._bounded
        if message.msgtype != "PATCH-DOC" or connection is None or receiver is None:
            return await super()._handle(message)
        models, account = connection.session.document.models, self.account
        refused, changed = changed_by(message.content, models)
        if refused == GONE:
            return connection.ok(message)
        if refused is not None:
            if not account.refused:  # if it was a page of ours after all, its user sees it
                note_fault(connection.session.document)
            account.refused += 1
            if account.may_log():
                log.warning("A browser may not send %r; see allowed_changes.py.", refused)
            if account.refused > MOST_REFUSED:
                self.hang_up(NOT_OURS, "Too many changes that no page of ours makes.")
                return None
            answer = connection.error(message, NOT_ALLOWED)
            answer.content["traceback"] = None
            return answer
        if not account.has_room(changed, receiver.nbytes, models):
            self.hang_up(TOO_BIG, f"A session may send {HELD_BYTES >> 20} MiB into its document.")
            return None
        return await super()._handle(message)

    async def send_message(self, message: Any) -> None:
        """Send a message with all its buffers at once.

        Bokeh waits between the fragments of a message, under a lock that Panel's own way of
        sending does not know: on a slow connection Panel's fragments came in between, and the page
        understood neither message.
        """
        fragments: list[str | bytes] = [
            message.header_json,
            message.metadata_json,
            message.content_json,
        ]
        for buffer in message.buffers:
            fragments += [json.dumps(buffer.ref), buffer.to_bytes()]
        try:
            sent = [
                WebSocketHandler.write_message(self, part, isinstance(part, bytes))
                for part in fragments
            ]
            await asyncio.gather(*sent)
        except WebSocketClosedError:
            log.info("A message was not sent: its connection was closed.")

    def hang_up(self, code: int, sentence: str) -> None:
        """Close with a reason; what the client still sends is not read."""
        if self._hung_up:
            return
        self._hung_up = True
        if self.connection is not None:
            self.account.spend(PENALTY)
        if self.connection is None or self.account.may_log():
            log.warning("A connection is closed: %s", sentence)
        self.close(code, sentence)
        stream = self.ws_connection.stream if self.ws_connection is not None else None
        if stream is not None:
            asyncio.get_running_loop().call_later(HANG_UP_SECONDS, stream.close)
