"""Gets the bytes of a file from a path, an upload or a stream, never more than the limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from explorer.data.readers.refused import FileRefused, Limits, reason, shown

_BLANK = b"\x00 \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe"

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO


def fetch(source: Source, name: str | None, limits: Limits) -> tuple[bytes, str]:
    """The content and a name for it. A str is a path; uploads come as bytes with their name."""
    if isinstance(source, bytes | bytearray | memoryview):
        content, found = bytes(source), name or "upload"
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        found = name or path.name
        content = _from_path(path, limits)
    elif hasattr(source, "read"):
        found = name or str(getattr(source, "name", "upload"))
        content = source.read(limits.bytes + 1)
        if not isinstance(content, bytes):
            raise FileRefused(f"{shown(found)} was opened as text; open it with mode 'rb'.")
    else:
        raise TypeError(
            f"read() takes a path, bytes or a binary file, not {type(source).__name__}."
        )
    found = found.replace("\\", "/").rsplit("/", 1)[-1]
    if len(content) > limits.bytes:
        raise FileRefused(
            f"{shown(found)} is larger than {limits.words}, the limit. Take fewer rows or columns, "
            "or raise the limit."
        )
    # look at the head first: strip copies, and most files are not blank for a kilobyte
    if not (content[:1024].strip(_BLANK) or content.strip(_BLANK)):
        raise FileRefused(f"{shown(found)} is empty. Choose a file with a table in it.")
    return content, found


def _from_path(path: Path, limits: Limits) -> bytes:
    try:
        with path.open("rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise FileRefused(f"{shown(path.name)} is not a plain file. Choose a file.")
            return stream.read(limits.bytes + 1)
    except FileNotFoundError:
        raise FileRefused(f"There is no file {shown(path)}. Check its name and folder.") from None
    except IsADirectoryError:
        raise FileRefused(f"{shown(path)} is a folder. Choose a file in it, or zip it.") from None
    except PermissionError:
        raise FileRefused(f"{shown(path)} may not be read. Check its permissions.") from None
    except (OSError, ValueError) as error:
        raise FileRefused(f"{shown(path)} could not be opened ({reason(error)}).") from None
