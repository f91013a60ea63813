from bokeh.document import Document

from explorer.app.session.mailbox import Mailbox


class Context:
    """A server that holds a document, with so many browsers."""

    def __init__(self, connections=0):
        self.session = self
        self.connection_count = connections


def live_document(connections=0):
    document = Document()
    document._session_context = lambda: None
    context = Context(connections)
    document._session_context = lambda: context
    return document, context


def test_without_a_server_what_is_posted_is_done_at_once():
    done = []
    Mailbox(None).post("a", lambda: done.append(1))
    assert done == [1]


def test_the_newest_of_a_slot_is_delivered_and_one_fault_stops_no_other(caplog):
    document, _ = live_document()
    box, done = Mailbox(document), []

    def fault():
        raise RuntimeError("cannot be drawn")

    box.post("a", lambda: done.append("old"))
    box.post("a", lambda: done.append("new"))
    box.post("b", fault)
    box.post("c", lambda: done.append("other"))
    assert done == []
    box._deliver()
    assert done == ["new", "other"]
    assert "cannot be drawn" in caplog.text


def test_while_a_page_opens_nothing_is_delivered():
    document, context = live_document()
    box, done = Mailbox(document), []
    context.connection_count = 1
    assert box.opening
    box.post("a", lambda: done.append(1))
    box._deliver()
    assert done == []
    box.open()
    box._deliver()
    assert done == [1]


def test_a_closed_mailbox_takes_nothing():
    box, done = Mailbox(None), []
    box.close()
    box.post("a", lambda: done.append(1))
    assert done == []


def test_a_page_whose_browser_went_away_is_alone():
    document, context = live_document(connections=1)
    box = Mailbox(document)
    box.open()
    assert not box.alone
    context.connection_count = 0
    assert box.alone


def test_what_is_to_be_done_later_is_done_at_once_without_a_server():
    done = []
    Mailbox(None).later(lambda: done.append(1), 10_000)
    assert done == [1]
