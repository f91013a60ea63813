"""Images and their labelled pixels from the bytes of uploaded files.

An ENVI image is used as its bytes lie; what is no ENVI image goes through `read_spectra` and
`cube_of`. Labels are a table, an .npy array or an ENVI classification, as in `read_labels`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.csv_cells import as_written
from explorer.data.cube import Cube
from explorer.data.measured.images import (
    DATA_ENDINGS,
    class_names_of,
    envi_cube,
    labels_of_codes,
    labels_of_columns,
)
from explorer.data.readers.instruments.envi import Layout, header, layout_of
from explorer.data.readers.npz import read_array
from explorer.data.readers.refused import FileRefused, shown

Labels = tuple[NDArray[np.intp], tuple[str, ...]]
_MOST_HEADER = 5_000_000
_MOST_TABLE = 20_000_000
_TABLES = (".csv", ".tsv", ".txt")
_SEPARATORS = ",;\t "


def image_in(files: Mapping[str, bytes]) -> Cube | None:
    """The first ENVI image among some files by name; None if there is none."""
    for name in _headers(files):
        fields = _fields(files[name])
        if not _is_classification(fields) and "library" not in fields.get("file type", "").lower():
            layout, raw = _numbers(name, fields, files)
            return envi_cube(_stem(name), fields, layout, raw)
    return None


def is_labels(name: str, content: bytes) -> bool:
    """Whether a file looks like labelled pixels: a classification, an array, or a table of them."""
    lower = name.lower()
    if content[:4] == b"ENVI":
        return _is_classification(_fields(content))
    if lower.endswith(".npy"):
        return content[:6] == b"\x93NUMPY"
    if not lower.endswith(_TABLES):
        return False
    cells = {cell.lower() for cell in _cells(_first_line(content))}
    return bool(
        cells & {"line", "row", "y"}
        and cells & {"sample", "column", "col", "x"}
        and cells & {"class", "label", "name"}
    )


def labels_in(files: Mapping[str, bytes], cube: Cube) -> Labels | None:
    """Labelled pixels of an image from the first file that has them; None if none does."""
    for name, content in files.items():
        if not is_labels(name, content):
            continue
        if content[:4] == b"ENVI":
            fields = _fields(content)
            layout, raw = _numbers(name, fields, files)
            codes = envi_cube(_stem(name), fields, layout, raw).band(0)
            return labels_of_codes(name, np.nan_to_num(codes), cube, class_names_of(fields)[1:])
        if name.lower().endswith(".npy"):
            return labels_of_codes(name, _array(name, content), cube)
        return labels_of_columns(name, _table(name, content), cube)
    return None


def _headers(files: Mapping[str, bytes]) -> list[str]:
    return [name for name, content in files.items() if content[:4] == b"ENVI"]


def _fields(content: bytes) -> dict[str, str]:
    return header(content[:_MOST_HEADER].decode("utf-8", "replace"))


def _is_classification(fields: dict[str, str]) -> bool:
    return "classification" in fields.get("file type", "").lower()


def _numbers(
    name: str, fields: dict[str, str], files: Mapping[str, bytes]
) -> tuple[Layout, NDArray[Any]]:
    """The numbers that a header describes, in the shape in which they lie."""
    layout = layout_of(fields, lambda words: FileRefused(f"{shown(_plain(name))} {words}"))
    stem = name.rsplit(".", 1)[0] if "." in _plain(name) else name
    wanted = {stem.lower(), *(stem.lower() + ending for ending in DATA_ENDINGS)}
    for other, content in files.items():
        if other.lower() in wanted and other != name:
            if len(content) < layout.offset + layout.nbytes:
                raise FileRefused(
                    f"{shown(_plain(name))} describes {layout.nbytes} bytes of data, and "
                    f"{shown(_plain(other))} has {len(content) - layout.offset}. Copy both again."
                )
            count = layout.lines * layout.samples * layout.bands
            flat = np.frombuffer(content, layout.dtype, count, layout.offset)
            return layout, flat.reshape(layout.stored)
    raise FileRefused(
        f"{shown(_plain(name))} is the header of an ENVI image; the file with the numbers (same "
        "name, .dat, .img, .raw or no ending) is missing. Choose both files together."
    )


def _array(name: str, content: bytes) -> NDArray[Any]:
    try:
        array: NDArray[Any] = read_array(content, _plain(name), _plain(name))
    except FileRefused:
        raise
    except Exception:  # numpy raises many kinds on a damaged header
        raise FileRefused(f"{shown(_plain(name))} is not an .npy array. Save it again.") from None
    return array


def _table(name: str, content: bytes) -> dict[str, list[str]]:
    """The columns of a small table with a header, as texts."""
    if len(content) > _MOST_TABLE:
        raise FileRefused(
            f"{shown(_plain(name))} has {len(content) / 1e6:.0f} MB; a table of labelled pixels "
            f"may have {_MOST_TABLE / 1e6:.0f}. Save the labels as an .npy array."
        )
    text = content.decode("utf-8-sig", "replace")
    names = _cells(_first_line(content))
    separator = _separator(_first_line(content))
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True))[1:]
    except csv.Error:
        rows = []
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    short = next((k for k, row in enumerate(rows) if len(row) < len(names)), None)
    if not rows or short is not None:
        where = f", row {short + 2}," if short is not None else ""
        raise FileRefused(
            f"{shown(_plain(name))}{where} is not a table. Write columns line, sample and class."
        )
    return {cell: [as_written(row[k].strip()) for row in rows] for k, cell in enumerate(names)}


def _first_line(content: bytes) -> str:
    return content[:4096].decode("utf-8-sig", "replace").split("\n")[0].strip()


def _separator(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def _cells(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(_separator(line))]


def _plain(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _stem(name: str) -> str:
    plain = _plain(name)
    return plain.rsplit(".", 1)[0] or plain
