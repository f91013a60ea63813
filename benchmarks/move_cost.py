"""What one move of the lead slider costs the server: the app and bare Panel, in one run.

    python benchmarks/move_cost.py [moves] [--profile] [--before FOLDER]

A websocket client moves the slider; the processor time of the server's main thread, on which its
event loop runs, and of all its threads is read from Linux' schedstat before and after. "computed":
places between whole degrees, where no slider has been; "cached": places that were all drawn
before. What follows a picture (its numbers, forests made ahead) is part of its move. Messages and
bytes are those that the client received.

--profile: where the event loop's processor time goes, by cProfile, in a run of computed moves
alone. --before FOLDER: another checkout of this project, measured in turn with it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import pstats
import signal
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from classroom.client import Client, Server  # noqa: E402

PROFILED = """
import cProfile, signal, time
from explorer.cli import main
profile = cProfile.Profile(time.thread_time)  # waits are not counted
signal.signal(signal.SIGUSR1, lambda *_: profile.enable())
try:
    main()
finally:
    profile.disable()
    profile.dump_stats({where!r})
"""
BARE = ROOT / "benchmarks" / "classroom" / "bare.py"
REST = 0.35  # seconds after a picture, in which its numbers follow


def spent(server: Server) -> tuple[float, float]:
    """Milliseconds of processor of the main thread, and of all threads."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    of = {}
    for task in tasks.iterdir():
        try:
            of[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e6
        except OSError:  # a thread that has just ended
            continue
    return of[str(server.process.pid)], sum(of.values())


class Counting(Client):
    """Counts what it receives."""

    received = 0

    def _hear(self, header: dict[str, Any], content: Any, buffers: dict[str, Any]) -> None:
        self.received += sum(map(len, buffers.values()))
        super()._hear(header, content, buffers)


async def moved(
    server: Server, client: Counting, slider: str, places: Iterator[float], n: int
) -> tuple[list[float], list[float], float, float]:
    """Per move: ms of the loop, of all threads, messages, kilobytes of arrays."""
    loop, every = [], []
    messages, received = client.patches, client.received
    for _ in range(n):
        before = spent(server)
        await client.move(slider, next(places), 240)  # kernels may have to be compiled
        await asyncio.sleep(REST)
        after = spent(server)
        loop.append(after[0] - before[0])
        every.append(after[1] - before[1])
    idle = spent(server)
    await asyncio.sleep(REST)
    rests = spent(server)  # what it costs to be there is not a move's
    return (
        [t - (rests[0] - idle[0]) for t in loop],
        [t - (rests[1] - idle[1]) for t in every],
        (client.patches - messages) / n,
        (client.received - received) / n / 1000,
    )


def values(*, new: bool) -> Iterator[float]:
    """Places of the slider: those between whole degrees are drawn once and never prefetched."""
    k = 0
    while True:
        k += 1
        yield 1 + (k * 7) % 88 + (0.003 * k if new else 0.0)


async def measure(servers: dict[str, Server], moves: int, rounds: int = 2) -> None:
    clients = {name: await Counting(server.address).come() for name, server in servers.items()}
    found: dict[tuple[str, str], list[Any]] = {}
    fresh = values(new=True)
    for name, client in clients.items():  # the first moves warm everything up
        await moved(servers[name], client, "lead", fresh, 5)
        await moved(servers[name], client, "lead", values(new=False), 88)
    for _ in range(rounds):
        for name, client in clients.items():
            kinds = {"computed": fresh, "cached": values(new=False)}
            for kind, places in kinds.items():
                if name == "bare Panel" and kind == "cached":
                    continue
                got = await moved(servers[name], client, "lead", places, moves // rounds)
                found.setdefault((name, kind), []).append(got)
    print("| server | move | loop ms | all threads ms | messages | KB of arrays |")
    print("|---|---|---:|---:|---:|---:|")
    for (name, kind), parts in found.items():
        loop = statistics.median(t for part in parts for t in part[0])
        every = statistics.median(t for part in parts for t in part[1])
        messages = statistics.mean(part[2] for part in parts)
        kilobytes = statistics.mean(part[3] for part in parts)
        print(
            f"| {name} | {kind} | {loop:.2f} | {every:.2f} | {messages:.1f} | {kilobytes:.0f} |",
            flush=True,
        )
    for client in clients.values():
        await client.leave()


async def drive(server: Server, moves: int) -> None:
    client = await Counting(server.address).come()
    fresh = values(new=True)
    await moved(server, client, "lead", fresh, 5)
    server.process.send_signal(signal.SIGUSR1)  # warm: from here on the loop is profiled
    await moved(server, client, "lead", fresh, moves)
    await client.leave()


def profile(folder: Path, moves: int) -> None:
    """Print where the event loop's time goes."""
    where = str(folder / "profile")
    server = Server(folder, code=PROFILED.format(where=where)).wait()
    asyncio.run(drive(server, moves))
    server.stop(signal.SIGTERM, 60)
    text = io.StringIO()
    stats = pstats.Stats(where, stream=text)
    stats.sort_stats("tottime").print_stats(25)
    stats.sort_stats("cumulative").print_stats(90)
    print(text.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("moves", nargs="?", type=int, default=60)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--before", type=Path, help="another checkout, measured in turn")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.profile:
            profile(folder, arguments.moves)
            return
        run_bare = f"import runpy; runpy.run_path({str(BARE)!r}, run_name='__main__')"
        servers = {"app": Server(folder), "bare Panel": Server(folder, code=run_bare)}
        if arguments.before is not None:
            code = (
                f"import sys; sys.path.insert(0, {str(arguments.before.resolve())!r}); "
                "from explorer.cli import main; main()"
            )
            servers["app before"] = Server(folder, code=code)
        try:
            for server in servers.values():
                server.wait()
            asyncio.run(measure(servers, arguments.moves))
        finally:
            for server in servers.values():
                server.stop()


if __name__ == "__main__":
    main()
