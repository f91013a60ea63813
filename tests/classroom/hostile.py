"""A hostile client: messages that no page sends, one kind after the other, as fast as it can.

`python tests/classroom/hostile.py ADDRESS SECONDS` attacks a server of this machine for so long and
prints how many messages of each kind it sent, or earlier, when it is told to end (SIGTERM). Attacks
keep one session: a connection that is closed is opened again with the same token.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import gzip
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClosedError

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.classroom.client import Client, Closed

Fragments = list[str | bytes]
PATCH = {"msgid": "m0", "msgtype": "PATCH-DOC"}


def message(content: Any, *buffers: bytes, **header: Any) -> Fragments:
    """The fragments of a message."""
    head = {**PATCH, **({"num_buffers": len(buffers)} if buffers else {}), **header}
    parts: Fragments = [json.dumps(head), "{}"]
    parts.append(content if isinstance(content, str) else json.dumps(content))
    for number, buffer in enumerate(buffers):
        parts += [json.dumps({"id": str(number)}), buffer]
    return parts


def change(model: str, name: str, new: Any) -> dict[str, Any]:
    return {"kind": "ModelChanged", "model": {"id": model}, "attr": name, "new": new}


@cache
def bomb(megabytes: int = 150) -> dict[str, str]:
    """Bytes of some hundred kB that unpack to a thousand times as much."""
    packed = gzip.compress(bytes(megabytes << 20), 9)
    return {"type": "bytes", "data": base64.b64encode(packed).decode()}


def image_source(client: Client) -> str:
    """The id of the source that holds the picture of a map."""
    known = [k for k in client.images if k in client.models]
    for key in [*known, *client.of_type("ColumnDataSource")]:
        if key in known or '"image"' in json.dumps(client.attribute(key, "data", "")):
            return key
    raise KeyError("image")


def column_patch(client: Client, slices: bool = False) -> Fragments:
    """Paint a corner of a map."""
    cells = {"type": "slice", "start": 0, "stop": 9, "step": None}
    dots = [[[0, row, column], 7] for row in range(9) for column in range(9)]
    patch = [[[0, cells, cells], [7] * 81]] if slices else dots
    event = {"kind": "ColumnsPatched", "model": {"id": image_source(client)}, "attr": "data"}
    return message({"events": [event | {"patches": {"image": patch}}]})


def column_stream(client: Client) -> Fragments:
    event = {"kind": "ColumnsStreamed", "model": {"id": image_source(client)}, "attr": "data"}
    return message({"events": [event | {"data": {"image": [[1] * 1000]}, "rollover": None}]})


def deep_lists(client: Client) -> Fragments:
    inside = "[" * 2000 + "]" * 2000
    return message(json.dumps({"events": [change(client.named("lead"), "value", 0)]})[:-3] + inside)


def new_model(client: Client) -> Fragments:
    made = {"type": "object", "name": "Div", "id": "mine", "attributes": {"tags": ["x" * 500_000]}}
    return message({"events": [change(client.named("lead"), "value", made)]})


def new_root(client: Client) -> Fragments:
    made = {"type": "object", "name": "Div", "id": "mine"}
    return message({"events": [{"kind": "RootAdded", "model": made}]})


# what is closed, or answered with an error: each a function of a client that has opened the page
REFUSED: dict[str, Callable[[Client], Fragments]] = {
    "compressed bytes": lambda c: message(
        {"events": [change(c.named("inbox"), "tags", [1, "a", 9, 0, bomb()])]}
    ),
    "many buffers": lambda c: message({"events": []}, num_buffers=1_000_000),
    "large buffers": lambda c: message({"events": []}, bytes(3 << 20), bytes(3 << 20)),
    "deep lists": deep_lists,
    "many events": lambda c: message({"events": [change(c.named("lead"), "value", 1)] * 1000}),
    "a new model": new_model,
    "a new root": new_root,
    "columns patched": column_patch,
    "slices patched": lambda c: column_patch(c, slices=True),
    "columns streamed": column_stream,
    "the data of a picture": lambda c: message(
        {"events": [change(image_source(c), "data", {"type": "map", "entries": []})]}
    ),
    "a slider's end": lambda c: message({"events": [change(c.named("lead"), "end", 1e9)]}),
    "a text of ours": lambda c: message(
        {"events": [change(c.of_type("HTML")[0], "text", "<b>mine</b>")]}
    ),
    "the title": lambda c: message({"events": [{"kind": "TitleChanged", "title": "mine"}]}),
    "a whole document": lambda c: message({"doc": {}}, msgtype="PUSH-DOC"),
    "the server's details": lambda c: message({}, msgtype="SERVER-INFO-REQ"),
    "keys with one hash": lambda c: message(
        {
            "events": [
                change(
                    c.named("lead"),
                    "value",
                    {"type": "map", "entries": [[k * (2**61 - 1), 0] for k in range(2000)]},
                )
            ]
        }
    ),
}
# what is taken, but must not take the time of others
COSTLY: dict[str, Callable[[Client], Fragments]] = {
    "the whole document": lambda c: message({}, msgtype="PULL-DOC-REQ"),
    "a large selection": lambda c: message(
        {"events": [change(c.of_type("Selection")[0], "indices", list(range(19_000)))]}
    ),
    "a long text": lambda c: message(
        {"events": [change(c.named("address"), "value", "x" * 900_000)]}
    ),
    "moves": lambda c: [
        part
        for k in range(50)
        for part in message({"events": [change(c.named("lead"), "value", k + 0.5)]})
    ],
}


async def attack(address: str, seconds: float) -> collections.Counter[str]:
    """Send every kind in turn until the time is over; how many of each were sent.

    What is refused is answered or closed before the next is sent; what is costly is not waited for.
    """
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    client = await Client(address).come()
    sent: collections.Counter[str] = collections.Counter()
    prepared = {name: make(client) for name, make in {**COSTLY, **REFUSED}.items()}
    print("begins", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end and not told.is_set():
        for name, fragments in prepared.items():
            if time.monotonic() > end or told.is_set():
                break
            errors = len(client.errors)
            sent[name] += 1  # also where the server closes before all of it is there
            try:
                await asyncio.wait_for(client.raw(*fragments), 5)
                if name in REFUSED:
                    await answer(client, errors)
            except (TimeoutError, Closed, WebSocketClosedError, HTTPClientError, OSError):
                sent["interrupted"] += 1
            if client.close_code is not None:
                sent["closed"] += 1
                await client.leave()
                await client.connect()
        else:
            print("a pass", flush=True)
    await client.leave()
    return sent


async def answer(client: Client, errors: int) -> None:
    """Wait until the server answers with an error or closes, for some seconds."""
    end = time.monotonic() + 5
    while len(client.errors) == errors and client.close_code is None and time.monotonic() < end:
        await asyncio.sleep(0.005)


if __name__ == "__main__":
    os.nice(5)  # it would be another machine, and this one has few cores
    print(json.dumps(asyncio.run(attack(sys.argv[1], float(sys.argv[2])))))
