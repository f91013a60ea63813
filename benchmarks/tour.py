"""Frames of a tour that Chromium paints in a second: wine (13 features), two models of 100 trees.

    python benchmarks/tour.py [seconds]

A painted frame is one in which new pictures of all models have arrived and the browser has then
run an animation frame. The tour is a grand one at its first speed, in a window of 1280 x 720. The
time that the parts of a frame take on the server is measured apart, without a browser.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from itertools import islice, pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""
PORT = int(os.environ.get("EXPLORER_PORT", "5441"))
BAR = 15.0

COUNT = """(seconds) => new Promise((done) => {
  const all = [...Bokeh.documents[0]._all_models.values()]
  const has = (s) => s.data.get ? s.data.get("image") : s.data.image
  const maps = all.filter((m) => m.type === "ColumnDataSource" && has(m))
  const came = maps.map(() => 0), times = []
  let painted = 0
  maps.forEach((s, i) => s.properties.data.change.connect(() => { came[i] += 1 }))
  const began = performance.now()
  const look = () => {
    const whole = Math.min(...came)
    if (whole > painted) { painted = whole; times.push(performance.now() - began) }
    if (performance.now() - began < 1000 * seconds) requestAnimationFrame(look)
    else done(times)
  }
  requestAnimationFrame(look)
})"""


def start() -> subprocess.Popen[bytes]:
    call = f"serve(port={PORT}, show=False, ready=1)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"from explorer.app.server.serve import serve; {call}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=30).read()
            return process
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The server did not start.")


def in_browser(seconds: float) -> list[float]:
    """Times at which frames were painted, in ms."""
    from playwright.sync_api import sync_playwright

    process = start()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=CHROMIUM, args=["--disable-dev-shm-usage", "--disable-gpu"]
            )
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.goto(f"http://127.0.0.1:{PORT}/?data=wine&look=tour")
            page.wait_for_function("window.Bokeh && Bokeh.documents[0]?.is_idle")
            page.wait_for_timeout(3000)
            page.get_by_label("Play the tour").click()
            page.wait_for_timeout(2000)
            times: list[float] = page.evaluate(COUNT, seconds)
            browser.close()
    finally:
        process.terminate()
        process.wait()
    return times


def on_server() -> None:
    """Milliseconds of the parts of a frame."""
    from explorer.analysis.tour import grand_tour
    from explorer.analysis.tour_route import to_numbers
    from explorer.app.state.plane_choice import PlaneRecipe
    from explorer.app.state.visitor import State
    from explorer.app.work.cache import Cache
    from explorer.app.work.map_work import pictures
    from explorer.app.work.requests import MapRequest, Pictures, load_source, space_of_tours

    state = State()
    state.data.choose("wine")
    specs = tuple(m.spec(13) for m in state.models.models)
    cache = Cache(1 << 28)
    source = load_source(state.data.recipe(), cache)
    space = space_of_tours(source, cache)
    took = []
    for frame in islice(grand_tour(space, seed=1), 60):
        plane = PlaneRecipe("tour", frame=to_numbers(frame))
        request = MapRequest(state.data.recipe(), specs, 0, plane, None, (360, 400))
        before = time.perf_counter()
        for made in pictures(request, cache, threading.Event()):
            if isinstance(made, Pictures) and all(r is not None for r in made.records):
                break
        took.append(1000 * (time.perf_counter() - before))
    print(f"both pictures on the server: median {statistics.median(took[10:]):.1f} ms")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    on_server()
    times = in_browser(seconds)
    gaps = [b - a for a, b in pairwise(times)]
    rate = 1000 * (len(times) - 1) / (times[-1] - times[0])
    ordered = sorted(gaps)
    print(
        f"{rate:.1f} painted frames a second (bar: at least {BAR:.0f}); between two: median "
        f"{statistics.median(gaps):.0f} ms, p95 {ordered[int(0.95 * len(ordered))]:.0f} ms"
    )


if __name__ == "__main__":
    main()
