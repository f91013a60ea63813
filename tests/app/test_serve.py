import gc

from bokeh.document import Document

from explorer.app import visits
from explorer.app.serve import settle


def test_what_a_server_has_at_the_start_is_not_looked_through_again(monkeypatch):
    monkeypatch.setattr(visits, "here", lambda: 0)
    gc.unfreeze()
    try:
        settle()
        assert gc.get_freeze_count() > 100_000
    finally:
        gc.unfreeze()


def test_a_visitors_page_is_never_kept_for_good():
    gc.unfreeze()
    document, session = Document(), object.__new__(type("Session", (), {}))
    visits.enter(document, session)
    settle()
    assert gc.get_freeze_count() == 0
