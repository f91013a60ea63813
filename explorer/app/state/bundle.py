"""Several files in one piece, as the page sends a folder (assets/upload.js).

"FXFILES1"   8 bytes
length       4 bytes, little-endian: bytes of the list
list         JSON in UTF-8: [[path, size], ...]; size -1 for a file that could not be opened
contents     one after the other, in the order of the list
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from explorer.data.measured.sources import natural

MAGIC = b"FXFILES1"
PREFIX = "files:"  # of the name under which such a piece is announced
MOST_FILES = 20_000
LONGEST_LIST = 6_000_000
_JUNK = frozenset({"thumbs.db", "desktop.ini"})


@dataclass(frozen=True)
class Bundle:
    """Names from the top of the folder with their bytes, and the names that could not be opened."""

    files: dict[str, bytes] = field(default_factory=dict)
    unopened: tuple[str, ...] = ()


def unbundle(content: bytes) -> Bundle:
    """The files of a piece, in natural order; one that is no such piece is a ValueError."""
    start = len(MAGIC) + 4
    size = int.from_bytes(content[len(MAGIC) : start], "little")
    if not content.startswith(MAGIC) or size > LONGEST_LIST:
        raise ValueError("These files did not arrive completely. Drop them again.")
    try:
        listed = json.loads(content[start : start + size])
        count = len(listed)
        entries = [(str(path)[:1000], int(length)) for path, length in listed[:MOST_FILES]]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ValueError("These files did not arrive completely. Drop them again.") from None
    if count > MOST_FILES:
        raise ValueError(
            f"There are {count} files; at most {MOST_FILES} can be read at a time. Choose a "
            "folder with fewer."
        )
    at = start + size
    files: dict[str, bytes] = {}
    unopened = []
    for path, length in entries:
        if length < 0:
            unopened.append(path)
            continue
        part = content[at : at + length]
        if len(part) < length:
            raise ValueError("These files did not arrive completely. Drop them again.")
        at += length
        if not _is_junk(path):
            files[path] = part
    return Bundle(dict(sorted(files.items(), key=lambda item: natural(item[0]))), tuple(unopened))


def _is_junk(path: str) -> bool:
    """Files that a file manager leaves behind, and hidden ones."""
    parts = path.replace("\\", "/").split("/")
    return parts[-1].lower() in _JUNK or any(p.startswith(".") or p == "__MACOSX" for p in parts)
