"""Bruker OPUS files (.0, .1, ...), through `brukeropus`, from the bytes of the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.data.readers.instruments.block import Block, Given

# What a chemist would open, best first: results, then single channels, then interferograms.
_ORDER = (
    "a", "t", "r", "logr", "atr", "km", "ra", "e", "pas", "pw", "gcsc", "sm", "rf", "igsm", "igrf",
    "tr", "phsm", "phrf",
)  # fmt: skip
_UNITS = {"WN": "cm-1", "MI": "um", "LGW": "", "MIN": "min", "PNT": "", "NM": "nm"}
_FIELDS = {
    "snm": "sample name", "sfm": "sample form", "exp": "experiment", "ins": "instrument",
    "dat": "date", "tim": "time", "res": "resolution", "nss": "scans", "cnm": "operator",
}  # fmt: skip


def read_opus(given: Given) -> list[Block]:
    from brukeropus.file.block import pair_data_and_status_blocks
    from brukeropus.file.data import Data, DataSeries
    from brukeropus.file.directory import FileDirectory

    directory = FileDirectory(given.content)
    pairs = list(pair_data_and_status_blocks(list(directory.blocks)))
    about = _about(directory.blocks)
    found: list[tuple[int, Any]] = []
    for data, status in pairs:
        key = data.get_data_key()
        try:
            kind = DataSeries if data.is_data_series() else Data
            found.append((_rank(key), kind(data, status, key=key, vel=0)))
        except Exception:  # one damaged block does not spoil the others
            continue
    if not found:
        raise given.refuse(
            "is a Bruker OPUS file without a spectrum in it. Save the absorbance or the sample "
            "spectrum with it in OPUS, or export it as data point table."
        )
    # of several of the best kind the first is the measurement; later ones are worked on
    data = min(found, key=lambda item: item[0])[1]
    y = np.atleast_2d(np.asarray(data.y, np.float64))
    unit = _UNITS.get(str(data.params.dxu), "")
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(y))) if len(y) > 1 else ("",)
    others = sorted({str(d.label) for _, d in found if d is not data})
    if others:
        about["also in the file"] = ", ".join(others)
    block = Block(np.asarray(data.x, np.float64), y, unit, str(data.label), names, about)
    if str(data.key).startswith(("ig", "ph")):
        block.unit = "points"
        block.notes.append("This is an interferogram, not a spectrum; its axis counts points.")
    return [block]


def _rank(key: str) -> int:
    plain = key.split("_")[0]
    return _ORDER.index(plain) if plain in _ORDER else len(_ORDER)


def _about(blocks: Any) -> dict[str, str]:
    about: dict[str, str] = {}
    for block in blocks:
        if isinstance(block.data, dict):
            for key, title in _FIELDS.items():
                if key in block.data and title not in about:
                    about[title] = str(block.data[key])
    return about
