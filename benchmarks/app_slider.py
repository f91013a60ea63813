"""Slider to painted pixels: the app against a bare page in the same browser and run.

The app: Boundaries, mixture of 200, RF and oRF-ridge of 100 trees, maps of about 300 x 300. The
bare page: a slider with the same 5 ms of debounce that sends two random uint8 images of that
size. Moves alternate between the two pages, so that a busy machine is busy for both.

    python benchmarks/app_slider.py [moves]
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""
APP_PORT, BARE_PORT = 5431, 5432
VIEW = {"width": 1068, "height": 656}

BARE = """
import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from explorer.app.widgets import LiveFloatSlider

pn.extension()
rng = np.random.default_rng()
noise = lambda: {"image": [rng.integers(0, 255, (300, 300), dtype=np.uint8)]}
sources, figures = [], []
for _ in range(2):
    source = ColumnDataSource(noise())
    plot = figure(width=340, height=340)
    plot.image("image", 0, 0, 1, 1, source=source, palette="Greys256")
    sources.append(source)
    figures.append(plot)
slider = LiveFloatSlider(start=0, end=90, step=1, tags=["lead"])

def move(event):
    with pn.io.hold():
        for source in sources:
            source.data = noise()

slider.param.watch(move, "value")
pn.Column(slider, pn.Row(*figures)).servable()
"""

MOVE = """(value) => new Promise((done) => {
  const all = [...Bokeh.documents[0]._all_models.values()]
  const slider = all.find((m) => m.name === "lead" || (m.tags || []).includes("lead"))
  const has = (s) => s.data.get ? s.data.get("image") : s.data.image
  const sources = all.filter((m) => m.type === "ColumnDataSource" && has(m))
  let waiting = sources.length
  const began = performance.now()
  const signals = sources.map((s) => {
    const slot = () => {
      s.properties.data.change.disconnect(slot)
      waiting -= 1
      if (waiting === 0)
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
    }
    s.properties.data.change.connect(slot)
  })
  slider.value = value
})"""


def start(command: list[str], port: int, path: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=30).read()
            return process
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The server did not start.")


def main() -> None:
    from playwright.sync_api import sync_playwright

    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        call = f"serve(port={APP_PORT}, show=False, ready=1)"
        serve = f"from explorer.app.server.serve import serve; {call}"
        app_process = start([sys.executable, "-c", serve], APP_PORT, "")
        bare_command = [sys.executable, "-m", "panel", "serve", str(bare)]
        bare_process = start([*bare_command, "--port", str(BARE_PORT)], BARE_PORT, "bare")
        try:
            with sync_playwright() as play:
                browser = play.chromium.launch(
                    executable_path=CHROMIUM, args=["--disable-dev-shm-usage", "--disable-gpu"]
                )
                addresses = {
                    "app": f"http://127.0.0.1:{APP_PORT}/?data=mixture",
                    "bare": f"http://127.0.0.1:{BARE_PORT}/bare",
                }
                pages, times = {}, {name: [] for name in addresses}
                for name, address in addresses.items():
                    page = browser.new_context(viewport=VIEW).new_page()
                    page.goto(address)
                    page.wait_for_function("window.Bokeh && Bokeh.documents[0]?.is_idle")
                    page.wait_for_timeout(3000)
                    pages[name] = page
                for i in range(moves + 5):
                    for name, page in pages.items():
                        page.bring_to_front()
                        page.wait_for_timeout(400)  # a page that comes to the front is painted
                        took = page.evaluate(MOVE, 1 + (i * 7) % 88)
                        if i >= 5:  # the first moves warm both up
                            times[name].append(took)
                        page.wait_for_timeout(400)  # and its numbers follow its picture
                size = pages["app"].evaluate(
                    "[...Bokeh.documents[0]._all_models.values()]"
                    ".filter((m) => m.type === 'Figure')"
                    ".map((f) => [f.inner_width, f.inner_height])[0]"
                )
                browser.close()
        finally:
            for process in (app_process, bare_process):
                process.terminate()
                process.wait()
    print(f"maps of {size[0]} x {size[1]} pixels, {moves} moves each")
    for name, values in times.items():
        ordered = sorted(values)
        p95 = ordered[int(0.95 * len(ordered)) - 1]
        print(f"{name:5s} median {statistics.median(values):6.1f} ms   p95 {p95:6.1f} ms")
    ratio = statistics.median(times["app"]) / statistics.median(times["bare"])
    print(f"ratio of medians {ratio:.2f} (target: at most 1.5)")


if __name__ == "__main__":
    main()
