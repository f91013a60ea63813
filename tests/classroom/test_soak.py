"""Random actions by several clients leave nothing behind; ten minutes of it: soak.py."""

import pytest

from .client import Server, run
from .soak import CACHE_MB, soak


@pytest.mark.slow
def test_half_a_minute_of_monkeys_leaves_nothing_behind(folder):
    code = (
        "from explorer.app import opening; opening.UNUSED_MS = 3000; opening.CHECK_MS = 500; "
        "from explorer.cli import main; main()"
    )
    server = Server(folder, "--cache-size", str(CACHE_MB), code=code).wait()
    try:
        found = run(soak(server, 25, 4, seed=3))
    finally:
        server.stop()
    assert found["faults"] == []
    assert found["actions"] > 20
