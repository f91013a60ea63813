"""The log of finished units: one line each, in one file, which survives a kill -9.

A line is a checksum and JSON. Lines are only ever added, each in one write; a last line that was
cut short (or any that does not match its checksum) is passed over, and its unit runs again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from explorer.studies import codec


class UnitLog:
    """Finished units in a file. ``fresh``: forget what it holds."""

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            self.path.unlink(missing_ok=True)

    def outputs(self) -> dict[str, Any]:
        """Fingerprint -> output of every unit that was finished."""
        if not self.path.exists():
            return {}
        found: dict[str, Any] = {}
        with self.path.open("rb") as lines:
            for line in lines:
                sum_, _, text = line.rstrip(b"\n").partition(b" ")
                if line.endswith(b"\n") and sum_ == _checksum(text):
                    mark, _, output = codec.from_text(text.decode())
                    found[mark] = output
        return found

    def add(self, fingerprint: str, key: str, output: Any) -> None:
        """Keep a finished unit; it is on its way to the disk when this returns."""
        text = codec.to_text([fingerprint, key, output]).encode()
        line = _checksum(text) + b" " + text + b"\n"
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        file = os.open(self.path, flags, 0o666)
        try:
            end = os.fstat(file).st_size
            if end:
                os.lseek(file, end - 1, os.SEEK_SET)
                if os.read(file, 1) != b"\n":  # the tail of a killed run
                    line = b"\n" + line
            while line:
                line = line[os.write(file, line) :]
        finally:
            os.close(file)


def _checksum(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).hexdigest().encode()
