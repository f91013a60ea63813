"""Messages to a browser arrive whole, also when Panel sends one of its own meanwhile."""

import asyncio
import json
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.protocol import Protocol
from own_loop import run
from panel.io.document import dispatch_tornado
from tornado.locks import Lock
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from explorer.app.server.guarded_wire import GuardedWire


class SlowWire(GuardedWire):
    """A websocket without a connection; fragments are written, and acknowledged later."""

    def __init__(self):
        self.fragments, self.waiting = [], []
        self.write_lock = Lock()  # which Bokeh's own way of sending takes
        self.ws_connection = SimpleNamespace(is_closing=lambda: False)


@pytest.fixture
def wire(monkeypatch):
    def write(self, message, binary=False):
        self.fragments.append(message)
        done = asyncio.get_running_loop().create_future()
        self.waiting.append(done)
        return done

    monkeypatch.setattr(WebSocketHandler, "write_message", write)
    return SlowWire()


def patch():
    """A message with a picture, as a map that moved gives it."""
    document, events = Document(), []
    source = ColumnDataSource({"image": [np.zeros((9, 9))]})
    document.add_root(source)
    document.on_change(events.append)
    source.data = {"image": [np.ones((9, 9))]}
    return Protocol().create("PATCH-DOC", events)


def messages(fragments):
    """What a browser makes of fragments: a header says how many buffers follow."""
    left, count = list(fragments), 0
    while left:
        header = json.loads(left.pop(0))
        assert "msgid" in header
        for _ in range(2):
            json.loads(left.pop(0))
        for _ in range(header.get("num_buffers", 0)):
            assert "id" in json.loads(left.pop(0))
            assert isinstance(left.pop(0), bytes)
        count += 1
    return count


def test_a_message_of_panel_does_not_come_between_the_fragments_of_another(wire):
    async def send():
        first = asyncio.ensure_future(wire.send_message(patch()))
        await asyncio.sleep(0)  # the first has begun, and nothing of it was acknowledged
        dispatch_tornado(SimpleNamespace(_socket=wire), msg=patch())
        second = asyncio.ensure_future(wire.send_message(patch()))
        while not (first.done() and second.done()):
            await asyncio.sleep(0)
            for done in wire.waiting:
                if not done.done():
                    done.set_result(None)

    run(send())
    assert patch().buffers
    assert messages(wire.fragments) == 3


def test_a_message_to_a_closed_connection_is_dropped(wire, monkeypatch):
    def closed(self, message, binary=False):
        raise WebSocketClosedError

    monkeypatch.setattr(WebSocketHandler, "write_message", closed)
    run(wire.send_message(patch()))
