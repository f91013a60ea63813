"""Builds pages in a thread beside the event loop, and some of them before they are requested.

Building a page takes Panel most of a second. On the event loop that is a second in which nobody's
slider moves, and thirty who open it at once wait for each other. So the loop only hands pages out:
those built ahead, while it was quiet, to visitors without a link or with the link opened most
often recently (a teacher tries it, then the class opens it); and the others as soon as the thread
has built them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import weakref
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import bokeh.server.tornado as bokeh_tornado
import panel as pn
import panel.io.server as panel_server
from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent
from bokeh.protocol.messages.pull_doc_reply import pull_doc_reply
from bokeh.server.contexts import ApplicationContext, BokehSessionContext, _RequestProxy
from bokeh.server.session import ServerSession, _needs_document_lock
from bokeh.util.token import get_token_payload
from panel.io.resources import LOCAL_DIST, bundle_resources, patch_model_css
from panel.io.state import set_curdoc
from tornado.httputil import HTTPServerRequest

from explorer.app import gil_yield
from explorer.app.server import memory
from explorer.app.session import registry
from explorer.app.session.page_thread import beside
from explorer.app.work.prefetch import calm

log = logging.getLogger("explorer.ahead")
READY = 30  # pages that are kept ready, if not said otherwise: a class
LOOK = 0.2  # seconds between two looks whether it is quiet
BREATH = 0.02  # seconds between two pages that are handed out, or let go
SPARE = ID("spare")
PLAIN = ""  # the query of who comes without a link
LATELY = 600.0  # seconds in which a link is remembered
LONGEST = 2000  # characters of a link that pages are built for


class Seat(ServerSession):
    """A session whose page is written out beside the loop, too: a tenth of a second each.

    A browser is sent no change before it has the page. Bokeh sends changes from the moment the
    websocket is open; the browser keeps them and applies them to the page that it gets afterwards,
    of which they are a part already. If one of them names a model that the page has left since,
    the browser stops with "reference isn't known" and shows an empty page.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._have_page: weakref.WeakSet[Any] = weakref.WeakSet()
        super().__init__(*args, **kwargs)

    @property
    def with_page(self) -> list[Any]:
        """The connections that were given the page."""
        return [c for c in self._subscribed_connections if c in self._have_page]

    def subscribe(self, connection: Any) -> None:
        connection.send_patch_document = _kept_back  # until it has the page
        super().subscribe(connection)

    def _give_page(self, connection: Any) -> None:
        """From now on this connection is sent changes; the document is locked."""
        self._have_page.add(connection)
        vars(connection).pop("send_patch_document", None)

    @_needs_document_lock
    async def _handle_pull(self, message: Any, connection: Any) -> Any:  # type: ignore[override]
        number = message.header["msgid"]
        kept = _written.pop(self.document, None)
        if kept is not None:
            self.document.callbacks.remove_on_change(kept)
            if kept.still_true:
                self._give_page(connection)
                return kept.reply(number)

        def reply() -> Any:
            made = connection.protocol.create("PULL-DOC-REPLY", number, self.document)
            _ = made.content_json  # kept by the message
            return made

        made = await beside(self.document, reply)
        self._give_page(connection)
        return made


async def _kept_back(event: Any) -> None:
    """A change that is part of the page, which is still to be sent."""


class Written:
    """A page as it is sent, written out before anybody asks; true until the page changes."""

    def __init__(self, document: Document) -> None:
        self.still_true = True
        document.callbacks.on_change(self)
        made = pull_doc_reply.create(ID(""), document)
        self._packed = zlib.compress(made.content_json.encode(), 1)
        self._buffers = made.buffers

    def __call__(self, event: Any) -> None:
        """The page changed, or one of its callbacks."""
        if isinstance(event, DocumentPatchedEvent):
            self.still_true = False

    def reply(self, number: ID) -> pull_doc_reply:
        nothing: Any = {"doc": None}
        made = pull_doc_reply(pull_doc_reply.create_header(request_id=number), {}, nothing)
        made._content_json = zlib.decompress(self._packed).decode()
        made.add_buffers(*self._buffers)
        return made


class Rooms(ApplicationContext):
    """Bokeh's sessions of one app, with pages that are ready before somebody comes."""

    ready = 0  # pages to be kept ready; none before the server is warm

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spares: dict[str, deque[BokehSessionContext]] = {PLAIN: deque()}
        self._opened: deque[tuple[str, float]] = deque(maxlen=200)  # links, and when
        self._building = 0
        self._door = asyncio.Lock()
        self._ended = False

    # ---- pages built ahead

    @property
    def ready_now(self) -> int:
        """Pages that wait for somebody who comes without a link."""
        return len(self._spares[PLAIN])

    @property
    def ready_in_all(self) -> int:
        """Pages that wait for somebody."""
        return sum(map(len, self._spares.values()))

    @property
    def prepared(self) -> bool:
        """Whether there is no page to be built before somebody comes."""
        return self._lacking() is None

    def _link(self) -> str | None:
        """The link opened most often recently; of several, the last."""
        late = time.monotonic() - LATELY
        found = [query for query, at in self._opened if at > late]
        return max(reversed(found), key=found.count, default=None)

    def _lacking(self) -> str | None:
        """The query of which there are too few pages, if any."""
        for query in (PLAIN, self._link()):
            if query is not None and len(self._spares.get(query, ())) < Rooms.ready:
                return query
        return None

    def _empty(self) -> bool:
        """Whether no browser is connected; pages of visitors who left may still be held."""
        return not any(session.connection_count for session in self._sessions.values())

    async def _discard_session(self, session: Any, should_discard: Any) -> None:
        held = len(self._sessions)
        await super()._discard_session(session, should_discard)
        if len(self._sessions) < held:
            memory.somebody_left()
        await asyncio.sleep(BREATH)  # one after the other, and those at work in between

    def run_load_hook(self) -> None:
        super().run_load_hook()
        self._look()

    def run_unload_hook(self) -> None:
        self._ended = True
        super().run_unload_hook()

    def _look(self) -> None:
        """Tidy up, and build one more page, if nobody needs the processor just now.

        A class that left is forgotten before its places are filled: pages of both at once would
        have Python take memory that it never gives back, because something stays in every corner.
        """
        if self._ended or self._loop is None:
            return
        empty, quiet = self._empty(), calm() and not self._building
        memory.look(lambda seconds: quiet and calm(seconds), not self._sessions)
        leaving = empty and (bool(self._sessions) or memory.due())
        lacking = self._lacking() if quiet and not leaving else None
        if lacking is not None:
            self._loop.add_callback(self._go_on, lacking)
        else:
            self._loop.call_later(LOOK, self._look)

    async def _go_on(self, query: str) -> None:
        """Let go of pages that nobody will want any more; or, if there are none, build one."""
        if not await self._dismiss_others(query):
            await self._build_ahead(query)
        self._look()

    async def _build_ahead(self, query: str) -> None:
        try:
            context = BokehSessionContext(SPARE, *self._place())
            address = f"{self._url}?{query}" if query else self._url
            context._request = _RequestProxy(HTTPServerRequest("GET", address))
            spare = await self._build(context)
            document = context._document
            _written[document] = await asyncio.get_running_loop().run_in_executor(
                _thread(), Written, document
            )
            self._spares.setdefault(query, deque()).append(spare)
        except Exception:
            log.exception("A page could not be built ahead.")
            Rooms.ready = 0

    async def _dismiss_others(self, query: str) -> bool:
        """Let go of pages of a link that is no longer the one that most come by, if any."""
        others = set(self._spares) - {PLAIN, query, self._link()}
        gone = [spare for other in others for spare in self._spares.pop(other)]
        for context in gone:
            session = self._seat(context, SPARE, None)
            await self._discard_session(session, lambda session: True)
        return bool(gone)

    # ---- sessions

    async def create_session_if_needed(
        self, session_id: Any, request: Any = None, token: str | None = None
    ) -> ServerSession:
        if not session_id or session_id in self._sessions or session_id in self._pending_sessions:
            return await super().create_session_if_needed(session_id, request, token)
        gil_yield.hear()
        future = self._pending_sessions[session_id] = asyncio.get_running_loop().create_future()
        try:
            session = await self._new_session(session_id, request, token)
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # nobody may be waiting
            raise
        finally:
            del self._pending_sessions[session_id]
        future.set_result(session)
        return session

    async def _new_session(self, session_id: Any, request: Any, token: str | None) -> ServerSession:
        query = self._query(request)
        spares = self._spares.get(query) if query is not None else None
        built = spares.popleft() if spares else None
        if query:
            self._opened.append((query, time.monotonic()))
        context = built or BokehSessionContext(session_id, *self._place())
        context._id = session_id
        context._token = token
        if request is not None:
            payload = get_token_payload(token) if token else {}
            context._request = _RequestProxy(
                request,
                arguments=payload.get("arguments"),
                cookies=payload.get("cookies"),
                headers=payload.get("headers"),
            )
        await self._application.on_session_created(context)
        if built is None:
            await self._build(context)
        async with self._door:  # one after the other, and those at work in between
            await asyncio.sleep(BREATH)
        return self._seat(context, session_id, token)

    def _seat(self, context: Any, session_id: Any, token: str | None) -> Seat:
        """The session of a page that is built."""
        # Panel takes a change for one of the document's own thread, or else delays it
        pn.state._thread_id_[context._document] = threading.get_ident()
        session = Seat(session_id, context._document, io_loop=self._loop, token=token)
        context._set_session(session)
        self._sessions[session_id] = session
        self._session_contexts[session_id] = context
        return session

    def _place(self) -> tuple[Any, Document, str | None]:
        return self.server_context, Document(), self._logout_url

    def _query(self, request: Any) -> str | None:
        """What a link says, nothing for the app as such; None where no page is built ahead."""
        if request is None:
            return PLAIN
        query = str(request.query or "")
        own = request.path != self._url or registry.BEFORE in request.arguments
        return None if own or len(query) > LONGEST else query

    async def _build(self, context: BokehSessionContext) -> BokehSessionContext:
        document = context._document
        document._session_context = weakref.ref(context)
        self._building += 1
        try:
            await asyncio.get_running_loop().run_in_executor(_thread(), self._fill, document)
        finally:
            self._building -= 1
        memory.built()
        return context

    def _fill(self, document: Document) -> None:
        """Everything of a page that takes long."""
        with gil_yield.giving_way():
            self._application.initialize_document(document)
        with set_curdoc(document):
            address = f"{pn.state.rel_path}/{LOCAL_DIST}" if pn.state.rel_path else LOCAL_DIST
        document._template_variables["dist_url"] = address
        for root in document.roots:
            patch_model_css(root, address)
        _addressed[document] = address


_addressed: weakref.WeakKeyDictionary[Document, str] = weakref.WeakKeyDictionary()
_written: weakref.WeakKeyDictionary[Document, Written] = weakref.WeakKeyDictionary()
_bundles: dict[Any, Any] = {}
_own: ThreadPoolExecutor | None = None


def _thread() -> ThreadPoolExecutor:
    """The one thread that builds pages: two would only wait for each other."""
    global _own
    if _own is None:
        _own = ThreadPoolExecutor(1, "pages")
    return _own


def _address_sheets(root: Any, dist_url: str) -> None:
    """Tell style sheets where they lie, unless they know: Panel looks through all parts for it."""
    if _addressed.get(root.document) != dist_url:
        patch_model_css(root, dist_url)


def _bundled(roots: Any, resources: Any, *args: Any, **kwargs: Any) -> Any:
    """Which scripts and styles a page loads is the same for all pages: Panel looks for each."""
    key = resources.mode, resources.root_url, resources.absolute, pn.state.rel_path
    if args or kwargs or resources.mode != "server":
        return bundle_resources(roots, resources, *args, **kwargs)
    if key not in _bundles:
        _bundles[key] = bundle_resources(roots, resources)
    return _bundles[key]


def install() -> None:
    """Have Bokeh's server keep its sessions this way."""
    setattr(panel_server, "patch_model_css", _address_sheets)  # noqa: B010 (mypy: a function)
    setattr(panel_server, "bundle_resources", _bundled)  # noqa: B010 (mypy: a function)
    memory.install()
    setattr(bokeh_tornado, "ApplicationContext", Rooms)  # noqa: B010 (mypy: a type)
