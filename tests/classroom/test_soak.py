"""Random actions by five clients leave nothing behind; ten of them for ten minutes: soak.py."""

from .client import Server, run
from .soak import ACTIONS, CACHE_MB, soak

SECONDS = 85  # with the start and the last one's leaving, two minutes


def test_two_minutes_of_monkeys_leave_nothing_behind(folder):
    code = (
        "from explorer.app.server import startup; "
        "startup.UNUSED_MS = 3000; startup.CHECK_MS = 500; "
        "from explorer.cli import main; main()"
    )
    server = Server(folder, "--cache-size", str(CACHE_MB), code=code).wait()
    try:
        found = run(soak(server, SECONDS, 5, seed=3))
    finally:
        server.stop(seconds=60)
    assert found["faults"] == []
    assert set(found["actions"]) == {action.__name__ for action in ACTIONS}
