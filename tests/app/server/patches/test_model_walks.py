"""Many changes of a page are one walk through its models."""

import pytest
from bokeh.document import Document
from bokeh.models import Column, Div

from explorer.app.server.patches.model_walks import one_walk


@pytest.fixture
def page(monkeypatch):
    """A document with a column, and how often its models were looked for."""
    document, column = Document(), Column(children=[Div(), Div()])
    document.add_root(column)
    walks = []
    recompute = document.models.recompute
    monkeypatch.setattr(document.models, "recompute", lambda: (walks.append(1), recompute()))
    return document, column, walks


def test_many_changes_are_one_walk(page):
    document, column, walks = page
    with one_walk(document):
        for _ in range(5):
            column.children = [*column.children, Div()]
        assert walks == []
    assert walks == [1]
    assert all(child.document is document for child in column.children)


def test_changes_that_bring_no_models_are_none(page):
    document, column, walks = page
    with one_walk(document), one_walk(document):
        column.children[0].text = "new"
    assert walks == []


def test_a_part_that_is_taken_out_and_put_back_is_not_new(page):
    document, column, _ = page
    document.models.flush_synced()
    kept = list(column.children)
    with one_walk(document):
        column.children = []
        column.children = kept
    assert set(kept) <= document.models.synced_references


def test_a_fault_leaves_nothing_behind(page):
    document, column, walks = page

    def fail():
        column.children = []
        raise RuntimeError

    with pytest.raises(RuntimeError), one_walk(document):
        fail()
    assert walks == [1]
    column.children = [Div()]
    assert walks == [1, 1]
