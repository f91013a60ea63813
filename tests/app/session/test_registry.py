import gc
from types import SimpleNamespace

import pytest

from explorer.app.session import registry


class Visitor:
    """What the registry knows of a session."""

    def __init__(self, upload=None):
        self.state = SimpleNamespace(data=SimpleNamespace(upload=upload))
        self.notes = []
        self.mailbox = SimpleNamespace(post=lambda slot, apply: apply())

    def note(self, sentence):
        self.notes.append(sentence)


class Page:
    """A document; the registry keeps none alive."""


def test_a_session_is_counted_while_its_document_lives():
    before = registry.here()
    page = Page()
    registry.enter(page, Visitor())
    assert registry.here() == before + 1
    del page
    gc.collect()
    assert registry.here() == before


def test_a_link_is_taken_apart_from_the_visit_before():
    assert registry.split("data=moons&before=abc&trees=") == ("data=moons&trees=", "abc")
    assert registry.split("data=moons") == ("data=moons", "")


def test_an_own_file_is_handed_on_once():
    visitor = Visitor(upload="file")
    visit = registry.enter(Page(), visitor)
    assert registry.own_file_of(visit) == "file"
    assert registry.own_file_of(visit) is None


def test_a_lent_file_is_given_by_its_word_until_it_is_taken_back():
    word = registry.lend("lent")
    assert registry.own_file_of(word) == "lent"
    assert registry.own_file_of("another word") is None
    registry.take_back(word)
    assert registry.own_file_of(word) is None


def test_everyone_and_the_one_with_a_fault_are_told():
    pages, visitors = [Page(), Page()], [Visitor(), Visitor()]
    for page, visitor in zip(pages, visitors, strict=True):
        registry.enter(page, visitor)
    registry.note_everyone("The server stops soon.")
    registry.note_fault(pages[1])
    assert visitors[0].notes == ["The server stops soon."]
    assert visitors[1].notes == ["The server stops soon.", registry.FAULT]


@pytest.mark.parametrize(("error", "level"), [(ValueError("bad"), "WARNING"), (OSError(), "ERROR")])
def test_a_value_that_a_widget_refuses_is_a_line_and_a_fault_of_ours_a_traceback(
    error, level, caplog
):
    registry.on_exception(error)
    assert [record.levelname for record in caplog.records] == [level]
