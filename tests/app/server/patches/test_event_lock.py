"""A press is handled with its document locked."""

from functools import partial
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.server import async_execute
from panel.io.state import set_curdoc

from explorer.app.server.patches import SWITCH, event_lock


@pytest.fixture
def unlocked(monkeypatch):
    """Panel as it comes; what a test installs is taken back."""
    for coroutine in event_lock.COROUTINES:
        monkeypatch.setattr(coroutine, "lock", False, raising=False)


def locked_for_a_press():
    """Whether Panel schedules the handling of a press with its document locked."""
    document, scheduled = Document(), []
    document._session_context = lambda: SimpleNamespace(
        request=SimpleNamespace(arguments={}), server_context=None
    )
    document.add_next_tick_callback = scheduled.append
    with set_curdoc(document):
        async_execute(partial(pn.widgets.Button()._event_coroutine, document, None))
    (callback,) = scheduled
    return not getattr(callback, "nolock", False)


def test_panel_still_handles_a_press_without_the_lock(unlocked):
    assert not locked_for_a_press()  # if it does, the patch is no longer needed


def test_a_press_is_handled_with_the_lock(unlocked):
    event_lock.install()
    assert locked_for_a_press()


def test_the_switch_leaves_panel_as_it_is(unlocked, monkeypatch):
    monkeypatch.setenv(SWITCH, "event_lock")
    event_lock.install()
    assert not locked_for_a_press()
