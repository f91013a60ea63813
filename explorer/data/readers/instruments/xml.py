"""XML as instruments write it, through the standard library's parser.

Documents that declare entities are refused before they are parsed: no instrument writes them, and
they can name files or grow without end.
"""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Given


def parsed(given: Given, content: bytes | None = None) -> ElementTree.Element:
    """The root of a document; damage is refused with the line where it is."""
    text = given.content if content is None else content
    if b"<!ENTITY" in text or b"<!DOCTYPE" in text[:4096]:
        raise given.refuse("declares XML entities, which are never read. Export it again.")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        line = getattr(error, "position", (0, 0))[0]
        raise given.refuse(
            f"is XML that is damaged or cut short (line {line}). Copy or export it again."
        ) from None


def local(element: ElementTree.Element) -> str:
    """The name of an element without its name space."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def numbers(text: str | None, separator: str | None = None) -> NDArray[np.float64]:
    """Numbers in the text of an element; empty if one of them is none."""
    try:
        return np.array([float(part) for part in (text or "").split(separator) if part.strip()])
    except ValueError:
        return np.empty(0)
