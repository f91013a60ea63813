"""How long an event loop leaves somebody waiting: asks for a small file all the time.

    python ticker.py PORT PID     prints two numbers of seconds a line, until its input is closed

The second is what is left without the time in which the server's main thread, or this process, was
ready to run and had no core, because browsers and clients on the same machine had them (Linux
tells; elsewhere it is the first again). A process of its own, so that it measures the server and
not those who load it.
"""

import http.client
import select
import sys
import time
from pathlib import Path

EVERY = 0.02


def without_core(pid: str) -> float:
    """Seconds in which a main thread could have run and had to wait for a core, so far."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def waited() -> float:
    return without_core(sys.argv[2]) + without_core(str(Path("/proc/self").readlink()))


connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=120)
while not select.select([sys.stdin], [], [], EVERY)[0]:
    begun, before = time.perf_counter(), waited()
    connection.request("GET", "/favicon.ico")
    connection.getresponse().read()
    took = time.perf_counter() - begun
    print(took, max(0.0, took - (waited() - before)))
