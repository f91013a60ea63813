import gc
import weakref

import pytest

from explorer.app import tidy


@pytest.fixture
def collected(monkeypatch):
    """How often the collector looked through everything."""
    times = []
    monkeypatch.setattr(gc, "collect", lambda: times.append(1))
    monkeypatch.setattr(tidy, "_left", None)
    return times


def test_modules_are_not_looked_through_again():
    gc.unfreeze()
    try:
        tidy.settle()
        assert gc.get_freeze_count() > 100_000
    finally:
        gc.unfreeze()


def test_a_page_is_forgotten_when_it_is_calm(collected, monkeypatch):
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    assert not tidy.look(calm=True)
    tidy.somebody_left()
    assert not tidy.look(calm=False)
    assert tidy.look(calm=True)
    assert not tidy.look(calm=True)
    assert len(collected) == 1


def test_a_class_that_is_never_calm_is_tidied_at_last(collected, monkeypatch):
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, tidy.TOO_MANY))
    assert tidy.look(calm=False)
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    now = [100.0]
    monkeypatch.setattr(tidy.time, "monotonic", lambda: now[0])
    tidy.somebody_left()
    now[0] += tidy.TOO_LONG + 1
    assert tidy.look(calm=False)
    assert len(collected) == 2


def test_what_is_alive_in_a_calm_moment_is_left_alone_until_the_next(monkeypatch):
    monkeypatch.setattr(tidy, "_left", None)
    gc.unfreeze()
    try:
        tidy.somebody_left()
        assert tidy.look(calm=True)
        page = [object() for _ in range(10)]
        page.append(page)  # garbage only the collector finds
        held = weakref.ref(Part(page))
        tidy.somebody_left()
        assert tidy.look(calm=True)
        assert gc.get_freeze_count() > 100_000
        assert held() is None
    finally:
        gc.unfreeze()


class Part:
    """Holds itself, as the parts of a page hold each other."""

    def __init__(self, page):
        self.page, self.me = page, self
