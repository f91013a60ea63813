"""A class under load: real websocket clients at the app and, in the same run, at a bare Panel app.

    python benchmarks/classroom                  thirty clients, one move a second, five heavy
    python benchmarks/classroom 60 100 200       where it breaks
    python benchmarks/classroom --seconds 5 4    a few, to see that it works

It prints a table in Markdown, with bars. Moves of the two servers alternate in time: both are
asked by as many clients, first one, then the other, twice over, so that a busy machine is busy for
both. The bare app is moved by a slider as Panel has it, and in turn by one that waits as little as
the app's (5 ms instead of 50). Memory is counted from a server that has shown each kind of page
once. Numbers say something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

import browsers  # noqa: E402
from classroom.client import Client, Closed, Server  # noqa: E402
from tornado.httpclient import HTTPError  # noqa: E402

HEAVY = [  # what five of thirty do
    "?data=spectra_ir&page=Spectra",
    "?data=spectra_mrs",
    "?data=twonorm&d.n=1000&d.p=20&model=RF~n_tree:1000",
    "?data=mixture&model=oRF-ridge~n_tree:1000",
    "?data=digits&page=Proximity",
]
HUGE = "?data=trunk&d.n=10000&d.p=200&model=RF~n_tree:9000"
READY = 30  # the default
LOOP = "ms event loop, longest, waits for a core apart"
SETTLE = 5.0  # seconds of quiet before memory is read
BAR = 24


@dataclass
class Found:
    """What one round at one server gave. Seconds, except memory (MB)."""

    moves: list[float] = field(default_factory=list)
    quick_moves: list[float] = field(default_factory=list)  # of the bare app's other slider
    ticks: list[float] = field(default_factory=list)
    start_ticks: list[float] = field(default_factory=list)
    blocked: list[float] = field(default_factory=list)  # ticks without waits for a core
    start_blocked: list[float] = field(default_factory=list)
    errors: int = 0
    stale: int | None = None  # who ended on a picture of another place
    opens: list[float] = field(default_factory=list)
    at_work: list[float] = field(default_factory=list)
    interactive: list[float] = field(default_factory=list)  # of browsers
    pixels: list[float] = field(default_factory=list)
    grown: float = 0.0  # per session
    left: float = 0.0  # of what it had before they came
    extra: dict[str, float] = field(default_factory=dict)


def resident(server: Server) -> float:
    """MB of a server process, without its cache of finished work, which has a bound of its own."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    whole = next(int(r.split()[1]) / 1024 for r in status.splitlines() if r.startswith("VmRSS"))
    try:
        return whole - server.metrics()["cache_bytes"] / 2**20
    except (OSError, KeyError):  # the bare app has none
        return whole


def processor(server: Server) -> float:
    """Seconds of processor a server has used."""
    parts = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / 100


def stolen() -> float:
    """Seconds of processor that this machine's host gave to others instead."""
    return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / 100


@asynccontextmanager
async def beside(
    script: str, *arguments: str, notes: Callable[[str], None], begins: bool = False
) -> AsyncIterator[None]:
    """Meanwhile, another process notes how long it waits; begins: it says when it is there."""
    watch = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name(script)),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert watch.stdin is not None
    assert watch.stdout is not None
    if begins:
        await asyncio.wait_for(watch.stdout.readline(), 60)
    reading = asyncio.create_task(watch.stdout.read())
    try:
        yield
    finally:
        watch.stdin.close()
        for line in (await reading).decode().splitlines():
            notes(line)
        await watch.wait()


def ticking(server: Server, ticks: list[float], own: list[float]) -> Any:
    """Note how long the event loop leaves somebody waiting, and that without waits for a core."""

    def notes(line: str) -> None:
        took, blocked = map(float, line.split())
        ticks.append(took)
        own.append(blocked)

    return beside("ticker.py", str(server.port), str(server.process.pid), notes=notes)


def at_work(server: Server, moves: list[float]) -> Any:
    """One who came before the others, and keeps moving."""
    notes = lambda line: moves.append(float(line))  # noqa: E731
    return beside("mover.py", server.address, notes=notes, begins=True)


async def student(client: Client, found: Found, end: float, seed: int, every: float) -> None:
    """Move the slider once in a while, and wait for the picture."""
    rng = random.Random(seed)
    lead = client.named("lead")
    ways = [("lead", found.moves)]
    if has_model(client, "quick lead"):
        ways.append(("quick lead", found.quick_moves))
    stands = {name: client.attribute(client.named(name), "value") for name, _ in ways}
    low, high = client.attribute(lead, "start", 0.0), client.attribute(lead, "end", 90.0)
    places = [low + (high - low) * k / 90 for k in range(1, 90)]
    await asyncio.sleep(rng.random() * every)
    while time.monotonic() < end:
        begun = time.monotonic()
        name, times = ways[0]
        ways.append(ways.pop(0))
        # another value, or there is nothing to draw
        value = stands[name] = rng.choice([v for v in places if v != stands[name]])
        try:
            times.append(await client.move(name, value, 60))
        except (AssertionError, Closed, OSError):
            found.errors += 1
            return
        await asyncio.sleep(max(0.0, every - (time.monotonic() - begun)))


async def open_all(server: Server, queries: list[str], found: Found) -> list[Client | None]:
    """All at once, as a class starts; one who is at work already keeps moving.

    None for who had no page after a minute.
    """

    async def come(query: str) -> Client | None:
        begun = time.perf_counter()
        try:
            client = await Client(server.address).come(query)
        except (HTTPError, Closed, OSError):
            found.errors += 1
            client = None
        found.opens.append(time.perf_counter() - begun)
        return client

    return list(await asyncio.gather(*(come(query) for query in queries)))


async def stale(clients: list[Client]) -> int:
    """All drag their slider at once and stop at one place: how many end on another picture."""
    for value in (50.0, 46.0, 44.0, 43.0):
        for client in clients:
            await client.change(client.named("lead"), value=value)
        await asyncio.sleep(0.05)
    seen = [client.patches for client in clients]
    while True:  # until nothing more comes
        await asyncio.sleep(1)
        if seen == (seen := [client.patches for client in clients]):
            break
    last = Counter(tuple(client.pictures()) for client in clients)
    return len(clients) - max(last.values(), default=0)


async def looking(page: Any, found: Found, end: float, seed: int) -> None:
    """A student at a real browser."""
    rng, value = random.Random(seed), 45  # where it stands
    while time.monotonic() < end:
        begun = time.monotonic()
        value = rng.choice([v for v in range(1, 90) if v != value])
        try:
            found.pixels.append(await browsers.move(page, value))
        except Exception:
            found.errors += 1
            return
        await asyncio.sleep(max(0.0, 1.0 - (time.monotonic() - begun)))


async def one_round(server: Server, queries: list[str], seconds: float, n_browsers: int) -> Found:
    """A class comes, works, and leaves."""
    async with browsers.visiting(server.address, n_browsers) as pages:
        return await _one_round(server, queries, seconds, pages)


async def class_start(server: Server, n: int) -> Found:
    """Thirty who open the plain address at once, and nothing else on the machine."""
    found = Found()
    async with (
        at_work(server, found.at_work),
        ticking(server, found.start_ticks, found.start_blocked),
    ):
        clients = await open_all(server, [""] * n, found)
    for client in filter(None, clients):
        await client.leave()
    await emptied(server)
    return found


async def emptied(server: Server) -> None:
    """Wait until those who left are forgotten."""
    end = time.monotonic() + 45
    while time.monotonic() < end and sessions(server) > 0:
        await asyncio.sleep(1)


async def _one_round(server: Server, queries: list[str], seconds: float, pages: list[Any]) -> Found:
    found = Found()
    before = resident(server)
    async with (
        at_work(server, found.at_work),
        ticking(server, found.start_ticks, found.start_blocked),
    ):
        opening = [asyncio.create_task(browsers.come(page, server.address)) for page in pages]
        clients = await open_all(server, queries, found)
        found.interactive += await asyncio.gather(*opening)
    used, begun, lost = processor(server), time.monotonic(), stolen()
    here = [(c, q) for c, q in zip(clients, queries, strict=True) if c is not None]
    light = [c for c, q in here if not q]
    heavy = [c for c, q in here if q]
    end = time.monotonic() + seconds
    aside = Found()
    async with ticking(server, found.ticks, found.blocked):
        await asyncio.gather(
            *(student(c, found, end, i, 1.0) for i, c in enumerate(light)),
            *(student(c, aside, end, i, 3.0) for i, c in enumerate(heavy) if has_model(c, "lead")),
            *(looking(page, found, end, i) for i, page in enumerate(pages)),
        )
    lasted = time.monotonic() - begun
    found.extra["cores"] = (processor(server) - used) / lasted
    found.extra["stolen"] = (stolen() - lost) / lasted
    found.errors += aside.errors
    if server_draws(server):
        found.stale = await stale(light)
    found.grown = (resident(server) - before) / (len(here) + len(pages))
    for client, _ in here:
        await client.leave()
    for page in pages:
        await page.close()
    await emptied(server)
    await until_ready(server)
    await asyncio.sleep(SETTLE)
    found.left = resident(server) / before - 1
    return found


async def show_once(server: Server, queries: list[str]) -> None:
    """One visitor per kind of work: what a server loads for it, it loads once and keeps."""
    for query in queries:
        client = await Client(server.address).come(query)
        with suppress(AssertionError, KeyError):
            await client.move("lead", client.attribute(client.named("lead"), "end", 1.0) / 2, 60)
        await asyncio.sleep(3)
        await client.leave()
    await emptied(server)


async def until_ready(server: Server) -> None:
    """A class comes to a server that was started some time before."""
    end = time.monotonic() + 180
    try:
        while time.monotonic() < end:
            if server.health()["prepared"]:
                return
            await asyncio.sleep(1)
    except (OSError, KeyError):  # the bare app does not say
        return


def has_model(client: Client, name: str) -> bool:
    try:
        client.named(name)
    except KeyError:
        return False
    return True


def server_draws(server: Server) -> bool:
    """Whether its pictures are of what the slider says; those of the bare app are noise."""
    try:
        return "cache_bytes" in server.metrics()
    except OSError:
        return False


def sessions(server: Server) -> int:
    try:
        return int(server.health()["sessions"])
    except OSError:  # the bare app does not say: wait the whole time
        return 1


async def fairness(server: Server, seconds: float) -> tuple[float, float]:
    """The median of a few others, alone and beside one who asks for 9000 trees on 10 000 x 200."""
    clients = [await Client(server.address).come() for _ in range(3)]
    out = []
    for beside in (False, True):
        greedy = await Client(server.address).come(HUGE) if beside else None
        found = Found()
        end = time.monotonic() + seconds
        await asyncio.gather(*(student(c, found, end, i, 0.5) for i, c in enumerate(clients)))
        out.append(statistics.median(found.moves))
        if greedy is not None:
            await greedy.leave()
    for client in clients:
        await client.leave()
    return out[0], out[1]


def quantile(values: list[float], q: float) -> float:
    return sorted(values)[min(len(values) - 1, int(q * len(values)))] if values else float("nan")


def rows_of(name: str, n: int, f: Found) -> list[tuple[str, str, float, str]]:
    return [
        (f"{n} clients", name, 1000 * quantile(f.moves, 0.5), "ms move, median"),
        (f"{n} clients", name, 1000 * quantile(f.moves, 0.95), "ms move, p95"),
        (f"{n} clients", f"{name}, 5 ms", 1000 * quantile(f.quick_moves, 0.5), "ms move, median"),
        (f"{n} clients", f"{name}, 5 ms", 1000 * quantile(f.quick_moves, 0.95), "ms move, p95"),
        (f"{n} clients", name, 1000 * max(f.ticks, default=0), "ms event loop, longest"),
        (f"{n} clients", name, 1000 * quantile(f.ticks, 0.95), "ms event loop, p95"),
        (f"{n} clients", name, 1000 * max(f.start_ticks, default=0), "ms event loop, at the start"),
        (f"{n} clients", name, 1000 * max(f.blocked, default=0), LOOP),
        (f"{n} clients", name, 1000 * max(f.start_blocked, default=0), f"{LOOP}, at the start"),
        (f"{n} clients", name, 1000 * max(f.opens), "ms until the last page is open"),
        (f"{n} clients", name, 1000 * max(f.at_work, default=0), "ms longest move meanwhile"),
        (f"{n} clients", name, 1000 * max(f.interactive, default=0), "ms last browser open"),
        (f"{n} clients", name, 1000 * quantile(f.pixels, 0.5), "ms to pixels, median"),
        (f"{n} clients", name, f.grown, "MB per session"),
        (f"{n} clients", name, 100 * f.left, "% more than before, after they left"),
        (f"{n} clients", name, f.extra["cores"], "cores used"),
        (f"{n} clients", name, f.extra["stolen"], "cores stolen by the host"),
        (f"{n} clients", name, float(f.errors), "errors"),
        (f"{n} clients", name, float("nan" if f.stale is None else f.stale), "stale last frames"),
    ]


def start_of(f: Found) -> list[tuple[float, str]]:
    return [
        (1000 * max(f.opens), "ms until the last page is open"),
        (1000 * max(f.at_work, default=0), "ms longest move meanwhile"),
        (1000 * max(f.start_ticks, default=0), "ms event loop, longest"),
        (1000 * max(f.start_blocked, default=0), LOOP),
        (float(f.errors), "errors"),
    ]


def table(rows: list[tuple[str, str, float, str]]) -> str:
    """Markdown; a bar is long as the largest of its kind."""
    rows = [row for row in rows if row[2] == row[2]]  # what was not measured is NaN
    most = {u: max((abs(v) for _, _, v, w in rows if w == u), default=1) or 1 for *_, u in rows}
    out = ["| load | server | what | value | |", "|---|---|---|---:|---|"]
    for load, server, value, unit in sorted(rows, key=lambda r: (r[0], r[3], r[1])):
        bar = "█" * round(BAR * abs(value) / most[unit])
        out.append(f"| {load} | {server} | {unit} | {value:.1f} | {bar} |")
    return "\n".join(out)


def both(rounds: list[Found]) -> Found:
    """Two rounds as one; memory of the worse."""
    out = Found(
        errors=sum(r.errors for r in rounds),
        stale=None if rounds[0].stale is None else sum(r.stale or 0 for r in rounds),
        grown=max(r.grown for r in rounds),
        left=max(r.left for r in rounds),
        extra={k: statistics.mean(r.extra[k] for r in rounds) for k in rounds[0].extra},
    )
    for r in rounds:
        out.moves += r.moves
        out.quick_moves += r.quick_moves
        out.ticks += r.ticks
        out.start_ticks += r.start_ticks
        out.blocked += r.blocked
        out.start_blocked += r.start_blocked
        out.opens += r.opens
        out.at_work += r.at_work
        out.interactive += r.interactive
        out.pixels += r.pixels
    return out


async def measure(arguments: Any, folder: Path) -> list[tuple[str, str, float, str]]:
    bare_code = f"import runpy; runpy.run_path({str(ROOT / 'benchmarks/classroom/bare.py')!r}, "
    app = Server(folder, "--max-sessions", "1000", "--log-fits", "--ready", str(READY))
    bare = Server(folder, code=bare_code + "run_name='__main__')")
    rows: list[tuple[str, str, float, str]] = []
    try:
        app.wait()
        bare.wait()
        await show_once(app, ["", *HEAVY])
        await show_once(bare, [""])
        for n in arguments.clients:
            heavy = [HEAVY[i % len(HEAVY)] for i in range(n // 6)]
            queries = [*heavy, *[""] * (n - len(heavy))]
            found: dict[str, list[Found]] = {"app": [], "bare Panel": []}
            for _ in range(arguments.rounds):
                for name, server in (("app", app), ("bare Panel", bare)):
                    asked = queries if name == "app" else [""] * n
                    if server is app:
                        await until_ready(app)
                    print(f"{n} clients at {name} ...", file=sys.stderr, flush=True)
                    found[name].append(
                        await one_round(server, asked, arguments.seconds, arguments.browsers)
                    )
            for name, server in (("app", app), ("bare Panel", bare)):
                await until_ready(server)
                plain = await class_start(server, n)
                rows += [(f"{n} plain opens", name, v, u) for v, u in start_of(plain)]
            new = [r for name, rounds in found.items() for r in rows_of(name, n, both(rounds))]
            print(table(new), file=sys.stderr, flush=True)  # the rest may take long
            rows += new
        alone, beside = await fairness(app, arguments.seconds)
        rows += [
            ("3 beside one of 9000 trees", "app", 1000 * alone, "ms move, median, alone"),
            ("3 beside one of 9000 trees", "app", 1000 * beside, "ms move, median, beside"),
        ]
        told = app.metrics()
        rows.append(("all", "app", told["maps_from_cache_total"], "maps from the cache"))
        rows.append(("all", "app", float("Traceback" in app.said()), "tracebacks in the log"))
    finally:
        app.stop()
        bare.stop()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clients", nargs="*", type=int, default=[30])
    parser.add_argument("--seconds", type=float, default=30.0, help="of moving, per round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--browsers", type=int, default=2, help="real ones, beside the clients")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(table(asyncio.run(measure(arguments, Path(folder)))))


if __name__ == "__main__":
    main()
