"""Andor .sif, through `sif-parser`: one spectrum per frame, or per track of a frame."""

from __future__ import annotations

import io

import numpy as np

from explorer.data.readers.instruments.block import Block, Given


class _Ending(io.BytesIO):
    """A stream that raises at its end; the package would go on reading nothing for ever."""

    _empty = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._empty = 0 if data else self._empty + 1
        if self._empty > 3:
            raise EOFError("the file ends too early")
        return data


def read_sif(given: Given) -> list[Block]:
    from sif_parser import _sif_open
    from sif_parser.utils import extract_calibration

    # The package's np_open wants a file on disk; its header parser reads any stream.
    tiles, (width, height), frames, info = _sif_open._open(_Ending(given.content))
    count = width * height
    if not (count > 0 and frames > 0) or 4 * count * frames > len(given.content):
        raise given.refuse("is damaged or cut short: frames are missing. Copy it again.")
    if height > 64:
        raise given.refuse(
            f"holds pictures of {width} x {height} pixels, not spectra. Bin the rows in Andor "
            "Solis (full vertical binning), or export spectra as text."
        )
    rows = [np.frombuffer(given.content, "<f4", count, tile[2]) for tile in tiles]
    y = np.array(rows, np.float64).reshape(-1, width)
    x = extract_calibration(info)
    calibrated = x is not None and np.ndim(x) == 1 and np.unique(x).size == width
    axis = np.asarray(x, float) if calibrated else np.arange(1.0, width + 1)
    unit = "nm" if calibrated else ""
    laser = float(info.get("RamanExWavelength", 0) or 0)
    kind = str(info.get("FrameAxis", "")).lower()
    if calibrated and "raman" in kind and not (laser and axis.min() > 0.8 * laser):
        unit = "cm-1"
    names = tuple(f"{given.stem} {k + 1}" for k in range(len(y))) if len(y) > 1 else ("",)
    about = {
        "detector": str(info.get("DetectorType", "")),
        "exposure (s)": str(info.get("ExposureTime", "")),
        "laser (nm)": f"{laser:g}" if laser else "",
        "axis": str(info.get("FrameAxis", "")),
    }
    notes = [] if calibrated else ["The file holds no calibration: the axis counts pixels."]
    return [Block(axis, y, unit, "counts", names, about, notes=notes)]
