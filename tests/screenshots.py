"""Screenshots of every page and two lessons: light and dark, on a projector, a wall and a phone.

    python -m tests.screenshots OUT [PAGE ...]

They are looked at before a page lands: alignment, crowding, contrast, wording, empty states.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from explorer.app.state.visitor import PAGES

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""
SIZES = {"wide": (1280, 720), "wall": (1920, 1080), "phone": (390, 844)}
SEEN = {page: {"page": page} for page in PAGES} | {
    "Importance": {"page": "Importance", "data": "spectra_ir"},
    "Importance of a table": {"page": "Importance", "data": "heart"},
    "Proximity": {"page": "Proximity", "data": "iris"},
    "Real data": {"data": "wine"},
    "Stairs and slopes": {"lesson": "stairs-and-slopes", "step": "2"},
    "Sparse or dense": {"lesson": "sparse-or-dense", "step": "2"},
}
READY = (
    "window.Bokeh && Bokeh.documents[0] && Bokeh.documents[0].is_idle"
    " && !document.body.classList.contains('loading')"
)
WAITING = ("Growing", "Preparing", "Compiling", "Importance, forest", "Proximity, forest")


def serve(port: int) -> subprocess.Popen[bytes]:
    """A server of this checkout's app, once it answers."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from explorer.app.server.serve import serve; serve(port={port}, show=False, ready=1)",
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30).read()
            return process
        except (urllib.error.URLError, OSError):
            if process.poll() is not None:
                break
            time.sleep(0.2)
    process.kill()
    raise SystemExit("The server did not start; run forest-explorer to see why.")


def settle(page: object, patience: float = 90.0) -> None:
    """Wait until the page is drawn and says nowhere that it is at work."""
    page.wait_for_function(READY, timeout=60_000)  # type: ignore[attr-defined]
    end = time.monotonic() + patience
    while time.monotonic() < end:
        page.wait_for_timeout(1200)  # type: ignore[attr-defined]
        said = [page.get_by_text(words).locator("visible=true").count() for words in WAITING]  # type: ignore[attr-defined]
        if not any(said):
            return


def main(out: str, *names: str) -> None:
    unknown = set(names) - set(SEEN)
    if unknown:
        raise SystemExit(f"There is no page {sorted(unknown)[0]}; there are {', '.join(SEEN)}.")
    if not CHROMIUM:
        raise SystemExit("There is no Chromium here; set EXPLORER_CHROMIUM to its path.")
    from playwright.sync_api import sync_playwright

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = serve(port)
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=CHROMIUM, args=["--disable-dev-shm-usage", "--disable-gpu"]
            )
            for name in names or SEEN:
                for theme in ("light", "dark"):
                    for size, (width, height) in SIZES.items():
                        query = SEEN[name] | {"theme": theme}
                        if size == "wall":
                            query["present"] = "1"
                        context = browser.new_context(
                            viewport={"width": width, "height": height}, has_touch=size == "phone"
                        )
                        page = context.new_page()
                        page.goto(f"http://127.0.0.1:{port}/?{urlencode(query)}", timeout=90_000)
                        settle(page)
                        path = folder / f"{name.lower().replace(' ', '-')}-{theme}-{size}.png"
                        page.screenshot(path=path, full_page=size == "phone")
                        context.close()
                        print(path)
            browser.close()
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
