"""Sessions without a browser, which end with their test."""

import pytest

from explorer.app.cache import Cache
from explorer.app.scheduler import Scheduler
from explorer.app.session import Session


@pytest.fixture
def new_session():
    """Open sessions by their query; each has a cache of its own, all share one scheduler."""
    work = Scheduler(workers=2)
    sessions = []

    def make(query=""):
        sessions.append(Session(query, None, Cache(), work))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()
    work.close()
