import gc
import weakref

import pytest

from explorer.app.server import memory


@pytest.fixture
def collected(monkeypatch):
    """How often the collector looked through everything, or (0) through what came since."""
    times = []
    whole = []
    monkeypatch.setattr(gc, "unfreeze", lambda: whole.append(1))
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(gc, "collect", lambda: times.append(len(whole)) or whole.clear())
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    monkeypatch.setattr(memory, "_left", 0)
    return times


@pytest.fixture
def thawed():
    gc.unfreeze()
    yield
    gc.unfreeze()


def look(quiet, empty):
    """After so many seconds in which nobody wanted anything."""
    return memory.look(lambda seconds: quiet > seconds, empty)


def test_modules_are_not_looked_through_again(thawed):
    memory.settle()
    assert gc.get_freeze_count() > 100_000


def test_a_page_that_is_built_is_left_alone(thawed):
    before = gc.get_freeze_count()
    page = [[] for _ in range(1000)]
    memory.built()
    assert gc.get_freeze_count() > before + len(page)


def test_who_left_is_forgotten_once_the_room_is_empty_and_quiet(collected):
    assert not look(60, empty=True)  # nobody has left
    memory.somebody_left()
    assert memory.due()
    assert not look(1, empty=True)
    assert not look(60, empty=False)
    assert look(4, empty=True)
    assert not memory.due()
    assert not look(60, empty=True)
    assert collected == [1]


def test_while_others_are_here_several_who_left_are_forgotten_in_a_long_pause(collected):
    for _ in range(memory.SOME_LEFT):
        assert not look(60, empty=False)
        memory.somebody_left()
    assert not look(4, empty=False)
    assert look(11, empty=False)
    assert collected == [1]


def test_a_class_that_is_never_calm_is_tidied_at_last(collected, monkeypatch):
    for _ in range(memory.TOO_MANY_LEFT):
        assert not look(0, empty=False)
        memory.somebody_left()
    assert look(0, empty=False)
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, memory.TOO_MANY))
    assert look(0, empty=False)
    assert collected == [1, 0]


def test_what_came_since_is_looked_through_in_any_pause_and_pages_are_not(collected, monkeypatch):
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, memory.WORTH))
    memory.somebody_left()
    assert not look(0, empty=False)
    assert look(4, empty=False)
    assert memory.due()
    assert collected == [0]


def test_who_left_is_found_among_what_was_left_alone(thawed, monkeypatch):
    monkeypatch.setattr(memory, "_left", 0)
    page = [object() for _ in range(10)]
    page.append(page)  # garbage only the collector finds
    held = weakref.ref(Part(page))
    del page
    memory.built()
    gc.collect()
    assert held() is not None
    memory.somebody_left()
    assert look(60, empty=True)
    assert held() is None
    assert gc.get_freeze_count() > 100_000


class Part:
    """Holds itself, as the parts of a page hold each other."""

    def __init__(self, page):
        self.page, self.me = page, self
