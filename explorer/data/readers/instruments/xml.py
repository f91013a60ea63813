"""XML as instruments write it, through the standard library's parser.

Documents with a document type, where entities are declared, are refused before they are parsed: no
instrument writes one, and entities can name files or grow without end.
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Given


def parsed(given: Given, content: bytes | None = None) -> ElementTree.Element:
    """The root of a document; damage is refused with the line where it is."""
    text = given.content if content is None else content
    refuse_declarations(given, text)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        line = getattr(error, "position", (0, 0))[0]
        raise given.refuse(
            f"is XML that is damaged or cut short (line {line}). Copy or export it again."
        ) from None


class _Declared(Exception):
    """A document type was met."""


class _Begun(Exception):
    """The first element was met; nothing can be declared after it."""


def refuse_declarations(given: Given, text: bytes) -> None:
    """Refuse a document with a document type, in whatever encoding it is written."""

    def declared(*_: object) -> None:
        raise _Declared

    def begun(*_: object) -> None:
        raise _Begun

    reader = expat.ParserCreate()
    reader.StartDoctypeDeclHandler = declared
    reader.StartElementHandler = begun
    try:
        reader.Parse(text, True)
    except _Declared:
        raise given.refuse(
            "declares XML entities, which are never read. Export it again."
        ) from None
    except (_Begun, expat.ExpatError, ValueError, LookupError):
        return  # damage is told by whoever parses the rest


def local(element: ElementTree.Element) -> str:
    """The name of an element without its name space."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def numbers(text: str | None, separator: str | None = None) -> NDArray[np.float64]:
    """Numbers in the text of an element; empty if one of them is none."""
    try:
        return np.array([float(part) for part in (text or "").split(separator) if part.strip()])
    except ValueError:
        return np.empty(0)
