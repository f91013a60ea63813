"""What each patch of Bokeh and Panel buys: processor time of a page with all, without one, none.

    python benchmarks/patches.py [pages]

Every line is a process of its own that builds the first page and encodes it for the browser, with
EXPLORER_PATCHES_OFF set (explorer/app/server/patches). Rounds alternate between the lines, so that
a busy machine is busy for all of them. Patches that make a page right instead of quick (a lock, a
header, a path that is not found) are listed with the rest; they cost and buy nothing here.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 2
PATCHES = ("stable_defaults", "event_lock")  # those that `forest-explorer` alone installs
PAGE = """
import os, sys, time
os.environ["BOKEH_VALIDATE_DOC"] = "false"
import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc
from explorer.app.layout.page import build
from explorer.app.server.patches import event_lock, stable_defaults
for patch in (event_lock, stable_defaults):
    patch.install()
pn.extension()
for k in range(int(sys.argv[1]) + 1):
    document, before = Document(), time.thread_time()
    with set_curdoc(document):
        build()._init_doc(document)
        document.to_json()
    if k:  # the first one imports and compiles
        print(1000 * (time.thread_time() - before), len(document.models), flush=True)
os._exit(0)
"""


def built(off: str, pages: int) -> tuple[list[float], int]:
    """Milliseconds of each page, and its models."""
    run = subprocess.run(
        [sys.executable, "-c", PAGE, str(pages)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EXPLORER_PATCHES_OFF": off},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in run.stdout.splitlines()]
    return [float(ms) for ms, _ in rows], int(rows[-1][1])


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    lines = {"all": "", **{f"without {p}": p for p in PATCHES}, "none": ",".join(PATCHES)}
    times: dict[str, list[float]] = {name: [] for name in lines}
    models = 0
    for _ in range(ROUNDS):
        for name, off in lines.items():
            found, models = built(off, pages)
            times[name] += found
    print(f"first page: {models} models, {ROUNDS * pages} pages each\n")
    print("| patches | ms of processor per page | times all |\n|---|---:|---:|")
    all_of_them = statistics.median(times["all"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"| {name} | {median:.0f} | {median / all_of_them:.2f} |")


if __name__ == "__main__":
    main()
