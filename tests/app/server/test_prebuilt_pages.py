"""What a browser is sent before and after it has the page."""

from types import SimpleNamespace

import pytest
from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.models import Div
from bokeh.protocol import Protocol
from bokeh.server.connection import ServerConnection
from own_loop import run
from tornado.ioloop import IOLoop

from explorer.app.server.prebuilt_pages import Seat
from explorer.app.session.mailbox import unhold_together


class Socket:
    """The browser's end: the kinds of messages that arrived."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    async def send_message(self, message) -> None:
        self.kinds.append(message.msgtype)


@pytest.mark.parametrize("held", [False, True], ids=["one by one", "as one message"])
def test_a_browser_is_sent_no_change_before_it_has_the_page(held: bool) -> None:
    """It would apply the change to a page that may have left the changed model by then."""

    async def visit() -> list[str]:
        document = Document()
        pane = Div(text="0")
        document.add_root(pane)
        session = Seat(ID("one"), document, io_loop=IOLoop.current())
        document._session_context = lambda: SimpleNamespace(session=session)
        socket = Socket()
        connection = ServerConnection(Protocol(), socket, None, session)  # type: ignore[arg-type]

        def change() -> None:
            if held:
                document.hold("combine")
            pane.text += "1"
            if held:
                unhold_together(document)

        await session.with_document_locked(change)
        assert socket.kinds == []
        reply = await session._handle_pull(SimpleNamespace(header={"msgid": "m1"}), connection)
        assert '"01"' in reply.content_json
        await session.with_document_locked(change)
        return socket.kinds

    assert run(visit()) == ["PATCH-DOC"]
