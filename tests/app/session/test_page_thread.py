import threading

import panel as pn
import pytest
from bokeh.document import Document
from own_loop import run

from explorer.app.session.page_thread import beside, here


def test_work_runs_on_another_thread_with_the_document_as_the_current_one():
    document = Document()
    seen = {}

    def act():
        seen.update(here=here(), document=pn.state.curdoc, thread=threading.get_ident())
        return 7

    assert run(beside(document, act)) == 7
    assert seen["here"]
    assert seen["document"] is document
    assert seen["thread"] != threading.get_ident()
    assert not here()


def test_an_error_comes_back_to_whoever_awaits():
    def act():
        raise ValueError("from the other thread")

    with pytest.raises(ValueError, match="from the other thread"):
        run(beside(Document(), act))


def test_the_thread_of_a_document_is_as_before():
    document = Document()
    pn.state._thread_id_[document] = 123
    try:
        run(beside(document, lambda: None))
        assert pn.state._thread_id_[document] == 123
    finally:
        del pn.state._thread_id_[document]
