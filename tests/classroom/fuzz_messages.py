"""Websocket messages by the thousand: compressed bytes, many buffers, deep lists, new models,
column patches, odd values and damaged texts, to a document with widgets and a picture.

A case is fine if the message is refused with a sentence, or applied within the bounds: afterwards
the document has the models it had, and what no browser may change is as it was.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from typing import Any

import numpy as np
from bokeh.core.serialization import Serialized
from bokeh.document import Document
from bokeh.models import Button, Column, ColumnDataSource, Range1d, Slider, TextInput, Toggle
from bokeh.plotting import figure
from bokeh.protocol import Protocol
from bokeh.protocol.exceptions import MessageError, ProtocolError, ValidationError

from explorer.app.server.allowed_changes import changed_by
from explorer.app.server.message_limits import BUFFER_BYTES, BoundedReceiver, OutOfBounds

NAMES = ["value", "value_throttled", "active", "start", "end", "data", "tags", "indices", "name"]
NAMES += ["children", "text", "subscribed_events", "js_property_callbacks", "stylesheets", "label"]
MODELS = ["@slider", "@words", "@toggle", "@button", "@plot", "@range", "@inbox", "@picture"]
ALLOWED = [("@slider", "value"), ("@words", "value"), ("@toggle", "active"), ("@inbox", "tags")]
ALLOWED += [("@range", "start"), ("@plot", "inner_width"), ("@button", "label")]
KINDS = ["ModelChanged"] * 8 + ["ColumnsPatched", "ColumnsStreamed", "ColumnDataChanged"]
KINDS += ["RootAdded", "RootRemoved", "TitleChanged", "MessageSent", "MessageSent", "none"]
EVENTS = ["tap", "button_click", "document_ready", "connection_lost", "pan", "no such event"]


class Page:
    """A small document, and what of it no browser may change."""

    def __init__(self) -> None:
        self.document = Document()
        self.picture: Any = ColumnDataSource({"image": [np.zeros((9, 9), np.uint8)]})
        plot: Any = figure(x_range=Range1d(0, 1), y_range=Range1d(0, 1))
        plot.image("image", x=0, y=0, dw=1, dh=1, source=self.picture)
        plot.on_event("tap", lambda event: None)
        self.slider = Slider(start=0, end=9, value=1)
        self.inbox: Any = ColumnDataSource(name="inbox")
        self.inbox.on_change("tags", lambda attr, old, new: None)
        words, toggle, button = TextInput(), Toggle(), Button()
        self.document.add_root(Column(children=[self.slider, words, toggle, button, plot]))
        self.document.add_root(self.inbox)
        found = [self.slider, words, toggle, button, plot, plot.x_range, self.inbox, self.picture]
        self.ids = dict(zip(MODELS, [model.id for model in found], strict=True))
        self.before = self.kept()

    def kept(self) -> tuple[Any, ...]:
        image = self.picture.data["image"][0]
        kinds = sorted((model.id, type(model).__name__) for model in self.document.models)
        return image.tobytes(), self.slider.end, self.document.title, kinds, self.picture.tags


@cache
def bomb() -> str:
    return base64.b64encode(gzip.compress(bytes(30 << 20), 9)).decode()


def a_value(rng: np.random.Generator, depth: int = 0) -> Any:
    """Anything at all that JSON and Bokeh's decoder know."""
    inner = (lambda: a_value(rng, depth + 1)) if depth < 4 else (lambda: 1)
    if depth >= 4 and rng.random() < 0.5:
        return [1, 0.5, "x", True, None, [1, "a", 9, 0]][int(rng.integers(6))]
    small = base64.b64encode(gzip.compress(rng.bytes(20))).decode()
    makers = [
        lambda: float(rng.normal()),
        lambda: int(rng.integers(-(2**62), 2**62)),
        lambda: "x" * int(rng.integers(0, 200)),
        lambda: None,
        lambda: [inner() for _ in range(int(rng.integers(0, 4)))],
        lambda: {str(rng.integers(9)): inner()},
        lambda: {"id": str(rng.choice(["0", "p1", "mine"]))},
        lambda: {"type": "bytes", "data": small if rng.random() < 0.7 else small[:-5]},
        lambda: {"type": "bytes", "data": bomb()},
        lambda: {"type": "bytes", "data": {"id": str(rng.integers(4))}},
        lambda: {"type": "object", "name": str(rng.choice(["Div", "Slider"])), "id": "mine"},
        lambda: {"type": "object", "name": "Div", "attributes": {"tags": [inner()]}},
        lambda: {"type": "map", "entries": [["x", inner()], [inner(), 1]]},
        lambda: {"type": "map", "entries": [["x", inner()]]},
        lambda: {"type": "set", "entries": [inner()]},
        lambda: {"type": "number", "value": str(rng.choice(["nan", "+inf", "9" * 500]))},
        lambda: {"type": "slice", "start": 0, "stop": inner(), "step": None},
        lambda: {"type": "value", "value": inner()},
        lambda: an_array(rng, inner()),
        lambda: {"type": "typed_array", "array": inner(), "dtype": "uint8", "order": "little"},
        lambda: {"type": "event", "name": "tap", "values": inner()},
        lambda: {"type": inner()},
    ]
    return makers[int(rng.integers(len(makers)))]()


def an_array(rng: np.random.Generator, inside: Any) -> dict[str, Any]:
    kinds = ["uint8", "float64", "object", "U1000000", "S1000000", "V9999999", "datetime64[ns]"]
    shape = [[9], [3, 3], [2**31], [-1], [], "x"][int(rng.integers(6))]
    dtype = str(rng.choice(kinds))
    return {"type": "ndarray", "array": inside, "dtype": dtype, "shape": shape, "order": "little"}


def an_event(rng: np.random.Generator) -> Any:
    if rng.random() < 0.5:
        which, name = ALLOWED[int(rng.integers(len(ALLOWED)))]
        value = a_value(rng, 4) if rng.random() < 0.7 else a_value(rng)
        return {"kind": "ModelChanged", "model": {"id": which}, "attr": name, "new": value}
    kind = str(rng.choice(KINDS))
    model = {"id": str(rng.choice(MODELS)) if rng.random() < 0.95 else "no such model"}
    if kind == "MessageSent":
        entries = [["model", model]] if rng.random() < 0.8 else [["x", a_value(rng)]]
        values = {"type": "map", "entries": entries} if rng.random() < 0.9 else a_value(rng)
        data = {"type": "event", "name": str(rng.choice(EVENTS)), "values": values}
        kind_of = "bokeh_event" if rng.random() < 0.9 else "other"
        return {"kind": kind, "msg_type": kind_of, "msg_data": data}
    event: dict[str, Any] = {"kind": kind, "model": model, "attr": str(rng.choice(NAMES))}
    if kind == "ColumnsPatched":
        return event | {"attr": "data", "patches": {"image": [[[0, 0, 0], a_value(rng)]]}}
    if kind in ("ColumnsStreamed", "ColumnDataChanged"):
        return event | {"attr": "data", "data": {"image": [a_value(rng)]}}
    return event | {"new": a_value(rng)} if rng.random() < 0.97 else a_value(rng)


def a_message(rng: np.random.Generator) -> list[str | bytes]:
    """The fragments of a message to a page, with names of `MODELS` where ids will be."""
    events = [an_event(rng) for _ in range(int(rng.integers(1, 4)))]
    if rng.random() < 0.03:
        events *= 40
    text = json.dumps({"events": events})
    if rng.random() < 0.05:
        levels = int(rng.choice([30, 900, 3000]))
        text = '{"events": [' + "[" * levels + "]" * levels + "]}"
    if rng.random() < 0.1:
        damaged = bytearray(text.encode())
        for _ in range(int(rng.integers(1, 6))):
            damaged[int(rng.integers(len(damaged)))] = int(rng.integers(32, 127))
        text = damaged.decode("ascii", "replace")
    header: dict[str, Any] = {"msgid": "m1", "msgtype": "PATCH-DOC"}
    if rng.random() < 0.05:
        header["msgtype"] = str(rng.choice(["PUSH-DOC", "SERVER-INFO-REQ", "OK", "PULL-DOC-REQ"]))
    fragments: list[str | bytes] = []
    if rng.random() < 0.3:
        sizes = [int(s) for s in rng.choice([0, 9, 100_000, BUFFER_BYTES], int(rng.integers(1, 4)))]
        odd = [len(sizes), len(sizes), 1_000_000, -1, "2"]
        header["num_buffers"] = odd[int(rng.integers(len(odd)))]
        for number, size in enumerate(sizes):
            fragments += [json.dumps({"id": str(number)}), bytes(size)]
    return [json.dumps(header), "{}", text, *fragments]


_page: list[Page] = []


def received(receiver: BoundedReceiver, fragment: str | bytes) -> Any:
    """What a receiver makes of a fragment; it awaits nothing, so no event loop is needed."""
    try:
        receiver.consume(fragment).send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("a receiver waited")


def try_message(case: list[str | bytes]) -> None:
    """Receive, check and apply a message as the server does."""
    page = _page[0] if _page else Page()
    _page[:] = [page]
    fragments = list(case)
    for name, key in page.ids.items():
        fragments[2] = str(fragments[2]).replace(f'"{name}"', f'"{key}"')
    receiver = BoundedReceiver(Protocol())
    message: Any = None
    try:
        for fragment in fragments:
            message = received(receiver, fragment)
            if message is not None:
                break
    except OutOfBounds as refusal:
        if not refusal.sentence.endswith(".") or len(refusal.sentence.encode()) > 123:
            raise AssertionError(f"no sentence: {refusal.sentence!r}") from None
        return
    except (MessageError, ProtocolError, ValidationError):
        return
    if message is None or message.msgtype != "PATCH-DOC":
        return
    refused, _ = changed_by(message.content, page.document.models)
    if refused is not None:
        if not isinstance(refused, str) or not refused:
            raise AssertionError("refused without a name")
        return
    _page.clear()  # the next case gets a page of its own
    try:
        page.document.apply_json_patch(Serialized(message.content, message.buffers))
    except (MemoryError, RecursionError):
        raise
    except Exception:
        pass
    if page.kept() != page.before:
        raise AssertionError(f"changed what no browser may change: {fragments[2]!r:.500}")
