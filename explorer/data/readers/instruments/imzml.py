"""imzML images of mass spectra, through `pyimzML`; the numbers are in the .ibd file beside it."""

from __future__ import annotations

import io

import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.massaxis import binned
from explorer.data.readers.instruments.xml import refuse_declarations


def read_imzml(given: Given) -> list[Block]:
    from pyimzml.ImzMLParser import ImzMLParser

    refuse_declarations(given, given.content)
    data = next((c for n, c in given.beside.items() if n.endswith(".ibd")), None)
    if data is None:
        raise given.refuse(
            "describes an imzML image; the .ibd file of the same name, which holds the numbers, is "
            "missing. Choose both files together."
        )
    parser = ImzMLParser(
        io.BytesIO(given.content), parse_lib="ElementTree", ibd_file=io.BytesIO(data)
    )
    pairs, cells = [], 0
    for k in range(len(parser.coordinates)):
        x, y = (np.asarray(part, np.float64) for part in parser.getspectrum(k))
        cells += x.size
        if cells > given.limits.cells:
            raise given.refuse("holds too many peaks. Export a part of the image.")
        pairs.append((x, y))
    if not pairs:
        raise given.refuse("is an imzML image without a spectrum.")
    each = {
        "x": [str(c[0]) for c in parser.coordinates],
        "y": [str(c[1]) for c in parser.coordinates],
    }
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(pairs)))
    first = pairs[0][0]
    if all(x.size == first.size and np.array_equal(x, first) for x, _ in pairs):
        stacked = np.array([y for _, y in pairs])
        return [Block(first, stacked, "m/z", "intensity", names, {}, each)]
    x, y, note = binned(pairs, given)
    return [Block(x, y, "m/z", "intensity", names, {}, each, [note])]
