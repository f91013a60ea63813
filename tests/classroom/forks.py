"""Files by the hundred thousand, each still parsed in a process of its own: forked, not started.

A server starts a process per file and waits half a second for its imports. Here one process imports
the parsers and forks for every file; limits, parsing and answer are the server's own code. So a
crash of a parser is seen as a server would see it, and much sooner. POSIX only.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HEAD = struct.Struct("<II")  # bytes of an order, and of the file
TAIL = struct.Struct("<iI")  # how a process ended, and bytes of what it said
FIRST = 20  # files of a format show what its parser imports
TOO_LONG = 1000  # the code of one that was given up


class Forks:
    """Parses files, in place of `ask_child`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "OPENBLAS_NUM_THREADS": "1",
                "ARROW_DEFAULT_MEMORY_POOL": "system",
            },
        )
        self.crashed = 0

    def ask(
        self, format_name: str, content: bytes, name: str, limits: Any, wishes: dict[str, Any]
    ) -> Any:
        from explorer.data.readers.ask import understood
        from explorer.data.readers.refused import FileRefused

        order = {"name": name, "limits": dataclasses.asdict(limits), "wishes": wishes}
        asked = json.dumps([format_name, order]).encode()
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(HEAD.pack(len(asked), len(content)) + asked + content)
        into.flush()
        code, size = TAIL.unpack(out.read(TAIL.size))
        said = out.read(size)
        if code == TOO_LONG:
            raise FileRefused(f"{name} took longer than {limits.seconds:g} s and was given up.")
        self.crashed += code != 0
        return understood(said, code, name, limits)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def parse(asked: bytes, content: bytes, pipe: int) -> None:
    """In a fork: what the child process of a server does."""
    from explorer.data.readers.child import answered, limit

    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle)
    format_name, order = json.loads(asked)
    limit(order["limits"])
    with os.fdopen(pipe, "wb") as answer:
        answer.write(answered(format_name, content, order))
    os._exit(0)


def one(asked: bytes, content: bytes) -> tuple[int, bytes]:
    """Fork, and wait for it: how it ended, and what it said."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reads)
            parse(asked, content, writes)
        finally:
            os._exit(1)
    os.close(writes)
    end = time.monotonic() + json.loads(asked)[1]["limits"]["seconds"]
    said, late = [], False
    while True:
        late = not select.select([reads], [], [], max(0.0, end - time.monotonic()))[0]
        piece = b"" if late else os.read(reads, 1 << 20)
        if not piece:
            break
        said.append(piece)
    os.close(reads)
    if late:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return TOO_LONG if late else os.waitstatus_to_exitcode(status), b"".join(said)


def imported_by(asked: bytes, content: bytes) -> list[str]:
    """What parsing such a file imports, found out in a fork, so that nothing is parsed here."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            from explorer.data.readers.child import answered

            answered(json.loads(asked)[0], content, json.loads(asked)[1])
            os.write(writes, "\n".join(sys.modules).encode())
        finally:
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as said:
        names = said.read().split()
    os.waitpid(child, 0)
    return names


def main() -> None:
    into, out = sys.stdin.buffer, sys.stdout.buffer
    known: Counter[str] = Counter()
    while head := into.read(HEAD.size):
        asked, content = (into.read(n) for n in HEAD.unpack(head))
        kind = json.loads(asked)[0]
        known[kind] += 1
        if known[kind] <= FIRST:
            for name in imported_by(asked, content):
                with contextlib.suppress(Exception):  # what cannot be had here is left to the forks
                    importlib.import_module(name)
        code, said = one(asked, content)
        out.write(TAIL.pack(code, len(said)) + said)
        out.flush()


if __name__ == "__main__":
    main()
