"""Bounds on what one websocket message may hold, checked before anything of it is unpacked.

Bokeh's receiver takes any number of buffers of any size, and its decoder unpacks compressed bytes
without a limit: 272 kB became 2.8 GB. `BoundedReceiver` looks at the length of a fragment before it
is parsed, and at the parsed values before Bokeh's decoder sees them. A message beyond a bound
raises `OutOfBounds`, and its connection is closed with that sentence.

The bounds are several times what browsers were seen to send from every page: one buffer of 1 MB
(a piece of an own file), four events, and texts of a few kB.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from bokeh.core.serialization import Buffer
from bokeh.core.types import ID
from bokeh.protocol.exceptions import MessageError
from bokeh.protocol.receiver import Receiver

LARGEST_MESSAGE = 4 << 20  # bytes of one fragment, which Tornado refuses before it is read
HEADER_CHARACTERS = 1000  # of a header, of metadata and of the header of a buffer
TEXT_CHARACTERS = 1 << 20  # of the content
MOST_VALUES = 20_000  # in the content; 20 000 selected samples take 0.03 s, and others wait
MOST_CONTAINERS = 5_000  # lists and dictionaries in the content
DEEPEST = 24  # of them inside each other
MOST_EVENTS = 32
MOST_BUFFERS = 16
BUFFER_BYTES = 3 << 20  # of all buffers of a message and of all compressed bytes in it, unpacked
NUMBER_CHARACTERS = 20  # of a number that is sent as text: nan, +inf, -inf

MESSAGE_TYPES = frozenset({"PATCH-DOC", "PULL-DOC-REQ"})  # all that a page sends
VALUE_TYPES = frozenset({"map", "number", "bytes", "ndarray", "typed_array"})
# a text type such as "U1000000" would take 4 MB for every letter
ARRAY_TYPES = frozenset(
    {"bool", "object", "float32", "float64", "int8", "int16", "int32", "int64"}
    | {"uint8", "uint16", "uint32", "uint64"}
)
EVENT_DEPTH = 4  # content, its events, one of them, its data
TOO_BIG, NOT_OURS = 1009, 1008  # codes of RFC 6455: message too big, policy violation


class OutOfBounds(Exception):
    """A message that no page of ours sends; the sentence is the reason the connection closes.

    A reason has 123 bytes at most.
    """

    def __init__(self, sentence: str, code: int = TOO_BIG) -> None:
        super().__init__(sentence)
        self.sentence, self.code = sentence, code


class BoundedReceiver(Receiver):
    """Bokeh's receiver with a bound on every fragment; ``nbytes``: size of the message so far."""

    nbytes = 0

    @property
    def between_messages(self) -> bool:
        return self._current_consumer == self._HEADER

    def _HEADER(self, fragment: str | bytes) -> None:
        self.nbytes = 0
        header = _parsed(_short(self._assume_text(fragment), "header"), "header")
        if not isinstance(header, dict) or not _is_name(header.get("msgid")):
            raise MessageError("header without a message's id")
        if header.get("msgtype") not in MESSAGE_TYPES:
            raise OutOfBounds("The page never sends messages of this type.", NOT_OURS)
        buffers = header.get("num_buffers", 0)
        if type(buffers) is not int or not 0 <= buffers <= MOST_BUFFERS:
            raise OutOfBounds(f"A message may have {MOST_BUFFERS} buffers at most.")
        super()._HEADER(fragment)

    def _METADATA(self, fragment: str | bytes) -> None:
        _short(self._assume_text(fragment), "metadata")
        super()._METADATA(fragment)

    def _CONTENT(self, fragment: str | bytes) -> None:
        check_text(self._assume_text(fragment))
        try:
            super()._CONTENT(fragment)
        except RecursionError:
            raise OutOfBounds(f"Values may be nested {DEEPEST} deep at most.") from None
        made = self._partial
        assert made is not None
        self.nbytes = len(fragment) + check_content(made.msgtype, made.content)

    def _BUFFER_HEADER(self, fragment: str | bytes) -> None:
        header = _parsed(_short(self._assume_text(fragment), "buffer's header"), "buffer's header")
        if not isinstance(header, dict) or not _is_name(header.get("id")):
            raise MessageError("a buffer without an id")
        super()._BUFFER_HEADER(fragment)

    def _BUFFER_PAYLOAD(self, fragment: str | bytes) -> None:
        self.nbytes += len(fragment)
        if self.nbytes > TEXT_CHARACTERS + BUFFER_BYTES:
            raise _buffers_too_large()
        super()._BUFFER_PAYLOAD(fragment)


def check_text(text: str) -> None:
    """Refuse a content by its length and by the signs in it, before it is parsed."""
    if len(text) > TEXT_CHARACTERS:
        raise OutOfBounds(f"A message may have {TEXT_CHARACTERS} characters at most.")
    if text.count(",") >= MOST_VALUES:
        raise OutOfBounds(f"A message may have {MOST_VALUES} values at most.")
    if text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise OutOfBounds(f"A message may have {MOST_CONTAINERS} lists and objects at most.")


def check_content(kind: str, content: Any) -> int:
    """Refuse a parsed content whose values Bokeh must not decode; bytes that were unpacked."""
    if kind != "PATCH-DOC":
        if content != {}:
            raise OutOfBounds("A request for the document has no content.", NOT_OURS)
        return 0
    events = content.get("events") if type(content) is dict and len(content) == 1 else None
    if type(events) is not list:
        raise OutOfBounds("A change of the document is a list of events.", NOT_OURS)
    if len(events) > MOST_EVENTS:
        raise OutOfBounds(f"A message may have {MOST_EVENTS} events at most.")
    return check_values(content)


def check_values(content: Any) -> int:
    """Look through all values, level by level; compressed bytes are unpacked within the bound."""
    unpacked, depth = 0, 0
    level = [content]
    while level:
        depth += 1
        if depth > DEEPEST:
            raise OutOfBounds(f"Values may be nested {DEEPEST} deep at most.")
        below: list[Any] = []
        for one in level:
            if type(one) is dict:
                if "type" in one:
                    unpacked += _check_typed(one, depth, BUFFER_BYTES - unpacked)
                inside: Any = one.values()
            else:
                inside = one
            below += [part for part in inside if part.__class__ in (dict, list)]
        level = below
    return unpacked


def _check_typed(value: dict[str, Any], depth: int, room: int) -> int:
    """One value that says its type; the bytes it was unpacked to, if it was compressed."""
    kind = value["type"]
    if kind == "event" and depth == EVENT_DEPTH:
        return 0
    if type(kind) is not str or kind not in VALUE_TYPES:
        raise OutOfBounds("The page sends no models and no values of this type.", NOT_OURS)
    if kind == "map":
        entries = value.get("entries", [])
        # keys that are numbers could all have the same hash: a dictionary of them takes hours
        if type(entries) is not list or not all(map(_is_entry, entries)):
            raise OutOfBounds("The keys of a map are texts.", NOT_OURS)
    elif kind == "number":
        number = value.get("value")
        if isinstance(number, (list, dict)) or len(str(number)) > NUMBER_CHARACTERS:
            raise OutOfBounds("A number that is sent as text is nan or infinite.", NOT_OURS)
    elif kind == "ndarray":
        if value.get("dtype") not in ARRAY_TYPES:
            raise OutOfBounds("The page sends no arrays of this type.", NOT_OURS)
    elif kind == "bytes" and isinstance(value.get("data"), str):
        content = unpack(value["data"], room)
        value["data"] = Buffer(ID("unpacked"), content)  # which Bokeh does not unpack again
        return len(content)
    return 0


def unpack(text: str, most: int) -> bytes:
    """Compressed bytes written as text, unpacked up to a limit."""
    try:
        packed = base64.b64decode(text)
        worker = zlib.decompressobj(wbits=31)  # gzip
        content = worker.decompress(packed, most + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise OutOfBounds("Compressed bytes could not be unpacked.", NOT_OURS) from None
    if len(content) > most:
        raise _buffers_too_large()
    if not worker.eof or worker.unused_data:
        raise OutOfBounds("Compressed bytes could not be unpacked.", NOT_OURS)
    return content


def _buffers_too_large() -> OutOfBounds:
    return OutOfBounds(f"The bytes of a message may be {BUFFER_BYTES >> 20} MiB at most.")


def _is_entry(entry: Any) -> bool:
    return type(entry) is list and len(entry) == 2 and type(entry[0]) is str


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 100


def _short(text: str, what: str) -> str:
    if len(text) > HEADER_CHARACTERS:
        raise OutOfBounds(f"The {what} of a message is too long.")
    return text


def _parsed(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError(f"{what} could not be decoded") from None
