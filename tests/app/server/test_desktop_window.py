"""`forest-explorer window`: with a real Chromium, with a stand-in, and without any browser."""

import os
import shutil
import stat
import subprocess
import sys
import time
import types
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.app.server import desktop_window as window

ROOT = Path(__file__).parents[3]
CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""
STAND_IN = """#!{python}
import sys, urllib.request
from pathlib import Path
options = dict(a.partition("=")[::2] for a in sys.argv[1:])
page = urllib.request.urlopen(options["--app"], timeout=60).read().decode()
Path({out!r}).write_text("\\n".join([options["--app"], options["--user-data-dir"],
    str(Path(options["--user-data-dir"]).is_dir()), str("Forest Explorer" in page)]))
sys.exit({code})
"""


def start(*words, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", "from explorer.cli import main; main()", "window", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stand_in(folder, code=0):
    path = folder / "browser"
    out = folder / "seen.txt"
    path.write_text(STAND_IN.format(python=sys.executable, out=str(out), code=code))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path), out


def test_the_server_lives_as_long_as_the_window_and_the_profile_goes_with_it(tmp_path):
    browser, out = stand_in(tmp_path)
    process = start("?data=moons&page=Evaluate", EXPLORER_BROWSER=browser)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    url, profile, was_there, is_ours = out.read_text().splitlines()
    assert url.startswith("http://127.0.0.1:")
    assert url.endswith("/?data=moons&page=Evaluate")
    assert (was_there, is_ours) == ("True", "True")
    assert not Path(profile).exists()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=5)


def test_a_browser_that_fails_is_said_in_a_sentence(tmp_path):
    browser, _ = stand_in(tmp_path, code=3)
    process = start(EXPLORER_BROWSER=browser)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "browser could not open a window (it ended with code 3)" in said
    assert "Traceback" not in said


def test_without_browser_and_pywebview_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setenv("EXPLORER_BROWSER", "no-such-browser")
    monkeypatch.setattr(window.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(window.NoWindow, match=r"forest-explorer\[desktop\]"):
        window.open_window()


def test_without_a_browser_pywebview_shows_the_app_and_the_server_ends_after_it(monkeypatch):
    happened = []

    class Server:
        def stop(self):
            happened.append("stopped")

    stub = types.ModuleType("webview")
    stub.create_window = lambda title, url, **size: happened.append((title, url))
    stub.start = lambda: happened.append("shown")
    monkeypatch.setitem(sys.modules, "webview", stub)
    monkeypatch.setenv("EXPLORER_BROWSER", "no-such-browser")
    monkeypatch.setattr(window.importlib.util, "find_spec", lambda name: stub)
    monkeypatch.setattr(window.serving, "serve", lambda **options: Server())
    monkeypatch.setattr(window, "free_port", lambda: 4321)
    window.open_window("?page=Nodes")
    assert happened == [
        ("Forest Explorer", "http://127.0.0.1:4321/?page=Nodes"),
        "shown",
        "stopped",
    ]


@pytest.mark.parametrize(
    ("link", "tail"),
    [
        ("", ""),
        ("http://class.example.org:5006/?d.angle=3", "?d.angle=3"),
        ("data=moons", "?data=moons"),
        ("?x= --no-sandbox", "?x=%20--no-sandbox"),
        ("?x=<script>", "?x=%3Cscript%3E"),
    ],
)
def test_only_the_query_of_a_link_is_opened_and_it_stays_one_word(link, tail):
    assert window.address(80, link) == f"http://127.0.0.1:80/{tail}"


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM and not os.environ.get("CI"), reason="There is no Chromium here.")
def test_a_real_chromium_shows_the_app_and_its_end_ends_the_server():
    port = window.free_port()
    process = start(
        EXPLORER_BROWSER=CHROMIUM,
        EXPLORER_BROWSER_ARGS=f"--headless=new --no-sandbox --disable-gpu "
        f"--disable-dev-shm-usage --remote-debugging-port={port}",
    )
    try:
        # in a thread of its own: the browser tests may have left a loop running in this one
        with ThreadPoolExecutor(1) as thread:
            title = thread.submit(_look_and_close, process, port).result(timeout=240)
        assert title == "Forest Explorer"
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def _look_and_close(process, port):
    """Wait until the window shows the app, and close it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        end = time.monotonic() + 90
        while True:
            try:
                browser = play.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
                break
            except Exception:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < end
                time.sleep(0.5)
        page = browser.contexts[0].pages[0]
        page.get_by_text("Left may only cut straight").wait_for(timeout=90_000)
        title = page.title()
        browser.new_browser_cdp_session().send("Browser.close")
        return title
