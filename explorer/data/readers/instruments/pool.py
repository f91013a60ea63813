"""The parent's side of the worker process: ask it to read a file, and replace it when it fails."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

from explorer.data.readers.ask import ReadingCancelled
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.packing import Answer, AxisSlots, unpack, unpack_files
from explorer.data.readers.refused import shown

if sys.platform == "linux":
    import fcntl

_ROOT = str(Path(__file__).resolve().parents[4])
_ROOM_FOR_WORDS = 20_000_000  # bytes of JSON in one answer
_LOOK = 0.1  # seconds between two looks whether anybody still waits
_AHEAD = 64  # files sent before their answers are awaited
_BYTES_AHEAD = 8_000_000
_CHUNK = 1 << 17


class ReaderProcess:
    """A process that reads files; started when first needed, ended by `close` or a `with` block.

    Requests are sent ahead of the answers, so that the process is never idle while its last answer
    is taken apart here. gone: asked while an answer is awaited; once true, the process is ended and
    `ReadingCancelled` is raised (not on Windows, where pipes cannot be waited for).
    """

    def __init__(self, gone: Callable[[], bool] | None = None) -> None:
        self._gone = gone
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._axes = AxisSlots()
        self._pipe: _Pipe | None = None

    def __enter__(self) -> ReaderProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the process, so that it is ready when the first file comes."""
        if self._process is None:
            self._process = self._started()

    def ask(self, given: Given) -> Answer:
        """What became of a file; a process that dies or dawdles is an answer with a reason."""
        return next(self.answers([given]))

    def open(self, given: Given) -> tuple[dict[str, bytes], str]:
        """The files in an archive by name, and the reason if it could not be opened."""
        self.start()
        self._orders.put(_order(given, opens=True))
        room = given.limits.bytes + _ROOM_FOR_WORDS
        data, refused = self._reply(given, room)
        if data is None:
            return {}, refused
        try:
            return unpack_files(data)
        except (ValueError, KeyError, TypeError):
            self._end()
            return {}, _failed(given, False)

    def answers(self, files: Iterable[Given | Answer]) -> Iterator[Answer]:
        """What became of each file, in order; an `Answer` among them is passed on as it is.

        Up to `_AHEAD` files are sent before their answers are awaited. A file whose reading kills
        the process is refused; those sent after it are sent again to the next process.
        """
        coming = iter(files)
        waiting: deque[Given | Answer] = deque()
        sent = 0  # bytes on their way
        more = True
        while True:
            while more and len(waiting) < _AHEAD and sent < _BYTES_AHEAD:
                following = next(coming, None)
                if following is None:
                    more = False
                    break
                waiting.append(following)
                sent += _size(following)
                if isinstance(following, Given):
                    self.start()
                    self._orders.put(_order(following))
            if not waiting:
                return
            first = waiting.popleft()
            sent -= _size(first)
            if isinstance(first, Answer):
                yield first
                continue
            answer = self._received(first)
            if self._process is None and any(isinstance(one, Given) for one in waiting):
                self.start()
                for one in waiting:
                    if isinstance(one, Given):
                        self._orders.put(_order(one))
            yield answer

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {
            key: value
            for key, value in os.environ.items()
            if key.startswith(("LANG", "LC_", "SYSTEM"))
        }
        environment |= {
            "PYTHONPATH": os.pathsep.join([_ROOT, *(p for p in sys.path if p and p != _ROOT)]),
            "PATH": os.environ.get("PATH", ""),
            "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve address space under the limit
            "OMP_NUM_THREADS": "1",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "explorer.data.readers.instruments.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,  # an answer in a buffer here could not be waited for
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._axes = AxisSlots()
        self._orders = queue.SimpleQueue()
        self._pipe = _Pipe(process.stdout)
        _widen(process.stdin.fileno())
        _widen(process.stdout.fileno())
        threading.Thread(
            target=_send, args=(process.stdin, self._orders), name="instrument files", daemon=True
        ).start()
        return process

    def _received(self, given: Given) -> Answer:
        """The answer for the file that is next in line; the process is ended where none comes."""
        data, refused = self._reply(given, 8 * given.limits.cells + _ROOM_FOR_WORDS)
        if data is None:
            return Answer(refused=refused, late=refused == _failed(given, True))
        if int.from_bytes(data[:8], "little") > _ROOM_FOR_WORDS:
            self._end()
            return Answer(
                refused=f"{shown(given.plain)} holds more than {_ROOM_FOR_WORDS / 1e6:g} MB of "
                "names and fields. Export a part of it."
            )
        try:
            return unpack(data, self._axes)
        except (ValueError, KeyError, TypeError, IndexError):
            self._end()
            return Answer(refused=_failed(given, False))

    def _reply(self, given: Given, most: int) -> tuple[bytes | None, str]:
        """The bytes that come next, at most so many; or None and the reason."""
        process, pipe = self._process, self._pipe
        if process is None or pipe is None:
            return None, _failed(given, False)
        fired = threading.Event()
        clock: threading.Timer | None = None
        if os.name == "posix":
            deadline = time.monotonic() + given.limits.seconds
        else:  # pipes cannot be waited for: a clock ends the process

            def give_up() -> None:
                fired.set()
                process.kill()

            deadline = float("inf")
            clock = threading.Timer(given.limits.seconds, give_up)
            clock.daemon = True
            clock.start()
        try:
            size = int.from_bytes(pipe.exactly(8, deadline, self._gone), "little")
            if size > most:
                raise EOFError
            return pipe.exactly(size, deadline, self._gone), ""
        except TimeoutError:
            self._end()
            return None, _failed(given, True)
        except (EOFError, OSError):
            self._end()
            return None, _failed(given, fired.is_set())
        except ReadingCancelled:
            self._end()
            raise
        finally:
            if clock is not None:
                clock.cancel()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._orders.put(None)
        process.kill()
        process.wait()
        if process.stdout is not None:
            with contextlib.suppress(OSError):
                process.stdout.close()


def _size(file: Given | Answer) -> int:
    if isinstance(file, Answer):
        return 0
    return len(file.content) + sum(map(len, file.beside.values()))


def _order(given: Given, opens: bool = False) -> bytes:
    """A request: one line of JSON, then the bytes of the file and its partners."""
    line = json.dumps(
        {
            "name": given.name,
            "limits": vars(given.limits),
            "size": len(given.content),
            "open": opens,
            "beside": [[name, len(content)] for name, content in given.beside.items()],
        }
    )
    return b"".join([line.encode(), b"\n", given.content, *given.beside.values()])


def _send(pipe: IO[bytes], orders: queue.SimpleQueue[bytes | None]) -> None:
    """Write requests as they come, until None or the end of the process; then close the pipe."""
    with contextlib.suppress(OSError, ValueError):
        while (order := orders.get()) is not None:
            left = memoryview(order)
            while left:
                left = left[pipe.write(left) :]
    with contextlib.suppress(OSError):
        pipe.close()


class _Pipe:
    """Bytes from a pipe that can be waited for; what came too early is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._early = b""

    def exactly(self, size: int, deadline: float, gone: Callable[[], bool] | None = None) -> bytes:
        """So many bytes; EOFError if the pipe ends before, TimeoutError after the deadline,
        ReadingCancelled if nobody waits any more."""
        if len(self._early) >= size:
            data, self._early = self._early[:size], self._early[size:]
            return data
        parts, count = [self._early], len(self._early)
        while count < size:
            if deadline < float("inf"):
                self._wait(deadline, gone)
            part = self._pipe.read(_CHUNK)
            if not part:
                raise EOFError
            parts.append(part)
            count += len(part)
        whole = b"".join(parts)
        self._early = whole[size:]
        return whole[:size]

    def _wait(self, deadline: float, gone: Callable[[], bool] | None) -> None:
        """Until there is something to read."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if select.select([self._pipe], [], [], min(left, _LOOK) if gone else left)[0]:
                return
            if gone is not None and gone():
                raise ReadingCancelled


def _widen(pipe: int) -> None:
    """A wider pipe means fewer switches between the two processes, where the system allows it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)


def _failed(given: Given, late: bool) -> str:
    if late:
        return (
            f"{shown(given.plain)} took longer than {given.limits.seconds:g} s to read and was "
            "given up. It is very large or damaged; export a part of it, or as text."
        )
    return (
        f"{shown(given.plain)} is damaged: it made its reader crash, in a process of its own. Copy "
        "or export it again."
    )
