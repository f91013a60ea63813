"""Puts everything that a move changes into one message: pictures, lines, texts, ranges.

Bokeh encodes every change by itself and sends every array as two websocket frames of its own: a
move had fifteen changes and 28 frames. Here, the changes become one JSON text and their arrays one
run of bytes, and the page's script (assets/frame.js) spreads them over the models:

    changes   [["p1042", "data", {"image": [{"at": 0, "dtype": "uint8", "shape": [300, 300]}]}],
               ["p1107", "text", "<p>..."], ...]
    bytes     | image | 0 0 | x of a line | ...     each array begins at a multiple of 8

Changes of any other kind (new models, layouts) are left to Bokeh.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from bokeh.core.serialization import Serializer
from bokeh.document.events import ColumnDataChangedEvent, MessageSentEvent, ModelChangedEvent
from bokeh.protocol.messages.patch_doc import patch_doc
from numpy.typing import NDArray

KIND = "frame"
WORD = 8  # bytes; a typed array begins at a multiple of its item's size
DTYPES = frozenset({"uint8", "uint16", "uint32", "int8", "int16", "int32", "float32", "float64"})


class NotPlain(ValueError):
    """A change that only Bokeh can encode."""


class _Arrays:
    """Arrays of one message, one after the other."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []
        self.nbytes = 0

    def add(self, array: NDArray[Any]) -> dict[str, Any]:
        """Where the array will be."""
        dtype = array.dtype.name
        if dtype not in DTYPES or array.dtype.byteorder == ">":
            raise NotPlain(dtype)
        about = {"at": self.nbytes, "dtype": dtype, "shape": array.shape}
        self.arrays.append(array)
        self.nbytes += _padded(array.nbytes)
        return about


def _padded(n: int) -> int:
    return -(-n // WORD) * WORD


def frame_of(events: list[Any]) -> tuple[str, NDArray[np.uint8]] | None:
    """The changes as JSON and the bytes of their arrays; None if some of them are not plain."""
    arrays = _Arrays()
    try:
        changes = [_change(event, arrays) for event in events]
        text = json.dumps(changes, allow_nan=False)
    except (NotPlain, TypeError, ValueError):
        return None
    return text, _joined(arrays)


def _change(event: Any, arrays: _Arrays) -> list[Any]:
    kind = type(event)
    if kind is ColumnDataChangedEvent and event.cols is None and event.attr == "data":
        data = event.model.data if event.data is None else event.data
        return [event.model.id, "data", {name: _column(v, arrays) for name, v in data.items()}]
    if kind is ModelChangedEvent and type(event.new) in (str, int, float, bool):
        return [event.model.id, event.attr, event.new]
    raise NotPlain(kind.__name__)


def _column(value: Any, arrays: _Arrays) -> Any:
    """A column: an array, or a list of arrays (pictures), numbers or texts."""
    if isinstance(value, np.ndarray):
        return arrays.add(value)
    if isinstance(value, list):
        return [arrays.add(v) if isinstance(v, np.ndarray) else v for v in value]
    raise NotPlain(type(value).__name__)


def _joined(found: _Arrays) -> NDArray[np.uint8]:
    """The bytes of all arrays. A picture is uint8 since it was drawn, once for all sessions."""
    whole = np.zeros(found.nbytes, np.uint8)
    at = 0
    for array in found.arrays:
        whole[at : at + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        at += _padded(array.nbytes)
    return whole


def frame_message(events: list[Any]) -> Any:
    """One message with all the changes; None if some of them are not plain."""
    found = frame_of(events)
    if found is None:
        return None
    changes, content = found
    event = MessageSentEvent(events[0].document, KIND, {"changes": changes, "bytes": content})
    encoder = Serializer()  # the message refers to models by their ids only
    message = patch_doc(patch_doc.create_header(), {}, {"events": encoder.encode([event])})
    message.add_buffers(*encoder.buffers)
    return message
