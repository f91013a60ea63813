"""A monkey in the classroom: random actions by several clients, seeded.

    python tests/classroom/soak.py              ten minutes, ten clients
    python tests/classroom/soak.py 60 4         a minute, four clients

It fails on an exception in the log, an error answered to a client, a page that says that something
went wrong, or a server that has grown beyond the bounds below once everybody has left.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from tornado.httpclient import HTTPError
from tornado.websocket import WebSocketClosedError

from classroom.client import Client, Closed, Server
from classroom.fuzz import good, mutated
from explorer.app.session.registry import FAULT
from explorer.app.work.baseline_work import NOT_FITTED
from explorer.sentences import FAILED

# what a page says about an error that nobody foresaw
UNFORESEEN = (FAULT, FAILED, NOT_FITTED)
MOST_MEMORY = 1.25  # of what it was after the first part, plus the bound of the cache
CACHE_MB = 64
MOST_THREADS, MOST_HANDLES = 8, 20  # more than after the first part
LINKS = (
    "",
    "?page=Posterior&data=mixture",
    "?page=Nodes",
    "?data=spectra_ir&page=Importance",
    "?data=iris&page=Proximity",
    "?data=paint&page=Paint",
    "?page=Evaluate&data=moons",
    "?page=Papers",
    "?data=wine&model=RF&model=F-RC&model=oRF-lda",
    "?lesson=broken-sensors&step=4",
    "?lesson=one-tree-many-trees&step=1",
    "?data=no&model=none&trees=x&plane=1",
)


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


# ---- what a monkey does: all that a person could, within a widget's ends and among its options


async def slide(client: Client, rng: random.Random) -> None:
    key = rng.choice(client.of_type("Slider"))
    low, high = client.attribute(key, "start", 0), client.attribute(key, "end", 1)
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low < high:
        whole = isinstance(low, int) and isinstance(high, int)
        value: Any = rng.randint(low, high) if whole else rng.uniform(low, high)
        await client.change(key, value=value, value_throttled=value)


async def toggle(client: Client, rng: random.Random) -> None:
    key = rng.choice(client.of_type("Toggle", "Checkbox"))
    await client.change(key, active=rng.random() < 0.5)


async def press(client: Client, rng: random.Random) -> None:
    await client.press(rng.choice(client.of_type("Button")))


async def select(client: Client, rng: random.Random) -> None:
    key = rng.choice(client.of_type("Select", "CustomSelect"))
    values = options_of(client, key)
    if values:
        await client.change(key, value=rng.choice(values))


async def choose_several(client: Client, rng: random.Random) -> None:
    keys = client.of_type("CheckboxButtonGroup", "MultiSelect", "CustomMultiSelect")
    key = rng.choice(keys)
    labels = client.attribute(key, "labels")
    if isinstance(labels, list):
        await client.change(key, active=[i for i in range(len(labels)) if rng.random() < 0.5])
    else:
        await client.change(key, value=[v for v in options_of(client, key) if rng.random() < 0.3])


async def choose_one(client: Client, rng: random.Random) -> None:
    """Of buttons in a row; the tabs of the pages are one such row."""
    key = rng.choice(client.of_type("RadioButtonGroup"))
    labels = client.attribute(key, "labels", [])
    if labels:
        await client.change(key, active=rng.randrange(len(labels)))


async def turn_page(client: Client, rng: random.Random) -> None:
    for key in client.of_type("RadioButtonGroup"):
        labels = client.attribute(key, "labels", [])
        if "Boundaries" in labels:
            await client.change(key, active=rng.randrange(len(labels)))


async def go_back(client: Client, rng: random.Random) -> None:
    """The browser's back button brings an earlier link."""
    await client.change(client.named("address"), value="<" + rng.choice(LINKS).lstrip("?"))


async def upload(client: Client, rng: random.Random) -> None:
    """Drop a good file, or a damaged one."""
    name, content = rng.choice(sorted(good().items()))
    if rng.random() < 0.5:
        content = mutated(content, np.random.default_rng(rng.randrange(1 << 30)))
    await client.upload(rng.randrange(1 << 30), name, content)


async def touch(client: Client, rng: random.Random) -> None:
    """Tap a figure, or drag over it, if it listens: a browser tells the server of no other."""
    key = rng.choice(client.of_type("Figure"))
    place = {"sx": 50.0, "sy": 60.0, "x": rng.uniform(-9, 9), "y": rng.uniform(-9, 9)}
    names = ("tap",) if rng.random() < 0.5 else ("panstart", "pan", "panend")
    heard = client.attribute(key, "subscribed_events", [])
    if isinstance(heard, dict):  # a set, as Bokeh writes it
        heard = heard.get("entries", [])
    if not set(names) <= set(heard):
        return
    for name in names:
        moved = {"delta_x": 5.0, "delta_y": 3.0} if name == "pan" else {}
        await client.event(name, model={"id": key}, modifiers=None, **place, **moved)


async def zoom(client: Client, rng: random.Random) -> None:
    key = rng.choice(client.of_type("Range1d"))
    start = rng.uniform(-9, 9)
    await client.change(key, start=start, end=start + rng.uniform(0.1, 9))


async def rest(client: Client, rng: random.Random) -> None:
    await asyncio.sleep(rng.random())


ACTIONS = {  # and how often, compared with the others
    slide: 6,
    toggle: 2,
    press: 3,
    select: 3,
    choose_several: 1,
    choose_one: 2,
    turn_page: 2,
    go_back: 1,
    upload: 1,
    touch: 2,
    zoom: 1,
    rest: 1,
}


def options_of(client: Client, key: str) -> list[Any]:
    options = client.attribute(key, "options", [])
    if isinstance(options, dict):  # of options in groups, as Bokeh writes a dict
        options = [o for _, several in options.get("entries", []) for o in several]
    return [o[0] if isinstance(o, list) else o for o in options if isinstance(o, (str, list))]


async def act(client: Client, rng: random.Random) -> str:
    """One action; its name."""
    action = rng.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    with suppress(IndexError, KeyError):  # this page has no such widget
        await action(client, rng)
    await asyncio.sleep(rng.random() * 0.3)
    return action.__name__


async def monkey(server: Server, seed: int, end: float, told: list[str]) -> Counter[str]:
    """Come, act, leave and come again by another link, until the time is over: what was done."""
    rng, done = random.Random(seed), Counter[str]()
    while time.monotonic() < end:
        try:
            client = await Client(server.address).come(rng.choice(LINKS))
            for _ in range(rng.randint(5, 40)):
                if time.monotonic() > end:
                    break
                done[await act(client, rng)] += 1
                told += [s for s in UNFORESEEN if s in client.text()]
            told += client.errors
            await client.leave()
        except (Closed, WebSocketClosedError) as error:
            told.append(f"closed: {error}")
        except (TimeoutError, HTTPError):
            told.append("a visitor waited a minute for the page")
    return done


async def emptied(server: Server, seconds: float = 60) -> None:
    """Wait until everybody has gone and the server has freed their pages.

    It frees them in a pause; one that never comes shows as memory that grew.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = server.metrics()
        if not (found["sessions"] or found["pages_to_free"] or found["requests_waiting"]):
            return
        await asyncio.sleep(0.5)


async def soak(server: Server, seconds: float, clients: int, seed: int = 0) -> dict[str, Any]:
    """Let the monkeys in; what was found, after everybody has left."""
    told: list[str] = []
    counts: list[Counter[str]] = []
    sizes = []
    # everything is imported, compiled and built in the first part; the second must add nothing
    for part, share in enumerate((0.4, 0.6)):
        end, first = time.monotonic() + share * seconds, seed + 1000 * part
        counts += await asyncio.gather(
            *(monkey(server, first + i, end, told) for i in range(clients))
        )
        await emptied(server)
        sizes.append(size(server))
    before, after = sizes
    faults = list(told)
    if "Traceback" in server.said():
        faults.append(server.said()[server.said().index("Traceback") :][:3000])
    if after.memory > MOST_MEMORY * before.memory + CACHE_MB:
        faults.append(f"memory grew from {before.memory:.0f} to {after.memory:.0f} MB")
    if after.threads > before.threads + MOST_THREADS:
        faults.append(f"threads grew from {before.threads} to {after.threads}")
    if after.handles > before.handles + MOST_HANDLES:
        faults.append(f"file handles grew from {before.handles} to {after.handles}")
    return {"actions": sum(counts, Counter()), "before": before, "after": after, "faults": faults}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    clients = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "--cache-size", str(CACHE_MB)).wait()
        try:
            found = asyncio.run(soak(server, seconds, clients))
        finally:
            server.stop(seconds=60)
    print(f"{found['actions'].total()} actions by {clients} clients in {seconds:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in found["actions"].most_common()))
    print(f"before: {found['before']}\nafter:  {found['after']}")
    for fault in found["faults"]:
        print("FAULT", fault)
    sys.exit(bool(found["faults"]))


if __name__ == "__main__":
    main()
