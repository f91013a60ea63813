"""Plain sockets for tests of the server: idle connections, half a request, another address."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

NEAR, FAR = "127.0.0.1", "127.0.0.2"  # the second is an address that is not the proxy's


def connect(port: int, source: str = NEAR, data: bytes = b"") -> socket.socket:
    """A connection from this address, on which some bytes were sent."""
    made = socket.create_connection((NEAR, port), timeout=10, source_address=(source, 0))
    if data:
        made.sendall(data)
    return made


class Crowd(ExitStack):
    """Many connections, closed at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.sockets: list[socket.socket] = []

    def come(self, count: int, port: int, source: str = NEAR, data: bytes = b"") -> Crowd:
        for _ in range(count):
            with suppress(OSError):  # refused or closed again: that is what bounds are for
                self.sockets.append(self.enter_context(connect(port, source, data)))
        return self

    def still_open(self) -> int:
        """How many the server has not closed."""
        return sum(not closed(one) for one in self.sockets)


def closed(one: socket.socket) -> bool:
    """Whether the other side has closed a connection on which it says nothing else."""
    one.setblocking(False)
    try:
        return one.recv(1 << 16) == b"" or closed(one)
    except BlockingIOError:
        return False
    except OSError:
        return True


def heard(one: socket.socket, seconds: float = 20) -> bytes:
    """All that the other side says until it closes the connection."""
    one.settimeout(seconds)
    said = b""
    with suppress(ConnectionResetError, BrokenPipeError):
        while piece := one.recv(1 << 16):
            said += piece
    return said


def asked(
    port: int, path: str = "/health", source: str = NEAR, body: bytes = b"", **headers: str
) -> tuple[int, str]:
    """Status and text of an answer; 0 if the connection was closed without one."""
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    with connect(port, source) as one:
        with suppress(ConnectionResetError, BrokenPipeError):
            one.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        said = heard(one).decode("utf-8", "replace")
    return int(said.split(" ")[1]) if said.startswith("HTTP/") else 0, said


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for the server to do something by itself."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_bytes(pid: int) -> int:
    """Memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
