from dataclasses import FrozenInstanceError

import pytest

from explorer.app.session.events import Events, Noted, ViewMoved


def test_subscribers_hear_their_kind_in_the_order_in_which_they_came():
    events, heard = Events(), []
    events.subscribe(Noted, lambda event: heard.append(("first", event.sentence)))
    events.subscribe(Noted, lambda event: heard.append(("second", event.sentence)))
    events.subscribe(ViewMoved, lambda event: heard.append("moved"))
    events.announce(Noted("Hello."))
    assert heard == [("first", "Hello."), ("second", "Hello.")]


def test_whoever_subscribes_while_an_event_is_told_hears_the_next_one():
    events, heard = Events(), []

    def listen(event):
        heard.append(event)
        events.subscribe(ViewMoved, heard.append)

    events.subscribe(ViewMoved, listen)
    events.announce(ViewMoved())
    assert len(heard) == 1
    events.announce(ViewMoved())
    assert len(heard) == 3


def test_an_event_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Noted("a").sentence = "b"
