"""Asks a child process to parse a file, and handles every way in which it may fail.

The child has limits of its own (child.py). Its answer is read only up to a bound, because a small
file may describe a huge table, and the child is stopped when time is up or nobody waits any more.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer.data.readers.refused import FileRefused, Limits, TookTooLong, shown
from explorer.data.readers.table import Table
from explorer.data.readers.wire import MAGIC, largest_answer, unpack

ANY = "any"  # the child recognises and unpacks the file, too
_ROOT = str(Path(__file__).resolve().parents[3])
_LOOK = 0.02  # seconds between two looks at the clock and at ``cancelled``
_PIECE = 1 << 20


class ReadingCancelled(Exception):
    """Nobody waits for this file any more; its child process was ended."""


def ask_child(
    format_name: str,
    content: bytes,
    name: str,
    limits: Limits,
    wishes: dict[str, Any],
    cancelled: Callable[[], bool] | None = None,
) -> Table:
    """The Table of a file, parsed in a process of its own; FileRefused if that process dies.

    cancelled: asked while waiting; once true the process is ended and `ReadingCancelled` is raised.
    """
    order = {"name": name, "limits": dataclasses.asdict(limits), "wishes": wishes}
    with subprocess.Popen(
        [sys.executable, "-m", "explorer.data.readers.child", format_name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    ) as child:
        talk = _Talk(child, json.dumps(order).encode() + b"\n" + content, largest_answer(limits))
        try:
            _wait(child, talk, name, limits, cancelled)
        finally:
            child.kill()
    if talk.too_much:
        raise FileRefused(
            f"{shown(name)} holds a table of more than {largest_answer(limits) / 1e6:.0f} MB, the "
            "limit. Take fewer rows or columns."
        )
    return understood(talk.said, child.returncode if talk.ended else 0, name, limits)


def _environment() -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if key.startswith(("LANG", "LC_", "SYSTEM"))
    }
    return kept | {
        "PYTHONPATH": os.pathsep.join([_ROOT, *(p for p in sys.path if p and p != _ROOT)]),
        "PATH": os.environ.get("PATH", ""),
        "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve address space under the limit
        "OMP_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }


class _Talk:
    """Two threads that write the request and read the answer, so that neither pipe fills up."""

    def __init__(self, child: subprocess.Popen[bytes], request: bytes, most: int) -> None:
        self.child, self.request, self.most = child, request, most
        self.said = bytearray()
        self.too_much = self.ended = False
        self.over = threading.Event()
        for work in (self._write, self._read):
            threading.Thread(target=work, daemon=True).start()

    def _write(self) -> None:
        pipe = self.child.stdin
        assert pipe is not None
        with suppress(OSError):  # it ended before it had read all
            pipe.write(self.request)
        with suppress(OSError):
            pipe.close()

    def _read(self) -> None:
        pipe = self.child.stdout
        assert pipe is not None
        try:
            while piece := pipe.read1(_PIECE):  # type: ignore[attr-defined]
                if len(self.said) + len(piece) > self.most:
                    self.too_much = True
                    return
                self.said += piece
        except (OSError, ValueError):
            pass
        finally:
            self.over.set()


def _wait(
    child: subprocess.Popen[bytes],
    talk: _Talk,
    name: str,
    limits: Limits,
    cancelled: Callable[[], bool] | None,
) -> None:
    """Until the answer is whole or too large; TookTooLong and ReadingCancelled end the wait."""
    end = time.monotonic() + limits.seconds
    while not talk.over.wait(_LOOK):
        if cancelled is not None and cancelled():
            raise ReadingCancelled
        if time.monotonic() > end:
            raise TookTooLong(
                f"{shown(name)} took longer than {limits.seconds:g} s to read and was given up. It "
                "is too complicated or damaged; save it again, or as CSV."
            )
    if not talk.too_much:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.1, end - time.monotonic()))
            talk.ended = True


def understood(said: bytes | bytearray, code: int, name: str, limits: Limits) -> Table:
    """The Table in what the child said before it ended with this code; or FileRefused."""
    if said.startswith(MAGIC):
        return unpack(memoryview(said)[len(MAGIC) :])
    answer = _json(said) if code == 0 else {}
    if "refused" in answer:
        raise FileRefused(answer["refused"])
    if "memory" in answer:
        raise FileRefused(
            f"{shown(name)} needs more than {limits.memory / 1e9:g} GB of memory to read. It is "
            "too large or damaged; save fewer rows or columns."
        )
    if "broken" in answer:
        raise FileRefused(
            f"{shown(name)} is damaged or not what its name says. Save it again, or as CSV."
        ) from ValueError(answer["broken"])  # for a script; a page shows the sentence alone
    raise FileRefused(
        f"{shown(name)} is damaged: it made its reader crash, in a process of its own. Save it "
        "again, or as CSV."
    )


def _json(data: bytes | bytearray) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
