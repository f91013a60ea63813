"""A monkey in the classroom: random actions by several clients, seeded.

    python tests/classroom/soak.py              ten minutes, ten clients
    python tests/classroom/soak.py 60 4         a minute, four clients

It fails on an exception in the log, an error answered to a client, or a server that has grown
beyond the bounds below once everybody has left.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tornado.websocket import WebSocketClosedError

from classroom.client import Client, Closed, Server

MOST_MEMORY = 1.5  # of what it was after the warm-up, plus the cache's bound
CACHE_MB = 64
MOST_THREADS, MOST_HANDLES = 8, 20  # more than after the warm-up
LINKS = (
    "",
    "?page=Posterior&data=mixture",
    "?page=Nodes",
    "?data=spectra_ir&page=Spectra",
    "?data=iris&page=Proximity",
    "?data=paint&page=Paint",
    "?data=wine&model=RF&model=F-RC&model=oRF-lda",
    "?data=no&model=none&trees=x&plane=1",
)
PAGES = ("Boundaries", "Paint", "Posterior", "Nodes", "Spectra", "Proximity", "Evaluate")


@dataclass
class Size:
    """What a server process takes."""

    memory: float  # MB
    threads: int
    handles: int


def size(server: Server) -> Size:
    home = Path(f"/proc/{server.process.pid}")
    status = dict(
        row.split(":", 1) for row in (home / "status").read_text().splitlines() if ":" in row
    )
    return Size(
        int(status["VmRSS"].split()[0]) / 1024,
        int(status["Threads"]),
        len(list((home / "fd").iterdir())),
    )


async def act(client: Client, rng: random.Random) -> None:
    """One action that a person could do with a widget: within its ends, among its options."""
    sliders = client.of_type("Slider")
    toggles = client.of_type("Toggle", "Checkbox")
    buttons = client.of_type("Button")
    selects = client.of_type("Select", "CustomSelect")
    kind = rng.choice(["slide", "slide", "slide", "toggle", "press", "select", "page", "wait"])
    if kind == "slide" and sliders:
        key = rng.choice(sliders)
        low, high = client.attribute(key, "start", 0), client.attribute(key, "end", 1)
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low < high:
            whole = isinstance(low, int) and isinstance(high, int)
            value: Any = rng.randint(low, high) if whole else rng.uniform(low, high)
            await client.change(key, value=value, value_throttled=value)
    elif kind == "toggle" and toggles:
        await client.change(rng.choice(toggles), active=rng.random() < 0.5)
    elif kind == "press" and buttons:
        await client.press(rng.choice(buttons))
    elif kind == "select" and selects:
        key = rng.choice(selects)
        options = client.attribute(key, "options", [])
        values = [o[0] if isinstance(o, list) else o for o in options if isinstance(o, (str, list))]
        if values:
            await client.change(key, value=rng.choice(values))
    elif kind == "page":
        for key in client.of_type("RadioButtonGroup"):
            labels = client.attribute(key, "labels", [])
            if "Boundaries" in labels:
                await client.change(key, active=rng.randrange(len(labels)))
    await asyncio.sleep(rng.random() * 0.3)


async def monkey(server: Server, seed: int, end: float, told: list[str]) -> int:
    """Come, act, leave and come again by another link, until the time is over."""
    rng, actions = random.Random(seed), 0
    while time.monotonic() < end:
        try:
            client = await Client(server.address).come(rng.choice(LINKS))
            for _ in range(rng.randint(5, 40)):
                if time.monotonic() > end:
                    break
                await act(client, rng)
                actions += 1
            told += client.errors
            await client.leave()
        except (Closed, WebSocketClosedError) as error:
            told.append(f"closed: {error}")
    return actions


async def emptied(server: Server, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while server.health()["sessions"] and time.monotonic() < end:
        await asyncio.sleep(0.5)


async def soak(server: Server, seconds: float, clients: int, seed: int = 0) -> dict[str, Any]:
    """Let the monkeys in; what was found, after everybody has left."""
    told: list[str] = []
    # everything is imported and built once before the bounds are taken
    await monkey(server, seed + 999, time.monotonic() + min(20.0, seconds / 3), [])
    await emptied(server)
    before = size(server)
    end = time.monotonic() + seconds
    counts = await asyncio.gather(*(monkey(server, seed + i, end, told) for i in range(clients)))
    await emptied(server)
    after = size(server)
    faults = list(told)
    if "Traceback" in server.said():
        faults.append(server.said()[server.said().index("Traceback") :][:3000])
    if after.memory > MOST_MEMORY * before.memory + CACHE_MB:
        faults.append(f"memory grew from {before.memory:.0f} to {after.memory:.0f} MB")
    if after.threads > before.threads + MOST_THREADS:
        faults.append(f"threads grew from {before.threads} to {after.threads}")
    if after.handles > before.handles + MOST_HANDLES:
        faults.append(f"file handles grew from {before.handles} to {after.handles}")
    return {"actions": sum(counts), "before": before, "after": after, "faults": faults}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    clients = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "--cache-size", str(CACHE_MB)).wait()
        try:
            found = asyncio.run(soak(server, seconds, clients))
        finally:
            server.stop()
    print(f"{found['actions']} actions by {clients} clients in {seconds:.0f} s")
    print(f"before: {found['before']}\nafter:  {found['after']}")
    for fault in found["faults"]:
        print("FAULT", fault)
    sys.exit(bool(found["faults"]))


if __name__ == "__main__":
    main()
