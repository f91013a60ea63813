"""Recognises formats, by content first and name second. A new format is a line here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from explorer.data.readers.refused import FileRefused, shown
from explorer.data.readers.table import Table
from explorer.data.readers.unpack import directory


@dataclass(frozen=True)
class Format:
    """title for people; where its parser is; in_child: it runs in a process of its own."""

    title: str
    module: str
    function: str
    in_child: bool
    endings: tuple[str, ...]


_HERE = "explorer.data.readers"
FORMATS: dict[str, Format] = {
    "csv": Format("CSV", f"{_HERE}.delimited", "read_delimited", False, (".csv", ".tsv", ".txt")),
    "excel": Format("Excel", f"{_HERE}.excel", "read_excel", True, (".xlsx", ".xlsm")),
    "parquet": Format("Parquet", f"{_HERE}.parquet", "read_parquet", True, (".parquet", ".pq")),
    "arff": Format("ARFF", f"{_HERE}.arff", "read_arff", True, (".arff",)),
    "mat": Format("MATLAB", f"{_HERE}.mat", "read_mat", True, (".mat",)),
    "hdf5": Format("HDF5", f"{_HERE}.mat", "read_mat", True, (".h5", ".hdf5", ".nxs")),
    "ts": Format("UCR/aeon time series", f"{_HERE}.ts", "read_ts", False, (".ts",)),
    "npz": Format("NumPy archive", f"{_HERE}.npz", "read_npz", False, (".npz",)),
    "jcamp": Format("JCAMP-DX", f"{_HERE}.jcampdx", "read_jcamp", True, (".jdx", ".dx", ".jcm")),
}

# What is recognised only to say what to do about it.
_STRANGERS = (
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file. Save it as .xlsx or CSV."),
    (b"%PDF", "a PDF. Copy the table into a spreadsheet and save it as CSV."),
    (b"\x93NUMPY", "a single NumPy array. Save X and y together with numpy.savez."),
    (b"BZh", "a bzip2 archive. Unpack it, or pack it as .zip or .gz."),
    (b"\xfd7zXZ", "an xz archive. Unpack it, or pack it as .zip or .gz."),
    (b"7z\xbc\xaf", "a 7z archive. Unpack it, or pack it as .zip or .gz."),
    (b"Rar!", "a RAR archive. Unpack it, or pack it as .zip or .gz."),
    (b"\x89PNG", "a picture. Choose a file with a table in it."),
    (b"\xff\xd8\xff", "a picture. Choose a file with a table in it."),
    (b"GIF8", "a picture. Choose a file with a table in it."),
    (b"<!DOCTYPE", "a web page. Download the data file itself."),
    (b"<html", "a web page. Download the data file itself."),
    (b"<?xml", "an XML file. Save the table as CSV."),
    (b"SQLite format 3", "a database. Export one table as CSV."),
    (b"ARROW1", "an Arrow file. Save it as Parquet or CSV."),
)
_HDF5 = b"\x89HDF\r\n\x1a\n"
_OLD_PICKLE = re.compile(rb"\([dl]p\d+\n|\(i[\w.]+\n[\w.]+\n|c[\w.]+\n[\w.]+\n(p\d+\n)?\(")
_PICKLE_ENDINGS = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".rds", ".rdata")


def parser(format_name: str) -> Callable[..., Table]:
    """The function (content, name, limits, **wishes) -> Table of a format."""
    found = FORMATS[format_name]
    function: Callable[..., Table] = getattr(import_module(found.module), found.function)
    return function


def recognise(content: bytes, name: str) -> str:
    """A key of FORMATS, "zip" or "gzip"; or a refusal that says what the file is."""
    lower = name.lower()
    head = content[:4096]
    if _is_pickle(head) or lower.endswith(_PICKLE_ENDINGS):
        raise FileRefused(
            f"{shown(name)} is a pickle of Python (or R) objects, which can run code and is never "
            "read. Save the table as CSV, Parquet or .npz."
        )
    if head[:2] == b"\x1f\x8b":
        return "gzip"
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _kind_of_zip(content, lower)
    if head[:4] == b"PAR1":
        return "parquet"
    if _HDF5 in (head[:8], head[512:520]):
        return "mat" if lower.endswith(".mat") else "hdf5"
    if head[:10] == b"MATLAB 7.3":
        raise FileRefused(
            f"{shown(name)} is a MATLAB 7.3 file that is cut short or damaged. Copy it again."
        )
    if head[:6] == b"MATLAB" or lower.endswith(".mat"):
        return "mat"
    for start, what in _STRANGERS:
        if head.lstrip().startswith(start):
            raise FileRefused(f"{shown(name)} is {what}")
    if head[257:262] == b"ustar":
        raise FileRefused(f"{shown(name)} is a tar archive. Unpack it, or pack it as .zip.")
    for key, kind in FORMATS.items():
        if lower.endswith(kind.endings) and key in ("excel", "parquet", "npz"):
            raise FileRefused(
                f"{shown(name)} is called like {kind.title} but is not, or it is damaged. "
                "Save it again."
            )
    return _kind_of_text(head, lower)


def _kind_of_zip(content: bytes, lower: str) -> str:
    names = directory(content)
    if "[Content_Types].xml" in names or lower.endswith((".xlsx", ".xlsm")):
        return "excel"
    if (names and all(n.endswith(".npy") for n in names)) or lower.endswith(".npz"):
        return "npz"
    return "zip"


def _kind_of_text(head: bytes, lower: str) -> str:
    text = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").lstrip().lower()
    if lower.endswith((".jdx", ".dx", ".jcm")) or text.startswith(b"##title"):
        return "jcamp"
    if lower.endswith(".arff") or text.startswith(b"@relation"):
        return "arff"
    if lower.endswith(".ts") or b"@problemname" in text:
        return "ts"
    return "csv"


def _is_pickle(head: bytes) -> bool:
    """Protocols 2-5 begin with 0x80 and their number; 0 with a mark or with a module and a name."""
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return True
    return _OLD_PICKLE.match(head) is not None


def wishes_of(format_name: str, wishes: dict[str, Any]) -> dict[str, Any]:
    """The wishes that a parser of this format understands."""
    known = {"csv": ("delimiter", "decimal", "header"), "excel": ("sheet",)}
    return {key: wishes.get(key) for key in known.get(format_name, ())}
