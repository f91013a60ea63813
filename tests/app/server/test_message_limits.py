"""A message is refused by its size, count and depth before anything of it is unpacked."""

import base64
import gzip
import json
import tracemalloc

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer
from bokeh.protocol import Protocol
from bokeh.protocol.exceptions import MessageError, ValidationError
from own_loop import run

from explorer.app.server import message_limits as limits
from explorer.app.server.message_limits import BoundedReceiver, OutOfBounds, unpack


def packed(content):
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def a_change(new):
    event = {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": "value", "new": new}
    return {"events": [event]}


def receive(content, *buffers, **header):
    """Hand a message to a receiver as its fragments; what the last one gave, and the receiver."""
    receiver = BoundedReceiver(Protocol())
    head = {"msgid": "m1", "msgtype": "PATCH-DOC", **header}
    if buffers:
        head.setdefault("num_buffers", len(buffers))
    text = content if isinstance(content, str) else json.dumps(content)
    fragments = [json.dumps(head), "{}", text]
    for number, buffer in enumerate(buffers):
        fragments += [json.dumps({"id": str(number)}), buffer]
    message = None
    for fragment in fragments:
        message = run(receiver.consume(fragment))
    return message, receiver


def test_a_slider_s_value_passes():
    message, receiver = receive(a_change(19.0))
    assert message.content == a_change(19.0)
    assert receiver.between_messages
    assert 0 < receiver.nbytes < 200


def test_a_piece_of_a_file_passes_as_a_buffer():
    piece = bytes(1_000_000)
    new = [1, "a.csv", len(piece), 0, {"type": "bytes", "data": {"id": "0"}}]
    message, receiver = receive(a_change(new), piece)
    assert Deserializer().decode(message.content["events"][0]["new"], message.buffers)[4] == piece
    assert receiver.nbytes > 1_000_000


def test_compressed_bytes_are_unpacked_once_and_reach_bokeh():
    new = {"type": "bytes", "data": packed(b"abc" * 1000)}
    message, receiver = receive(a_change(new))
    assert Deserializer().decode(message.content["events"][0]["new"]) == b"abc" * 1000
    assert receiver.nbytes > 3000


def test_a_bomb_is_refused_without_being_unpacked():
    bomb = packed(bytes(200_000_000))
    assert len(bomb) < 300_000
    tracemalloc.start()
    with pytest.raises(OutOfBounds, match="3 MiB at most") as refusal:
        receive(a_change({"type": "bytes", "data": bomb}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refusal.value.code == limits.TOO_BIG
    assert peak < 50_000_000  # of 200 MB; threads of other tests may take some


def test_many_small_bombs_share_one_bound():
    part = {"type": "bytes", "data": packed(bytes(1 << 20))}
    assert receive(a_change([part] * 3))[0] is not None
    with pytest.raises(OutOfBounds, match="3 MiB at most"):
        receive(a_change([dict(part) for _ in range(4)]))


@pytest.mark.parametrize(
    "text", ["no base64!", packed(b"abc")[:-8], packed(b"a") + "AAAA", "AAAA", ""]
)
def test_bytes_that_are_not_compressed_as_bokeh_does_are_refused(text):
    with pytest.raises(OutOfBounds, match="could not be unpacked"):
        unpack(text, 1000)


def deep(levels):
    return "[" * levels + "]" * levels


BAD = {
    "many buffers": lambda: receive(a_change(1), num_buffers=1_000_000),
    "a number of buffers that is none": lambda: receive(a_change(1), num_buffers="many"),
    "fewer than no buffers": lambda: receive(a_change(1), num_buffers=-1),
    "large buffers": lambda: receive(a_change(1), bytes(3 << 20), bytes(2 << 20)),
    "a long text": lambda: receive(a_change("x" * (1 << 20))),
    "many values": lambda: receive(a_change([0] * 130_000)),
    "many lists": lambda: receive(a_change([[]] * 6_000)),
    "a deep list": lambda: receive(f'{{"events": [{deep(200)}]}}'),
    "a list deeper than Python goes": lambda: receive(f'{{"events": [{deep(4000)}]}}'),
    "many events": lambda: receive({"events": a_change(1)["events"] * 33}),
    "no events": lambda: receive({"event": []}),
    "more than events": lambda: receive({"events": [], "references": []}),
    "a whole document": lambda: receive({"doc": {}}, msgtype="PUSH-DOC"),
    "questions about the server": lambda: receive({}, msgtype="SERVER-INFO-REQ"),
    "a new model": lambda: receive(a_change({"type": "object", "name": "Div", "id": "x"})),
    "a set": lambda: receive(a_change({"type": "set", "entries": [1]})),
    "an event as a value": lambda: receive(
        a_change([{"type": "event", "name": "tap", "values": {"type": "map", "entries": []}}])
    ),
    # all of these have the same hash: Bokeh's dictionary of them took time by their square
    "keys with one hash": lambda: receive(
        a_change({"type": "map", "entries": [[k * (2**61 - 1), 0] for k in range(100)]})
    ),
    "wide letters": lambda: receive(
        a_change(
            {
                "type": "ndarray",
                "array": ["a"] * 1000,
                "dtype": "U1000000",
                "shape": [1000],
                "order": "little",
            }
        )
    ),
    "a long number": lambda: receive(a_change({"type": "number", "value": "9" * 5000})),
    "a long header": lambda: receive(a_change(1), extra="x" * 2000),
}


@pytest.mark.parametrize("kind", list(BAD))
def test_what_no_page_sends_is_refused_with_a_sentence_that_fits_a_close_frame(kind):
    with pytest.raises(OutOfBounds) as refusal:
        BAD[kind]()
    assert refusal.value.sentence.endswith(".")
    assert len(refusal.value.sentence.encode()) <= 123
    assert refusal.value.code in (limits.TOO_BIG, limits.NOT_OURS)


@pytest.mark.parametrize("header", ["[]", "{}", "null", "{", '{"msgid": 1}', "[" * 900])
def test_a_header_that_is_none_is_an_error_of_the_protocol(header):
    with pytest.raises(MessageError):
        run(BoundedReceiver(Protocol()).consume(header))


def test_bytes_where_a_text_belongs_are_an_error_of_the_protocol():
    with pytest.raises(ValidationError):
        run(BoundedReceiver(Protocol()).consume(b"\x00"))


def test_values_that_pages_send_reach_bokeh_unchanged():
    array = np.arange(6, dtype=np.int32)
    new = {
        "type": "map",
        "entries": [
            ["x", {"type": "number", "value": "nan"}],
            ["y", {"type": "ndarray", "array": {"type": "bytes", "data": {"id": "0"}}}],
            ["z", [1, 2.5, "text", None, True]],
        ],
    }
    new["entries"][1][1] |= {"shape": [6], "dtype": "int32", "order": "little"}
    message, _ = receive(a_change(new), array.tobytes())
    found = Deserializer().decode(message.content["events"][0]["new"], message.buffers)
    assert np.isnan(found["x"])
    np.testing.assert_array_equal(found["y"], array)
    assert found["z"] == [1, 2.5, "text", None, True]
