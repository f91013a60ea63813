"""`forest-explorer window`: the app in a window of its own, with a server that ends with it.

A Chromium, Chrome or Edge shows it in app mode, with a profile of its own that is thrown away;
without one, pywebview does (the extra `desktop`). The server listens to this machine only.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

from explorer.app.server import serve as serving

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
SIZE = (1280, 800)
AT_ONCE = 5.0  # seconds: a browser that fails within these never showed anything
NOTHING = (
    "There is no Chromium, Chrome or Edge on this machine, and no pywebview. Install one of them "
    "(pip install 'forest-explorer[desktop]'), or run forest-explorer and open its address in "
    "any browser."
)


class NoWindow(Exception):
    """A window cannot be opened; the message says what to do."""


def find_browser() -> str | None:
    """The program that can show a page as an app; EXPLORER_BROWSER names another, or none."""
    if "EXPLORER_BROWSER" in os.environ:
        return shutil.which(os.environ["EXPLORER_BROWSER"])
    roots = [os.environ.get(k, "") for k in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
    places = [*MAC, *(str(Path(root) / path) for root in roots if root for path in WINDOWS)]
    return next((found for name in (*NAMES, *places) if (found := shutil.which(name))), None)


def free_port() -> int:
    """A port that nobody listens to just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def address(port: int, link: str = "") -> str:
    """Where the window looks; link: the query of a link, with or without all before it."""
    query = link.partition("?")[2] if "?" in link else link
    tail = f"?{quote(query, safe='=&.,~:;%+-_()')}" if query else ""
    return f"http://127.0.0.1:{port}/{tail}"


def open_window(link: str = "") -> None:
    """Show the app until its window is closed."""
    browser = find_browser()
    if browser is not None:
        _in_browser(browser, link)
    elif importlib.util.find_spec("webview") is not None:
        _in_webview(link)
    else:
        raise NoWindow(NOTHING)


def command(browser: str, url: str, profile: str) -> list[str]:
    """How a browser is asked for one window without its own bars, habits and memories."""
    return [
        browser,
        f"--app={url}",
        f"--user-data-dir={profile}",
        f"--window-size={SIZE[0]},{SIZE[1]}",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-mode",
        "--disable-background-networking",
        "--disable-sync",
        "--disable-extensions",
        *shlex.split(os.environ.get("EXPLORER_BROWSER_ARGS", "")),
    ]


def _in_browser(browser: str, link: str) -> None:
    port = free_port()
    server = serving.serve(port=port, show=False, start=False, ready=0)
    with tempfile.TemporaryDirectory(prefix="forest-", ignore_cleanup_errors=True) as profile:
        began = time.monotonic()
        window = subprocess.Popen(
            command(browser, address(port, link), profile),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def follow() -> None:
            window.wait()
            server.io_loop.add_callback(serving.drain, server)

        threading.Thread(target=follow, name="window", daemon=True).start()
        try:
            serving.run(server)
        finally:
            if window.poll() is None:  # the server was asked to stop first
                window.terminate()
                window.wait(10)
    if window.returncode > 0 and time.monotonic() - began < AT_ONCE + serving.DRAIN_SECONDS:
        raise NoWindow(
            f"{Path(browser).name} could not open a window (it ended with code "
            f"{window.returncode}). Run forest-explorer and open its address in any browser."
        )


def _in_webview(link: str) -> None:
    import webview

    port = free_port()
    server = serving.serve(port=port, show=False, threaded=True, ready=0)
    try:
        webview.create_window("Forest Explorer", address(port, link), width=SIZE[0], height=SIZE[1])
        webview.start()  # until the window is closed
    finally:
        server.stop()
        print("The window is closed.", file=sys.stderr)
