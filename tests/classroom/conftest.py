"""Real server processes for the tests of this folder, each shared by as many tests as can be."""

import pytest

from .client import Server


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("classroom")


@pytest.fixture(scope="session")
def room(folder):
    """A server as a teacher starts it, with a line per request."""
    server = Server(folder, "--log-fits", "--max-sessions", "40").wait()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def locked(folder):
    """A server with a password and two seats."""
    from .client import free_port

    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    options = ("--public", "--address", "127.0.0.1", "--origin", origin, "--max-sessions", "2")
    server = Server(folder, *options, port=port, FOREST_EXPLORER_PASSWORD="four tall trees").wait()
    yield server
    server.stop()
