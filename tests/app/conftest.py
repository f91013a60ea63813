"""Sessions without a browser, which end with their test."""

import pytest

from app.screen import leave, screen_of
from app.settling import settle
from explorer.app.session.session import Session
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler


@pytest.fixture(scope="session")
def shown():
    """A session with finished maps of two small forests, for tests that only look at it."""
    work = Scheduler(workers=2)
    session = Session(
        "data=moons&d.n=80&model=RF~n_tree:6&model=oRF-ridge~n_tree:6", None, Cache(), work
    )
    screen_of(session)
    session.refresh()
    settle(session)
    yield session
    leave(session)
    work.close()


@pytest.fixture
def new_session():
    """Open sessions by their query, each with its screen and a cache of its own."""
    work = Scheduler(workers=2)
    sessions = []

    def make(query=""):
        sessions.append(Session(query, None, Cache(), work))
        screen_of(sessions[-1])
        return sessions[-1]

    yield make
    for session in sessions:
        leave(session)
    work.close()
