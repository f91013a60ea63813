"""Figures as files: a standalone HTML always, PNG and SVG through a browser where there is one.

Bokeh draws in a browser. Nearly every machine has one that can run without a window (Chrome,
Chromium, Edge); it is asked once per page, with nothing to install and nothing to download. A page
without a browser keeps its HTML, and `forest-explorer study draw` makes the rest elsewhere.
"""

from __future__ import annotations

import base64
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.studies.findings import write_whole
from explorer.studies.workers import cores

if TYPE_CHECKING:
    from bokeh.models import Model

_BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
_SECONDS = 120  # a page may take, on a slow machine

# When all is drawn, the pictures are written into the page as text, which --dump-dom prints.
_TELL = """
<script>
(function wait() {
  const documents = window.Bokeh && Bokeh.documents
  if (!documents || !documents.length || !documents.every((d) => d.is_idle)) {
    setTimeout(wait, 50)
    return
  }
  let root = null
  for (const view of (Bokeh.index.roots || Object.values(Bokeh.index))) { root = view; break }
  const tell = (id, text) => {
    const told = document.createElement("pre")
    told.id = id
    told.textContent = text
    document.body.append(told)
  }
  tell("svg", root.export("svg").ctx.get_serialized_svg(true))
  tell("png", root.export("png").canvas.toDataURL("image/png"))
})()
</script>
"""


def browser() -> str | None:
    """Path of a browser that can draw without a window, or None. EXPLORER_BROWSER wins."""
    named = os.environ.get("EXPLORER_BROWSER")
    if named:
        return named if Path(named).exists() else shutil.which(named)
    for name in _BROWSERS:
        found = shutil.which(name)
        if found:
            return found
    return next((place for place in _PLACES if Path(place).exists()), None)


def page(plot: Model, title: str) -> str:
    """A figure as an HTML page that needs nothing else, not even a network."""

    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    return file_html(plot, INLINE, title)


def pictures(whole: str, program: str) -> dict[str, bytes]:
    """{"svg": ..., "png": ...} of a page, drawn by a browser; a RuntimeError if it cannot."""
    with tempfile.TemporaryDirectory(prefix="forest-explorer-") as folder:
        source = Path(folder) / "page.html"
        source.write_text(whole.replace("</body>", _TELL + "</body>"), encoding="utf-8")
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--no-first-run",
            "--force-device-scale-factor=2",
            # a profile of its own: a browser that is open already would take the page over
            f"--user-data-dir={folder}/profile",
            "--virtual-time-budget=60000",
            "--dump-dom",
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # browsers refuse to start as root with one
        try:
            done = subprocess.run(
                [*command, source.as_uri()], capture_output=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeError(f"{program} could not draw the figure: {error}.") from None
    told = {
        kind: html.unescape(text)
        for kind, text in re.findall(
            r'<pre id="(svg|png)">(.*?)</pre>', done.stdout.decode("utf-8", "replace"), re.S
        )
    }
    if set(told) != {"svg", "png"}:
        raise RuntimeError(f"{program} did not draw the figure; set EXPLORER_BROWSER to another.")
    png = base64.b64decode(told["png"].partition("base64,")[2])
    return {"svg": told["svg"].encode(), "png": png}


def save_figures(figures: Mapping[str, Any], folder: Path, program: str | None) -> list[str]:
    """Write figures into a folder: HTML, and PNG and SVG with a browser. Returns complaints."""
    pages = {name: page(plot, name) for name, plot in figures.items()}
    for name, whole in pages.items():
        write_whole(folder / f"{safe(name)}.html", whole)
    if program is None:
        return []

    def draw(name: str) -> str:
        try:
            for kind, content in pictures(pages[name], program).items():
                write_whole(folder / f"{safe(name)}.{kind}", content)
        except RuntimeError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(cores()) as pool:  # a browser each
        return list(dict.fromkeys(filter(None, pool.map(draw, pages))))


def safe(name: str) -> str:
    """A file name from a figure's or table's."""
    return re.sub(r"[^A-Za-z0-9()-]+", "_", name).strip("_") or "figure"
