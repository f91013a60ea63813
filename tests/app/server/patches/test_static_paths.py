"""A path with a zero byte is not found; other files are served as before."""

import pytest
from own_loop import run
from tornado.httpserver import HTTPServer
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.testing import bind_unused_port
from tornado.web import Application, StaticFileHandler

from explorer.app.server.patches import SWITCH, static_paths


async def codes(folder, *paths):
    application = Application([(r"/static/(.*)", StaticFileHandler, {"path": str(folder)})])
    listening, port = bind_unused_port()
    server = HTTPServer(application)
    server.add_socket(listening)
    client = SimpleAsyncHTTPClient(force_instance=True)
    found = []
    for path in paths:
        answer = await client.fetch(f"http://127.0.0.1:{port}/static/{path}", raise_error=False)
        found.append(answer.code)
    client.close()
    server.stop()
    await server.close_all_connections()
    return found


@pytest.fixture
def bare(monkeypatch):
    """Tornado as it comes; what a test installs is taken back."""
    monkeypatch.setattr(StaticFileHandler, "get", static_paths._get)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("here")
    return tmp_path


def test_a_zero_byte_is_not_found_and_files_are(bare, folder):
    static_paths.install()
    assert run(codes(folder, "a.txt", "%00", "a.txt%00", "none.txt")) == [
        200,
        404,
        404,
        404,
    ]


def test_the_switch_leaves_tornado_as_it_is(bare, folder, monkeypatch):
    monkeypatch.setenv(SWITCH, "other,static_paths")
    static_paths.install()
    assert StaticFileHandler.get is static_paths._get
    # if this is 404, Tornado has mended it and the patch can go
    assert run(codes(folder, "%00")) == [500]
