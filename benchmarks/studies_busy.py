"""How busy a table study keeps the cores: `study run menze-table1 --quick` on ten data sets.

    python benchmarks/studies_busy.py [--data DIR]

Busy is processor time over cores times wall time, of all processes of the command: from its first
line to its last (imports and figures too), and over its units alone. On a machine that does
other work too, time spent ready but waiting for a core is told beside it (Linux): a command that
is always ready would keep an idle machine as busy as that. Compiled kernels should be warm:
`forest-explorer warm`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUDY = "menze-table1"
BAR = 0.85
LOOK_SECONDS = 0.1


def looked_at(session: int) -> dict[tuple[str, str], tuple[int, int]]:
    """(process, start), thread -> nanoseconds on a core and ready without one, as of now."""
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            if int(_fields(process)[3]) != session:
                continue
            for task in (process / "task").iterdir():
                ran, waited, _ = (task / "schedstat").read_text().split()
                found[task.name, _fields(task)[19]] = int(ran), int(waited)
        except OSError:
            continue  # it has just ended
    return found


def _fields(process: Path) -> list[str]:
    """Fields of stat behind the program's name, which may hold blanks."""
    return (process / "stat").read_text().rpartition(")")[2].split()


def measure(words: list[str], log: Path) -> dict[str, tuple[float, float, float]]:
    """Part -> seconds of wall, on cores, and ready without one; parts: whole, units."""
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    marks: list[tuple[float, float, float]] = []
    lines = 0
    first = last = None
    begun = time.perf_counter()
    command = subprocess.Popen(words, start_new_session=True)
    while True:
        over = command.poll() is not None
        seen |= looked_at(command.pid)
        ran, waited = (sum(v[i] for v in seen.values()) / 1e9 for i in (0, 1))
        marks.append((time.perf_counter() - begun, ran, waited))
        now = log.read_bytes().count(b"\n") if log.exists() else 0
        if now and first is None:
            first = len(marks) - 1
        if now > lines:
            lines, last = now, len(marks) - 1
        if over:
            break
        time.sleep(LOOK_SECONDS)
    if command.returncode:
        sys.exit(f"The command ended with {command.returncode}.")
    assert first is not None
    assert last is not None
    start, end = marks[first], marks[last]
    return {
        "whole command": marks[-1],
        f"{lines} units": (end[0] - start[0], end[1] - start[1], end[2] - start[2]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="a folder with a CSV per data set, label last")
    data = parser.parse_args().data
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as out:
        words = [sys.executable, "-m", "explorer.cli", "study", "run", STUDY, "--quick"]
        words += ["--out", out] + (["--data", data] if data else [])
        log = Path(out) / "units" / "menze-contest.log"
        for what, (wall, ran, waited) in measure(words, log).items():
            busy, ready = ran / wall / cores, (ran + waited) / wall / cores
            verdict = "ok  " if busy >= BAR else "MISS"
            print(
                f"{verdict} {what}: {busy:.0%} of {cores} cores busy (bar {BAR:.0%}), "
                f"{ready:.0%} busy or ready; {wall:.1f} s of wall, {ran:.1f} s on cores"
            )


if __name__ == "__main__":
    main()
