"""Ocean Optics .ProcSpec: a zip with an XML file in which SpectraSuite wrote its objects down."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.xml import local, parsed
from explorer.data.readers.unpack import members


def read_procspec(given: Given) -> list[Block]:
    files = members(given.content, given.plain, given.limits)
    content = next((c for n, c in files.items() if n.lower().startswith("ps_")), None)
    if content is None:
        raise given.refuse("is not a SpectraSuite file, as its name says. Export it as text.")
    root = parsed(given, "".join(c for c in content.decode("utf-8", "replace")
                                 if c.isprintable() or c in "\r\n\t").encode())  # fmt: skip
    processed = _first(root, "processedPixels")
    raw = _first(root, "pixelValues")
    x = _first(root, "channelWavelengths")
    y = processed if processed is not None else raw
    if x is None or y is None or x.size != y.size:
        raise given.refuse("is a SpectraSuite file without a spectrum. Export it as text.")
    quantity = "processed" if processed is not None else "counts"
    return [Block(x, y, "nm", quantity)]


def _first(root: ElementTree.Element, name: str) -> np.ndarray | None:
    for element in root.iter():
        if local(element) == name and len(element) > 1:
            return np.array([float(e.text or "nan") for e in element if local(e) == "double"])
    return None
