"""Compiled kernels on disk, each file with a checksum.

numba unpickles what it finds in its cache and runs the machine code inside, so a file that was
cut short or changed by a bad disk ends the process or worse. Here every file begins with a
checksum of the rest. A file that fails the check is deleted and its kernel is compiled again.
"""

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

_MAGIC = b"forest-explorer kernel 1\n"
_DIGEST = 32


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def read_checked(path: str) -> bytes | None:
    """What was written to ``path``; None where there is no such file or it is damaged.

    A damaged file is deleted, so that the next compilation can take its place.
    """
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    begin = len(_MAGIC) + _DIGEST
    if content.startswith(_MAGIC) and content[len(_MAGIC) : begin] == _digest(content[begin:]):
        return content[begin:]
    with suppress(OSError):
        os.unlink(path)
    return None


class CheckedFiles(IndexDataCacheFile):
    """numba's index and data files of one kernel, with a checksum in front of each."""

    def _load_index(self) -> dict:
        content = read_checked(self._index_path)
        if content is None:
            return {}
        version, stamp, overloads = pickle.loads(content)
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        content = read_checked(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # numba compiles again
        return pickle.loads(content)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        held = BytesIO()
        yield held
        content = held.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(_MAGIC + _digest(content) + content)


def never_fail(dispatcher: Any) -> None:
    """Make a kernel's cache checked, and any failure of it a reason to compile, not to stop."""
    cache = dispatcher._cache
    plain = cache._cache_file
    checked = CheckedFiles.__new__(CheckedFiles)
    checked.__dict__.update(plain.__dict__)
    cache._cache_file = checked
    load, save = cache.load_overload, cache.save_overload

    def load_or_compile(*what: Any) -> Any:
        try:
            return load(*what)
        except Exception:  # whatever a cache can do wrong, a compiler can do right
            with suppress(OSError):
                os.unlink(checked._index_path)
            return None

    cache.load_overload = load_or_compile
    cache.save_overload = _unless_it_fails(save)


def _unless_it_fails(save: Callable) -> Callable:
    """A full disk, or a folder that was taken away, only costs time at the next start."""

    def save_if_possible(*what: Any) -> None:
        with suppress(OSError):
            save(*what)

    return save_if_possible
