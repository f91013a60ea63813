"""A real server process and a real Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# ms to wait for a condition: all tests share the machine's cores, and first forests compile
PATIENCE = 150_000
READY = (
    "window.Bokeh && Bokeh.documents[0] && Bokeh.documents[0].is_idle"
    " && !document.body.classList.contains('loading')"
)


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser" in str(item.path).replace(os.sep, "/"):
            item.add_marker(pytest.mark.browser)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="session")
def lesson_folder(tmp_path_factory):
    """The folder of a teacher's own lessons; files may be dropped in while the app runs."""
    return tmp_path_factory.mktemp("lessons")


@pytest.fixture(scope="session")
def server_log(tmp_path_factory):
    """The file of all that the server says."""
    return tmp_path_factory.mktemp("server") / "log"


@pytest.fixture(scope="session")
def server(lesson_folder, server_log):
    """The address of a running app."""
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "EXPLORER_LESSONS": str(lesson_folder),
    }
    command = (
        f"from explorer.app.server.serve import serve; serve(port={port}, show=False, ready=1)"
    )
    with server_log.open("wb") as file:  # nobody would empty a pipe; a full one halts the server
        process = subprocess.Popen(
            [sys.executable, "-c", command],
            cwd=ROOT,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}/"
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            urllib.request.urlopen(address, timeout=60).read()
            break
        except (urllib.error.URLError, OSError):
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                pytest.fail(f"The server did not start: {server_log.read_text()[-2000:]}")
            time.sleep(0.2)
    yield address
    process.terminate()
    process.wait(20)


class Visit:
    """A page with what went wrong on it."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.troubles: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda e: self.troubles.append(f"page error: {e}"))
        page.on("request", self._request)
        page.on("websocket", lambda wire: wire.on("framesent", self._sent))

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text}")

    def _request(self, request):
        local = (self.address, self.address.replace("http", "ws"), "data:", "blob:")
        if not request.url.startswith(local):
            self.troubles.append(f"left this machine: {request.url}")

    def _sent(self, payload):
        """What the browser tells is values: every model is the server's, and known to it."""
        if isinstance(payload, str) and '"type":"object"' in payload:
            self.troubles.append(f"sent a whole model: {payload[:300]}")

    def come(self, query=""):
        """Open a page that may show no map."""
        self.page.goto(self.address + query)
        self.page.wait_for_function(READY)
        return self

    def open(self, query=""):
        self.come(query)
        self.wait("models('Figure').length > 0 && image(0).size > 1000")
        return self

    def js(self, expression):
        return self.page.evaluate(HELPERS + f"return ({expression})\n}})()")

    def wait(self, expression):
        self.page.wait_for_function(HELPERS + f"return ({expression})\n}})()", polling=50)

    def finish(self):
        """Wait until all trees are grown and judged and the maps have the size of their frames.

        Nothing changes the pictures then but what a test does.
        """
        self.wait("finished()")
        return self

    def set_slider(self, name, value):
        self.js(f"set_slider({name!r}, {value})")


HELPERS = """(() => {
  const all = () => [...Bokeh.documents[0]._all_models.values()]
  const models = (type) => all().filter((m) => m.type === type)
  const tagged = (name) => all().find((m) => m.name === name || m.tags?.includes(name))
  const column = (source, name) => source.data.get ? source.data.get(name) : source.data[name]
  const figures = () => models("Figure")
  const image = (card) => {
    const array = column(figures()[card].renderers[0].data_source, "image")[0]
    let sum = 0
    const flat = array.length !== undefined ? array : []
    for (let i = 0; i < flat.length; i++) sum = (sum * 31 + flat[i]) % 1000003
    return {size: flat.length, sum}
  }
  const words_in = (root) => [...root.querySelectorAll("*")].reduce(
    (words, e) => words + (e.shadowRoot ? words_in(e.shadowRoot) : ""), root.textContent)
  // the live region speaks of pictures only once the last one has come
  const finished = () => {
    if (!/OOB|no trees/.test(words_in(document.querySelector(".live")))) return false
    const {inner_width, inner_height, renderers} = figures()[0]
    const shape = column(renderers[0].data_source, "image")[0].shape
    const shrink = Math.min(1, 420 / Math.max(inner_width, inner_height))
    return Math.abs(shape[1] - shrink * inner_width) < 5
      && Math.abs(shape[0] - shrink * inner_height) < 5
  }
  const set_slider = (name, value) => {
    const m = tagged(name); m.value = value; m.value_throttled = value
  }
"""


@pytest.fixture
def visit(browser, server):
    """Open the app; at the end nothing may have gone wrong on the page."""
    pages = []

    def make(width=1280, height=720, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        made = Visit(page, server)
        pages.append((context, made))
        return made

    yield make
    for context, made in pages:
        context.close()
        assert made.troubles == []
